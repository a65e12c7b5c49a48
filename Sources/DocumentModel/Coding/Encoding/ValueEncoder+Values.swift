import Foundation

extension ValueEncoder {
    /// Returns the node of a value of any type, at `step` inside `path`, or nil if it encodes nothing.
    func node<T: Encodable>(of value: T, in path: CodingPathNode?, step: CodingPathNode.Step?) throws -> Int? {
        if let scalar = try session.scalar(value, path: path.keys(appending: step)) { return session.tree.add(scalar) }
        // The keys of a dictionary are data, so key strategies don't apply to them.
        if !session.hasDefaultKeys, session.isDictionary(T.self), let dictionary = value as? any StringDictionary {
            return try node(of: dictionary, in: path)
        }
        begin(step, in: path)
        defer { end() }
        if session.hasClosure(for: T.self) {
            try session.encodeByClosure(value, to: self)
        } else {
            try value.encode(to: self)
        }
        if let node, session.tree.count(of: node) > 1, session.isDictionary(T.self), session.tree.isObject(node) {
            session.tree.sortMembers(of: node)
        }
        // If the app's closure encodes nothing, the result is an empty object.
        return node ?? (session.hasClosure(for: T.self) ? session.tree.add(.object) : nil)
    }

    /// In errors, JSONEncoder omits the key of the dictionary itself from the path.
    private func node(of dictionary: any StringDictionary, in path: CodingPathNode?) throws -> Int {
        let object = session.tree.add(.object)
        for (name, value) in dictionary.encodableMembers {
            let member = try node(of: value, in: path, step: .key(PathCodingKey(name))) ?? session.tree.add(.object)
            session.tree.setMember(name, of: object, to: member)
        }
        session.tree.sortMembers(of: object)
        return object
    }
}

/// A dictionary with string keys.
private protocol StringDictionary {
    var encodableMembers: [(String, any Encodable)] { get }
}

extension Dictionary: StringDictionary where Key == String, Value: Encodable {
    fileprivate var encodableMembers: [(String, any Encodable)] { map { ($0.key, $0.value) } }
}
