extension DocumentNode {
    /// The names in this object that Foundation's coders take for a name that came before, each once, in the order in which they come up
    /// again; empty for anything else. Equivalent spellings of é are two names of a document, but one `String`, and so one member.
    public var duplicateNames: [String] {
        guard kind == .object, !hasDistinctPlainNames else { return [] }
        var (seen, reported): (Set<String>, Set<String>) = ([], [])
        return members.map(\.name).filter { !seen.insert($0).inserted && reported.insert($0).inserted }
    }

    /// Whether the names are few, in ASCII and all different. That is so of most objects, and such names are compared with one another
    /// faster than they are hashed.
    private var hasDistinctPlainNames: Bool {
        var keys: [DocumentNode] = []
        for member in members {
            let isPlain = member.key.withTextBytes { $0.allSatisfy { $0 < 0x80 } }
            guard keys.count < 16, isPlain, !member.key.tapeNode.flags.contains(.escaped),
                !keys.contains(where: { $0.hasSameText(as: member.key) })
            else { return false }
            keys.append(member.key)
        }
        return true
    }
}
