/// A text that equals only what is spelled with the same scalars.
///
/// Swift's strings are equal when they are canonically equivalent (`é` as one scalar or as two); JSON's names are not (RFC 8259,
/// section 8.3), so a dictionary by names takes this for its key.
struct ExactText: Hashable {
    let string: String

    init(_ string: String) { self.string = string }

    static func == (left: ExactText, right: ExactText) -> Bool { left.string.utf8.elementsEqual(right.string.utf8) }

    func hash(into hasher: inout Hasher) {
        var string = string
        string.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
