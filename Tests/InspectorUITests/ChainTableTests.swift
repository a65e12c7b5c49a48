import DocumentModel
import MigrationCore
import Testing

@testable import InspectorUI

@Suite("The chain table")
struct ChainTableTests {
    private static func outline(_ fields: KeyValuePairs<String, String>, choices: [String] = []) -> VersionOutline {
        var outline = VersionOutline()
        outline.fields = fields.compactMap { path, type in
            DocumentPath(path).map {
                .init(path: $0, type: type, isRequired: true, choices: choices.map { Document(text: $0) })
            }
        }
        return outline
    }

    private static let outlines: [VersionOutline?] = [
        nil, outline(["$.author": "String", "$.poem": "String", "$.starRating": "Int"]),
        outline(["$.author": "String", "$.poem": "String", "$.rating": "Rating"]),
        outline(["$.author": "Author", "$.author.name": "String", "$.lines": "[String]", "$.rating": "Rating"]),
    ]

    private static func session(_ traces: [MigrationTrace], width: Int = 120, knowsFields: Bool = true) -> Session {
        var session = Session(traces, width: width)
        session.type("t")
        if knowsFields { session.send(outlined) }
        return session
    }

    private static let outlined = InspectorEvent.outlined(
        ChainDescription(
            name: "Poem", versions: PoemFixtures.versions, notes: [nil, nil, "Stars became words.", "Lines."]), outlines
    )

    private func row(_ session: Session, with text: String) -> Substring {
        session.screen.split(separator: "\n").first { $0.contains(text) } ?? ""
    }

    @Test("the chain table has a row for each field and shows what each version added, dropped and changed")
    func fields() {
        let session = Self.session([PoemFixtures.migrating])
        #expect(session.screen.contains("Chain Poem") && session.screen.contains("4 versions"))
        let stars = row(session, with: "- starRating")
        #expect(stars.contains("  starRating Int") && !stars.contains("+"))
        #expect(row(session, with: "~ author").contains("Author"))
        #expect(row(session, with: "+ rating").contains("Rating"))
        #expect(row(session, with: "+   name").contains("String") && session.screen.contains("+ lines"))
        #expect(session.screen.contains("Stars became words."))
    }

    @Test("the field that broke the document is marked in the version that has it and in the version that wants it")
    func culprit() {
        var session = Self.session([PoemFixtures.failing])
        #expect(row(session, with: "✗ starRating").contains("Int"))
        #expect(row(session, with: "✗ rating").contains("Rating"))
        // The cursor starts there.
        #expect(session.screen.contains("$.starRating: Int · poem-rating-9.json has 9"))
        session.type("l")
        #expect(session.screen.contains("not in version 2; it was Int"))
        session.type("k")
        #expect(session.screen.contains("$.rating: new in version 2  Rating"))
        #expect(session.screen.contains("To version 2: Stars became words."))
    }

    @Test("a name that no version knows is shown as no field")
    func misspelt() {
        let document = PoemFixtures.document(#"{"version": 2, "authr": "A", "poem": "p", "rating": "love"}"#)
        var failure = MigrationFailure(kind: .keyNotFound, path: DocumentPath("$.author"), message: "no author")
        failure.culprit = .init(path: .root.appending(key: "authr"), certain: false)
        let trace = MigrationTrace(
            source: "a.json", format: .json, chain: "Poem", versions: PoemFixtures.versions, target: .number(3),
            detection: VersionDetection(version: .number(2)), opening: .failed(failure), document: document)
        let session = Self.session([trace])
        #expect(row(session, with: "authr").contains("no field"))
        #expect(session.screen.contains("version 2 has no such field"))
    }

    @Test("a field that a version may or may not have is shown as unknown")
    func incomplete() {
        var session = Self.session([PoemFixtures.migrating], knowsFields: false)
        var outlines = Self.outlines
        outlines[2]?.isComplete = false
        session.send(
            .outlined(
                ChainDescription(name: "Poem", versions: PoemFixtures.versions, notes: [nil, nil, nil, nil]), outlines))
        session.type("G l")
        #expect(session.screen.contains("$.starRating: it is not known whether version 2 has such a field"))
    }

    @Test("each version shows a document from a file, or else the one that a step made")
    func examples() {
        let session = Self.session([PoemFixtures.migrating, PoemFixtures.current])
        let titles = row(session, with: "poem-v1.json ─")
        #expect(titles.contains("no document here") && titles.contains("made of poem-v1.json"))
        #expect(titles.contains(" poem-v3.json "))
        #expect(session.screen.contains(#"rating: "love""#))
    }

    @Test("columns that don't fit can be scrolled into view", arguments: [30, 60, 80])
    func narrow(width: Int) {
        var session = Self.session([PoemFixtures.migrating], width: width)
        session.type("h h h h")
        #expect(session.screen.contains("no version") && !session.screen.contains("version 3"))
        session.type("l l l l")
        #expect(session.screen.contains("version 3") && !session.screen.contains("no version"))
        session.type("j j j j j j j j")
        #expect(session.inspector.chainTable?.position.selected == (session.inspector.chainTable?.rowCount ?? 0) - 1)
        session.type("Esc")
        #expect(session.inspector.chainTable == nil && session.screen.contains("Documents"))
    }

    @Test("fields that arrive late fill the chain table, and a click selects a field and a version")
    func late() throws {
        var session = Self.session([PoemFixtures.failing], knowsFields: false)
        #expect(session.screen.contains("looking for the fields of its types"))
        session.send(Self.outlined)
        #expect(session.screen.contains("$.starRating: Int"))
        let table = try #require(session.inspector.chainTable)
        let cell = table.rect(of: 3, in: table.fieldRows.row(0))
        session.click(cell.x + 3, cell.y)
        #expect(session.screen.contains("$.author: Author  was String"))
        session.type("t")
        #expect(session.inspector.chainTable == nil)
    }

    @Test("a recorded trace without versions, or of an unknown chain, has no fields to show")
    func recorded() {
        var trace = PoemFixtures.migrating
        trace.versions = []
        var session = Self.session([trace], knowsFields: false)
        #expect(session.inspector.chainTable == nil)
        session = Self.session([PoemFixtures.migrating], knowsFields: false)
        session.send(.outlined(ChainDescription(name: "Poem", versions: []), []))
        #expect(session.screen.contains("The fields of its types are not known."))
    }

    @Test("a new field shows which values it is made of once experiments prove it")
    func origins() {
        var proved = PoemFixtures.migrating
        proved.steps[0].finding = StepFinding(
            origins: [
                ValueOrigin(path: .root.appending(key: "rating"), from: [.root.appending(key: "starRating")])
            ], lost: [])
        var session = Self.session([PoemFixtures.migrating], width: 160)
        #expect(!row(session, with: "+ rating").contains("←"))
        session.send(.experimented(0, proved))
        #expect(row(session, with: "+ rating").contains("Rating  ← starRating"))
    }

    @Test("an unrecognized document has no chain table")
    func unrecognized() {
        let session = Self.session([PoemFixtures.unrecognized], knowsFields: false)
        #expect(session.screen.contains("no chain recognizes this document"))
    }
}
