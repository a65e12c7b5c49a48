import DocumentModel
import MigrationCore
import Testing

@testable import InspectorUI

@Suite("Observed versions on the screen")
struct ObservedVersionScreenTests {
    private static func state(_ name: String, _ json: String) -> MigrationTrace {
        MigrationTrace(
            source: name, format: .json, opening: .unrecognized([]),
            document: PoemFixtures.document(json))
    }

    private static let locks = [
        state("a.json", #"{"lockfileVersion": 1, "name": "a", "dependencies": {"left": "1"}}"#),
        state("b.json", #"{"lockfileVersion": 1, "name": "b"}"#),
        state("c.json", #"{"lockfileVersion": 2, "name": 3, "packages": {}}"#),
    ]

    @Test("documents of no chain show the version that differs between them, and that nothing migrates")
    func list() {
        let session = Session(Self.locks)
        #expect(session.screen.contains("? a.json") && session.screen.contains("v1"))
        #expect(session.screen.contains("no chain claims this document"))
        #expect(session.screen.contains("version 1 observed at $.lockfileVersion; no chain, so nothing migrates"))
    }

    @Test("documents in which no version differs show none")
    func same() {
        let session = Session([Self.locks[0], Self.locks[1]])
        #expect(!session.screen.contains("observed") && !session.screen.contains("v1"))
    }

    @Test("a timeline has the observed versions above its states, and their turns one key away")
    func timeline() throws {
        var session = Session(Self.locks) { _ in "backups/" }
        session.type("O")
        let line = try #require(session.inspector.layout.timelineLine)
        #expect(line.bands.map(\.name) == ["v1", "v2"] && line.bands.map(\.x) == [0, 2 * line.pitch])
        session.type("}")
        #expect(session.inspector.documents.selectedDocument == 2)
        #expect(session.screen.contains("version 2, observed, since here"))
        #expect(session.screen.contains("observed at $.lockfileVersion; no chain, so nothing migrates"))
    }

    @Test("t shows the fields of the documents of each observed version, their kinds, and how many have them")
    func table() {
        var session = Session(Self.locks)
        session.type("t")
        #expect(session.screen.contains("Observed at $.lockfileVersion, nothing migrates"))
        #expect(session.screen.contains("version 1  2 documents") && session.screen.contains("version 2  1 document"))
        func row(_ text: String) -> Substring {
            session.screen.split(separator: "\n").first { $0.contains(text) } ?? ""
        }
        #expect(row("dependencies").contains("object  in 1 of 2"))
        #expect(row("~ name").contains("text") && row("~ name").contains("number"))
        #expect(row("+ packages").contains("object"))
        // The document on the screen is the example of its version, and another one that of its own.
        #expect(session.screen.contains(" a.json ") && session.screen.contains(" c.json "))
        session.type("j j j")
        #expect(session.screen.contains("$.dependencies: object · in 1 of 2 documents of version 1"))
        session.type("Esc")
        #expect(session.inspector.overlay == nil)
    }

    @Test("a document without an observed version has no table of versions")
    func noTable() {
        var session = Session([Self.locks[0]])
        session.type("t")
        #expect(session.inspector.overlay == nil && session.screen.contains("no chain recognizes this document"))
    }
}
