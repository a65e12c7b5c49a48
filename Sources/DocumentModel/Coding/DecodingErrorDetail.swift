import Foundation

/// Additional information that a ``DocumentDecoder`` has about an error.
///
/// The decoder throws exactly the errors that Foundation's decoders throw, so that an app handles them as usual. It
/// stores additional information in the ``ReadRecord``; see ``ReadRecord/detail(of:)``. An error without a detail was
/// thrown by the decoded type itself, and its description was written by the type's author.
///
/// If the type cannot represent a number, JSONDecoder reports an error of the whole document ("The given data was not
/// valid JSON.", with an empty coding path). The detail has the path of the number.
public struct DecodingErrorDetail: Error {
    /// A problem with a value.
    public enum Problem: Sendable {
        /// The object has no value for a key.
        case missingKey(String)
        /// The value has the wrong kind for the type.
        case mismatch(any Any.Type)
        /// The value is null or missing.
        case missingValue(any Any.Type)
        /// A number, as written, that the type cannot represent.
        case unrepresentable(String, type: any Any.Type)
        /// The text isn't a date in the format that the strategy requires.
        case noDate
        /// The text isn't base64.
        case noBase64
        /// The text isn't a URL.
        case noURL
        /// The type has no case with that raw value. `cases` are its raw values, if they are known.
        case noCase(cases: [String]?)
        /// The name isn't a valid key of the dictionary. `cases` are the valid ones.
        case noKey(String, cases: [String])
    }

    /// The path to the value that has the problem.
    public let codingPath: [any CodingKey]
    /// The problem.
    public let problem: Problem
    /// The innermost type that was decoded from the value. It may itself request a value of another type: a `Date`
    /// requests a `Double`. Nil for a scalar.
    public internal(set) var type: (any Any.Type)?
    /// The strategy for dates, if the value should be a date.
    public internal(set) var dates: JSONDecoder.DateDecodingStrategy?
    /// The description of the error.
    let description: String
}

extension DecodingError {
    /// The context of the error, regardless of its kind.
    var context: Context? {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
            .dataCorrupted(let context):
            context
        @unknown default: nil
        }
    }
}

extension ReadRecord {
    /// Returns the detail of an error that ended the decoding, or nil if the error isn't from the decoder.
    public func detail(of error: any Error) -> DecodingErrorDetail? {
        guard let last = lastError, let context = (error as? DecodingError)?.context else { return nil }
        if context.underlyingError is DecodingErrorDetail { return last }
        return last.description == context.debugDescription ? last : nil
    }

    /// Adds the type that was being decoded to the last error, if that is about the value at `path` itself.
    func name(_ type: any Any.Type, _ error: DecodingError, at path: [any CodingKey]) {
        guard let context = error.context else { return }
        // This is the standard library's message for a dictionary with an enum as its key type.
        if context.codingPath.count == path.count + 1, let name = context.codingPath.last?.stringValue,
            let keys = (type as? any KeyedByType.Type)?.keys,
            context.debugDescription.hasPrefix("Could not convert key to type "),
            let cases = EnumCases.rawValues(of: keys)
        {
            return note(
                DecodingErrorDetail(
                    codingPath: context.codingPath, problem: .noKey(name, cases: cases), type: keys,
                    description: context.debugDescription))
        }
        if let last = lastError, last.description == context.debugDescription {
            if last.type == nil, last.codingPath.count == path.count { lastError?.type = type }
        } else if context.codingPath.count == path.count,
            // This is the standard library's message for an enum with raw values. Only this exact sentence counts: the
            // enum's own `init(from:)` may refuse the same value with a message of its author, which is kept. A test
            // fails if the standard library changes the message.
            context.debugDescription.hasPrefix("Cannot initialize \(type) from invalid ")
        {
            note(
                DecodingErrorDetail(
                    codingPath: path, problem: .noCase(cases: EnumCases.rawValues(of: type)), type: type,
                    description: context.debugDescription))
        }
    }
}

/// A dictionary.
private protocol KeyedByType { static var keys: any Any.Type { get } }

extension Dictionary: KeyedByType {
    fileprivate static var keys: any Any.Type { Key.self }
}
