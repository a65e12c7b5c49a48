/// The members of an object by name and, if several have the same name, by their occurrence.
struct AlignedMembers {
    /// A member, and its partner in the other object.
    struct Member {
        /// The tape index of the value.
        let value: Int
        /// The occurrence among the members with its name, from 1.
        let occurrence: UInt64
        /// The position of the member with the same name in the other object, or nil if there is none.
        var partner: Int?
    }

    /// The members, in the order of the object.
    private(set) var members = NameLookup<Member>()

    init(_ side: ComparedSide, object: Int) {
        let hasDuplicates = side.hasDuplicates(object)
        let end = side.tape.next(after: object)
        members.reserveCapacity(min(NameLookup<Member>.mostSearched, (end - object) / 2))
        var counts: [ExactText: UInt64] = [:]
        var key = object + 1
        while key < end {
            var occurrence: UInt64 = 1
            if hasDuplicates {
                let name = ExactText(side.node(key).string ?? "")
                occurrence = counts[name, default: 0] + 1
                counts[name] = occurrence
            }
            members.append(
                Member(value: key + 1, occurrence: occurrence), hash: Self.hash(side.hashes[key], occurrence))
            key = side.tape.next(after: key + 1)
        }
    }

    private static func hash(_ name: UInt64, _ occurrence: UInt64) -> UInt64 {
        occurrence == 1 ? name : FastHash.mix(name, occurrence)
    }

    var count: Int { members.count }

    subscript(position: Int) -> Member { members[position] }

    /// Connects the members of two objects with the same name and occurrence.
    static func connect(
        _ olds: inout AlignedMembers, _ news: inout AlignedMembers, _ old: ComparedSide, _ new: ComparedSide,
        _ comparison: ValueComparison
    ) {
        for position in 0..<news.count {
            let member = news[position]
            let match = olds.members.position(of: hash(new.hashes[member.value - 1], member.occurrence)) {
                $0.occurrence == member.occurrence && comparison.haveSameText($0.value - 1, member.value - 1)
            }
            guard let match else { continue }
            news.members[position].partner = match
            olds.members[match].partner = position
        }
    }
}
