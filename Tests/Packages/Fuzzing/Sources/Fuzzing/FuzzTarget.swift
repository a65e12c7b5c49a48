/// A target for random inputs.
struct FuzzTarget: Sendable {
    /// The target's name on the command line.
    let name: String
    /// A description of its inputs, and of the meaning of "parsed" and "reached".
    let summary: String
    /// The number of inputs if the command line names none.
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
    /// Returns an input that depends only on the random numbers.
    func input(_ random: inout SplitMix64) -> [UInt8]

    /// Tries an input.
    ///
    /// - Throws: ``Broken`` if a law that should hold for all inputs doesn't hold.
    func run(_ input: [UInt8]) throws -> Depth
}

/// How far an input was processed.
enum Depth: Int, Comparable {
    case refused, parsed, reached

    static func < (left: Depth, right: Depth) -> Bool { left.rawValue < right.rawValue }
}

/// An error for a law that doesn't hold for all inputs.
struct Broken: Error, CustomStringConvertible {
    let description: String

    /// Checks a law.
    static func unless(_ holds: Bool, _ law: @autoclosure () -> String) throws {
        if !holds { throw Broken(description: law()) }
    }
}
