import DocumentModel
import MigrationCore
import Testing

@testable import InspectorUI

@Suite("The source of a part")
struct PartSourceTests {
    private func session(_ failure: MigrationFailure?) throws -> Session {
        let whole = PoemFixtures.document("{\n  \"period\": \"10 Minutes\",\n  \"zones\": 7\n}")
        let value = try DocumentEncoder().encode(7)
        let part = MigrationTrace(
            source: "zones", format: .json, chain: "Zones", versions: [.init(version: .number(4), type: "Zones")],
            detection: VersionDetection(version: .number(4)), opening: failure.map { .failed($0) } ?? .opened,
            path: .root.appending(key: "zones"), document: value)
        var session = Session(
            [
                MigrationTrace(
                    source: "clock.json", format: .json, chain: "Clock",
                    detection: VersionDetection(version: .number(4)),
                    opening: part.opening, parts: [part], document: whole)
            ], width: 80, height: 18)
        session.type("Tab g j Enter")
        return session
    }

    @Test("a part that was cut out of its document is shown at its position in that document")
    func failed() throws {
        let failure = MigrationFailure(
            kind: .typeMismatch, path: .root, culprit: .init(path: .root, certain: true), message: "Expected an array",
            location: SourceLocation(line: 3, column: 12, offset: 39))
        expectPicture(
            try session(failure).screen,
            #"""
            ┌ clock.json › $.zones ───────────────────────────────────── Zones · version 4 ┐
            │   ✗ 4 Zones                                                                  │
            │   typeMismatch                                                               │
            ├ • Reading as 4 Zones ──────────────────────────────────────────────── failed ┤
            │ ✗   document  7  ◀ Expected an array                                         │
            │                                                                              │
            │     Chain      Zones                                                         │
            │     Version    4 Zones, found by the document's shape                        │
            │     Format     JSON                                                          │
            │                                                                              │
            │                                                                              │
            │                                                                              │
            ├ Source  line 3, column 12 ────────────────────────────────────────── 4 lines ┤
            │   2 │   "period": "10 Minutes",                                              │
            │   3 │   "zones": 7                                                           ┃
            │     │            ^ typeMismatch at $.zones                                   │
            └──────────────────────────────────────────────────────────────────────────────┘
             ↓ row  Tab panel  v value  / search  Esc back  s source  ? all keys  q quit
            """#)
    }

    @Test("a part that did not fail is shown at its position too")
    func current() throws {
        #expect(try session(nil).screen.contains("^ the part at $.zones"))
    }

    @Test("the location copied for a part inside a string is that of the string")
    func place() throws {
        let whole = PoemFixtures.document("{\n  \"zones\": \"[\\n7]\"\n}")
        let part = MigrationTrace(
            source: "zones", format: .json, chain: "Zones", versions: [.init(version: .number(4), type: "Zones")],
            detection: VersionDetection(version: .number(4)), opening: .opened, path: .root.appending(key: "zones"),
            document: PoemFixtures.document("[\n7]"))
        var session = Session([
            MigrationTrace(
                source: "clock.json", format: .json, chain: "Clock",
                detection: VersionDetection(version: .number(4)), opening: .opened, parts: [part], document: whole)
        ])
        session.type("Tab g j Enter v j y l")
        let copied = session.effects.compactMap { if case .copy(let text) = $0 { text } else { nil } }
        #expect(copied == ["clock.json:2:12"])
    }
}
