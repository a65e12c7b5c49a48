/// The members of one object, found by the hashes of their names.
///
/// Names are usually looked up in the order of the object, so the member after the one found last is tried first. A few
/// members are searched in order; for many, a table is created on first use.
struct NameLookup<Member> {
    /// The members in the order in which they were added.
    private(set) var members: [(hash: UInt64, member: Member)] = []
    /// The position after the member found last.
    private var next = 0
    /// The position of the first member with each hash, once there are many members.
    private var positions: [UInt64: Int] = [:]

    /// Up to this number of members, they are searched in order.
    static var mostSearched: Int { 16 }

    var count: Int { members.count }

    /// The member at a position.
    subscript(position: Int) -> Member {
        get { members[position].member }
        set { members[position].member = newValue }
    }

    mutating func append(_ member: Member, hash: UInt64) {
        members.append((hash, member))
        guard !positions.isEmpty else { return }
        if positions[hash] == nil { positions[hash] = members.count - 1 }
    }

    mutating func reserveCapacity(_ count: Int) { members.reserveCapacity(count) }

    /// Returns whether a member's name may have that hash: false only if none has.
    func mayContain(_ hash: UInt64) -> Bool {
        members.count <= Self.mostSearched ? members.contains { $0.hash == hash } : true
    }

    /// Returns the position of the member whose name has that hash and for which `isMatch` returns true, or nil if
    /// there is none.
    mutating func position(of hash: UInt64, where isMatch: (Member) -> Bool) -> Int? {
        func isFound(_ position: Int) -> Bool {
            members[position].hash == hash && isMatch(members[position].member)
        }
        var found: Int?
        if next < members.count, isFound(next) {
            found = next
        } else if members.count <= Self.mostSearched {
            found = members.indices.first(where: isFound)
        } else {
            if positions.isEmpty {
                positions = Dictionary(zip(members.map(\.hash), members.indices)) { first, _ in first }
            }
            guard let first = positions[hash] else { return nil }
            found = isFound(first) ? first : members.indices.first(where: isFound)
        }
        if let found { next = found + 1 }
        return found
    }
}

extension String {
    /// A hash of a name. Names that are equal as Swift strings, which means canonically equivalent, have equal hashes.
    var nameHash: UInt64 {
        if let hash = withBytes({ FastHash.hash(ofASCII: $0) }) { return hash }
        let scalars = unicodeScalars.map { Self.equivalentsInASCII[$0] ?? $0 }
        return String(String.UnicodeScalarView(scalars)).withBytes { FastHash.hash(ofASCII: $0) }
            ?? UInt64(bitPattern: Int64(hashValue))
    }

    /// The characters outside ASCII that are equivalent to an ASCII character, such as the Kelvin sign and the letter K.
    private static let equivalentsInASCII: [Unicode.Scalar: Unicode.Scalar] = [
        "\u{37E}": ";", "\u{1FEF}": "`", "\u{212A}": "K",
    ]
}
