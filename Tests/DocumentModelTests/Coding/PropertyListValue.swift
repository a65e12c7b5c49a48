import DocumentModel
import Foundation

/// A property list written by hand, for both Foundation and ``DocumentBuilder``.
indirect enum PropertyListValue: Sendable {
    case string(String)
    case integer(Int64)
    case unsigned(UInt64)
    case real(Double)
    case boolean(Bool)
    case date(Double)
    case data([UInt8])
    case array([PropertyListValue])
    case dictionary([(String, PropertyListValue)])

    /// Returns the text or the bytes that Foundation writes.
    func data(_ format: DocumentFormat) throws -> Data {
        try PropertyListSerialization.data(
            fromPropertyList: foundation, format: format == .plistXML ? .xml : .binary, options: 0)
    }

    func document(_ format: DocumentFormat) -> Document {
        var builder = DocumentBuilder()
        append(to: &builder)
        return builder.finish(format: format)
    }

    private var foundation: Any {
        switch self {
        case .string(let value): value
        case .integer(let value): NSNumber(value: value)
        case .unsigned(let value): NSNumber(value: value)
        case .real(let value): NSNumber(value: value)
        case .boolean(let value): NSNumber(value: value)
        case .date(let value): Date(timeIntervalSinceReferenceDate: value)
        case .data(let value): Data(value)
        case .array(let values): values.map(\.foundation)
        case .dictionary(let members): Dictionary(members.map { ($0.0, $0.1.foundation) }) { $1 }
        }
    }

    private func append(to builder: inout DocumentBuilder) {
        switch self {
        case .string(let value): builder.string(value)
        case .integer(let value): builder.number(value)
        case .unsigned(let value): builder.number(value)
        case .real(let value): builder.number(String(value))
        case .boolean(let value): builder.boolean(value)
        case .date(let value): builder.date(Date(timeIntervalSinceReferenceDate: value))
        case .data(let value): builder.data(Data(value))
        case .array(let values):
            builder.beginArray()
            for value in values { value.append(to: &builder) }
            builder.end()
        case .dictionary(let members):
            builder.beginObject()
            for (name, value) in members {
                builder.key(name)
                value.append(to: &builder)
            }
            builder.end()
        }
    }
}

extension PropertyListValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    init(stringLiteral value: String) { self = .string(value) }
    init(integerLiteral value: Int64) { self = .integer(value) }
    init(floatLiteral value: Double) { self = .real(value) }
    init(booleanLiteral value: Bool) { self = .boolean(value) }
    init(arrayLiteral elements: PropertyListValue...) { self = .array(elements) }
    init(dictionaryLiteral elements: (String, PropertyListValue)...) { self = .dictionary(elements) }
}
