import DocumentModel
import Foundation
import Testing

@testable import MigrationCore

@Suite("Sentences about malformed documents")
struct ParseProblemWordsTests {
    private static func like(_ format: String) -> String {
        "found what looks like \(format), which is not read, expected JSON, or an XML or binary property list"
    }

    private static func problem(_ text: String) throws -> String {
        let error = try #require(throws: DocumentParseError.self) { try Document(parsing: SourceBytes(text)) }
        return "\(error.problem)"
    }

    @Test(
        "a problem in JSON says what was found, and what would have been right",
        arguments: [
            ("", "found an empty text, expected a value"),
            (" \n", "found a text of nothing but white space, expected a value"),
            ("---\na: 1", like("YAML")), ("# c\n\nname: x\n", like("YAML")), ("- a\n- b", like("YAML")),
            ("name:\n  x: 1", like("YAML")), ("[package]\nname = \"x\"", like("TOML")),
            ("[[bin]]\n", like("TOML")), ("%PDF-1.4", like("PDF")), ("BZh91AY", like("bzip2")),
            ("PK\u{3}\u{4}", like("a ZIP archive")), ("label:x", "found 'label', expected a value"),
            ("[a, b]", "found 'a', expected a value or ']'"),
            ("[1,,]", "found ',', expected a value"),
            ("[é]", "found 'é' (U+00E9), expected a value or ']'"),
            ("[\u{1}]", "found the character U+0001, expected a value or ']'"),
            ("{a}", "found 'a', expected a name in double quotation marks or '}'"),
            (#"{"a" 1}"#, "found '1', expected ':' after the name"),
            (#"{"a": 1 "b"}"#, "found '\"', expected ',' or '}'"),
            ("[1 2]", "found '2', expected ',' or ']'"),
            ("1 2", "found '2', expected the end of the text"),
            (
                "[] []",
                "found '[', expected the end of the text (JSON Lines, one document a line, are read from .jsonl files "
                    + "and standard input)"
            ),
            ("nul", "found 'nul', expected a value (did you mean null?)"),
            ("[\n\"ab", "found the end of the text, expected '\"' to end the string that begins at line 2, column 1"),
            ("[\"\n\"]", "found the control character U+000A in a string, expected it as an escape, \\n"),
            (#"["\q"]"#, #"found 'q', expected one of " \ / b f n r t u after '\'"#),
            (#"["\u12x4"]"#, #"found 'x4', expected four hexadecimal digits after '\u'"#),
            (
                #"["\uD83D"]"#,
                #"found the first half of a surrogate pair, \uD83D, alone, expected an escape of the second half right after it"#
            ),
            (
                #"["\uDE00"]"#,
                #"found the second half of a surrogate pair, \uDE00, alone, expected an escape of the first half right before it"#
            ),
            ("01", "found a number that begins with 0, expected no more digits after a leading 0"),
            ("-", "found the end of the text, expected a digit"),
            ("1.", "found the end of the text, expected a digit after the decimal point"),
            ("[1] // c", "found a comment, which JSON does not have"),
            (
                "['a']",
                "found a string in single quotation marks, which JSON does not have, expected double quotation marks"
            ),
            (
                "{a: 1}",
                "found the name 'a' without quotation marks, which JSON does not have, expected double quotation marks around it"
            ),
            ("[0x1F]", "found a hexadecimal number, which JSON does not have, expected decimal digits"),
            ("[+1]", "found a number with a plus sign, which JSON does not have, expected the number without it"),
            (
                "[.5]",
                "found a number that begins with a decimal point, which JSON does not have, expected a digit before the point"
            ),
            (
                "[5.]",
                "found a number that ends with a decimal point, which JSON does not have, expected a digit after the point"
            ),
            ("[NaN]", "found the number NaN, which JSON does not have, expected a number that is finite"),
            (
                "[\"a\\\nb\"]",
                "found a string that goes on in the next line, which JSON does not have, expected the escape \\n"
            ),
            (
                #"["\x41"]"#,
                #"found the escape \x, which JSON does not have, expected \u and four hexadecimal digits"#
            ),
            ("[\u{0C}1]", "found the white space 0x0C, which JSON does not have, expected a space"),
            ("1e", "found the end of the text, expected a digit of the exponent"),
            (
                "{ a = 1; }",
                """
                found a property list in the old OpenStep text form, expected JSON, or an XML or binary property list \
                (convert it: plutil -convert xml1 FILE; on Linux, with the plutil of GNUstep, which Debian has in \
                gnustep-base-runtime: plutil -convert xml1 - < FILE > NEW)
                """
            ),
        ])
    func json(text: String, sentence: String) throws {
        #expect(try Self.problem(text) == sentence)
    }

    @Test(
        "a problem in an XML property list says what was found, and what would have been right",
        arguments: [
            (
                "",
                "found </plist>, expected <dict>, <array>, <string>, <integer>, <real>, <true/>, <false/>, <date> or <data>"
            ),
            (
                "<foo/>",
                "found <foo/>, expected <dict>, <array>, <string>, <integer>, <real>, <true/>, <false/>, <date> or <data>"
            ),
            ("<true/><true/>", "found <true/>, expected </plist>; a property list is one value"),
            ("<dict>\n<key>a</key>\n</dict>", "found </dict>, expected a value for the key before it"),
            ("<dict><string>a</string></dict>", "found <string>, expected <key> or </dict>"),
            ("<dict><key>a</key><key>b</key></dict>", "found <key>, expected a value for the key before it"),
            ("<dict>é</dict>", "found the text 'é', expected <key> or </dict>"),
            ("<array><key>a</key></array>", "found <key>, expected a value or </array>"),
            ("<array></dict>", "found </dict>, expected </array>"),
            (
                "<integer>1.5</integer>",
                "found '1.5' in <integer>, expected a whole number of up to 64 bits and nothing else"
            ),
            (
                "<integer> 1</integer>",
                "found ' 1' in <integer>, expected a whole number of up to 64 bits and nothing else"
            ),
            ("<integer/>", "found nothing in <integer>, expected a whole number of up to 64 bits and nothing else"),
            (
                "<integer>18446744073709551616</integer>",
                "found '18446744073709551616' in <integer>, expected a whole number of up to 64 bits and nothing else"
            ),
            (
                "<integer>-9223372036854775809</integer>",
                "found '-9223372036854775809' in <integer>, expected a whole number of up to 64 bits and nothing else"
            ),
            ("<real>0x10</real>", "found '0x10' in <real>, expected a number, nan or infinity and nothing else"),
            (
                "<date>2024-02-30T00:00:00Z</date>",
                "found '2024-02-30T00:00:00Z' in <date>, expected a date as in 2024-01-31T12:00:00Z"
            ),
            ("<data>AQI!D</data>", "found 'AQI!D' in <data>, expected base64"),
            ("<true>x</true>", "found 'x' in <true>, expected <true/>"),
            ("<string>a<b/></string>", "found <b/>, expected </string>"),
            (
                "<string>a&nbsp;</string>",
                "found the entity '&nbsp;', expected &amp;, &lt;, &gt;, &quot;, &apos; or a character's number, as in &#233;"
            ),
            (
                "<string>a & b</string>",
                "found '&' alone, expected &amp;, &lt;, &gt;, &quot;, &apos; or a character's number, as in &#233;"
            ),
            (
                "<string>&#xD800;</string>",
                "found the entity '&#xD800;', expected &amp;, &lt;, &gt;, &quot;, &apos; or a character's number, as in &#233;"
            ),
            ("<!-- x", "found a comment without end, expected '-->' to end it"),
            ("<integer>1<!-- x -->2</integer>", "found a comment inside <integer>, expected </integer>"),
            ("<string>a<?x y?></string>", "found a processing instruction inside <string>, expected </string>"),
            ("<date>2024-01-31<!-- --></date>", "found a comment inside <date>, expected </date>"),
            ("<integer>&#49;</integer>", "found '&' inside <integer>, expected what it stands for"),
            ("<string", "found the text '<', expected '>' to end the tag <string>"),
            ("<string&#65;>a</string>", "found the text '&#65;>a', expected '>' to end the tag <string>"),
            ("<string>a</string b='c'>", "found the text 'b='c'>', expected '>' to end the tag <string>"),
            ("<string a>b</string>", "found the text '>b', expected '=' after the name of an attribute"),
            ("<string a=b>b</string>", "found the text 'b>b', expected an attribute's value in quotation marks"),
            ("<string a='<'>b</string>", "found the text '<', expected '&lt;' inside an attribute's value"),
        ])
    func xml(value: String, sentence: String) throws {
        #expect(try Self.problem("<?xml version=\"1.0\"?>\n<plist version=\"1.0\">\(value)</plist>") == sentence)
    }

    @Test("a problem in a binary property list says at which byte it is")
    func binary() throws {
        #expect(
            try Self.problem("bplist99")
                == "found a header 'bplist99', expected a binary property list, which begins with 'bplist0' and one more character"
        )
        #expect(
            "\(ParseProblem.binary(.reference(7, count: 3), offset: 8))"
                == "found a reference to object 7 (at byte 8), expected one of 3 objects")
    }

    @Test(
        "a problem in any text says what was found, and what would have been right",
        arguments: [
            (
                ParseProblem.notUTF8(byte: 0xE9),
                "found the byte 0xE9, which is not UTF-8 here, expected a text in UTF-8"
            ),
            (
                .unexpected(found: .byte(0xE9), expected: .tag("<a>")),
                "found the byte 0xE9, which is not UTF-8 here, expected <a>"
            ),
            (
                .notInEncoding(.utf16BigEndian),
                """
                found bytes that are no character of UTF-16BE, expected a text in UTF-16BE, as its first bytes announce, \
                or in UTF-8
                """
            ),
            (.tooLarge(byteCount: 5, isTranscoded: false), "found 5 bytes, expected less than 4 GiB"),
            (.tooLarge(byteCount: 5, isTranscoded: true), "found 5 bytes in UTF-8, expected less than 4 GiB"),
            (
                .tooDeep,
                """
                found an object or array nested deeper than \(Document.deepestNesting) levels, expected no more levels \
                than Foundation's decoders read
                """
            ),
            (
                .unexpected(found: .text("a"), expected: .elementInList),
                "found the text 'a', expected a value inside <plist>"
            ),
            (
                .encoding(name: "KOI8-R", isKnown: false),
                """
                found the encoding KOI8-R, expected UTF-8; convert it (iconv -f KOI8-R -t UTF-8) and change the \
                declaration
                """
            ),
            (
                .encoding(name: "UTF-16", isKnown: true),
                """
                found the encoding UTF-16, which the text is not in, expected UTF-8; convert it \
                (iconv -f UTF-16 -t UTF-8) and change the declaration
                """
            ),
            (
                .unendedMarkup(.processingInstruction),
                "found a processing instruction without end, expected '?>' to end it"
            ),
            (.unendedMarkup(.section), "found a CDATA section without end, expected ']]>' to end it"),
            (.unendedMarkup(.documentType), "found a document type without end, expected '>' to end it"),
            (
                .unendedMarkup(.attributeValue),
                "found an attribute's value without end, expected another quotation mark to end it"
            ),
            (
                .entityDeclaration,
                """
                found the declaration of an entity, expected a property list that declares none; write out what it \
                stands for
                """
            ),
        ] as [(ParseProblem, String)])
    func text(problem: ParseProblem, sentence: String) {
        #expect(problem.description == sentence)
    }

    @Test(
        "a problem inside a binary property list says what is wrong",
        arguments: [
            (
                BinaryPropertyListProblem.noTrailer(byteCount: 9),
                "the end of the file after 9 bytes, expected a trailer of 32 bytes"
            ),
            (
                .trailer,
                "a trailer that does not fit the file, expected the whole file, from its header to its last 32 bytes"
            ),
            (.misplacedObject(at: 7), "an object at byte 7, expected objects between header and table"),
            (.truncated, "an object that is longer than its file, expected the whole file"),
            (.integerBeyond64Bits, "an integer of more than 64 bits, expected at most 18446744073709551615"),
            (.notASCII, "a byte that is not ASCII in an ASCII string, expected ASCII"),
            (.lengthNotInteger, "a length that is not an integer, expected an integer"),
            (.keyNotString, "a key that is not a string, expected a string"),
            (.dateNotNumber, "a date that is no number, expected seconds since 2001"),
            (.identifier(4_294_967_296), "the identifier 4294967296, expected at most 4294967295"),
            (
                .unknownKind(0xF0),
                "an object of the unknown kind 0xf0, expected a dictionary, array, string, number, boolean, date or data"
            ),
            (.cycle, "a dictionary or array that contains itself"),
            (
                .unfolding(byteCount: 9),
                "objects that are used so often that 9 bytes unfold to more than can be read"
            ),
        ] as [(BinaryPropertyListProblem, String)])
    func binaryProblem(problem: BinaryPropertyListProblem, sentence: String) {
        #expect(ParseProblem.binary(problem, offset: nil).description == "found \(sentence)")
    }

    @Test("a parse error begins with its location, if it has one")
    func place() throws {
        let error = try #require(throws: DocumentParseError.self) { try Document(json: "[\n x]") }
        #expect("\(error)" == "line 2, column 2 (byte 3): found 'x', expected a value or ']'")
    }

    @Test("an error in writing says what a property list cannot hold")
    func writing() throws {
        let error = try #require(throws: PropertyListWritingError.self) {
            try PropertyListWriter.xml.data(Document(json: #"{"a":[1,null]}"#).root)
        }
        #expect(
            "\(error)" == "$.a[1]: found null, which property lists do not have, expected a value, or no such member")
        func sentence(_ problem: PropertyListWritingError.Problem) -> String {
            var other = error
            other.problem = problem
            return "\(other)"
        }
        #expect(
            sentence(.identifier)
                == "$.a[1]: found a dictionary {\"CF$UID\": …}, which an XML property list cannot tell from a unique "
                + "identifier, expected another name, or a binary property list")
        #expect(
            sentence(.integerTooLarge("18446744073709551616"))
                == "$.a[1]: found the integer 18446744073709551616, expected one from -9223372036854775808 to "
                + "18446744073709551615")
    }
}
