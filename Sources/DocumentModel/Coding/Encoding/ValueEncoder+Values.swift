import Foundation

extension ValueEncoder {
    /// Returns the encoded form of a value of any type, at `step` inside this encoder, or nil if it encodes nothing.
    func encodedValue<T: Encodable>(_ value: T, step: CodingPathNode.Step?) throws -> EncodedValue? {
        if let scalar = try session.scalar(value, path: path.keys(appending: step)) { return scalar }
        let isDictionary = session.isDictionary(T.self)
        // The keys of a dictionary are data, so key strategies don't apply to them.
        if isDictionary, !session.hasDefaultKeys, let dictionary = value as? any StringDictionary {
            return try encodedDictionary(dictionary)
        }
        let encoded = try encoded(step: step) { try session.encode(value, to: $0) }
        if isDictionary, case .object(let object) = encoded { object.sort() }
        // If the app's closure encodes nothing, the result is an empty object.
        return encoded ?? (session.hasClosure(for: T.self) ? .object(EncodedObject()) : nil)
    }

    private func encoded(
        step: CodingPathNode.Step?, _ encode: (ValueEncoder) throws -> Void
    ) rethrows -> EncodedValue? {
        let encoder = ValueEncoder(session: session, path: step.map { path.appending($0) } ?? path)
        try encode(encoder)
        return encoder.value
    }

    /// In errors, JSONEncoder omits the key of the dictionary itself from the path.
    private func encodedDictionary(_ dictionary: any StringDictionary) throws -> EncodedValue {
        let object = EncodedObject()
        for (name, value) in dictionary.encodableMembers {
            object[name] = try encodedValue(value, step: .key(PathCodingKey(name))) ?? .object(EncodedObject())
        }
        object.sort()
        return .object(object)
    }
}

/// A dictionary with string keys.
private protocol StringDictionary {
    var encodableMembers: [(String, any Encodable)] { get }
}

extension Dictionary: StringDictionary where Key == String, Value: Encodable {
    fileprivate var encodableMembers: [(String, any Encodable)] { map { ($0.key, $0.value) } }
}
