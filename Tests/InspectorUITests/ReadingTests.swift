import DocumentModel
import MigrationCore
import Testing

@testable import InspectorUI

@Suite("Reading a document with a chosen chain and version")
struct ReadingTests {
    struct Note: VersionedCodable {
        var text: String
        static let version: Int? = 2
        typealias PreviousVersion = NoteV1
        typealias VersionSpec = InMeta
        init(from old: NoteV1) throws { text = old.body }
    }
    struct NoteV1: VersionedCodable {
        var body: String
        static let version: Int? = 1
        typealias PreviousVersion = NoteV0
        init(from old: NoteV0) throws { body = old.words }
        init(body: String) { self.body = body }
    }
    struct NoteV0: VersionedCodable {
        var words: String
        static let version: Int? = nil
        typealias PreviousVersion = NothingEarlier
    }
    struct InMeta: VersionPathSpec {
        nonisolated(unsafe) static let keyPathToVersion: KeyPath<Self, Int?> = \Self.meta.format
        var meta: Meta
        struct Meta: Codable { var format: Int? }
        init(withVersion version: Int?) { meta = Meta(format: version) }
    }
    struct Old: Codable { var name: String }
    struct New: Codable { var name: String, age: Int }

    private static let note = MigrationChain(Note.self)
    private static let person = MigrationChain(
        named: "Person", shapes: ShapeVersions(Old.self).then(New.self) { New(name: $0.name, age: 0) })
    private static let chains = [note, person]

    /// A session with one document, whose chain is found as in the program.
    private func session(_ json: String) throws -> Session {
        let document = try Document(json: json)
        func trace(_ supposition: Supposition) -> MigrationTrace {
            let changed = (try? document.applying(supposition.edits)) ?? document
            if let chosen = supposition.chain, let chain = Self.chains.first(where: { $0.name == chosen.name }) {
                return (chosen.version.flatMap(chain.reading) ?? chain).trace(changed, source: "a.json")
            }
            switch Self.chains.recognize(changed) {
            case .recognized(let recognized): return recognized.trace(source: "a.json")
            case .unrecognized(let reasons):
                return MigrationTrace(
                    source: "a.json", format: .json, opening: .unrecognized(reasons), document: changed)
            }
        }
        var session = Session(
            [trace(Supposition())], width: 100, height: 30, chains: Self.chains.map(ChainDescription.init))
        session.supposing = trace
        return session
    }

    private func supposed(_ session: Session) -> Supposition { session.inspector.supposition }
    private func value(_ json: String) throws -> Document { try Document(json: json) }

    @Test("an unrecognized document shows the key that picks a chain, and is read with the chain")
    func unclaimed() throws {
        var session = try session(#"{"other": 1, "that": 2}"#)
        #expect(session.screen.contains("C pick chain"))
        session.type("C Enter")
        expectPicture(
            session.screen.lines(containing: ["Read it with", "1  ", "2  "]),
            #"""
            ┌ Read it with ─────────┐
            │ 1  Note  none … 2     │
            │ 2  Person  1, 2       │
            """#)
        session.type("1")
        #expect(session.screen.contains("Read it with Note as"))
        #expect(session.screen.contains("c  the version that the chain finds"))
        session.type("2")
        #expect(supposed(session).chain == ChosenChain("Note"))
        #expect(supposed(session).edits == [.add(DocumentPath([.key("version")]), try value("1"))])
        let failure = try #require(session.inspector.shown?.whole.failure)
        #expect(failure.kind == .keyNotFound && failure.path == DocumentPath([.key("body")]))
        #expect(session.screen.contains("read as Note  (u undoes"))
        // Both edits were one change.
        session.type("u")
        #expect(supposed(session).isEmpty && session.inspector.shown?.whole.outcome == .unrecognized)
        session.type("C-r")
        #expect(session.inspector.shown?.whole.outcome == .failed)
    }

    @Test("a version is written where its type keeps it, with the objects on the way, and removed elsewhere")
    func places() throws {
        var session = try session(#"{"version": 1, "body": "b"}"#)
        session.type("C v 1")
        #expect(
            supposed(session)
                == Supposition([
                    .remove(DocumentPath([.key("version")])),
                    .add(DocumentPath([.key("meta")]), try value(#"{"format":2}"#)),
                ]))
        session.type("u C v")
        #expect(session.screen.contains("2  version none  NoteV0"))
        session.type("2")
        #expect(supposed(session) == Supposition([.remove(DocumentPath([.key("version")]))]))
    }

    @Test("an object that held only the version goes with it, so an older version is found at its own place")
    func emptyPlace() throws {
        var session = try session(#"{"meta": {"format": 2}, "body": "b"}"#)
        session.type("C v")
        #expect(session.screen.contains("1  version 1  NoteV1"))
        session.type("1")
        #expect(
            supposed(session).edits
                == [.remove(DocumentPath([.key("meta")])), .add(DocumentPath([.key("version")]), try value("1"))])
        let trace = try #require(session.inspector.shown?.whole)
        #expect(trace.detection.version == .number(1) && trace.outcome == .migrated)
    }

    @Test("a document that cannot state an older version beside its other metadata is read as that version")
    func sharedPlace() throws {
        var session = try session(#"{"meta": {"format": 2, "owner": "Ada"}, "body": "b"}"#)
        session.type("C v 1")
        #expect(supposed(session) == Supposition(chain: ChosenChain("Note", version: .number(1))))
        let trace = try #require(session.inspector.shown?.whole)
        #expect(trace.detection.version == .number(1) && trace.outcome == .migrated)
        // No version at all can be stated there.
        session.type("u C v 2")
        #expect(supposed(session).edits == [.remove(DocumentPath([.key("meta"), .key("format")]))])
    }

    @Test("a document of a chain of shapes is read as the chosen shape, with that shape's error")
    func shapes() throws {
        var session = try session(#"{"name": "Ada", "age": "many"}"#)
        #expect(session.inspector.shown?.whole.chain == "Person")
        session.type("C v")
        #expect(session.screen.contains("version 2  New") && session.screen.contains("version 1  Old") == false)
        session.type("1")
        #expect(supposed(session) == Supposition(chain: ChosenChain("Person", version: .number(2))))
        let failure = try #require(session.inspector.shown?.whole.failure)
        #expect(failure.kind == .typeMismatch && failure.path == DocumentPath([.key("age")]))
        session.type("y")
        #expect(session.screen.contains("the story of the migration") && !session.screen.contains("command line"))
        session.type("Esc u")
        #expect(session.inspector.shown?.whole.outcome == .migrated)
    }

    @Test("writing a document of JSON5 in its newest version says that its comments go")
    func comments() throws {
        let chain = MigrationChain(Note.self, decoding: DecodingStrategies(allowsJSON5: true))
        for (text, isSaid) in [
            ("{meta: {format: 1}, /* c */ body: 'b'}", true), ("{meta: {format: 1}, body: 'b'}", false),
        ] {
            let document = try Document(json5: SourceBytes(text))
            var session = Session(
                [chain.trace(document, source: "a.json5")], width: 100, height: 30, chains: [ChainDescription(chain)])
            session.type("w")
            #expect(session.screen.contains("the document in version 2"))
            #expect(session.screen.contains("as JSON without its comments") == isSaid)
        }
    }

    struct Sailor: Codable { var name: String }
    struct Hand: Decodable { var title: String }

    @Test("where no version can be picked, the menu says so, and why")
    func none() throws {
        let preferences = MigrationChain(preferences: "Clock", keys: [StoredPreference("times", [Int].self)])
        let list = try Document(
            parsing: SourceBytes("<plist version=\"1.0\"><dict><key>times</key><string>[1]</string></dict></plist>"))
        let fallback = MigrationChain(fallback: Crew.self)
        let crew = try Document(json: #"{"title": "Ann"}"#)
        for (chain, document) in [(preferences, list), (fallback, crew)] {
            var session = Session(
                [chain.trace(document, source: "a")], width: 100, height: 30, chains: [ChainDescription(chain)])
            #expect(session.inspector.shown?.whole.chain == chain.name)
            session.type("C")
            #expect(
                session.screen.contains(
                    "v  read the document as another version: not possible, each value shows its own"))
            session.type("v")
            #expect(session.screen.contains("\(chain.name) finds versions by the form of values; change the value"))
            #expect(session.inspector.menu == nil && session.inspector.supposition.isEmpty)
        }
    }

    @Test(
        "inside an embedded document, the menu changes the value there, and offers other versions of the whole document"
    )
    func embedded() throws {
        var session = try session(#"{"meta": {"format": 2}, "text": "{\"key\": 7}"}"#)
        session.type("v Tab G Right j C")
        #expect(session.screen.contains("What if $.text.key"))
        #expect(session.screen.contains("v  read the document as another version"))
        session.type("v")
        #expect(session.screen.contains("version 1  NoteV1"))
    }

    struct Crew: Codable, FallbackDecodable {
        var name: String
        static let shapes = [
            FallbackShape(Sailor.self) { Crew(name: $0.name) }, FallbackShape(Hand.self) { Crew(name: $0.title) },
        ]
    }

    @Test("another chain can be picked for a recognized document, and stays in a new build and in the command line")
    func otherChain() throws {
        var session = try session(#"{"name": "Ada", "age": 36}"#)
        session.type("C k")
        #expect(session.screen.contains("1  Note") && !session.screen.contains("2  Person"))
        session.type("1 c")
        #expect(supposed(session) == Supposition(chain: ChosenChain("Note")))
        #expect(session.inspector.shown?.whole.chain == "Note")
        session.type("y c")
        #expect(
            session.effects.contains {
                if case .copy("migration-inspector trace a.json --chain Note") = $0 { true } else { false }
            })
        session.type("Esc")
        session.send(.rebuilt)
        session.type("R")
        let view = session.effects.compactMap { if case .restart(let view) = $0 { view } else { nil } }.last
        #expect(view?.supposition == Supposition(chain: ChosenChain("Note")))
    }
}

extension String {
    /// The framed lines that contain one of these texts, without the rest of the screen.
    fileprivate func lines(containing texts: [String]) -> String {
        split(separator: "\n").filter { line in texts.contains { line.contains($0) } }.compactMap { line in
            line.firstRange(of: /[┌│] (Read it with ─+┐|\d  [^│]*│)/).map { String(line[$0]) }
        }
        .joined(separator: "\n")
    }
}
