extension StringProtocol {
    /// Returns the text with some of its scalars replaced.
    ///
    /// All quoting and escaping uses this function. Shells, SQL, XML and Markdown read scalars or bytes. In Swift, a
    /// quotation mark followed by a combining mark is a single `Character`, which a search for a quotation mark doesn't
    /// find.
    ///
    /// - Parameter spelling: Returns the replacement for a scalar, or nil to keep it.
    package func escaping(_ spelling: (Unicode.Scalar) -> String?) -> String {
        var text = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            if let spelled = spelling(scalar) {
                text.append(contentsOf: spelled.unicodeScalars)
            } else {
                text.append(scalar)
            }
        }
        return String(text)
    }
}
