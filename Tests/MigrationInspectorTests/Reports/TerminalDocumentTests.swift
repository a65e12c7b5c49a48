import DisplayText
import DocumentModel
import Foundation
import TestSupport
import Testing

@testable import MigrationInspector

@Suite("Documents printed on a terminal")
struct TerminalDocumentTests {
    private func spelling(_ text: String, _ format: DocumentFormat) -> String? {
        TerminalDocument.spelling(of: Data(text.utf8), in: format).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test("a document printed on a terminal is the same document, without raw control characters")
    func names() throws {
        var builder = DocumentBuilder()
        builder.beginObject()
        for name in StrangeNames.all where !name.utf8.contains(0x1B) {
            builder.key(name)
            builder.string(name)
        }
        builder.end()
        let document = builder.finish()
        for (data, format) in [
            (JSONWriter(layout: .compact).data(document.root), .json),
            (JSONWriter(layout: .pretty(lineEnd: "\r\n")).data(document.root), .json),
            (JSONWriter(layout: .pretty(lineEnd: "\r")).data(document.root), .json),
            (try PropertyListWriter.xml.data(document.root), .plistXML),
        ] as [(Data, DocumentFormat)] {
            let spelled = try #require(TerminalDocument.spelling(of: data, in: format))
            #expect(try Document(parsing: SourceBytes(spelled)) == document)
            let raw = String(decoding: spelled, as: UTF8.self).unicodeScalars.filter {
                $0 != "\n" && $0 != "\t" && $0.isEscapedForDisplay
            }
            #expect(raw.isEmpty)
        }
    }

    @Test("a document is refused if its format cannot escape what it contains")
    func refusals() throws {
        let xml = { (text: String) in "<plist><string>\(text)</string></plist>" }
        #expect(spelling(xml("a\u{9B}b"), .plistXML) == xml("a&#155;b"))
        for text in ["\u{1B}]0;a", "\u{1}", "a\rb", "<![CDATA[\u{9B}]]>"] {
            #expect(spelling(xml(text), .plistXML) == nil, "\(text.debugDescription)")
        }
        #expect(spelling(xml("a\r\nb<![CDATA[c]]>"), .plistXML) == xml("a\r\nb<![CDATA[c]]>"))
        #expect(spelling("\u{FEFF}{}\r", .json) == "{} ")
        #expect(spelling("\"\u{1B}\"", .json) == nil)
        #expect(TerminalDocument.spelling(of: Data([0x22, 0x9B, 0x22]), in: .json) == nil)
        #expect(spelling("bplist00", .plistBinary) == nil)
    }

    @Test(
        "migrate and shrink escape or refuse a document on a terminal, and write its bytes to a file or pipe",
        .enabled(if: Ordeal.isPossible))
    func commands() throws {
        let folder = try TemporaryFolder()
        let name = "a\u{9B}2J\u{202E}b"
        try folder.write(Poems.first.replacing("\"A\"", with: "\"\(name)\""), to: "poem.json")
        try folder.write(Poems.broken.replacing("\"A\"", with: "\"\(name)\""), to: "broken.json")
        let list = { (author: String) in
            try PropertyListWriter.xml.data(
                Document(json: Poems.first.replacing("\"A\"", with: JSONString.text(of: author))).root)
        }
        try folder.write(list(name), to: "poem.plist")
        try folder.write(list("\u{1B}]0;title\u{7}"), to: "hostile.plist")
        try folder.write(
            PropertyListWriter.binary.data(Document(json: Poems.first).root), to: "binary.plist")
        func onTerminal(_ arguments: String...) throws -> (status: Int32, output: String) {
            let terminal = try Terminal()
            let run = try Ordeal(
                arguments, in: folder, shell: "\"$@\"; status=$?; echo done; exit $status", terminal: terminal)
            try #require(terminal.shows("done\r\n"))
            let status = try run.end()
            // The progress line is from the program itself.
            let output = terminal.output.replacing("\r\n", with: "\n").replacing("\r\u{1B}[K", with: "")
            let raw = output.unicodeScalars.filter { $0 != "\n" && $0 != "\t" && $0.isEscapedForDisplay }
            #expect(raw.isEmpty, "\(arguments) \(output.debugDescription)")
            return (status, output)
        }
        let json = try onTerminal("migrate", "poem.json")
        #expect(json.status == 0 && json.output.contains(#""a\u009b2J\u202eb""#), "\(json)")
        for name in ["/dev/stdout", "/dev/tty", "/dev/fd/1"] {
            let named = try onTerminal("migrate", "poem.json", "--output", name)
            #expect(named.status == 0 && named.output.contains(#""a\u009b2J\u202eb""#), "\(name) \(named)")
        }
        let shrunk = try onTerminal("shrink", "broken.json")
        #expect(shrunk.status == 0 && shrunk.output.contains(#""starRating":"#), "\(shrunk)")
        let xml = try onTerminal("migrate", "poem.plist")
        #expect(xml.status == 0 && xml.output.contains("<string>a&#155;2J&#8238;b</string>"), "\(xml)")
        for file in ["hostile.plist", "binary.plist"] {
            let refused = try onTerminal("migrate", file)
            let error = UsageError.unfitForTerminal(.init(file), .migrate).message
            #expect(refused.status == 64 && refused.output.contains(error), "\(refused)")
        }
        for (file, bytes) in [
            ("poem.json", Data(name.utf8)), ("hostile.plist", Data("\u{1B}]0;title\u{7}".utf8)),
            ("binary.plist", Data("bplist00".utf8)),
        ] {
            let piped = try BuiltProgram.inspector.run("migrate", file, in: folder.path)
            #expect(piped.status == 0 && piped.outputData.firstRange(of: bytes) != nil, "\(file)")
        }
    }
}
