/// The unique identifiers of keyed archives. XML has no element for them, so there they are dictionaries with a single
/// number under this name.
enum KeyedArchiveIdentifier {
    static let name = "CF$UID"

    /// Returns the number of an object that looks like an identifier, or nil for anything else.
    static func value(of node: DocumentNode) -> UInt32? {
        var members = node.members
        guard let member = members.next(), members.next() == nil, let text = member.value.numberText else { return nil }
        return value(named: member.name.utf8, text, isInteger: member.value.isIntegerNumber)
    }

    /// Returns the number of an object with a single member, which has that name and that number, or nil if it isn't an
    /// identifier.
    static func value(named name: some Sequence<UInt8>, _ number: String, isInteger: Bool) -> UInt32? {
        isInteger && name.elementsEqual(self.name.utf8) ? UInt32(number) : nil
    }
}
