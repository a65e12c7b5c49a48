import Foundation

/// The parsed arguments of the benchmark.
struct Arguments {
    enum Action {
        case help, list
        case measure([Row])
    }

    /// An error for an invalid argument.
    struct Mistake: Error {
        let message: String
    }

    var action: Action
    var extent = Extent.full
    var isJSON = false

    static let help = """
        Benchmarks [--quick] [--json] [ROW …]
        Benchmarks --list

        Measures the rows that are named, or all of them. A ROW is the name of a row (check-2KB) or of a group (check).

          --quick  small documents and few rounds, to see that everything runs
          --json   the rows as JSON, when all are measured
          --list   the rows and what each compares
        """

    init(_ arguments: some Sequence<String>) throws {
        var names: [String] = []
        var isList = false
        action = .help
        for argument in arguments {
            switch argument {
            case "--help", "-h": return
            case "--quick": extent = .quick
            case "--json": isJSON = true
            case "--list": isList = true
            case _ where argument.hasPrefix("-"): throw Mistake(message: "unknown option '\(argument)'\n\(Self.help)")
            default: names.append(argument)
            }
        }
        let unknown = names.filter { name in !Row.all.contains { $0.name == name || $0.group == name } }
        guard unknown.isEmpty else {
            let known = Row.all.map(\.name).joined(separator: " ")
            let quoted = unknown.map { "'\($0)'" }.joined(separator: ", ")
            throw Mistake(message: "unknown \(unknown.count == 1 ? "row" : "rows") \(quoted); the rows are: \(known)")
        }
        action =
            if isList {
                .list
            } else if names.isEmpty {
                .measure(Row.all.filter { extent == .full || $0.isQuick })
            } else {
                .measure(Row.all.filter { names.contains($0.name) || names.contains($0.group) })
            }
    }
}
