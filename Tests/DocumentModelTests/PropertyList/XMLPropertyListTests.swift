import Foundation
import TestSupport
import Testing

@testable import DocumentModel

@Suite("XML property lists")
struct XMLPropertyListTests {
    private func parse(_ text: String) throws -> Document { try Document(parsing: SourceBytes(text)) }

    private func wrapped(_ value: String) -> String {
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<plist version=\"1.0\">\(value)</plist>\n"
    }

    private func json(_ document: Document) -> String { JSONWriter().string(document.root) }

    @Test("an XML property list keeps the order of keys, duplicates, and all kinds of values")
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
        "every value has its location, in lines and columns of characters and in bytes",
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

    /// Encodes a text, with a byte order mark unless the encoding is UTF-8.
    private func encoded(_ text: String, _ encoding: TextEncoding) -> SourceBytes {
        switch encoding {
        case .utf16LittleEndian:
            SourceBytes(Data("\u{FEFF}\(text)".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }))
        case .utf16BigEndian: SourceBytes(Data("\u{FEFF}\(text)".utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }))
        default: SourceBytes(text)
        }
    }

    static let broken: [(text: String, place: String, problem: ParseProblem)] = [
        ("", "2:22", .unexpected(found: .tag("</plist>"), expected: .anyElement)),
        ("<foo/>", "2:22", .unexpected(found: .tag("<foo/>"), expected: .anyElement)),
        ("<true/><true/>", "2:29", .unexpected(found: .tag("<true/>"), expected: .lastTagOfList)),
        ("<dict>\n<key>a</key>\n</dict>", "4:1", .unexpected(found: .tag("</dict>"), expected: .elementForKey)),
        (
            "<dict><string>a</string></dict>", "2:28",
            .unexpected(found: .tag("<string>"), expected: .keyOrEndOfDictionary)
        ),
        ("<dict><key>a</key><key>b</key></dict>", "2:40", .unexpected(found: .tag("<key>"), expected: .elementForKey)),
        ("<dict>é</dict>", "2:28", .unexpected(found: .text("é"), expected: .keyOrEndOfDictionary)),
        ("<array><key>a</key></array>", "2:29", .unexpected(found: .tag("<key>"), expected: .elementOrEndOfArray)),
        ("<array></dict>", "2:29", .unexpected(found: .tag("</dict>"), expected: .tag("</array>"))),
        ("<integer>1.5</integer>", "2:22", .content("1.5", element: "integer")),
        ("<integer> 1</integer>", "2:22", .content(" 1", element: "integer")),
        ("<integer/>", "2:22", .content("", element: "integer")),
        ("<integer>18446744073709551616</integer>", "2:22", .content("18446744073709551616", element: "integer")),
        ("<integer>-9223372036854775809</integer>", "2:22", .content("-9223372036854775809", element: "integer")),
        ("<real>0x10</real>", "2:22", .content("0x10", element: "real")),
        ("<date>2024-02-30T00:00:00Z</date>", "2:22", .content("2024-02-30T00:00:00Z", element: "date")),
        ("<data>AQI!D</data>", "2:22", .content("AQI!D", element: "data")),
        ("<true>x</true>", "2:22", .content("x", element: "true")),
        ("<string>a<b/></string>", "2:31", .unexpected(found: .tag("<b/>"), expected: .tag("</string>"))),
        ("<string>a&nbsp;</string>", "2:31", .reference(name: "nbsp")),
        ("<string>a & b</string>", "2:32", .reference(name: nil)),
        ("<string>&#xD800;</string>", "2:30", .reference(name: "#xD800")),
        ("<!-- x", "2:22", .unendedMarkup(.comment)),
        ("<integer>1<!-- x -->2</integer>", "2:32", .markup(.comment, insideElement: "integer")),
        ("<string>a<?x y?></string>", "2:31", .markup(.processingInstruction, insideElement: "string")),
        ("<date>2024-01-31<!-- --></date>", "2:38", .markup(.comment, insideElement: "date")),
        ("<integer>&#49;</integer>", "2:31", .markup(.reference, insideElement: "integer")),
        ("<string", "2:29", .unexpected(found: .text("<"), expected: .endOfTag(name: "string"))),
        ("<string&#65;>a</string>", "2:29", .unexpected(found: .text("&#65;>a"), expected: .endOfTag(name: "string"))),
        ("<string>a</string b='c'>", "2:40", .unexpected(found: .text("b='c'>"), expected: .endOfTag(name: "string"))),
        ("<string a>b</string>", "2:31", .unexpected(found: .text(">b"), expected: .attributeEquals)),
        ("<string a=b>b</string>", "2:32", .unexpected(found: .text("b>b"), expected: .attributeValue)),
        ("<string a='<'>b</string>", "2:33", .unexpected(found: .text("<"), expected: .escapedAngleBracket)),
    ]

    @Test("an error in XML says what is wrong, where, and what would have been right", arguments: broken.indices)
    func errors(index: Int) throws {
        let (text, place, problem) = Self.broken[index]
        let error = try #require(throws: DocumentParseError.self) { try parse(wrapped(text)) }
        #expect(error.problem == problem)
        #expect(error.location.map { "\($0.line):\($0.column)" } == place)
        #expect(error.format == .plistXML)
    }

    @Test("an XML property list with something around it that does not belong there is refused")
    func surroundings() throws {
        let surroundings: [(String, ParseProblem)] = [
            ("<plist/>", .unexpected(found: .tag("<plist/>"), expected: .elementInList)),
            ("<html></html>", .unexpected(found: .tag("<html>"), expected: .tag("<plist>"))),
            ("<?xml version='1.0'?>", .unexpected(found: .end, expected: .tag("<plist>"))),
            ("<plist><true/></plist>x", .unexpected(found: .text("x"), expected: .end)),
            ("<plist><true/></plist><plist/>", .unexpected(found: .tag("<plist/>"), expected: .end)),
            ("<plist><true/>", .unexpected(found: .end, expected: .tag("</plist>"))),
        ]
        for (text, problem) in surroundings {
            let error = try #require(throws: DocumentParseError.self) { try parse(text) }
            #expect(error.problem == problem)
        }
        #expect(try json(parse("<array><true/></array>")) == "[true]")
    }

    @Test("a declared entity is refused, because a short text could expand to a very long one")
    func entities() throws {
        let doctype = "<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \"http://www.apple.com/x.dtd\" ["
        let bomb = doctype + "<!ELEMENT a (b)><!-- ' --><!ENTITY a \"aaaa\">]><plist><string>&a;</string></plist>"
        let error = try #require(throws: DocumentParseError.self) { try parse(bomb) }
        #expect(error.problem == .entityDeclaration)
        #expect(error.location?.column == doctype.count + "<!ELEMENT a (b)><!-- ' -->".count + 1)
        #expect(try json(parse(doctype + "<!ELEMENT a (b)>]><plist><true/></plist>")) == "true")
    }

    @Test("an encoding that cannot be read is refused by name")
    func encodings() throws {
        let latin = "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><plist><true/></plist>"
        let error = try #require(throws: DocumentParseError.self) { try parse(latin) }
        #expect(error.problem == .encoding(name: "ISO-8859-1", isKnown: false))
        #expect(error.location?.column == 31)
        let invalid = Data("<plist><string>a".utf8) + [0xE9] + Data("</string></plist>".utf8)
        let byteError = try #require(throws: DocumentParseError.self) { try Document(parsing: SourceBytes(invalid)) }
        #expect(byteError.problem == .notUTF8(byte: 0xE9))
        #expect(byteError.location?.offset == 16)
    }

    @Test("an XML property list may be nested as deeply as JSON, and deeper nesting is an error, not a crash")
    func depth() throws {
        func nested(_ depth: Int) -> String {
            wrapped(String(repeating: "<array>", count: depth) + String(repeating: "</array>", count: depth))
        }
        #expect(try parse(nested(Document.deepestNesting)).nodeCount == Document.deepestNesting)
        for depth in [Document.deepestNesting + 1, 100_000] {
            let error = try #require(throws: DocumentParseError.self) { try parse(nested(depth)) }
            #expect(error.problem == .tooDeep)
        }
    }

    @Test("characters may be written by their decimal or hexadecimal numbers")
    func characterReferences() throws {
        let document = try parse(wrapped("<string>&#xE9;&#233;&#x3C;&#60;&#x1F600;&#x3c;&amp;</string>"))
        #expect(document.root.string == "éé<<😀<&")
    }

    @Test("an XML property list that is cut off anywhere is an error, never a crash")
    func truncation() throws {
        let text = wrapped(
            "<!-- c --><dict><key>a</key><string>é&amp;<![CDATA[x]]></string><key>b</key><array><integer>1</integer>"
                + "<real>1.5</real><date>2024-01-31T12:00:00Z</date><data>AQID</data><true/></array></dict>")
        let bytes = Array(text.utf8.dropLast())
        for length in 1..<bytes.count {
            #expect(throws: DocumentParseError.self) { try Document(parsing: SourceBytes(Data(bytes[..<length]))) }
        }
    }

    @Test("a damaged XML property list is an error or another document, never a crash")
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

    /// The content of values, as a careful person might write it.
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

    @Test("a comment, a section or an entity inside a value is accepted if Foundation accepts it", arguments: insides)
    func inside(value: String) throws {
        let text = wrapped(value)
        let isRead = (try? PropertyListSerialization.propertyList(from: Data(text.utf8), format: nil)) != nil
        #expect(((try? parse(text)) != nil) == isRead)
    }

    @Test("a property list in the old OpenStep form is refused with the remedy")
    func openStep() throws {
        for text in [
            "{ a = 1; }", "// c\n{\n  \"a b\" = { }; }", "(a, b)", "({ a = b; })", "\"key\" = \"value\";",
            "/* x */ a = b;",
        ] {
            let error = try #require(throws: DocumentParseError.self) { try parse(text) }
            #expect(error.problem == .openStep)
        }
        for text in ["{ a: 1 }", "{ 'a': 1 }", "hello", "{", "(", "", "{\"a\" 1}"] {
            let error = try #require(throws: DocumentParseError.self) { try parse(text) }
            #expect(error.problem != .openStep)
        }
    }
}
