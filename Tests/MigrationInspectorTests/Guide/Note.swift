import Foundation
import MigrationCore
import Testing

/// A note as the app writes it today.
private struct Note: VersionedCodable {
    var title: String
    var body: String

    static let version: Int? = 2
    typealias PreviousVersion = NoteV1

    init(title: String, body: String) {
        self.title = title
        self.body = body
    }

    init(from old: NoteV1) {
        title = old.name
        body = old.body
    }
}

/// A note as the first release wrote it.
private struct NoteV1: VersionedCodable {
    var name: String
    var body: String

    static let version: Int? = 1
    typealias PreviousVersion = NothingEarlier
}

@Suite("The guide's examples of a first chain and of samples")
struct NoteTests {
    private let first = Data(#"{"version": 1, "name": "Milk", "body": "Two pints"}"#.utf8)

    private func oldNotes() throws -> [(String, Data)] {
        [
            ("milk.json", first),
            ("bread.json", try JSONEncoder().encode(versioned: Note(title: "Bread", body: "Brown"))),
        ]
    }

    @Test("an old note is decoded as the newest type, and encoded with its version")
    func coding() throws {
        let data = first
        let note = try JSONDecoder().decode(versioned: Note.self, from: data)
        let newest = try JSONEncoder().encode(versioned: note)
        #expect(try JSONDecoder().decode(NoteHead.self, from: newest) == NoteHead(version: 2, title: "Milk"))
    }

    private struct NoteHead: Decodable, Equatable {
        var version: Int
        var title: String
    }

    @Test("a chain reports the outcome of a check")
    func chain() {
        let data = first
        func print(_ outcome: MigrationOutcome) { #expect(outcome == .migrated) }
        let chain = MigrationChain(Note.self)
        let result = chain.check(data, source: "milk.json")
        print(result.outcome)  // migrated
    }

    @Test("every version that was ever shipped still opens, and nothing of it is lost")
    func samples() throws {
        for (name, data) in try oldNotes() {
            let result = MigrationChain(Note.self).check(data, source: name)
            #expect(result.failure == nil, "\(name): \(result.failure?.message ?? "")")
            #expect(result.dropped.isEmpty, "\(name) loses \(result.dropped)")
        }
    }

    @Test("the values of a decoded sample can be compared")
    func values() throws {
        let note = try JSONDecoder().decode(versioned: Note.self, from: first)
        #expect(note.title == "Milk")
    }
}
