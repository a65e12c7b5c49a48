extension DocumentNode {
    /// Returns whether two values are equal. Members may be in any order, except those with the same name; numbers are
    /// compared by value, and everything else exactly.
    public func isEqual(to other: DocumentNode) -> Bool {
        withExtendedLifetime((document, other.document)) {
            ValueComparison(left: TapeView(document), right: TapeView(other.document)).areEqual(index, other.index)
        }
    }

    /// The values of the members, grouped by name.
    fileprivate var valuesByName: [ExactText: [DocumentNode]] {
        members.reduce(into: [:]) { values, member in values[ExactText(member.name), default: []].append(member.value) }
    }
}

/// Compares values of two documents by their tape indices. The caller must keep the documents alive.
struct ValueComparison {
    private let left: TapeView
    private let right: TapeView

    init(left: TapeView, right: TapeView) { (self.left, self.right) = (left, right) }

    /// Returns whether two values are equal.
    func areEqual(_ leftIndex: Int, _ rightIndex: Int) -> Bool {
        let (node, other) = (left[leftIndex], right[rightIndex])
        guard node.kind == other.kind else { return false }
        switch node.kind {
        case .null: return true
        case .boolean: return node.flags.contains(.isTrue) == other.flags.contains(.isTrue)
        case .string, .key, .date, .data: return haveSameText(node, at: leftIndex, other, at: rightIndex)
        case .number:
            return haveSameText(node, at: leftIndex, other, at: rightIndex)
                || ExactNumber(left.text(of: node)) == ExactNumber(right.text(of: other))
        case .array:
            var (element, otherElement) = (leftIndex + 1, rightIndex + 1)
            while element < Int(node.next), otherElement < Int(other.next) {
                guard areEqual(element, otherElement) else { return false }
                (element, otherElement) = (left.next(after: element), right.next(after: otherElement))
            }
            return element == Int(node.next) && otherElement == Int(other.next)
        case .object: return haveEqualMembers(leftIndex, rightIndex)
        }
    }

    /// Returns whether two scalars or keys of the same kind have the same text, regardless of escapes.
    func haveSameText(_ leftIndex: Int, _ rightIndex: Int) -> Bool {
        haveSameText(left[leftIndex], at: leftIndex, right[rightIndex], at: rightIndex)
    }

    @inline(__always)
    private func haveSameText(
        _ node: TapeNode, at leftIndex: Int, _ other: TapeNode, at rightIndex: Int
    ) -> Bool {
        if node.flags.union(other.flags).contains(.escaped) { return haveSameEscapedText(leftIndex, rightIndex) }
        return FastHash.haveSameBytes(left.unquotedText(of: node), right.unquotedText(of: other))
    }

    @inline(never)
    private func haveSameEscapedText(_ leftIndex: Int, _ rightIndex: Int) -> Bool {
        guard let text = left.node(at: leftIndex).string, let other = right.node(at: rightIndex).string else {
            return false
        }
        return text.utf8.elementsEqual(other.utf8)
    }

    private func haveEqualMembers(_ leftIndex: Int, _ rightIndex: Int) -> Bool {
        // The members usually have the same order in both documents. Compare all names first, so that no value is
        // compared twice: that would double the time with each level of nesting.
        guard !haveSameNamesInOrder(leftIndex, rightIndex) else {
            var (key, otherKey) = (leftIndex + 1, rightIndex + 1)
            while key < left.next(after: leftIndex) {
                guard areEqual(key + 1, otherKey + 1) else { return false }
                (key, otherKey) = (left.next(after: key + 1), right.next(after: otherKey + 1))
            }
            return true
        }
        let values = left.node(at: leftIndex).valuesByName
        let otherValues = right.node(at: rightIndex).valuesByName
        return values.count == otherValues.count
            && values.allSatisfy { name, values in
                guard let others = otherValues[name], others.count == values.count else { return false }
                return zip(values, others).allSatisfy { areEqual($0.index, $1.index) }
            }
    }

    private func haveSameNamesInOrder(_ leftIndex: Int, _ rightIndex: Int) -> Bool {
        let (end, otherEnd) = (left.next(after: leftIndex), right.next(after: rightIndex))
        var (key, otherKey) = (leftIndex + 1, rightIndex + 1)
        while key < end, otherKey < otherEnd {
            guard haveSameText(key, otherKey) else { return false }
            (key, otherKey) = (left.next(after: key + 1), right.next(after: otherKey + 1))
        }
        return key == end && otherKey == otherEnd
    }
}

// MARK: - Names

extension DocumentNode {
    /// The names in this object that Foundation's coders treat as equal to an earlier name, each listed once, in the
    /// order in which they are repeated; empty if this isn't an object. Equivalent spellings of é are different names
    /// in a document but equal strings in Swift, so they count as one member there.
    public var duplicateNames: [String] {
        guard kind == .object, !hasDistinctPlainNames else { return [] }
        var (seen, reported): (Set<String>, Set<String>) = ([], [])
        return members.map(\.name).filter { !seen.insert($0).inserted && reported.insert($0).inserted }
    }

    /// Whether this value or any object inside it has duplicate names.
    public var hasDuplicateNamesInside: Bool {
        let view = TapeView(document)
        var hashes: [UInt64] = []
        return (index..<endIndex).contains { index in
            guard view[index].kind == .object else { return false }
            return !view.hasDistinctPlainNames(index, &hashes) && !document.node(at: index).duplicateNames.isEmpty
        }
    }

    /// Whether the names are ASCII and all different, as in most objects. May be false if two hashes are equal.
    package var hasDistinctPlainNames: Bool {
        var hashes: [UInt64] = []
        return TapeView(document).hasDistinctPlainNames(index, &hashes)
    }
}
