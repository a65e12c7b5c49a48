import DocumentModel
import Testing

@testable import MigrationCore

/// Steps whose result depends on whether a field is there, not on its value.
@Suite("Values that depend on which members are there")
struct MemberPresenceTests {
    private struct Note: VersionedCodable {
        static let version: Int? = 2
        typealias PreviousVersion = NoteV1
        var title: String, notes: String?
        var hasNotes: Bool, kind: String, filled: Int, source: String
        init(from old: NoteV1) {
            (title, notes) = (old.title, old.notes)
            hasNotes = old.notes != nil
            kind = old.owner == nil ? "shared" : "own"
            filled = [old.notes, old.owner?.name].compactMap(\.self).count
            source = "import"
        }
    }

    private struct NoteV1: VersionedCodable {
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
        struct Owner: Codable { var name: String, age: Int? }
        var title: String, notes: String?, owner: Owner?
    }

    @Test(
        "a value that depends on whether an optional field is there is not said to be made by the step",
        arguments: [
            (#""notes": "n""#, ["$.hasNotes", "$.filled"]),
            (#""owner": {"name": "Ada"}"#, ["$.kind", "$.filled"]),
            (#""notes": "n", "owner": {"name": "Ada"}"#, ["$.hasNotes", "$.kind", "$.filled"]),
            (#""notes": null"#, ["$.hasNotes", "$.filled"]),
        ])
    func optionals(members: String, dependent: [String]) throws {
        let document = try Document(json: #"{"version": 1, "title": "t", \#(members)}"#)
        let step = try ExaminedStep(document, of: MigrationChain(Note.self))
        for path in dependent { #expect(step.origins(of: path) != [], "\(path)") }
        #expect(step.origins(of: "$.source") == [])
    }

    @Test("what a step makes in place of an absent field is made by the step")
    func absent() throws {
        let step = try ExaminedStep(
            Document(json: #"{"version": 1, "title": "t"}"#), of: MigrationChain(Note.self))
        for path in ["$.hasNotes", "$.kind", "$.filled", "$.source"] {
            #expect(step.origins(of: path) == [], "\(path)")
        }
    }

    private struct Boxed: VersionedCodable {
        static let version: Int? = 2
        typealias PreviousVersion = BoxedV1
        var count: Int, source: String
        init(from old: BoxedV1) { (count, source) = (old.items.count { $0.note != nil }, "import") }
    }

    private struct BoxedV1: VersionedCodable {
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
        struct Item: Codable { var id: Int, note: String? }
        var items: [Item]
    }

    @Test("a number of elements with an optional field is not said to be made by the step")
    func elements() throws {
        let document = try Document(
            json: #"{"version": 1, "items": [{"id": 1, "note": "a"}, {"id": 2}, {"id": 3, "note": "b"}]}"#)
        let step = try ExaminedStep(document, of: MigrationChain(Boxed.self))
        #expect(step.origins(of: "$.count") != [])
        #expect(step.origins(of: "$.source") == [])
    }
}
