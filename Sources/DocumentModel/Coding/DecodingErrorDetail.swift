import Foundation

/// What a ``DocumentDecoder`` knows of an error beyond what the error says.
///
/// The decoder throws the very errors that Foundation's decoders throw, so that an app's handling of them is shown as
/// it is. What it knows better it notes in the ``ReadRecord``: ``ReadRecord/detail(of:)``. An error without a detail
/// comes from the decoded type itself, and its description is its author's.
///
/// Where JSONDecoder meets a number that the type cannot hold, it reports the whole document ("The given data was not
/// valid JSON.", with an empty coding path). The detail has the path of the number.
public struct DecodingErrorDetail: Error {
    /// What is wrong with a value.
    public enum Problem: Sendable {
        /// The object has no value for a key.
        case missingKey(String)
        /// The value is not one that a value of the type can be made from.
        case mismatch(any Any.Type)
        /// The value is null or not there.
        case missingValue(any Any.Type)
        /// A number, as it is written, that a value of the type cannot hold.
        case unrepresentable(String, type: any Any.Type)
        /// The text is not a date in the form that the strategy wants.
        case noDate
        /// The text is not Base64.
        case noBase64
        /// The text is not a URL.
        case noURL
        /// The type has no case of that raw value. `cases` are its raw values, where they are known.
        case noCase(cases: [String]?)
        /// The name is not one of a key of the dictionary. `cases` are those that are.
        case noKey(String, cases: [String])
    }

    /// The way to the value that is wrong.
    public let codingPath: [any CodingKey]
    /// What is wrong with it.
    public let problem: Problem
    /// The innermost type that was decoded from the value, which may ask for one of another: a `Date` asks for a
    /// `Double`. Nil for a scalar.
    public internal(set) var type: (any Any.Type)?
    /// How dates are read, where the value was to be one.
    public internal(set) var dates: JSONDecoder.DateDecodingStrategy?
    /// The description of the error.
    let description: String
}

extension DecodingError {
    /// Where and why, whatever the kind of the error.
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
    /// What the decoder knows of an error that ended the decoding; nil for one that is not the decoder's.
    public func detail(of error: any Error) -> DecodingErrorDetail? {
        guard let last = lastError, let context = (error as? DecodingError)?.context else { return nil }
        if context.underlyingError is DecodingErrorDetail { return last }
        return last.description == context.debugDescription ? last : nil
    }

    /// Adds to the last error, if it is about the value at `path` itself, as which type that was decoded.
    func name(_ type: any Any.Type, _ error: DecodingError, at path: [any CodingKey]) {
        guard let context = error.context else { return }
        // So says the standard library of a dictionary whose keys are of an enum.
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
            // What the standard library says of an enum with raw values. It says it in no other way than this sentence,
            // and an `init(from:)` of the enum's own may refuse the same value with another: its author's words stand.
            // The test "a value that is no case of an enum is named with its type and its cases, whatever wraps it" fails
            // where the standard library says it differently.
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
