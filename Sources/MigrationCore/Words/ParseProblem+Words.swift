import DocumentModel

// The sentences about texts that are not documents.

extension DocumentParseError: CustomStringConvertible {
    /// The full sentence: `line 3, column 7 (byte 41): found …, expected …`.
    public var description: String {
        guard let location else { return "\(problem)" }
        return "\(location) (byte \(location.offset)): \(problem)"
    }
}

extension ParseProblem: CustomStringConvertible {
    /// The text that was found, and the expected one: `found ',', expected a value`.
    public var description: String {
        let (found, expected) = words
        return "found \(found)" + (expected.map { ", expected \($0)" } ?? "")
    }

    private var words: (found: String, expected: String?) {
        switch self {
        case .unexpected(let found, .end) where found.beginsObjectOrArray:
            (
                found.words,
                "\(ExpectedText.end.words) (JSON Lines, one document a line, are read from .jsonl files and standard input)"
            )
        case .unexpected(let found, let expected): (found.words, expected.words)
        case .foreign(let format):
            ("what looks like \(format.words), which is not read", "JSON, or an XML or binary property list")
        case .empty(let isWhitespace):
            (isWhitespace ? "a text of nothing but white space" : "an empty text", "a value")
        case .onlyComments: ("a text of nothing but comments", "a value")
        case .notUTF8(let byte): (FoundText.byte(byte).words, "a text in UTF-8")
        case .notInEncoding(let encoding):
            (
                "bytes that are no character of \(encoding.rawValue)",
                "a text in \(encoding.rawValue), as its first bytes announce, or in UTF-8"
            )
        case .tooLarge(let byteCount, let isTranscoded):
            ("\(byteCount) bytes" + (isTranscoded ? " in UTF-8" : ""), "less than 4 GiB")
        case .tooDeep:
            (
                "an object or array nested deeper than \(Document.deepestNesting) levels",
                "no more levels than Foundation's decoders read"
            )
        case .endInString(let start, let isSingle):
            (FoundText.end.words, "\(isSingle ? "\"'\"" : "'\"'") to end the string that begins at \(start)")
        case .controlCharacter(let byte):
            (
                "the control character \(codePoint(UInt32(byte))) in a string",
                "it as an escape, \(JSONString.escape(byte))"
            )
        case .halfSurrogatePair(let unit):
            (
                "the \(unit < 0xDC00 ? "first" : "second") half of a surrogate pair, "
                    + "\\u\(String(unit, radix: 16, uppercase: true)), alone",
                unit < 0xDC00
                    ? "an escape of the second half right after it" : "an escape of the first half right before it"
            )
        case .leadingZero: ("a number that begins with 0", "no more digits after a leading 0")
        case .openStep:
            (
                "a property list in the old OpenStep text form",
                "JSON, or an XML or binary property list (convert it: plutil -convert xml1 FILE; on Linux, with the plutil of "
                    + "GNUstep, which Debian has in gnustep-base-runtime: plutil -convert xml1 - < FILE > NEW)"
            )
        case .json5(.any): ("JSON5", "JSON")
        case .json5(let construct):
            ("\(construct.words.found), which JSON does not have", construct.words.expected)
        case .unendedComment: ("a comment without end", "'*/' to end it")
        case .nullEscape:
            ("the escape of U+0000", "an escape of another character; JSONDecoder refuses this one in JSON5")
        case .hexadecimalTooLarge: ("a hexadecimal number of more than 64 bits", "at most 16 digits")
        case .encoding(let name, let isKnown):
            (
                "the encoding \(name)" + (isKnown ? ", which the text is not in" : ""),
                "UTF-8; convert it (iconv -f \(name) -t UTF-8) and change the declaration"
            )
        case .content(let text, let element):
            ("\(text.isEmpty ? "nothing" : "'\(text)'") in <\(element)>", Self.content(of: element))
        case .markup(let markup, let element):
            switch markup {
            case .comment: ("a comment inside <\(element)>", "</\(element)>")
            case .processingInstruction: ("a processing instruction inside <\(element)>", "</\(element)>")
            case .reference: ("'&' inside <\(element)>", "what it stands for")
            }
        case .unendedMarkup(let markup): ("\(markup.words) without end", "\(markup.end) to end it")
        case .reference(let name):
            (
                name.map { "the entity '&\($0);'" } ?? "'&' alone",
                "&amp;, &lt;, &gt;, &quot;, &apos; or a character's number, as in &#233;"
            )
        case .entityDeclaration:
            ("the declaration of an entity", "a property list that declares none; write out what it stands for")
        case .binary(let problem, let offset):
            (problem.words.found + (offset.map { " (at byte \($0))" } ?? ""), problem.words.expected)
        }
    }

    private static func content(of element: String) -> String {
        switch element {
        case "integer": "a whole number of up to 64 bits and nothing else"
        case "real": "a number, nan or infinity and nothing else"
        case "date": "a date as in 2024-01-31T12:00:00Z"
        case "data": "base64"
        default: "<\(element)/>"
        }
    }
}

extension ForeignFormat {
    fileprivate var words: String {
        switch self {
        case .yaml: "YAML"
        case .toml: "TOML"
        case .gzip: "gzip inside of gzip"
        case .zip: "a ZIP archive"
        case .bzip2: "bzip2"
        case .xz: "xz"
        case .zstandard: "Zstandard"
        case .pdf: "PDF"
        case .png: "a PNG picture"
        case .jpeg: "a JPEG picture"
        }
    }
}

extension FoundText {
    /// Whether another document may start there.
    fileprivate var beginsObjectOrArray: Bool {
        self == .character(Unicode.Scalar("{").value) || self == .character(Unicode.Scalar("[").value)
    }

    fileprivate var words: String {
        switch self {
        case .end: return "the end of the text"
        case .byte(let byte):
            return "the byte 0x\(String(byte, radix: 16, uppercase: true)), which is not UTF-8 here"
        case .word(let word): return "'\(word)'"
        case .tag(let tag): return tag
        case .text(let text): return "the text '\(text)'"
        case .character(let value):
            guard let scalar = Unicode.Scalar(value), value > 0x20, value != 0x7F else {
                return "the character \(codePoint(value))"
            }
            return "'\(scalar)'" + (scalar.isASCII ? "" : " (\(codePoint(value)))")
        }
    }
}

extension ExpectedText {
    fileprivate var words: String {
        switch self {
        case .end: "the end of the text"
        case .value: "a value"
        case .valueOrBracket: "a value or ']'"
        case .name: "a name in double quotation marks"
        case .nameOrBrace: "a name in double quotation marks or '}'"
        case .colon: "':' after the name"
        case .commaOrBrace: "',' or '}'"
        case .commaOrBracket: "',' or ']'"
        case .digit: "a digit"
        case .digitOfFraction: "a digit after the decimal point"
        case .digitOfExponent: "a digit of the exponent"
        case .hexadecimalDigits: "four hexadecimal digits after '\\u'"
        case .escape: #"one of " \ / b f n r t u after '\'"#
        case .anyName: "a name"
        case .anyNameOrBrace: "a name or '}'"
        case .hexadecimalDigit: "a hexadecimal digit after '0x'"
        case .twoHexadecimalDigits: "two hexadecimal digits after '\\x'"
        case .endOfNumber: "the end of the number"
        case .escapeOfJSON5: #"one of " ' \ / b f n r t u x or the end of the line after '\'"#
        case .escapeInName: #"u or x after '\' in a name"#
        case .word(let word): "a value (did you mean \(word)?)"
        case .tag(let tag): tag
        case .anyElement: "<dict>, <array>, <string>, <integer>, <real>, <true/>, <false/>, <date> or <data>"
        case .elementInList: "a value inside <plist>"
        case .lastTagOfList: "</plist>; a property list is one value"
        case .elementOrEndOfArray: "a value or </array>"
        case .keyOrEndOfDictionary: "<key> or </dict>"
        case .elementForKey: "a value for the key before it"
        case .endOfTag(let name): "'>' to end the tag <\(name)>"
        case .attributeEquals: "'=' after the name of an attribute"
        case .attributeValue: "an attribute's value in quotation marks"
        case .escapedAngleBracket: "'&lt;' inside an attribute's value"
        }
    }
}

extension JSON5Construct {
    fileprivate var words: (found: String, expected: String?) {
        switch self {
        case .any: ("something of JSON5", nil)
        case .comment: ("a comment", nil)
        case .singleQuotes: ("a string in single quotation marks", "double quotation marks")
        case .bareName(let name): ("the name '\(name)' without quotation marks", "double quotation marks around it")
        case .hexadecimalNumber: ("a hexadecimal number", "decimal digits")
        case .plusSign: ("a number with a plus sign", "the number without it")
        case .leadingPoint: ("a number that begins with a decimal point", "a digit before the point")
        case .trailingPoint: ("a number that ends with a decimal point", "a digit after the point")
        case .notFinite(let word): ("the number \(word)", "a number that is finite")
        case .continuedLine: ("a string that goes on in the next line", "the escape \\n")
        case .escape(let letter): ("the escape \\\(letter)", letter == "x" ? "\\u and four hexadecimal digits" : letter)
        case .whiteSpace(let byte):
            ("the white space 0x\(UInt32(byte).padded(to: 2, radix: 16, uppercase: true))", "a space")
        }
    }
}

extension UnendedMarkup {
    fileprivate var words: String {
        switch self {
        case .comment: "a comment"
        case .processingInstruction: "a processing instruction"
        case .section: "a CDATA section"
        case .documentType: "a document type"
        case .attributeValue: "an attribute's value"
        }
    }

    fileprivate var end: String {
        switch self {
        case .comment: "'-->'"
        case .processingInstruction: "'?>'"
        case .section: "']]>'"
        case .documentType: "'>'"
        case .attributeValue: "another quotation mark"
        }
    }
}

extension BinaryPropertyListProblem {
    fileprivate var words: (found: String, expected: String?) {
        switch self {
        case .header(let header):
            ("a header '\(header)'", "a binary property list, which begins with 'bplist0' and one more character")
        case .noTrailer(let byteCount): ("the end of the file after \(byteCount) bytes", "a trailer of 32 bytes")
        case .trailer:
            ("a trailer that does not fit the file", "the whole file, from its header to its last 32 bytes")
        case .misplacedObject(let place): ("an object at byte \(place)", "objects between header and table")
        case .truncated: ("an object that is longer than its file", "the whole file")
        case .integerBeyond64Bits: ("an integer of more than 64 bits", "at most \(UInt64.max)")
        case .notASCII: ("a byte that is not ASCII in an ASCII string", "ASCII")
        case .lengthNotInteger: ("a length that is not an integer", "an integer")
        case .keyNotString: ("a key that is not a string", "a string")
        case .dateNotNumber: ("a date that is no number", "seconds since 2001")
        case .identifier(let value): ("the identifier \(value)", "at most \(UInt32.max)")
        case .unknownKind(let marker):
            (
                "an object of the unknown kind 0x\(String(marker, radix: 16))",
                "a dictionary, array, string, number, boolean, date or data"
            )
        case .reference(let object, let count): ("a reference to object \(object)", "one of \(count) objects")
        case .cycle: ("a dictionary or array that contains itself", nil)
        case .unfolding(let byteCount):
            ("objects that are used so often that \(byteCount) bytes unfold to more than can be read", nil)
        }
    }
}

private func codePoint(_ value: UInt32) -> String { "U+" + value.padded(to: 4, radix: 16, uppercase: true) }

// MARK: - Writing

extension PropertyListWritingError: CustomStringConvertible {
    /// The full sentence: `$.author: found null, …`.
    public var description: String {
        switch problem {
        case .null: "\(path): found null, which property lists do not have, expected a value, or no such member"
        case .identifier:
            "\(path): found a dictionary {\"CF$UID\": …}, which an XML property list cannot tell from a unique identifier, "
                + "expected another name, or a binary property list"
        case .integerTooLarge(let text):
            "\(path): found the integer \(text), expected one from \(Int64.min) to \(UInt64.max)"
        }
    }
}
