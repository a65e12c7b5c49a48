import Foundation

/// The parsed command line. Workers get the same one, so they make the same chains.
struct Arguments: Sendable {
    var seed: UInt64 = 1
    var claims = 20_000
    /// A single chain to try, and one of its documents.
    var chain: Int?
    var document: Int?
    var verifiesTruth = false
    var atMostFalse: Int?
    var atLeastSaid: Double?
    var examples = 3
    var showsSilent = false
    var showsTrace = false

    static let help = """
        Oracle [--seed N] [--claims N] [--examples N] [--silent] [--at-most-false N] [--at-least-said PERCENT]
        Oracle [--seed N] --chain K --document K [--trace]
        Oracle [--seed N] --verify-truth

        Compares what the program claims of documents whose truth is known. Ends with 1 when a claim is false.

          --seed N                  chains and documents; 1 if there is none
          --claims N                how many claims are compared; 20,000 if there is none
          --chain K, --document K   the one chain, and the one document of it, that a false claim names
          --trace                   prints what the program says of it, as it is compared
          --examples N              how many false claims of each kind are printed; 3 if there is none; the first is shrunk
          --silent                  prints what is true and is not said, too
          --at-most-false N         so many false claims are no failure
          --at-least-said PERCENT   fewer of the true things being said is one
          --verify-truth            compares the truth itself with brute force: every value changed, one by one
        """

    static let current: Arguments = {
        do {
            return try Arguments(CommandLine.arguments.dropFirst())
        } catch {
            FileHandle.standardError.write(Data("\(error)\n\(help)\n".utf8))
            exit(64)
        }
    }()

    struct Mistake: Error, CustomStringConvertible { let description: String }

    private init(_ arguments: ArraySlice<String>) throws {
        var arguments = arguments
        func value<Value>(_ option: String, _ read: (String) -> Value?) throws -> Value {
            guard let value = arguments.popFirst().flatMap(read) else {
                throw Mistake(description: "\(option) needs a value")
            }
            return value
        }
        while let option = arguments.popFirst() {
            switch option {
            case "--seed": seed = try value(option, UInt64.init)
            case "--claims": claims = try value(option) { Int($0) }
            case "--chain": chain = try value(option) { Int($0) }
            case "--document": document = try value(option) { Int($0) }
            case "--examples": examples = try value(option) { Int($0) }
            case "--at-most-false": atMostFalse = try value(option) { Int($0) }
            case "--at-least-said": atLeastSaid = try value(option, Double.init)
            case "--verify-truth": verifiesTruth = true
            case "--silent": showsSilent = true
            case "--trace": showsTrace = true
            case "--help", "-h":
                print(Self.help)
                exit(0)
            default: throw Mistake(description: "unknown option '\(option)'")
            }
        }
    }
}
