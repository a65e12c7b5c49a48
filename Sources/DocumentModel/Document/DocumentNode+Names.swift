extension DocumentNode {
    /// The names that occur more than once in this object, each once, in the order in which they come up again; empty for anything else.
    public var duplicateNames: [String] {
        guard kind == .object else { return [] }
        var keys: [DocumentNode] = []
        var duplicates: [DocumentNode] = []
        var seen: Set<[UInt8]> = []
        var reported: Set<[UInt8]> = []
        for member in members {
            let key = member.key
            // Few names are compared with one another faster than they are hashed.
            let isKnown =
                keys.count < 16
                ? keys.contains { $0.isEqual(to: key) }
                : !seen.insert(key.nameBytes, after: keys)
            if !isKnown {
                keys.append(key)
            } else if reported.insert(key.nameBytes).inserted {
                duplicates.append(key)
            }
        }
        return duplicates.compactMap(\.string)
    }

    /// Names are the same when their scalars are: two spellings of é are two names, though they are one `String`.
    fileprivate var nameBytes: [UInt8] { string.map { Array($0.utf8) } ?? [] }
}

extension Set<[UInt8]> {
    /// Inserts `name`, and before that, if nothing is in the set yet, the names that came before it.
    fileprivate mutating func insert(_ name: [UInt8], after keys: [DocumentNode]) -> Bool {
        if isEmpty { for key in keys { insert(key.nameBytes) } }
        return insert(name).inserted
    }
}
