/// The unique identifiers of keyed archives. XML has no word for them: there they are dictionaries of one number under
/// this name.
enum KeyedArchiveIdentifier {
    static let name = "CF$UID"

    /// The number of an object that looks like an identifier; nil for anything else.
    static func value(of node: DocumentNode) -> UInt32? {
        var members = node.members
        guard let member = members.next(), members.next() == nil, let text = member.value.numberText else { return nil }
        return value(named: member.name.utf8, text, isInteger: member.value.isIntegerNumber)
    }

    /// The number of an object with one member, of that name and with that number.
    static func value(named name: some Sequence<UInt8>, _ number: String, isInteger: Bool) -> UInt32? {
        isInteger && name.elementsEqual(self.name.utf8) ? UInt32(number) : nil
    }
}
