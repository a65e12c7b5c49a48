/// The members of one object by name. For each name, it finds the member that Foundation's decoder would find.
///
/// If several members have the same name, JSONDecoder uses the first and PropertyListDecoder the last; both compare
/// names like Swift strings, by canonical equivalence. (If a binary property list stores each of these names as a
/// separate object, PropertyListDecoder may choose a different one in each run.) Members that are skipped count as not
/// read, so that their loss is reported.
struct MemberTable {
    /// The nodes of the keys. Each is followed by the node of its value.
    private var members = NameLookup<Int>()
    /// The names that types use, by the nodes of their keys; only those that aren't the text of the key, in ASCII
    /// without escapes.
    private var names: [Int: String] = [:]

    /// Creates the table for the object at `index`, whose position is `place`.
    init(_ session: DecodingSession, object index: Int, at place: CodingPlace) {
        let view = session.view
        let convert = session.keyConversion(at: place)
        let end = view.next(after: index)
        members.reserveCapacity(min(NameLookup<Int>.mostSearched, (end - index) / 2))
        var key = index + 1
        while key < end {
            let node = view[key]
            if convert == nil, !node.flags.contains(.escaped),
                let hash = FastHash.hash(ofASCII: view.unquotedText(of: node))
            {
                add(key, hash, in: session)
            } else {
                let text = session.node(key).string ?? ""
                let name = convert.map { $0(text) } ?? text
                names[key] = name
                add(key, name.nameHash, in: session)
            }
            key = view.next(after: key + 1)
        }
    }

    private mutating func add(_ key: Int, _ hash: UInt64, in session: DecodingSession) {
        guard members.mayContain(hash) else { return members.append(key, hash: hash) }
        let names = names
        let first = members.position(of: hash) {
            Self.name(of: $0, names, in: session) == Self.name(of: key, names, in: session)
        }
        guard let first else { return members.append(key, hash: hash) }
        guard session.isPropertyList else { return }
        // The member keeps the position and the spelling of the first one with its name.
        self.names[key] = Self.name(of: members[first], names, in: session)
        members[first] = key
    }

    private static func name(of key: Int, _ names: [Int: String], in session: DecodingSession) -> String {
        names[key] ?? session.node(key).string ?? ""
    }

    /// Returns the node of the value of the member with that name.
    mutating func value(named name: String, in session: DecodingSession) -> Int? {
        let (names, view) = (names, session.view)
        let position =
            if names.isEmpty, let hash = name.withBytes({ FastHash.hash(ofASCII: $0) }) {
                members.position(of: hash) { key in name.withBytes { view.hasPlainText($0, at: key) } }
            } else {
                members.position(of: name.nameHash) { Self.name(of: $0, names, in: session) == name }
            }
        return position.map { members[$0] + 1 }
    }

    /// Returns each name once, in document order.
    func names(in session: DecodingSession) -> [String] {
        members.members.map { Self.name(of: $0.member, names, in: session) }
    }
}
