/// The members of an object so far, in the order in which their names first occurred.
///
/// As in Foundation's encoders, two canonically equivalent names form one member, which has the first name and the last
/// value.
final class EncodedObject {
    private var members: [(name: String, value: EncodedValue)] = []
    /// The position of each name; created when there are too many members to search linearly.
    private var positions: [String: Int]?

    private static let largestUnindexedCount = 16

    init() {}

    /// Creates an object that begins with all members of `node`, even those with equal or equivalent names.
    init(_ node: DocumentNode) { members = node.members.map { ($0.name, .spliced($0.value)) } }

    /// The value with that name. A new value replaces an existing one or is appended. Setting nil does nothing.
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

    /// Adds the members of another object. If several of them have the same name, only the first counts. They replace
    /// existing members.
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

    /// Sorts the members by the bytes of their names, as JSONEncoder sorts keys.
    func sort() {
        members.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        positions = nil
    }

    func forEachMember(sorted: Bool, _ body: (String, EncodedValue) -> Void) {
        if sorted { sort() }
        for member in members { body(member.name, member.value) }
    }
}
