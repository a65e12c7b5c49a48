import DocumentModel
import Foundation

/// Creates a document from an edited payload.
///
/// The original document serves as a pattern. Unedited values keep their spelling (1 stays 1, 1.0 stays 1.0, and
/// integers of any length stay the same), and keys keep their order. Added keys come after the existing ones, sorted.
/// An object that moved to another field or index also keeps the order of its keys.
///
/// A closure may leave any value that JSONSerialization writes on any system, and values that anyone would consider the
/// same: nil in an `Any`, whether as a value or in arrays and dictionaries, is written as null; a `Substring` as a
/// string; a slice as an array; and numbers of any type as numbers.
///
/// A payload cannot contain two members whose names are equal as `String`. The members that it lacks are lost, as with
/// JSONSerialization. JSONDecoder, which reads the first, would have read one of them.
struct PayloadWriter: ~Copyable {
    private var builder = DocumentBuilder()
    private var patterns: ObjectPatterns
    private let format: DocumentFormat

    private init(_ original: DocumentNode) {
        patterns = ObjectPatterns(original)
        format = original.document.format
    }

    /// Returns the document of `payload`, which was edited from `original`.
    ///
    /// - Throws: ``ReasonError`` if no document of the format can hold a value.
    static func document(of payload: [String: Any], editedFrom original: DocumentNode) throws -> Document {
        var writer = PayloadWriter(original)
        try writer.append(payload, original, .root)
        return writer.finish()
    }

    /// Returns the error for a value that no document of the format can hold.
    private func unwritable(_ found: UnwritableValue, at path: DocumentPath) -> ReasonError {
        ReasonError(reason: .unwritable(path: path, found: found, isPropertyList: format.isPropertyList))
    }

    private consuming func finish() -> Document { builder.finish(format: format.written) }

    private mutating func append(_ value: Any, _ pattern: DocumentNode?, _ path: DocumentPath) throws {
        // A cast to another type searches for conversions, so compare types first: nearly all values have one of these.
        let type = type(of: value)
        if type == String.self, let string = value as? String { return append(string, pattern) }
        if type == [String: Any].self, let object = value as? [String: Any] {
            return try append(object, pattern, path)
        }
        if type == [Any].self, let array = value as? [Any] { return try append(array, pattern, path) }
        if type == NSNumber.self, let number = value as? NSNumber { return try append(number, pattern, path) }
        switch value {
        case let object as [String: Any]: try append(object, pattern, path)
        case let array as [Any]: try append(array, pattern, path)
        case let string as String: append(string, pattern)
        case is NSNull: builder.null()
        case let date as Date where format.isPropertyList: builder.date(date)
        case let data as Data where format.isPropertyList: builder.data(data)
        case let number as NSNumber: try append(number, pattern, path)
        default: try appendOther(value, pattern, path)
        }
    }

    /// Appends a value that Foundation does not recognize as one of its own.
    private mutating func appendOther(_ value: Any, _ pattern: DocumentNode?, _ path: DocumentPath) throws {
        switch value {
        case let optional as any PayloadOptional:
            guard let content = optional.content else { return builder.null() }
            try append(content, pattern, path)
        case let string as any StringProtocol: append(String(string), pattern)
        case let list as any PayloadList: try append(list.elements, pattern, path)
        case let integer as any BinaryInteger: builder.number("\(integer)")
        case let number as any BinaryFloatingPoint: try append(NSNumber(value: Double(number)), pattern, path)
        case let object as [AnyHashable: Any]:
            var members: [String: Any] = [:]
            for (key, value) in object {
                guard let name = key.base as? any StringProtocol else {
                    throw unwritable(.key("\(key.base)"), at: path)
                }
                members[String(name)] = value
            }
            try append(members, pattern, path)
        default: throw unwritable(.value(type: typeName(type(of: value))), at: path)
        }
    }

    private mutating func append(_ array: [Any], _ pattern: DocumentNode?, _ path: DocumentPath) throws {
        builder.beginArray()
        var elements = pattern?.elements
        for (index, element) in array.enumerated() {
            try append(element, elements?.next(), path.appending(index: index))
        }
        builder.end()
    }

    private mutating func append(_ string: String, _ pattern: DocumentNode?) {
        if let pattern, pattern.kind == .string, pattern.string?.isExactly(string) == true {
            return builder.append(pattern)
        }
        builder.string(string)
    }

    private mutating func append(_ object: [String: Any], _ pattern: DocumentNode?, _ path: DocumentPath) throws {
        let place = pattern
        let pattern = patterns.pattern(of: object, at: place)
        var added = Set(object.keys)
        builder.beginObject()
        if let pattern {
            let read = PayloadValue.readMembers(of: pattern)
            for member in pattern.members {
                guard let kept = read.index(forKey: member.name), let index = object.index(forKey: read[kept].key),
                    object[index].key.isExactly(read[kept].key)
                else { continue }
                if read[kept].value.id == member.value.id {
                    added.remove(member.name)
                    builder.key(member.name)
                    try append(object[index].value, member.value, path.appending(key: member.name))
                }
            }
        }
        for name in added.sorted() {
            builder.key(name)
            try append(object[name] ?? NSNull(), nil, path.appending(key: name))
        }
        builder.end()
    }

    private mutating func append(_ number: NSNumber, _ pattern: DocumentNode?, _ path: DocumentPath) throws {
        if number.isBoolean { return builder.boolean(number.boolValue) }
        if let pattern, pattern.kind == .number, let old = PayloadValue.value(of: pattern) as? NSNumber,
            old.isEqual(to: number), old.isFloatingPoint == number.isFloatingPoint
        {
            return builder.append(pattern)
        }
        guard number.doubleValue.isFinite || format.isPropertyList else {
            throw unwritable(.number("\(number)"), at: path)
        }
        builder.number(number.text)
    }
}

/// An optional of any type.
private protocol PayloadOptional {
    /// The value, or nil if there is none.
    var content: Any? { get }
}

extension Optional: PayloadOptional {
    fileprivate var content: Any? { map { $0 } }
}

/// A collection that stands for an array.
private protocol PayloadList {
    var elements: [Any] { get }
}

extension ArraySlice: PayloadList {
    fileprivate var elements: [Any] { Array(self) }
}

extension ContiguousArray: PayloadList {
    fileprivate var elements: [Any] { Array(self) }
}

extension NSNumber {
    /// Foundation has a separate class for Booleans. Its type code is that of a C char on Apple platforms and
    /// elsewhere.
    fileprivate var isBoolean: Bool { type(of: self) == type(of: NSNumber(value: true)) }

    fileprivate var isFloatingPoint: Bool { ["d", "f"].contains(String(cString: objCType)) }

    /// The number as documents write it. A `Float` is written with its own digits, not those of the nearest double.
    fileprivate var text: String {
        guard isFloatingPoint else { return stringValue }
        if self is NSDecimalNumber, doubleValue.isFinite { return stringValue }
        return String(cString: objCType) == "f" ? "\(floatValue)" : "\(doubleValue)"
    }
}
