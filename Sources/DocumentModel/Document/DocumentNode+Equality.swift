extension DocumentNode {
    /// Whether two values are equal: members in any order (of duplicates the first), numbers by value however they are
    /// spelled, everything else to the letter.
    public func isEqual(to other: DocumentNode) -> Bool {
        guard kind == other.kind else { return false }
        switch kind {
        case .null: return true
        case .boolean: return boolean == other.boolean
        case .string, .key, .date, .data: return hasSameText(as: other)
        case .number:
            return hasSameText(as: other)
                || withTextBytes { ExactNumber($0) } == other.withTextBytes { ExactNumber($0) }
        case .array:
            var others = other.elements
            for element in elements {
                guard let match = others.next(), element.isEqual(to: match) else { return false }
            }
            return others.next() == nil
        case .object: return hasEqualMembers(to: other)
        }
    }

    /// Whether two scalars or keys of the same kind have the same text, however it is escaped.
    func hasSameText(as other: DocumentNode) -> Bool {
        let (node, otherNode) = (tapeNode, other.tapeNode)
        if node.flags.union(otherNode.flags).contains(.escaped), let string, let otherString = other.string {
            return string.utf8.elementsEqual(otherString.utf8)
        }
        return other.document.storage.text.withBytes(in: otherNode.unquotedRange) {
            document.storage.text.areBytes(in: node.unquotedRange, equalTo: $0)
        }
    }

    private func hasEqualMembers(to other: DocumentNode) -> Bool {
        // Most documents that are compared have their members in the same order. Names first, so that no value is
        // compared twice: a second look on every level would double the time with each of them.
        guard !hasSameNamesInOrder(as: other) else {
            return zip(members, other.members).allSatisfy { member, otherMember in
                member.value.isEqual(to: otherMember.value)
                    || self.member(named: member.name)?.key.index != member.key.index
            }
        }
        let values = firstValues
        let otherValues = other.firstValues
        return values.count == otherValues.count
            && values.allSatisfy { name, value in otherValues[name].map { value.isEqual(to: $0) } ?? false }
    }

    private func hasSameNamesInOrder(as other: DocumentNode) -> Bool {
        var others = other.members
        for member in members {
            guard let match = others.next(), member.key.hasSameText(as: match.key) else { return false }
        }
        return others.next() == nil
    }

    /// The first member of each name.
    private var firstValues: [ExactText: DocumentNode] {
        members.reduce(into: [:]) { values, member in
            let name = ExactText(member.name)
            if values[name] == nil { values[name] = member.value }
        }
    }
}

// MARK: - Names

extension DocumentNode {
    /// The names in this object that Foundation's coders take for a name that came before, each once, in the order in
    /// which they come up again; empty for anything else. Equivalent spellings of é are two names of a document, but
    /// one `String`, and so one member.
    public var duplicateNames: [String] {
        guard kind == .object, !hasDistinctPlainNames else { return [] }
        var (seen, reported): (Set<String>, Set<String>) = ([], [])
        return members.map(\.name).filter { !seen.insert($0).inserted && reported.insert($0).inserted }
    }

    /// Whether an object in this value has duplicate names, or this value itself.
    public var hasDuplicateNamesInside: Bool {
        let view = TapeView(document)
        return (index..<endIndex).contains { index in
            guard view[index].kind == .object else { return false }
            if case .fewAndDistinct = view.names(ofObject: index) { return false }
            return !document.node(at: index).duplicateNames.isEmpty
        }
    }

    /// Whether the names are in ASCII and all different, which is so of most objects; false where two hashes are equal.
    var hasDistinctPlainNames: Bool {
        switch TapeView(document).names(ofObject: index) {
        case .fewAndDistinct: return true
        case .any: return false
        case .plain: break
        }
        var hashes: [UInt64] = []
        for member in members {
            let hash = member.key.withTextBytes { $0.allSatisfy { $0 < 0x80 } ? FastHash.hash($0) : nil }
            guard let hash, !member.key.tapeNode.flags.contains(.escaped) else { return false }
            hashes.append(hash)
        }
        return FastHash.areDistinct(hashes)
    }
}
