import Foundation

extension ValueEncoder {
    /// What a value of any type becomes, `step` further than this encoder; nil if it encodes nothing.
    ///
    /// The types that Foundation's encoders treat in a way of their own are treated so here, wherever they are met.
    func encodedValue<T: Encodable>(_ value: T, step: CodingPathNode.Step?) throws -> EncodedValue? {
        if let date = value as? Date { return try encodedDate(date, step: step) }
        if let data = value as? Data { return try encodedData(data, step: step) }
        if !session.isPropertyList {
            if let url = value as? URL { return .string(url.absoluteString) }
            if let decimal = value as? Decimal { return .number(decimal.isNaN ? "nan" : decimal.description) }
        }
        // The keys of a dictionary are data, which no key strategy may touch.
        if !session.hasDefaultKeys, let dictionary = value as? any StringDictionary {
            return try encodedDictionary(dictionary)
        }
        let encoded = try encoded(step: step) { try value.encode(to: $0) }
        if case .object(let object) = encoded, value is any UnorderedMembers { object.sort() }
        return encoded
    }

    private func encoded(
        step: CodingPathNode.Step?, _ encode: (ValueEncoder) throws -> Void
    ) rethrows -> EncodedValue? {
        let encoder = ValueEncoder(session: session, path: step.map { path.appending($0) } ?? path)
        try encode(encoder)
        return encoder.value
    }

    private func encodedDate(_ date: Date, step: CodingPathNode.Step?) throws -> EncodedValue? {
        if session.isPropertyList { return .date(date) }
        switch session.strategies.dates {
        case .secondsSince1970:
            return try session.seconds(date.timeIntervalSince1970, path: path.keys(appending: step))
        case .millisecondsSince1970:
            return try session.seconds(1000 * date.timeIntervalSince1970, path: path.keys(appending: step))
        case .iso8601: return .string(date.formatted(.iso8601))
        case .custom(let encode):
            return try encoded(step: step) { try encode(date, $0) } ?? .object(EncodedObject())
        #if !os(Linux)
            case .formatted(let formatter): return .string(formatter.string(from: date))
        #endif
        case .deferredToDate: return try encoded(step: step) { try date.encode(to: $0) }
        @unknown default: return try encoded(step: step) { try date.encode(to: $0) }
        }
    }

    private func encodedData(_ data: Data, step: CodingPathNode.Step?) throws -> EncodedValue? {
        if session.isPropertyList { return .data(data) }
        switch session.strategies.data {
        case .base64: return .string(data.base64EncodedString())
        case .custom(let encode):
            return try encoded(step: step) { try encode(data, $0) } ?? .object(EncodedObject())
        case .deferredToData: return try encoded(step: step) { try data.encode(to: $0) }
        @unknown default: return try encoded(step: step) { try data.encode(to: $0) }
        }
    }

    /// In errors, JSONEncoder leaves the key of the dictionary itself out of the path.
    private func encodedDictionary(_ dictionary: any StringDictionary) throws -> EncodedValue {
        let object = EncodedObject()
        for (name, value) in dictionary.encodableMembers {
            object[name] = try encodedValue(value, step: .key(PathCodingKey(name))) ?? .object(EncodedObject())
        }
        object.sort()
        return .object(object)
    }
}

/// A dictionary with strings for keys.
private protocol StringDictionary {
    var encodableMembers: [(String, any Encodable)] { get }
}

extension Dictionary: StringDictionary where Key == String, Value: Encodable {
    fileprivate var encodableMembers: [(String, any Encodable)] { map { ($0.key, $0.value) } }
}

/// A type whose members come in an order that changes from run to run.
private protocol UnorderedMembers {}

extension Dictionary: UnorderedMembers {}
