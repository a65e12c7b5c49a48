/// How a value of a document contains another document.
package enum EmbeddedForm: Sendable, Equatable {
    /// As the text of a string.
    case text
    /// As the bytes of data.
    case data
    /// As bytes, in the base64 of a string.
    case base64(Base64Spelling)
}
