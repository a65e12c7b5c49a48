import Foundation

/// Decodes and encodes documents with other coders, which know only the containers and scalars of `Codable`.
enum GenericDocument {
    static func decode(from decoder: any Decoder) throws -> Document {
        var reader = GenericReader()
        try reader.append(from: decoder)
        return reader.builder.finish(format: reader.format)
    }

    static func encode(_ node: DocumentNode, to encoder: any Encoder) throws {
        switch node.kind {
        case .object:
            var container = encoder.container(keyedBy: PathCodingKey.self)
            for member in node.members where node[member.name]?.index == member.value.index {
                try container.encode(Value(node: member.value), forKey: PathCodingKey(member.name))
            }
        case .array:
            var container = encoder.unkeyedContainer()
            for element in node.elements { try container.encode(Value(node: element)) }
        default:
            var container = encoder.singleValueContainer()
            try encodeScalar(node, to: &container)
        }
    }

    private static func encodeScalar(
        _ node: DocumentNode, to container: inout any SingleValueEncodingContainer
    ) throws {
        if let value = node.boolean {
            try container.encode(value)
        } else if let value = node.string {
            try container.encode(value)
        } else if let text = node.numberText {
            try encodeNumber(text, to: &container)
        } else if let value = node.date {
            try container.encode(value)
        } else if let value = node.data {
            try container.encode(value)
        } else {
            try container.encodeNil()
        }
    }

    /// A number that no type can represent (1e400 in a JSON document) is encoded as `{"$real": TEXT}`, as
    /// ``JSONWriter`` writes non-finite numbers, so that encoding a document never fails.
    private static func encodeNumber(_ text: String, to container: inout any SingleValueEncodingContainer) throws {
        if let value = Int64(text) {
            try container.encode(value)
        } else if let value = UInt64(text) {
            try container.encode(value)
        } else if let value = Double(text), ExactNumber(String(value)) == ExactNumber(text) {
            try container.encode(value)
        } else if let value = Decimal(string: text) {
            try container.encode(value)
        } else {
            try container.encode(["$real": text])
        }
    }

    private struct Value: Encodable {
        var node: DocumentNode

        func encode(to encoder: any Encoder) throws { try GenericDocument.encode(node, to: encoder) }
    }
}

private struct GenericReader: ~Copyable {
    var builder = DocumentBuilder()
    private(set) var format = DocumentFormat.json

    mutating func append(from decoder: any Decoder) throws {
        if let container = try? decoder.container(keyedBy: PathCodingKey.self) {
            builder.beginObject()
            for key in container.allKeys {
                builder.key(key.stringValue)
                try append(from: container.superDecoder(forKey: key))
            }
            builder.end()
        } else if var container = try? decoder.unkeyedContainer() {
            builder.beginArray()
            while !container.isAtEnd { try append(from: container.superDecoder()) }
            builder.end()
        } else {
            try appendScalar(from: decoder.singleValueContainer())
        }
    }

    /// Tries each type before others that would accept the same values with less precision.
    private mutating func appendScalar(from container: any SingleValueDecodingContainer) throws {
        if container.decodeNil() {
            builder.null()
        } else if let value = try? container.decode(Bool.self) {
            builder.boolean(value)
        } else if let value = try? container.decode(Int64.self) {
            builder.number(value)
        } else if let value = try? container.decode(UInt64.self) {
            builder.number(value)
        } else if let value = try? container.decode(Decimal.self) {
            builder.number(value.isNaN ? "nan" : value.description)
        } else if let value = try? container.decode(Double.self) {
            builder.number(String(value))
        } else if let value = try? container.decode(String.self) {
            builder.string(value)
        } else if let value = try? container.decode(Date.self) {
            builder.date(value)
            format = .plistBinary
        } else if let value = try? container.decode(Data.self) {
            builder.data(value)
            format = .plistBinary
        } else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "The value is none of JSON's and none of a property list's.")
        }
    }
}
