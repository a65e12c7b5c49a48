import DocumentModel

extension String {
    /// The word quoted for bash, zsh and ksh, or for any shell if it has no invisible characters. Those are written
    /// as octal escapes, so that pasting a line break does not run the command line.
    package var quotedForShell: String {
        let isPlain =
            !isEmpty
            && utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || "-_./:@%+,=".utf8.contains(byte)
            }
        // zsh expands `=ls` to the path of ls.
        if isPlain, utf8.first != UInt8(ascii: "=") { return self }
        guard unicodeScalars.contains(where: \.isEscapedForDisplay) else {
            // fish treats a backslash before a closing quotation mark as part of the word, so it is placed outside
            // the quotes.
            return "'" + escaping { $0 == "'" ? "'\\''" : $0 == "\\" ? "'\\\\'" : nil } + "'"
        }
        let quoted = escaping { scalar in
            guard scalar.isEscapedForDisplay || "'\\!".unicodeScalars.contains(scalar) else { return nil }
            return String(scalar).utf8.map { "\\" + $0.padded(to: 3, radix: 8) }.joined()
        }
        return "$'\(quoted)'"
    }
}
