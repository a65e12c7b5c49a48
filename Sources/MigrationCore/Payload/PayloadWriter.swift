import DocumentModel
import Foundation

/// Makes a document of an edited payload.
///
/// The document that the payload was made from is at hand as a pattern: what was not edited keeps its spelling (1 stays 1 and 1.0 stays
/// 1.0, and integers of any length stay what they are), and keys keep their order. Keys that were added come sorted behind those that were
/// there.
enum PayloadWriter {
    /// The document of `payload`, edited from what `original` was.
    ///
    /// - Throws: ``PayloadError`` for a value that no document can hold.
    static func document(of payload: [String: Any], editedFrom original: DocumentNode) throws -> Document {
        var builder = DocumentBuilder()
        try append(payload, original, .root, to: &builder)
        return builder.finish(format: original.document.format)
    }

    private static func append(
        _ value: Any, _ pattern: DocumentNode?, _ path: DocumentPath, to builder: inout DocumentBuilder
    ) throws {
        switch value {
        case let object as [String: Any]:
            builder.beginObject()
            for name in names(of: object, pattern) {
                builder.key(name)
                try append(object[name] ?? NSNull(), pattern?[name], path.appending(key: name), to: &builder)
            }
            builder.end()
        case let array as [Any]:
            builder.beginArray()
            var patterns = pattern?.elements
            for (index, element) in array.enumerated() {
                try append(element, patterns?.next(), path.appending(index: index), to: &builder)
            }
            builder.end()
        case let string as String:
            if let pattern, pattern.kind == .string, pattern.string == string {
                builder.append(pattern)
            } else {
                builder.string(string)
            }
        case is NSNull: builder.null()
        case let date as Date: builder.date(date)
        case let data as Data: builder.data(data)
        case let number as NSNumber: try append(number, pattern, path, to: &builder)
        default: throw PayloadError(path: path, found: "a value of \(type(of: value))")
        }
    }

    /// The names of an object: those of the pattern in their order, then all others, sorted.
    private static func names(of object: [String: Any], _ pattern: DocumentNode?) -> [String] {
        var rest = Set(object.keys)
        let kept = pattern?.members.map(\.name).filter { rest.remove($0) != nil } ?? []
        return kept + rest.sorted()
    }

    private static func append(
        _ number: NSNumber, _ pattern: DocumentNode?, _ path: DocumentPath, to builder: inout DocumentBuilder
    ) throws {
        if number.isBoolean { return builder.boolean(number.boolValue) }
        if let pattern, pattern.kind == .number, let old = PayloadValue.value(of: pattern) as? NSNumber,
            old.isEqual(to: number), old.isFloatingPoint == number.isFloatingPoint
        {
            return builder.append(pattern)
        }
        guard number.isFloatingPoint, !(number is NSDecimalNumber) else { return builder.number(number.stringValue) }
        guard number.doubleValue.isFinite else { throw PayloadError(path: path, found: "the number \(number)") }
        builder.number("\(number.doubleValue)")
    }
}

extension NSNumber {
    /// Foundation keeps booleans in a class of their own, whose type code is that of a C char on Apple's systems and elsewhere.
    fileprivate var isBoolean: Bool { type(of: self) == type(of: NSNumber(value: true)) }

    fileprivate var isFloatingPoint: Bool { ["d", "f"].contains(String(cString: objCType)) }
}
