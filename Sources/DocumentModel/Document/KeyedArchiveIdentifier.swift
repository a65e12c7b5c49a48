/// The unique identifiers of keyed archives. XML has no word for them: there they are dictionaries of one number under
/// this name.
enum KeyedArchiveIdentifier {
    static let name = "CF$UID"

    /// The number of an object that looks like an identifier; nil for anything else.
    static func value(of node: DocumentNode) -> UInt32? {
        var members = node.members
        guard let member = members.next(), members.next() == nil, member.name == name, member.value.isIntegerNumber
        else { return nil }
        return UInt32(member.value.numberText ?? "")
    }
}
