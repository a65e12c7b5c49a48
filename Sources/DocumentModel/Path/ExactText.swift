/// Text that equals only text with the same scalars.
///
/// Swift's strings are equal if they are canonically equivalent (`é` as one scalar or as two). Names in JSON, property
/// lists, tables and files must match exactly (RFC 8259, section 8.3), so code that compares such names, or uses them
/// as keys, wraps them in this type.
///
/// Fields of types are the exception. Foundation's coders store members by `String`, so a coding key also finds an
/// equivalent name, and two equivalent names are one member to them. The coders of this package do the same; see
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
    /// Returns whether both strings have the same scalars.
    package func isExactly(_ other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
