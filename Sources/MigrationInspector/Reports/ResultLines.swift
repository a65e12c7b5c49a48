import MigrationCore

/// Encodes results as lines of JSON. Most documents pass just like the one before them. For these, only the name is
/// encoded again.
struct ResultLines {
    /// The previous result, without its name.
    private var last: CheckResult?
    /// The rest of its line after the name.
    private var rest = ""

    /// The beginning of the line for a result without a name.
    private static let beginning = #"{"source":""#

    /// Returns the line for a result, without a newline.
    ///
    /// - Throws: `EncodingError`.
    mutating func line(for result: CheckResult) throws -> String {
        var nameless = result
        nameless.source = ""
        if nameless != last || result.hasTextOfDocument {
            let text = try JSONText.text(of: nameless, layout: .compact)
            guard text.hasPrefix(Self.beginning) else { return try JSONText.text(of: result, layout: .compact) }
            (last, rest) = (nameless, String(text.dropFirst(Self.beginning.count + 1)))
        }
        return Self.beginning.dropLast() + JSONText.text(of: result.source) + rest
    }
}

extension CheckResult {
    /// Whether the result may quote the document. Strings are equal even if they are encoded differently in Unicode, so
    /// two such results can be equal and contain different text.
    fileprivate var hasTextOfDocument: Bool {
        version?.isSpelled == true || target?.isSpelled == true || failure != nil || !warnings.isEmpty
    }
}
