/// A text that equals only what is spelled with the same scalars.
///
/// Swift's strings are equal when they are canonically equivalent (`é` as one scalar or as two). Names of JSON,
/// property lists, tables and files are not (RFC 8259, section 8.3), so what compares names, or keeps values by them,
/// takes this for the key.
///
/// Types are the exception: Foundation's coders keep members by `String`, so a coding key also finds an equivalent
/// name, and two equivalent names are one member to them. What decodes and encodes types does the same; see
/// ``MemberTable``.
package struct ExactText: Hashable, Sendable {
    package let string: String

    package init(_ string: some StringProtocol) { self.string = String(string) }

    package static func == (left: ExactText, right: ExactText) -> Bool { left.string.isExactly(right.string) }

    package func hash(into hasher: inout Hasher) {
        string.withBytes { hasher.combine(bytes: $0) }
    }
}

extension String {
    /// Whether both texts are spelled with the same scalars. Of two strings faster than what is there for any two texts,
    /// which other modules call without knowing their types.
    package func isExactly(_ other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}

extension StringProtocol {
    /// Whether both texts are spelled with the same scalars.
    package func isExactly(_ other: some StringProtocol) -> Bool { utf8.elementsEqual(other.utf8) }
}
