import Foundation

extension ValueEncoder {
    /// What a value of any type becomes, `step` further than this encoder; nil if it encodes nothing.
    func encodedValue<T: Encodable>(_ value: T, step: CodingPathNode.Step?) throws -> EncodedValue? {
        if let scalar = try session.scalar(value, path: path.keys(appending: step)) { return scalar }
        let isDictionary = session.isDictionary(T.self)
        // The keys of a dictionary are data, which no key strategy may touch.
        if isDictionary, !session.hasDefaultKeys, let dictionary = value as? any StringDictionary {
            return try encodedDictionary(dictionary)
        }
        let encoded = try encoded(step: step) { try session.encode(value, to: $0) }
        if isDictionary, case .object(let object) = encoded { object.sort() }
        // A closure of the app's that encodes nothing encodes an object without members.
        return encoded ?? (session.hasClosure(for: T.self) ? .object(EncodedObject()) : nil)
    }

    private func encoded(
        step: CodingPathNode.Step?, _ encode: (ValueEncoder) throws -> Void
    ) rethrows -> EncodedValue? {
        let encoder = ValueEncoder(session: session, path: step.map { path.appending($0) } ?? path)
        try encode(encoder)
        return encoder.value
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
