import Foundation
import MigrationInspector

@main
struct Inspect: MigrationInspectorProgram {
    static let chains: [MigrationChain] = {
        if ProcessInfo.processInfo.environment["FAULTY_CHAINS"] != nil { fatalError("two chains of one name") }
        return [MigrationChain(Task.self)]
    }()
}
