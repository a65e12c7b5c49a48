/// The members of an object so far, in the order in which their names came first.
///
/// Of two names that are canonically equivalent there is one member, with the name of the first and the value of the
/// last, as Foundation's encoders have it.
final class EncodedObject {
    private var members: [(name: String, value: EncodedValue)] = []
    /// Where each name is among the members; made when there are too many to look through.
    private var positions: [String: Int]?

    private static let largestUnindexedCount = 16

    init() {}

    /// An object that begins with the members of `node`, all of them, also where names are equivalent or the same.
    init(_ node: DocumentNode) { members = node.members.map { ($0.name, .spliced($0.value)) } }

    /// The value under that name. A new one takes the place of the old, or comes last. Setting nil is no use, and does
    /// nothing.
    subscript(name: String) -> EncodedValue? {
        get { position(of: name).map { members[$0].value } }
        set {
            guard let newValue else { return }
            if let position = position(of: name) {
                members[position].value = newValue
            } else {
                positions?[name] = members.count
                members.append((name, newValue))
            }
        }
    }

    /// Adds the members of another object. Of several of one name there the first counts, and takes the place of one here.
    func add(_ other: EncodedObject) {
        for (position, member) in other.members.enumerated() where other.position(of: member.name) == position {
            self[member.name] = member.value
        }
    }

    private func position(of name: String) -> Int? {
        if let positions { return positions[name] }
        guard members.count > Self.largestUnindexedCount else { return members.firstIndex { $0.name == name } }
        var positions: [String: Int] = [:]
        for (position, member) in members.enumerated() where positions[member.name] == nil {
            positions[member.name] = position
        }
        self.positions = positions
        return positions[name]
    }

    /// Puts the members in the order of their names, as JSONEncoder sorts keys: byte by byte.
    func sort() {
        members.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        positions = nil
    }

    func forEachMember(sorted: Bool, _ body: (String, EncodedValue) -> Void) {
        if sorted { sort() }
        for member in members { body(member.name, member.value) }
    }
}
