import DocumentModel
import Foundation

/// Makes a document of an edited payload.
///
/// The document that the payload was made from is at hand as a pattern: what was not edited keeps its spelling (1 stays
/// 1 and 1.0 stays 1.0, and integers of any length stay what they are), and keys keep their order. Keys that were added
/// come sorted behind those that were there. An object that went elsewhere, into another field or to another position,
/// keeps the order of its keys as well.
///
/// A closure may leave what JSONSerialization writes, on any system, and what a person would take for the same: nil in
/// an `Any`, alone and in arrays and dictionaries, is null; a `Substring` is a string; a slice is an array; and numbers
/// of any type are numbers.
///
/// A payload cannot hold two members whose names are one `String`. Those that it does not hold are gone, as with
/// JSONSerialization: JSONDecoder, which reads the first, would read one of them.
struct PayloadWriter: ~Copyable {
    private var builder = DocumentBuilder()
    private var patterns: ObjectPatterns
    private let format: DocumentFormat

    private init(_ original: DocumentNode) {
        patterns = ObjectPatterns(original)
        format = original.document.format
    }

    /// The document of `payload`, edited from what `original` was.
    ///
    /// - Throws: ``ReasonError`` for a value that no document of that format can hold.
    static func document(of payload: [String: Any], editedFrom original: DocumentNode) throws -> Document {
        var writer = PayloadWriter(original)
        try writer.append(payload, original, .root)
        return writer.finish()
    }

    /// The error for something that no document of the format can hold.
    private func unwritable(_ found: UnwritableValue, at path: DocumentPath) -> ReasonError {
        ReasonError(reason: .unwritable(path: path, found: found, isPropertyList: format.isPropertyList))
    }

    private consuming func finish() -> Document { builder.finish(format: format.written) }

    private mutating func append(_ value: Any, _ pattern: DocumentNode?, _ path: DocumentPath) throws {
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

    /// Appends a value that Foundation does not take for one of its own.
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

/// An optional, whatever it is of.
private protocol PayloadOptional {
    /// The value; nil for none.
    var content: Any? { get }
}

extension Optional: PayloadOptional {
    fileprivate var content: Any? { map { $0 } }
}

/// A collection that a person takes for an array.
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
    /// Foundation keeps booleans in a class of their own, whose type code is that of a C char on Apple's systems and
    /// elsewhere.
    fileprivate var isBoolean: Bool { type(of: self) == type(of: NSNumber(value: true)) }

    fileprivate var isFloatingPoint: Bool { ["d", "f"].contains(String(cString: objCType)) }

    /// The number as documents write it. A `Float` has its own digits, not those of the double next to it.
    fileprivate var text: String {
        guard isFloatingPoint else { return stringValue }
        if self is NSDecimalNumber, doubleValue.isFinite { return stringValue }
        return String(cString: objCType) == "f" ? "\(floatValue)" : "\(doubleValue)"
    }
}
