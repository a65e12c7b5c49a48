import Foundation

/// The parsed command line.
struct Arguments {
    enum Action {
        case help, list
        case fuzz([FuzzTarget])
    }

    /// An error for an invalid argument.
    struct Mistake: Error {
        let message: String
    }

    var action = Action.help
    var seed: UInt64 = 1
    var count: Int?
    var seconds: Double?
    var output: String?

    static let help = """
        Fuzzing [--seed N] [--count N] [--seconds N] [--output FOLDER] [TARGET …]
        Fuzzing --list

        Gives random inputs to the targets that are named, or to all. Ends with 1 when a target fails.

          --seed N         the first input's seed, 1 if there is none; the others' follow it. --seed N --count 1 repeats an input
          --count N        how many inputs each target gets
          --seconds N      how long it takes at most, shared among the targets
          --output FOLDER  where the inputs go that made a target fail
          --list           the targets, and what is counted of each
        """

    init(_ arguments: some Sequence<String>) throws {
        var names: [String] = []
        var isList = false
        var arguments = Array(arguments)[...]
        while let argument = arguments.popFirst() {
            switch argument {
            case "--help", "-h": return
            case "--list": isList = true
            case "--seed": seed = try Self.value(argument, &arguments, UInt64.init)
            case "--count": count = try Self.value(argument, &arguments) { Int($0).flatMap { $0 > 0 ? $0 : nil } }
            case "--seconds":
                seconds = try Self.value(argument, &arguments) { Double($0).flatMap { $0 > 0 ? $0 : nil } }
            case "--output": output = try Self.value(argument, &arguments) { $0 }
            case _ where argument.hasPrefix("-"): throw Mistake(message: "unknown option '\(argument)'\n\(Self.help)")
            default: names.append(argument)
            }
        }
        if let unknown = names.first(where: { name in !FuzzTarget.all.contains { $0.name == name } }) {
            let known = FuzzTarget.all.map(\.name).joined(separator: " ")
            throw Mistake(message: "unknown target '\(unknown)'; the targets are: \(known)")
        }
        action = isList ? .list : .fuzz(FuzzTarget.all.filter { names.isEmpty || names.contains($0.name) })
    }

    private static func value<Value>(
        _ option: String, _ arguments: inout ArraySlice<String>, _ read: (String) -> Value?
    ) throws -> Value {
        guard let value = arguments.popFirst().flatMap(read) else {
            throw Mistake(message: "\(option) needs a value\n\(help)")
        }
        return value
    }
}
