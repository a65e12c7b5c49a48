import DocumentModel
import Testing

@testable import InspectorUI

@Suite("The source text of JSON5")
struct JSON5SourceTests {
    @Test("comments are dim, even over several lines and with brackets inside, and names and values have their colors")
    func tokens() throws {
        let text = "// a: {1}\n{\n  name: 'it', /* [\n ] */ \"n\": +0x1F, on: true,\n}\n"
        let document = try Document(parsing: SourceBytes(text), allowsJSON5: true)
        let source = try #require(
            SourceText(SourceRequest(document: document, bytes: nil, failure: nil, versionPath: nil)))
        func styles(ofLine line: Int) -> [String] {
            let range = source.lines.range(ofLine: line)
            return SourceTokens(source, range).filter { !$0.isBlank }
                .map { "\($0.style.role) \(source.bytes.string(in: $0.range))" }
        }
        #expect(styles(ofLine: 0) == ["dim // a: {1}"])
        #expect(
            styles(ofLine: 2)
                == ["key name", "punctuation :", "string 'it'", "punctuation ,", "dim /* ["])
        #expect(
            styles(ofLine: 3) == [
                "dim ] */", "key \"n\"", "punctuation :", "number +0x1F", "punctuation ,", "key on", "punctuation :",
                "literal true", "punctuation ,",
            ])
    }
}
