import MigrationCore

/// Results as lines of JSON. Most documents pass just as the one before them, and for these only the name is encoded again.
struct ResultLines {
    /// The result before, without its name.
    private var last: CheckResult?
    /// What stood behind the name.
    private var rest = ""

    /// How the line of a result without a name begins.
    private static let beginning = #"{"source":""#

    /// The line of a result, without a line end.
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
    /// Whether it may quote the document. Strings are equal even if Unicode spells them differently, so two such results can
    /// be equal and say different things.
    fileprivate var hasTextOfDocument: Bool {
        if case .name = version { return true }
        return failure != nil || !warnings.isEmpty
    }
}
