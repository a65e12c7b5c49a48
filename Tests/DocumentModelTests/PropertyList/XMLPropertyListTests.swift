import Foundation
import Testing

@testable import DocumentModel

@Suite("An XML property list")
struct XMLPropertyListTests {
    private func parse(_ text: String) throws -> Document { try Document(parsing: SourceBytes(text)) }

    private func wrapped(_ value: String) -> String {
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<plist version=\"1.0\">\(value)</plist>\n"
    }

    private func json(_ document: Document) -> String { JSONWriter().string(document.root) }

    @Test("keeps the order of keys, duplicates, and all kinds of values")
    func values() throws {
        let document = try parse(
            wrapped(
                """
                <dict>
                    <key>z</key><string>a &amp; b&#233;<![CDATA[<c>&]]> d</string><!-- no -->
                    <key>a</key><array><integer>1</integer><real>1</real><real>2.50</real><true/><false></false></array>
                    <key>z</key><dict/>
                    <key>t</key><date>2024-01-31T12:00:00Z</date>
                    <key>d</key><data>
                    AQ ID
                    </data>
                    <key/><string/>
                    <key>n</key><array><real>nan</real><real>-Infinity</real><real>+inf</real></array>
                    <key>i</key><array><integer>-0x1F</integer><integer>+007</integer><integer>18446744073709551615</integer></array>
                </dict>
                """))
        let expected =
            #"{"z":"a & bé<c>& d","a":[1,1.0,2.50,true,false],"z":{},"t":{"$date":"2024-01-31T12:00:00Z"},"#
            + #""d":{"$data":"AQID"},"":"","n":[{"$real":"nan"},{"$real":"-inf"},{"$real":"inf"}],"#
            + #""i":[-31,7,18446744073709551615]}"#
        #expect(json(document) == expected)
        #expect(document.format == .plistXML)
        #expect(document.root["a"]?[0]?.isIntegerNumber == true)
        #expect(document.root["a"]?[1]?.isIntegerNumber == false)
    }

    @Test(
        "knows where every value stands, in lines and columns of characters and in bytes",
        arguments: [TextEncoding.utf8, .utf16LittleEndian, .utf16BigEndian])
    func places(encoding: TextEncoding) throws {
        let text =
            "<!-- é😀 > --><plist a='>'>\r\n<dict><key>日本</key>\r<!-- x --> <array>\n\t<true/>"
            + "<string>😀&lt;<![CDATA[<b>]]></string><array></array></array></dict></plist>"
        let document = try Document(parsing: encoded(text, encoding))
        let array = try #require(document.root["日本"])
        func part(_ node: DocumentNode) throws -> String {
            let source = try #require(document.source)
            return source.string(in: try #require(node.sourceRange))
        }
        #expect(try part(document.root).hasPrefix("<dict><key>") && part(document.root).hasSuffix("</dict>"))
        #expect(try part(document.root.members.map(\.key)[0]) == "<key>日本</key>")
        #expect(
            try array.elements.map(part) == ["<true/>", "<string>😀&lt;<![CDATA[<b>]]></string>", "<array></array>"])
        let places = [array.location, array[0]?.location, array[1]?.location].map { $0.map { [$0.line, $0.column] } }
        #expect(places == [[3, 12], [4, 2], [4, 9]])
        let before = text.unicodeScalars.prefix { $0 != "\t" }.count + 1
        let prefix = String(String.UnicodeScalarView(text.unicodeScalars.prefix(before)))
        let width = encoding == .utf8 ? prefix.utf8.count : 2 * prefix.utf16.count + 2
        #expect(array[0]?.location?.offset == width)
    }

    /// With a byte order mark where the encoding is not UTF-8.
    private func encoded(_ text: String, _ encoding: TextEncoding) -> SourceBytes {
        switch encoding {
        case .utf16LittleEndian:
            SourceBytes(Data("\u{FEFF}\(text)".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }))
        case .utf16BigEndian: SourceBytes(Data("\u{FEFF}\(text)".utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }))
        default: SourceBytes(text)
        }
    }

    static let broken: [(text: String, place: String, message: String)] = [
        (
            "", "2:22",
            "found </plist>, expected <dict>, <array>, <string>, <integer>, <real>, <true/>, <false/>, <date> or <data>"
        ),
        (
            "<foo/>", "2:22",
            "found <foo/>, expected <dict>, <array>, <string>, <integer>, <real>, <true/>, <false/>, <date> or <data>"
        ),
        ("<true/><true/>", "2:29", "found <true/>, expected </plist>; a property list is one value"),
        ("<dict>\n<key>a</key>\n</dict>", "4:1", "found </dict>, expected a value for the key before it"),
        ("<dict><string>a</string></dict>", "2:28", "found <string>, expected <key> or </dict>"),
        ("<dict><key>a</key><key>b</key></dict>", "2:40", "found <key>, expected a value for the key"),
        ("<dict>é</dict>", "2:28", "found the text 'é', expected <key> or </dict>"),
        ("<array><key>a</key></array>", "2:29", "found <key>, expected a value or </array>"),
        ("<array></dict>", "2:29", "found </dict>, expected </array>"),
        (
            "<integer>1.5</integer>", "2:22",
            "found '1.5' in <integer>, expected a whole number of up to 64 bits and nothing else"
        ),
        (
            "<integer> 1</integer>", "2:22",
            "found ' 1' in <integer>, expected a whole number of up to 64 bits and nothing else"
        ),
        ("<integer/>", "2:22", "found nothing in <integer>, expected a whole number of up to 64 bits and nothing else"),
        (
            "<integer>18446744073709551616</integer>", "2:22",
            "found '18446744073709551616' in <integer>, expected a whole number of up to 64 bits and nothing else"
        ),
        (
            "<integer>-9223372036854775809</integer>", "2:22",
            "found '-9223372036854775809' in <integer>, expected a whole number of up to 64 bits and nothing else"
        ),
        ("<real>0x10</real>", "2:22", "found '0x10' in <real>, expected a number, nan or infinity and nothing else"),
        (
            "<date>2024-02-30T00:00:00Z</date>", "2:22",
            "found '2024-02-30T00:00:00Z' in <date>, expected a date as in 2024-01-31T12:00:00Z"
        ),
        ("<data>AQI!D</data>", "2:22", "found 'AQI!D' in <data>, expected base64"),
        ("<true>x</true>", "2:22", "found text in <true>, expected <true/>"),
        ("<string>a<b/></string>", "2:31", "found <b/>, expected </string>"),
        (
            "<string>a&nbsp;</string>", "2:31",
            "found the entity '&nbsp;', expected &amp;, &lt;, &gt;, &quot;, &apos; or a character's number, as in &#233;"
        ),
        (
            "<string>a & b</string>", "2:32",
            "found '&' alone, expected &amp;, &lt;, &gt;, &quot;, &apos; or a character's number, as in &#233;"
        ),
        (
            "<string>&#xD800;</string>", "2:30",
            "found the entity '&#xD800;', expected &amp;, &lt;, &gt;, &quot;, &apos; or a character's number, as in &#233;"
        ),
        ("<!-- x", "2:22", "found a comment without end, expected '-->' to end it"),
        ("<integer>1<!-- x -->2</integer>", "2:32", "found a comment inside <integer>, expected </integer>"),
        ("<string>a<?x y?></string>", "2:31", "found a processing instruction inside <string>, expected </string>"),
        ("<date>2024-01-31<!-- --></date>", "2:38", "found a comment inside <date>, expected </date>"),
        ("<integer>&#49;</integer>", "2:31", "found '&' inside <integer>, expected what it stands for"),
        ("<string", "2:29", "found '<' inside a tag, expected '>' to end the tag <string>"),
        ("<string&#65;>a</string>", "2:29", "found the text '&#65;>a', expected '>' to end the tag <string>"),
        ("<string>a</string b='c'>", "2:40", "found the text 'b='c'>', expected '>' to end the tag <string>"),
        ("<string a>b</string>", "2:31", "found the text '>b', expected '=' behind the name of an attribute"),
        ("<string a=b>b</string>", "2:32", "found the text 'b>b', expected an attribute's value in quotation marks"),
        ("<string a='<'>b</string>", "2:33", "found '<' inside an attribute's value, expected '&lt;'"),
    ]

    @Test("says what is wrong, where, and what would have been right", arguments: broken.indices)
    func errors(index: Int) throws {
        let (text, place, message) = Self.broken[index]
        let error = try #require(throws: DocumentParseError.self) { try parse(wrapped(text)) }
        #expect(error.message == message)
        #expect(error.location.map { "\($0.line):\($0.column)" } == place)
        #expect(error.format == .plistXML)
    }

    @Test("is refused where something stands around it that does not belong there")
    func surroundings() throws {
        for (text, message) in [
            ("<plist/>", "found <plist/>, expected a value inside <plist>"),
            ("<html></html>", "found <html>, expected <plist>"),
            ("<?xml version='1.0'?>", "found the end of the text, expected <plist>"),
            ("<plist><true/></plist>x", "found the text 'x', expected the end of the text"),
            ("<plist><true/></plist><plist/>", "found <plist/>, expected the end of the text"),
            ("<plist><true/>", "found the end of the text, expected </plist>"),
        ] {
            let error = try #require(throws: DocumentParseError.self) { try parse(text) }
            #expect(error.message == message)
        }
        #expect(try json(parse("<array><true/></array>")) == "[true]")
    }

    @Test("declares no entities, in which a little could stand for a lot")
    func entities() throws {
        let doctype = "<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \"http://www.apple.com/x.dtd\" ["
        let bomb = doctype + "<!ELEMENT a (b)><!-- ' --><!ENTITY a \"aaaa\">]><plist><string>&a;</string></plist>"
        let error = try #require(throws: DocumentParseError.self) { try parse(bomb) }
        #expect(error.found == "the declaration of an entity")
        #expect(error.location?.column == doctype.count + "<!ELEMENT a (b)><!-- ' -->".count + 1)
        #expect(try json(parse(doctype + "<!ELEMENT a (b)>]><plist><true/></plist>")) == "true")
    }

    @Test("is refused by name in an encoding that cannot be read")
    func encodings() throws {
        let latin = "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><plist><true/></plist>"
        let error = try #require(throws: DocumentParseError.self) { try parse(latin) }
        #expect(error.found == "the encoding ISO-8859-1")
        #expect(error.location?.column == 31)
        let invalid = Data("<plist><string>a".utf8) + [0xE9] + Data("</string></plist>".utf8)
        let byteError = try #require(throws: DocumentParseError.self) { try Document(parsing: SourceBytes(invalid)) }
        #expect(byteError.found == "the byte 0xE9, which is not UTF-8 here")
        #expect(byteError.location?.offset == 16)
    }

    @Test("may be nested as deeply as JSON, and deeper is an error, not a crash")
    func depth() throws {
        func nested(_ depth: Int) -> String {
            wrapped(String(repeating: "<array>", count: depth) + String(repeating: "</array>", count: depth))
        }
        #expect(try parse(nested(Document.deepestNesting)).nodeCount == Document.deepestNesting)
        for depth in [Document.deepestNesting + 1, 100_000] {
            let error = try #require(throws: DocumentParseError.self) { try parse(nested(depth)) }
            #expect(error.found == "<array> nested deeper than 512 levels")
        }
    }

    @Test("characters may be written by their numbers, in tens or in sixteens")
    func characterReferences() throws {
        let document = try parse(wrapped("<string>&#xE9;&#233;&#x3C;&#60;&#x1F600;&#x3c;&amp;</string>"))
        #expect(document.root.string == "éé<<😀<&")
    }

    @Test("cut off anywhere is an error, never a crash")
    func truncation() throws {
        let text = wrapped(
            "<!-- c --><dict><key>a</key><string>é&amp;<![CDATA[x]]></string><key>b</key><array><integer>1</integer>"
                + "<real>1.5</real><date>2024-01-31T12:00:00Z</date><data>AQID</data><true/></array></dict>")
        let bytes = Array(text.utf8.dropLast())
        for length in 1..<bytes.count {
            #expect(throws: DocumentParseError.self) { try Document(parsing: SourceBytes(Data(bytes[..<length]))) }
        }
    }

    @Test("broken in any way is an error or another document, never a crash")
    func mutations() throws {
        var generator = SeededGenerator(seed: 2)
        var outcomes = MutationOutcomes()
        let original = Array(
            ("<!DOCTYPE plist PUBLIC \"a\" [<!ELEMENT b>]>"
                + wrapped(
                    "<dict><key>a</key><string b='c'>&#233;<![CDATA[x]]></string><key>b</key><array><real>1</real>"
                        + "<date>2024-01-31T12:00:00Z</date><data>AQID</data><true/><!-- c --></array></dict>")).utf8)
        let alphabet = Array("<>/!?[]-&;\"'=# \npdak1\u{E9}".utf8)
        for _ in 0..<10_000 {
            var bytes = original
            for _ in 0...Int.random(in: 0...3, using: &generator) {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] =
                    alphabet.randomElement(using: &generator) ?? 0
            }
            if Bool.random(using: &generator) { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &generator)) }
            try outcomes.expectErrorOrDocument(Data(bytes))
        }
        #expect(outcomes.errors > 1000 && outcomes.documents > 100)
    }

    /// What stands inside values, as an attentive person might write it.
    private static let insides = [
        "<string>a<!-- c -->b</string>", "<string><!-- c --></string>", "<string>a<?p i?></string>",
        "<string>a<![CDATA[<!-- c -->]]></string>", "<integer>1<!-- c --></integer>",
        "<integer><![CDATA[1]]></integer>",
        "<integer>&#49;</integer>", "<real>1.5<!-- c --></real>", "<true><!-- c --></true>",
        "<data>AQID<!-- c --></data>", "<data>AQ&#73;D</data>", "<data><![CDATA[AQID]]></data>",
        "<date>2024-01-31T12:00:00Z<!-- c --></date>", "<!-- c --><integer>1</integer><!-- c -->",
        "<dict><key>b<!-- c --></key><integer>1</integer></dict>",
        "<dict><!-- c --><key>b<![CDATA[c]]>&amp;</key><!-- c --><integer>1</integer></dict>",
    ]

    @Test("opens with a comment, a section or an entity inside a value if it does so in Foundation", arguments: insides)
    func inside(value: String) throws {
        let text = wrapped(value)
        let isRead = (try? PropertyListSerialization.propertyList(from: Data(text.utf8), format: nil)) != nil
        #expect(((try? parse(text)) != nil) == isRead)
    }

    @Test("in the old OpenStep form is refused with the remedy")
    func openStep() throws {
        for text in [
            "{ a = 1; }", "// c\n{\n  \"a b\" = { }; }", "(a, b)", "({ a = b; })", "\"key\" = \"value\";",
            "/* x */ a = b;",
        ] {
            let error = try #require(throws: DocumentParseError.self) { try parse(text) }
            #expect(error.found == "a property list in the old OpenStep text form")
        }
        for text in ["{ a: 1 }", "{ 'a': 1 }", "hello", "{", "(", "", "{\"a\" 1}"] {
            let error = try #require(throws: DocumentParseError.self) { try parse(text) }
            #expect(error.found != "a property list in the old OpenStep text form")
        }
    }
}
