extension StringProtocol {
    /// The text with other text in place of some of its scalars.
    ///
    /// Whatever quotes or escapes a text uses this. Shells, SQL, XML and the like read scalars or bytes: to them a
    /// quotation mark is one also where a combining mark follows it, though both are one `Character` and no search for
    /// the quotation mark finds it.
    ///
    /// - Parameter spelling: What is written for a scalar; nil for the scalar itself.
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
