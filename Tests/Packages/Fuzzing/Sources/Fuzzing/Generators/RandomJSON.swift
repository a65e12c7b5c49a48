/// Generates random JSON.
struct RandomJSON {
    private(set) var text = ""
    private var random: SplitMix64

    /// Returns JSON that depends only on the random numbers.
    static func text(depth: Int = 4, _ random: inout SplitMix64) -> String {
        var writer = RandomJSON(random: SplitMix64(seed: random.next()))
        writer.value(depth: depth)
        return writer.text
    }

    /// Returns a value without children.
    static func scalar(_ random: inout SplitMix64) -> String { random.one(of: scalars) }

    private init(random: SplitMix64) { self.random = random }

    static let names = [
        "", "~", "/", "0", "-", "~1", "a/b", "\u{E9}", "e\u{301}", "id", "name", "title", "a b", "日本", "👩‍👧", "\\\"",
        "\\n", "Name", "version", "10", "01", "CF$UID", "\\u0000", "items", "__proto__", "a.b", "a['b']",
        "\\ud83d\\ude00",
    ]
    private static let scalars = [
        "null", "true", "false", "0", "1", "1.0", "10e-1", "-0", "2", "100", "1e2", "9007199254740993",
        "-9223372036854775808",
        "18446744073709551615", "18446744073709551616", "1e308", "1e-400", "0.1", "123456789012345678901234567890.5",
        "\"\"",
        "\"a\"", "\"an epicure dining at Crewe\"", "\"an epicure dining in Crewe\"", "\"\u{E9}\"", "\"e\u{301}\"",
        "\"\\u00e9\"",
        "\"\\ud83d\\ude00\"", "\"\\u0000\"", "{}", "[]", "\"2024-01-31\"", "3.25", "\"\u{7F}\u{9B}\"", "\"\\/\"",
        "\"{\\\"a\\\":1}\"",
    ]

    private mutating func space() {
        if random.below(4) == 0 { text += random.one(of: [" ", "\n", "\t", "\r\n", "  "]) }
    }

    private mutating func value(depth: Int) {
        space()
        let choice = random.below(10)
        if depth == 0 || choice < 3 {
            text += random.one(of: Self.scalars)
        } else if choice < 7 {
            list(depth, "{", "}") { writer in
                writer.text += "\"" + writer.random.one(of: Self.names) + "\""
                writer.space()
                writer.text += ":"
            }
        } else {
            list(depth, "[", "]") { _ in }
        }
        space()
    }

    private mutating func list(_ depth: Int, _ open: String, _ close: String, _ beginning: (inout RandomJSON) -> Void) {
        text += open
        for index in 0..<random.below(6) {
            if index > 0 { text += "," }
            space()
            beginning(&self)
            value(depth: depth - 1)
        }
        text += close
    }
}
