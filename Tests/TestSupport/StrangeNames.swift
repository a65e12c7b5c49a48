/// Names that somebody else chose, as files, tables, columns, keys and chains have them: each holds a sign that means
/// something in SQL, in a shell or in a format of reports, with what makes one `Character` of it and its neighbor.
public enum StrangeNames {
    private static let signs = [
        "\"", "'", "`", "\\", "]]>", "::", "%0A", "%", "\n", "\r", "\r\n", "\u{2028}", "\u{85}", "$(touch x)", ";", "|",
        "*", "~~", "@name", "&copy;", "-x", "+x", "#", "/", "[", "]", "<b>", "=x", "{", "~", "1. x", "!x", ",", ".x",
        ":",
        "\t", "\u{1B}[201~", "\u{9B}2J", "\u{202E}",
    ]

    /// A combining mark, a variation selector and a joiner, which join what they follow, and a sign that joins what
    /// follows it.
    private static let companions = ["\u{301}", "\u{FE0F}", "\u{200D}", "\u{600}"]

    /// All of them: each sign plain, with a companion behind it, in front of it, and behind each of its scalars, and each
    /// of these alone and inside a text.
    public static let all: [String] = signs.flatMap { sign in
        [sign]
            + companions.flatMap { companion in
                let mixed = sign.unicodeScalars.map { "\($0)\(companion)" }.joined()
                return [sign + companion, companion + sign] + (sign.unicodeScalars.count > 1 ? [mixed] : [])
            }
    }
    .flatMap { [$0, "say \($0)hello"] }

    /// Those that a file can have that is not hidden.
    public static let ofFiles = all.filter {
        !$0.utf8.contains(UInt8(ascii: "/")) && $0.utf8.first != UInt8(ascii: ".")
    }
}
