/// A profile of an array's element, for finding similar elements.
///
/// Its size is limited: only the beginning of a large value is used.
struct ElementProfile {
    private struct Member {
        var name: UInt64
        var value: UInt64
        var kind: NodeKind
        /// See ``TapeView/isDistinctive(_:)``.
        var isDistinctive: Bool
    }

    private static let memberLimit = 24
    /// The maximum number of nodes of a member that are examined.
    private static let innerNodeLimit = 24
    private static let partLimit = 64

    let kind: NodeKind
    /// The hash of the element's identity, if it is known.
    private let identity: UInt64?
    /// The members of an object, sorted by the hashes of their names.
    private var members: [Member] = []
    /// The hashes of distinctive values inside members that are objects.
    private var inner: [UInt64] = []
    /// The hashes of an array's elements or a string's words, sorted.
    private var parts: [UInt64] = []

    init(_ index: Int, in side: ComparedSide, identity: UInt64? = nil) {
        kind = side.tape[index].kind
        self.identity = identity
        let end = Int(side.tape[index].next)
        switch kind {
        case .object:
            var key = index + 1
            while key < end, members.count < Self.memberLimit {
                let value = side.tape[key + 1]
                let member = Member(
                    name: side.hashes[key], value: side.hashes[key + 1], kind: value.kind,
                    isDistinctive: side.tape.isDistinctive(key + 1))
                members.append(member)
                if value.kind == .object, inner.count < Self.memberLimit {
                    Self.forEachInner(in: key + 1, of: side.tape) { inner.append(side.hashes[$0]) }
                }
                key = Int(value.next)
            }
            // Members with the same name stay in the order of the object.
            members.sort { $0.name < $1.name }
        case .array:
            var element = index + 1
            while element < end, parts.count < Self.partLimit {
                parts.append(side.hashes[element])
                element = Int(side.tape[element].next)
            }
            parts.sort()
        case .string:
            side.node(index).withTextBytes { text in
                for word in text.prefix(1024).split(separator: UInt8(ascii: " "), maxSplits: Self.partLimit) {
                    parts.append(FastHash.hash(UnsafeRawBufferPointer(rebasing: word)))
                }
            }
            parts.sort()
        default: break
        }
    }

    /// Calls `body` with the tape index of each distinctive value among the first nodes of an object, including nested
    /// objects.
    @inline(__always)
    private static func forEachInner(in object: Int, of tape: TapeView, _ body: (Int) -> Void) {
        var index = object + 1
        let end = min(tape.next(after: object), object + innerNodeLimit)
        while index < end {
            let kind = tape[index].kind
            if !kind.isContainer, kind != .key, tape.isDistinctive(index) { body(index) }
            index = kind == .array ? tape.next(after: index) : index + 1
        }
    }

    /// Returns hashes that may distinguish an element from others: for an object, those of its distinctive members, and
    /// of those of nested objects, with their names, except that strings are hashed without a name so that they are
    /// found under another one; for an array, its elements; for a string, its words.
    static func features(of index: Int, in side: ComparedSide) -> [UInt64] {
        guard side.tape[index].kind == .object else { return ElementProfile(index, in: side).parts }
        let tape = side.tape
        let end = tape.next(after: index)
        var values: [Int] = []
        values.reserveCapacity(memberLimit)
        var (key, count) = (index + 1, 0)
        while key < end, count < memberLimit, values.count < memberLimit {
            if tape.isDistinctive(key + 1) { values.append(key + 1) }
            if tape[key + 1].kind == .object { forEachInner(in: key + 1, of: tape) { values.append($0) } }
            (key, count) = (tape.next(after: key + 1), count + 1)
        }
        return values.prefix(memberLimit).map { value in
            let hash = side.hashes[value]
            return tape[value].kind == .string ? hash : FastHash.mix(side.hashes[value - 1], hash)
        }
    }

    /// Returns the similarity of two elements from 0 to 1. It is 0 also if they are not similar enough to be compared
    /// with each other.
    func similarity(to other: ElementProfile) -> Double {
        guard kind == other.kind else { return 0 }
        let similarity =
            switch kind {
            case .object: memberSimilarity(to: other)
            case .array, .string: partSimilarity(to: other)
            default: 0.0
            }
        return similarity >= (kind == .string ? 0.5 : Self.leastShare) ? similarity : 0
    }

    private static let leastShare = 0.3

    /// Returns twice what is in common, divided by the number of all members (L. Dice, 1945): members with the same
    /// name and value count 1, those with the same name and kind of value 0.4 (0.6 for containers), and a distinctive
    /// value with another name, or in a wrapping, counts 0.8. Different identities halve the similarity.
    private func memberSimilarity(to other: ElementProfile) -> Double {
        guard !members.isEmpty, !other.members.isEmpty else { return members.count == other.members.count ? 1 : 0 }
        // In tenths, so that the sum doesn't depend on the order of the names' hashes.
        var common = 0
        // The distinctive values whose names the other element doesn't have.
        var (single, otherSingle): ([UInt64], [UInt64]) = ([], [])
        var (position, otherPosition) = (0, 0)
        while position < members.count || otherPosition < other.members.count {
            let member = position < members.count ? members[position] : nil
            let otherMember = otherPosition < other.members.count ? other.members[otherPosition] : nil
            if let member, let otherMember, member.name == otherMember.name {
                if member.value == otherMember.value {
                    common += 10
                } else if member.kind == otherMember.kind {
                    common += member.kind.isContainer ? 6 : 4
                }
                (position, otherPosition) = (position + 1, otherPosition + 1)
            } else if let member, otherMember.map({ member.name < $0.name }) ?? true {
                if member.isDistinctive { single.append(member.value) }
                position += 1
            } else if let otherMember {
                if otherMember.isDistinctive { otherSingle.append(otherMember.value) }
                otherPosition += 1
            }
        }
        let moved =
            single.count { otherSingle.contains($0) || other.inner.contains($0) }
            + otherSingle.count { !single.contains($0) && inner.contains($0) }
        common += 8 * moved
        let share = min(1, Double(2 * common) / Double(10 * (members.count + other.members.count)))
        guard let identity, let otherIdentity = other.identity, identity != otherIdentity else { return share }
        return share / 2
    }

    private func partSimilarity(to other: ElementProfile) -> Double {
        let all = parts.count + other.parts.count
        guard all > 0 else { return 1 }
        var (position, otherPosition, common) = (0, 0, 0)
        while position < parts.count, otherPosition < other.parts.count {
            let (part, otherPart) = (parts[position], other.parts[otherPosition])
            if part == otherPart { common += 1 }
            if part <= otherPart { position += 1 }
            if otherPart <= part { otherPosition += 1 }
        }
        return 2 * Double(common) / Double(all)
    }
}

extension TapeView {
    /// Returns whether it is significant to find the value at another place. `null`, `true`, `0`, `""`, `[]` and the
    /// like are everywhere; an email address isn't.
    ///
    /// A value is distinctive if it is a string or a number of three or more bytes, a date, data, or a container with a
    /// distinctive value or more than four values near its beginning.
    @inline(__always)
    func isDistinctive(_ index: Int) -> Bool {
        let node = self[index]
        return node.kind.isContainer ? isDistinctive(container: node, at: index) : Self.isDistinctiveScalar(node)
    }

    private func isDistinctive(container node: TapeNode, at index: Int) -> Bool {
        let limit = min(Int(node.next), index + 16)
        if limit - index > 8 { return true }
        var inside = index + 1
        while inside < limit {
            if Self.isDistinctiveScalar(self[inside]) { return true }
            inside += 1
        }
        return false
    }

    @inline(__always)
    private static func isDistinctiveScalar(_ node: TapeNode) -> Bool {
        let length = Int(node.end &- node.start) - (node.flags.contains(.quoted) ? 2 : 0)
        return switch node.kind {
        case .string, .number: length >= 3
        case .date: true
        case .data: length > 0
        case .object, .array, .boolean, .null, .key: false
        }
    }
}
