import MigrationCore

/// Results as lines of JSON. Most of many documents fare as the one before did; of these only the name is written anew.
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
        if nameless != last {
            let text = try JSONText.text(of: nameless, layout: .compact)
            guard text.hasPrefix(Self.beginning) else { return try JSONText.text(of: result, layout: .compact) }
            (last, rest) = (nameless, String(text.dropFirst(Self.beginning.count + 1)))
        }
        return Self.beginning.dropLast() + JSONText.text(of: result.source) + rest
    }
}
