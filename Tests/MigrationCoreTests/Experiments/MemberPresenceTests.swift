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

    private struct Tree: VersionedCodable {
        static let version: Int? = 2
        typealias PreviousVersion = TreeV1
        var inner: Bool, first: Bool, source: String
        init(from old: TreeV1) {
            inner = old.root.children.first.map { $0.note != nil } ?? false
            first = old.boxes.first.map { $0.lid.note != nil } ?? false
            source = "import"
        }
    }

    private struct TreeV1: VersionedCodable {
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
        struct Leaf: Codable { var id: Int, note: String?, children: [Int] }
        struct Node: Codable { var id: Int, note: String?, children: [Leaf] }
        struct Lid: Codable { var id: Int, note: String? }
        struct Plate: Codable { var id: Int, note: String }
        struct Box: Codable { var plate: Plate, lid: Lid }
        var root: Node, boxes: [Box]
    }

    @Test("a field is removed in an object inside one with the same fields, and beside one that requires it")
    func alike() throws {
        let node = #"{"id": 1, "note": "a", "children": [{"id": 2, "note": "b", "children": []}]}"#
        let box = #"{"plate": {"id": 1, "note": "a"}, "lid": {"id": 2, "note": "b"}}"#
        let document = try Document(json: #"{"version": 1, "root": \#(node), "boxes": [\#(box)]}"#)
        let step = try ExaminedStep(document, of: MigrationChain(Tree.self))
        #expect(step.origins(of: "$.inner") != [] && step.origins(of: "$.first") != [])
        #expect(step.origins(of: "$.source") == [])
    }
}
