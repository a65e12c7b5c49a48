import DocumentModel
import Foundation
import MigrationCore
import Testing

@Suite("Encoding versioned types")
struct VersionedEncodingTests {
    struct Note: VersionedCodable {
        var text: String
        var rank: Int?
        var when: Date

        static let version: Int? = 12
        typealias PreviousVersion = NothingEarlier
    }

    /// The promised result, as Foundation itself encodes it: the type and its version side by side.
    private struct NoteAndVersion: Encodable {
        var note: Note
        private enum CodingKeys: CodingKey { case version }

        func encode(to encoder: any Encoder) throws {
            try note.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(12, forKey: .version)
        }
    }

    private let note = Note(text: "a/b — “c”", rank: nil, when: Date(timeIntervalSinceReferenceDate: 0.5))

    @Test("the encoded JSON equals Foundation's, byte for byte", arguments: [0, 1, 2, 3])
    func json(options: Int) throws {
        let encoder = JSONEncoder()
        // Unless keys are sorted, Foundation's order of keys differs from one encoder to the next.
        encoder.outputFormatting = [.sortedKeys]
        if options & 1 != 0 { encoder.outputFormatting.insert(.prettyPrinted) }
        if options & 2 != 0 {
            encoder.outputFormatting.insert(.withoutEscapingSlashes)
            encoder.keyEncodingStrategy = .convertToSnakeCase
            encoder.dateEncodingStrategy = .iso8601
        }
        #expect(try encoder.encode(versioned: note) == encoder.encode(NoteAndVersion(note: note)))
    }

    @Test(
        "the encoded property list equals Foundation's, byte for byte",
        arguments: [PropertyListSerialization.PropertyListFormat.xml])
    func propertyList(format: PropertyListSerialization.PropertyListFormat) throws {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = format
        #expect(try encoder.encode(versioned: note) == encoder.encode(NoteAndVersion(note: note)))
    }

    @Test("a type without a version is encoded without a version key")
    func unversioned() throws {
        struct Plain: VersionedCodable {
            var text: String
            static let version: Int? = nil
            typealias PreviousVersion = NothingEarlier
        }
        #expect(try JSONEncoder().encode(versioned: Plain(text: "x")) == Data(#"{"text":"x"}"#.utf8))
    }

    @Test("a document is encoded with the version after the fields of the type")
    func documents() throws {
        let document = try DocumentEncoder().encode(versioned: note)
        #expect(compact(document) == #"{"text":"a/b — “c”","when":0.5,"version":12}"#)
    }

    @Test("an error while encoding is passed on")
    func error() {
        struct Infinite: VersionedCodable {
            var value: Double
            static let version: Int? = 1
            typealias PreviousVersion = NothingEarlier
        }
        #expect(throws: EncodingError.self) { try JSONEncoder().encode(versioned: Infinite(value: .infinity)) }
    }
}
