import DocumentModel
import ExampleChains
import MigrationCore
import Testing

@Suite("The chain of letters")
struct LetterTests {
    private func trace(_ json: String) throws -> MigrationTrace {
        ExampleChains.letter.trace(try Document(json: json), source: "letter.json")
    }

    @Test("an old letter is recognized by its old version key, and gets recipients and paragraphs")
    func migrates() throws {
        let trace = try trace(
            #"{"_version": 1, "sender": " Ada ", "recipient": "Charles, Mary", "body": "One\nline\n\nTwo"}"#)
        #expect(trace.detection.path == DocumentPath("$._version"))
        #expect(
            trace.result.map { JSONWriter().string($0.root) }
                == #"{"from":{"name":"Ada"},"to":[{"name":"Charles"},{"name":"Mary"}],"#
                + #""paragraphs":["One\nline","Two"],"metadata":{"documentVersion":2}}"#)
    }

    @Test("a new letter is recognized by the version key in its metadata")
    func current() throws {
        let trace = try trace(
            #"{"metadata": {"documentVersion": 2}, "from": {"name": "A"}, "to": [], "paragraphs": []}"#)
        #expect(trace.detection.path == DocumentPath("$.metadata.documentVersion"))
        #expect(trace.outcome == .current)
        #expect(trace.dropped.isEmpty)
    }

    @Test(
        "an empty name throws the error of the letter's migration",
        arguments: [("A", "B, , C", "recipient"), ("A", "", "recipient"), ("  ", "B", "sender")])
    func emptyName(sender: String, recipient: String, field: String) throws {
        let json = #"{"_version": 1, "sender": "\#(sender)", "recipient": "\#(recipient)", "body": ""}"#
        let failure = try #require(try trace(json).failure)
        #expect(failure.kind == .thrown)
        #expect(failure.step == .init(from: .number(1), to: .number(2)))
        #expect(failure.path == nil)
        #expect(failure.culprit == .init(path: DocumentPath([.key(field)]), certain: false))
        #expect(failure.message.hasSuffix("has an empty name"))
    }
}
