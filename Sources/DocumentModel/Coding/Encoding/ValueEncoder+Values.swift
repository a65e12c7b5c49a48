import Foundation

extension ValueEncoder {
    /// What a value of any type becomes, `step` further than this encoder; nil if it encodes nothing.
    ///
    /// The types that Foundation's encoders treat in a way of their own are treated so here, wherever they are met.
    func encodedValue<T: Encodable>(_ value: T, step: CodingPathNode.Step?) throws -> EncodedValue? {
        let type = T.self
        // Known types are compared, not cast to: a cast looks for ways to convert, at many times the cost. Those that
        // then stand here cannot fail, and cost nothing, for they are from a type to itself.
        if type == String.self { return .string(value as! String) }
        if type == Date.self { return try encodedDate(value as! Date, step: step) }
        if type == Data.self { return try encodedData(value as! Data, step: step) }
        if !session.isPropertyList {
            if type == URL.self { return .string((value as! URL).absoluteString) }
            if type == Decimal.self { return Self.encodedDecimal(value as! Decimal) }
        }
        let isDictionary = session.isDictionary(type)
        // The keys of a dictionary are data, which no key strategy may touch.
        if isDictionary, !session.hasDefaultKeys, let dictionary = value as? any StringDictionary {
            return try encodedDictionary(dictionary)
        }
        let encoded = try encoded(step: step) { try value.encode(to: $0) }
        if isDictionary, case .object(let object) = encoded { object.sort() }
        return encoded
    }

    /// Exact; what is not a number is not JSON either, and goes as a property list's real would.
    private static func encodedDecimal(_ value: Decimal) -> EncodedValue {
        .number(value.isNaN ? "nan" : value.description)
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
        #if canImport(Darwin)
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

extension EncodingSession {
    /// Whether values of the type are dictionaries, whose members come in an order that changes from run to run.
    fileprivate func isDictionary(_ type: Any.Type) -> Bool {
        if let known = dictionaryTypes[ObjectIdentifier(type)] { return known }
        let isDictionary = type is any UnorderedMembers.Type
        dictionaryTypes[ObjectIdentifier(type)] = isDictionary
        return isDictionary
    }
}

private protocol UnorderedMembers {}

extension Dictionary: UnorderedMembers {}
