import Foundation

extension ValueEncoder {
    /// Returns the node of a value of any type, at `step` inside this encoder, or nil if it encodes nothing.
    func node<T: Encodable>(of value: T, step: CodingPathNode.Step?) throws -> Int? {
        if let scalar = try session.scalar(value, path: path.keys(appending: step)) { return session.tree.add(scalar) }
        let isDictionary = session.isDictionary(T.self)
        // The keys of a dictionary are data, so key strategies don't apply to them.
        if isDictionary, !session.hasDefaultKeys, let dictionary = value as? any StringDictionary {
            return try node(of: dictionary)
        }
        let encoder = ValueEncoder(session: session, place: CodingPlace(path, step))
        try session.encode(value, to: encoder)
        if isDictionary, let node = encoder.node, let object = session.tree.object(at: node) {
            session.tree.sortMembers(of: object)
        }
        // If the app's closure encodes nothing, the result is an empty object.
        return encoder.node ?? (session.hasClosure(for: T.self) ? session.tree.addObject().node : nil)
    }

    /// In errors, JSONEncoder omits the key of the dictionary itself from the path.
    private func node(of dictionary: any StringDictionary) throws -> Int {
        let object = session.tree.addObject()
        for (name, value) in dictionary.encodableMembers {
            let member = try self.node(of: value, step: .key(PathCodingKey(name))) ?? session.tree.addObject().node
            session.tree.setMember(name, of: object.contents, to: member)
        }
        session.tree.sortMembers(of: object.contents)
        return object.node
    }
}

/// A dictionary with string keys.
private protocol StringDictionary {
    var encodableMembers: [(String, any Encodable)] { get }
}

extension Dictionary: StringDictionary where Key == String, Value: Encodable {
    fileprivate var encodableMembers: [(String, any Encodable)] { map { ($0.key, $0.value) } }
}
