import Foundation
import MigrationInspector

// The rows about whole processes measure this program, started as the inspector of the benchmark's chains.
if ProcessInfo.processInfo.environment[InspectorProcess.variable] != nil { Inspector.main() }

do {
    let arguments = try Arguments(CommandLine.arguments.dropFirst())
    switch arguments.action {
    case .list: for row in Row.all { print(Report.line(row)) }
    case .help: print(Arguments.help)
    case .measure(let rows):
        let signals = TemporaryFolder.removeAllWhenInterrupted()
        defer { TemporaryFolder.removeAll() }
        try withExtendedLifetime(signals) {
            try Report(isJSON: arguments.isJSON).measure(rows, extent: arguments.extent)
        }
    }
} catch let error as Arguments.Mistake {
    Report.complain(error.message)
    exit(64)
} catch {
    Report.complain("\(error)")
    exit(1)
}
