/// A profile of an array's element, for finding similar elements.
///
/// Its size is limited: only the beginning of a large value is used.
struct ElementProfile: ~Copyable {
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
    private var members = OwnedList<Member>()
    /// The hashes of distinctive values inside members that are objects.
    private var inner = OwnedList<UInt64>()
    /// The hashes of an array's elements or a string's words, sorted.
    private var parts = OwnedList<UInt64>()

    init(_ index: Int, in side: DifferenceBuilder.Side, identity: UInt64? = nil) {
        kind = side.tape[index].kind
        self.identity = identity
        let end = Int(side.tape[index].next)
        switch kind {
        case .object:
            members = OwnedList(capacity: min(Self.memberLimit, (end - index) / 2))
            var key = index + 1
            while key < end, members.count < Self.memberLimit {
                let value = side.tape[key + 1]
                let member = Member(
                    name: side.hashes[key], value: side.hashes[key + 1], kind: value.kind,
                    isDistinctive: side.tape.isDistinctive(key + 1))
                members.insert(member) { $0.name < $1.name }
                if value.kind == .object, inner.count < Self.memberLimit {
                    Self.forEachInner(in: key + 1, of: side.tape) { inner.append(side.hashes[$0]) }
                }
                key = Int(value.next)
            }
        case .array:
            var element = index + 1
            while element < end, parts.count < Self.partLimit {
                parts.append(side.hashes[element])
                element = Int(side.tape[element].next)
            }
            parts.sort(by: <)
        case .string:
            side.node(index).withTextBytes { text in
                for word in text.prefix(1024).split(separator: UInt8(ascii: " "), maxSplits: Self.partLimit) {
                    parts.append(FastHash.hash(UnsafeRawBufferPointer(rebasing: word)))
                }
            }
            parts.sort(by: <)
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

    typealias Features = UnsafeMutableBufferPointer<UInt64>

    /// The maximum number of features of an element. The words of a string are counted up to a limit, and the rest is
    /// one more.
    static let mostFeatures = partLimit + 1

    /// Returns hashes that may distinguish an element from others: for an object, those of its distinctive members, and
    /// of those of nested objects, with their names, except that strings are hashed without a name so that they are
    /// found under another one; for an array, its elements; for a string, its words.
    ///
    /// - Parameter features: Memory for ``mostFeatures``, in which they are stored.
    static func features(
        of index: Int, in side: DifferenceBuilder.Side, to features: Features
    ) -> Features.SubSequence {
        guard side.tape[index].kind == .object else {
            let profile = ElementProfile(index, in: side)
            return features[..<profile.parts.withElements { features.update(fromContentsOf: $0) }]
        }
        let (tape, hashes) = (side.tape, side.hashes)
        let end = tape.next(after: index)
        var (key, count, featureCount) = (index + 1, 0, 0)
        func add(_ value: Int) {
            guard featureCount < memberLimit else { return }
            let hash = hashes[value]
            features[featureCount] = tape[value].kind == .string ? hash : FastHash.mix(hashes[value - 1], hash)
            featureCount += 1
        }
        while key < end, count < memberLimit {
            if tape.isDistinctive(key + 1) { add(key + 1) }
            if tape[key + 1].kind == .object { forEachInner(in: key + 1, of: tape, add) }
            key = tape.next(after: key + 1)
            count += 1
        }
        return features[..<featureCount]
    }

    /// Returns the similarity of two elements from 0 to 1. It is 0 also if they are not similar enough to be compared
    /// with each other.
    func similarity(to other: borrowing ElementProfile) -> Double {
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

    /// Returns a lower bound of ``similarity(to:)`` for two elements without identities. For objects, it needs no
    /// profiles, because it counts only members with the same name.
    static func leastSimilarity(
        of index: Int, in side: DifferenceBuilder.Side, to other: Int, in otherSide: DifferenceBuilder.Side
    ) -> Double {
        let (tape, otherTape) = (side.tape, otherSide.tape)
        guard tape[index].kind == .object, otherTape[other].kind == .object else {
            return ElementProfile(index, in: side).similarity(to: ElementProfile(other, in: otherSide))
        }
        let otherEnd = otherTape.next(after: other)
        let otherCount = memberCount(of: other, otherTape)
        // The first of the other members that isn't paired yet, and a bit for each that is.
        var (otherFirst, firstPosition) = (other + 1, 0)
        var paired: UInt32 = 0
        var (common, count) = (0, 0)
        var key = index + 1
        while key < tape.next(after: index), count < memberLimit {
            let name = side.hashes[key]
            var (otherKey, position) = (otherFirst, firstPosition)
            while position < otherCount {
                if paired & 1 << UInt32(position) == 0, otherSide.hashes[otherKey] == name {
                    common += share(
                        (side.hashes[key + 1], tape[key + 1].kind),
                        (otherSide.hashes[otherKey + 1], otherTape[otherKey + 1].kind))
                    paired |= 1 << UInt32(position)
                    break
                }
                (otherKey, position) = (otherTape.next(after: otherKey + 1), position + 1)
            }
            while otherFirst < otherEnd, paired & 1 << UInt32(firstPosition) != 0 {
                (otherFirst, firstPosition) = (otherTape.next(after: otherFirst + 1), firstPosition + 1)
            }
            (key, count) = (tape.next(after: key + 1), count + 1)
        }
        guard count > 0, otherCount > 0 else { return 0 }
        let share = share(of: common, count, otherCount)
        return share >= leastShare ? share : 0
    }

    /// Returns the number of an object's members that are in its profile.
    private static func memberCount(of object: Int, _ tape: TapeView) -> Int {
        let end = tape.next(after: object)
        var (key, count) = (object + 1, 0)
        while key < end, count < memberLimit { (key, count) = (tape.next(after: key + 1), count + 1) }
        return count
    }

    /// Returns the similarity of two members with the same name, in tenths.
    @inline(__always)
    private static func share(
        _ member: (value: UInt64, kind: NodeKind), _ other: (value: UInt64, kind: NodeKind)
    ) -> Int {
        if member.value == other.value { return 10 }
        return member.kind == other.kind ? member.kind.isContainer ? 6 : 4 : 0
    }

    /// Returns twice what is in common, which is given in tenths, divided by the number of all members, which must not
    /// be 0.
    @inline(__always)
    private static func share(of common: Int, _ count: Int, _ otherCount: Int) -> Double {
        min(1, Double(2 * common) / Double(10 * (count + otherCount)))
    }

    /// Returns twice what is in common, divided by the number of all members (L. Dice, 1945): members with the same
    /// name and value count 1, those with the same name and kind of value 0.4 (0.6 for containers), and a distinctive
    /// value with another name, or in a wrapping, counts 0.8. Different identities halve the similarity.
    private func memberSimilarity(to other: borrowing ElementProfile) -> Double {
        guard !members.isEmpty, !other.members.isEmpty else { return members.count == other.members.count ? 1 : 0 }
        // In tenths, so that the sum doesn't depend on the order of the names' hashes.
        var common = 0
        var (position, otherPosition) = (0, 0)
        // A bit for each member with a distinctive value whose name the other element doesn't have.
        var (single, otherSingle): (UInt32, UInt32) = (0, 0)
        while position < members.count || otherPosition < other.members.count {
            let member = position < members.count ? members[position] : nil
            let otherMember = otherPosition < other.members.count ? other.members[otherPosition] : nil
            if let member, let otherMember, member.name == otherMember.name {
                common += Self.share((member.value, member.kind), (otherMember.value, otherMember.kind))
                (position, otherPosition) = (position + 1, otherPosition + 1)
            } else if let member, otherMember.map({ member.name < $0.name }) ?? true {
                if member.isDistinctive { single |= 1 << UInt32(position) }
                position += 1
            } else if let otherMember {
                if otherMember.isDistinctive { otherSingle |= 1 << UInt32(otherPosition) }
                otherPosition += 1
            }
        }
        var moved = 0
        for position in members.indices where single & 1 << UInt32(position) != 0 {
            let value = members[position].value
            if other.has(value, among: otherSingle) || other.hasInner(value) { moved += 1 }
        }
        for position in other.members.indices where otherSingle & 1 << UInt32(position) != 0 {
            let value = other.members[position].value
            if !has(value, among: single), hasInner(value) { moved += 1 }
        }
        common += 8 * moved
        let share = Self.share(of: common, members.count, other.members.count)
        guard let identity, let otherIdentity = other.identity, identity != otherIdentity else { return share }
        return share / 2
    }

    /// Returns whether one of the members whose bits are set has a value.
    private func has(_ value: UInt64, among bits: UInt32) -> Bool {
        for position in members.indices where bits & 1 << UInt32(position) != 0 {
            if members[position].value == value { return true }
        }
        return false
    }

    /// Returns whether a distinctive value is inside a member that is an object.
    private func hasInner(_ value: UInt64) -> Bool {
        for position in inner.indices where inner[position] == value { return true }
        return false
    }

    private func partSimilarity(to other: borrowing ElementProfile) -> Double {
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
