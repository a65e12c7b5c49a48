import Foundation

/// Reads property lists, XML and binary.
enum PropertyListReader {
    /// Whether `bytes` begin as a property list.
    static func recognizes(_ bytes: SourceBytes) -> Bool { false }

    static func read(_ bytes: SourceBytes, progress: ParseProgress?) throws -> Document { throw CancellationError() }

    /// The error for a text that is no JSON but looks like the old OpenStep form of property lists; nil if it does not.
    static func openStepError(in bytes: SourceBytes) -> DocumentParseError? { nil }
}
