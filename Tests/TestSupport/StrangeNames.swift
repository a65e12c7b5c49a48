/// Strange names of files, tables, columns, keys and chains. Each contains a sign with a special meaning in SQL, a
/// shell or a report, most of them next to a scalar that merges with it into one `Character`.
public enum StrangeNames {
    private static let signs = [
        "\"", "'", "`", "\\", "]]>", "::", "%0A", "%", "\n", "\r", "\r\n", "\u{2028}", "\u{85}", "$(touch x)", ";", "|",
        "*", "~~", "@name", "&copy;", "-x", "+x", "#", "x#1", "/", "[", "]", "<b>", "=x", "{", "~", "1. x", "!x", ",",
        ".x",
        "\\'", "\\'; touch x; #", "'\\", "\\\\", "\"\\",
        ":tada:", "GH-12", "0123456789abcdef0123456789abcdef01234567", "$x$", ":", "\t", "https://a.b/", "www.a.b",
        "\u{1B}[201~", "\u{9B}2J", "\u{202E}",
    ]

    /// A combining mark, a variation selector and a joiner, which merge with the scalar before them, and a prepended
    /// sign, which merges with the scalar after it.
    private static let companions = ["\u{301}", "\u{FE0F}", "\u{200D}", "\u{600}"]

    /// Each sign by itself, with a companion after it, before it, and after each of its scalars. Each of these is both
    /// a whole name and part of a longer one.
    public static let all: [String] = signs.flatMap { sign in
        [sign]
            + companions.flatMap { companion in
                let mixed = sign.unicodeScalars.map { "\($0)\(companion)" }.joined()
                return [sign + companion, companion + sign] + (sign.unicodeScalars.count > 1 ? [mixed] : [])
            }
    }
    .flatMap { [$0, "say \($0)hello"] }

    /// The names that a file can have without being hidden.
    public static let ofFiles = all.filter {
        !$0.utf8.contains(UInt8(ascii: "/")) && $0.utf8.first != UInt8(ascii: ".")
    }
}
