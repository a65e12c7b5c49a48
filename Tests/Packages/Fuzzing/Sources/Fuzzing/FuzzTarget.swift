/// Something that is given random inputs.
struct FuzzTarget: Sendable {
    /// What the command line calls it.
    let name: String
    /// What the inputs are, and what "parsed" and "reached" mean of them.
    let summary: String
    /// How many inputs it gets where no number is named.
    var usualCount = 20_000
    let make: @Sendable () throws -> any FuzzSubject

    static let all =
        parsingTargets + [
            pathTarget, differenceTarget, patchTarget, editTarget, traceTarget, frameTarget, pageTarget, checkTarget,
            storeTarget,
        ]
}

/// Makes inputs, and tries them.
protocol FuzzSubject {
    /// An input, the same for the same numbers.
    func input(_ random: inout SplitMix64) -> [UInt8]

    /// Tries an input.
    ///
    /// - Throws: ``Broken`` where something does not hold that holds for all inputs.
    func run(_ input: [UInt8]) throws -> Depth
}

/// How far an input came.
enum Depth: Int, Comparable {
    case refused, parsed, reached

    static func < (left: Depth, right: Depth) -> Bool { left.rawValue < right.rawValue }
}

/// Something that holds for all inputs does not hold.
struct Broken: Error, CustomStringConvertible {
    let description: String

    /// Checks a law.
    static func unless(_ holds: Bool, _ law: @autoclosure () -> String) throws {
        if !holds { throw Broken(description: law()) }
    }
}
