import Foundation

/// The result of a decoding or an encoding: a value in words, or everything that can be seen of an error.
enum Outcome: Equatable, CustomStringConvertible {
    case value(String)
    case codingError(kind: String, type: String, path: [Key], description: String)
    case otherError(String)

    struct Key: Equatable, CustomStringConvertible {
        var stringValue: String
        var intValue: Int?

        var description: String { intValue.map { "\(stringValue)#\($0)" } ?? stringValue }
    }

    init(_ body: () throws -> Any) {
        do {
            self = .value(Self.words(try body()))
        } catch let error as DecodingError {
            switch error {
            case .typeMismatch(let type, let context):
                self = .codingError("typeMismatch", "\(type)", context.codingPath, context.debugDescription)
            case .valueNotFound(let type, let context):
                self = .codingError("valueNotFound", "\(type)", context.codingPath, context.debugDescription)
            case .keyNotFound(let key, let context):
                self = .codingError("keyNotFound", "\(key)", context.codingPath, context.debugDescription)
            case .dataCorrupted(let context):
                self = .codingError("dataCorrupted", "", context.codingPath, context.debugDescription)
            @unknown default: self = .otherError("\(error)")
            }
        } catch let EncodingError.invalidValue(value, context) {
            // PropertyListEncoder has its reason in the underlying error.
            let inside = context.underlyingError.map { error in " < \(Outcome { throw error })" } ?? ""
            self = .codingError(
                "invalidValue", Self.words(value), context.codingPath, context.debugDescription + inside)
        } catch {
            self = .otherError("\(error)")
        }
    }

    private static func codingError(
        _ kind: String, _ type: String, _ path: [any CodingKey], _ description: String
    ) -> Self {
        .codingError(
            kind: kind, type: type,
            path: path.map { Key(stringValue: $0.stringValue, intValue: $0.intValue) }, description: description)
    }

    var description: String {
        switch self {
        case .value(let words): words
        case .codingError(let kind, let type, let path, let description): "\(kind) \(type) at \(path): \(description)"
        case .otherError(let words): "other error: \(words)"
        }
    }

    /// Describes a value with everything inside it: numbers to the last bit, and the elements of dictionaries and
    /// sets sorted by their words.
    static func words(_ value: Any) -> String {
        switch value {
        case let value as Double: return "\(value)"
        case let value as Float: return "\(value)f"
        case let value as Date: return "Date(\(value.timeIntervalSinceReferenceDate))"
        case let value as Data: return "Data(\(value.base64EncodedString()))"
        case let value as Decimal: return "Decimal(\(value), \(value.exponent), \(value.significand))"
        case let value as URL: return "URL(\(value.absoluteString))"
        case let value as String: return value.debugDescription
        default: break
        }
        var mirror: Mirror? = Mirror(reflecting: value)
        guard let style = mirror?.displayStyle else { return "\(value)" }
        var parts: [String] = []
        while let current = mirror {
            parts += current.children.map { child in
                (child.label.map { "\($0): " } ?? "") + words(child.value)
            }
            mirror = current.superclassMirror
        }
        if style == .dictionary || style == .set { parts.sort() }
        if style == .enum, parts.isEmpty { return "\(type(of: value)).\(value)" }
        return "\(type(of: value))(\(parts.joined(separator: ", ")))"
    }
}
