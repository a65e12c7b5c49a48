/// The members of an object, and their partners in another object: those with the same name.
struct AlignedMembers {
    /// A member, and its partner in the other object.
    struct Member {
        /// The tape index of the value.
        let value: Int
        /// The position of the partner in the other object, or nil if there is none.
        var partner: Int?
    }

    /// The members, in the order of the object.
    private(set) var members = NameLookup<Member>()
    private let hasDuplicates: Bool

    init(_ side: ComparedSide, object: Int) {
        hasDuplicates = side.hasDuplicates(object)
        let end = side.tape.next(after: object)
        members.reserveCapacity(min(NameLookup<Member>.mostSearched, (end - object) / 2))
        var key = object + 1
        while key < end {
            members.append(Member(value: key + 1), hash: side.hashes[key])
            key = side.tape.next(after: key + 1)
        }
    }

    var count: Int { members.count }

    subscript(position: Int) -> Member { members[position] }

    /// Connects the members of two objects that have the same name.
    ///
    /// If several members of an object have the same name, and the other object has as many, they are connected in
    /// order. Otherwise those with equal values are connected, and then the last ones: a decoder of a property list and
    /// a closure get the last one, and the others are lost.
    static func connect(
        _ olds: inout AlignedMembers, _ news: inout AlignedMembers, _ old: ComparedSide, _ new: ComparedSide,
        _ comparison: ValueComparison
    ) {
        if olds.hasDuplicates || news.hasDuplicates { return connectRepeated(&olds, &news, old, new, comparison) }
        for position in 0..<news.count {
            let member = news[position]
            let match = olds.members.position(of: new.hashes[member.value - 1]) {
                comparison.haveSameText($0.value - 1, member.value - 1)
            }
            guard let match else { continue }
            connect(&olds, match, &news, position)
        }
    }

    private static func connect(_ olds: inout AlignedMembers, _ old: Int, _ news: inout AlignedMembers, _ new: Int) {
        news.members[new].partner = old
        olds.members[old].partner = new
    }

    private static func connectRepeated(
        _ olds: inout AlignedMembers, _ news: inout AlignedMembers, _ old: ComparedSide, _ new: ComparedSide,
        _ comparison: ValueComparison
    ) {
        let positions = olds.positionsByName(old)
        for (name, later) in news.positionsByName(new) {
            guard let earlier = positions[name] else { continue }
            if earlier.count == later.count {
                for (match, position) in zip(earlier, later) { connect(&olds, match, &news, position) }
                continue
            }
            // The positions of old members by the hashes of their values, the last one last.
            var equals = Dictionary(grouping: earlier) { old.hashes[olds[$0].value] }
            for position in later.reversed() {
                let value = news[position].value
                guard let match = equals[new.hashes[value]]?.last, comparison.areEqual(olds[match].value, value) else {
                    continue
                }
                equals[new.hashes[value]]?.removeLast()
                connect(&olds, match, &news, position)
            }
            let others = zip(
                earlier.reversed().filter { olds[$0].partner == nil },
                later.reversed().filter { news[$0].partner == nil })
            for (match, position) in others { connect(&olds, match, &news, position) }
        }
    }

    /// Returns the positions of the members with each name, in order.
    private func positionsByName(_ side: ComparedSide) -> [ExactText: [Int]] {
        Dictionary(grouping: 0..<count) { ExactText(side.node(self[$0].value - 1).string ?? "") }
    }
}
