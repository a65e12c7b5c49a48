import ExampleChains
import Foundation
import MigrationCore

@testable import MigrationWorker

enum TestWorker {
    /// The chains of the program that runs the tests.
    static var chains: [MigrationChain] {
        [MigrationChain(Visit.self), Visitor.chain] + Refusal.chains + Shelf.chains + Notebook.chains
            + Billboard.chains + Garage.chains + [Gauge.chain]
            + ExampleChains.all
    }
}

#if os(Linux)
    /// The program that runs the tests is its own worker, like any program that inspects documents: it becomes one
    /// before `main` if the worker's variable is in its environment.
    private let becomeWorker: @convention(c) () -> Void = {
        guard getenv(WorkerMain.variable) != nil else { return }
        let beginning = getenv("TEST_WORKER").map { String(cString: $0) }
        if beginning == "ends" { _exit(9) }
        // The variable names a folder. Each file in it kills one worker.
        if let beginning, beginning.hasPrefix("/") {
            for number in 0..<4 where unlink("\(beginning)/\(number)") == 0 { kill(getpid(), SIGKILL) }
        }
        MainActor.assumeIsolated {
            WorkerMain.runIfWorker {
                if beginning == "has no chains" { fatalError("two chains of one name") }
                return TestWorker.chains + (beginning == "has a strict type" ? [Billboard.strict] : [])
            }
        }
    }

    @section(".init_array") @used private let beforeMain: @convention(c) () -> Void = { becomeWorker() }
#endif
