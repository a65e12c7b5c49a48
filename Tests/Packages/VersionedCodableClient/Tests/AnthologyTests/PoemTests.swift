import Anthology
import Foundation
import MigrationCore
import Testing

@Suite("Poems in JSON")
struct PoemTests {
    private let decoder = JSONDecoder()

    @Test("a poem without a version is read as the type without one")
    func unversioned() throws {
        let data = Data(#"{"author": "Edward Lear", "poem": "The Owl and the Pussy-cat"}"#.utf8)
        let poem = try decoder.decode(versioned: Poem.PoemV1.self, from: data)
        #expect(poem.author == "Edward Lear")
        #expect(poem.poem == "The Owl and the Pussy-cat")
    }

    @Test("a version of null is no version")
    func nullVersion() throws {
        let data = Data(#"{"version": null, "poem": "Nonsense"}"#.utf8)
        #expect(try decoder.decode(versioned: Poem.self, from: data).lines == ["Nonsense"])
    }

    @Test("a missing field that a later version needs is named")
    func fieldNoLongerValid() throws {
        let data = Data(#"{"author": "Edward Lear", "poem": null}"#.utf8)
        #expect {
            try decoder.decode(versioned: Poem.PoemV1.self, from: data)
        } throws: { error in
            guard case VersionedDecodingError.fieldNoLongerValid(let context) = error else { return false }
            return context.codingPath.map(\.stringValue) == ["poem"]
                && context.debugDescription == "A poem must have a text"
        }
    }

    @Test("a version that no type has is refused, and the oldest type is named", arguments: [-1, 5, 99])
    func unsupported(version: Int) {
        let data = Data(#"{"version": \#(version), "poem": "x", "lines": []}"#.utf8)
        #expect(throws: VersionedDecodingError.unsupportedVersion(tried: Poem.PoemPreV1.self)) {
            try decoder.decode(versioned: Poem.self, from: data)
        }
    }

    @Test("a version that isn't a number is a type mismatch")
    func versionOfWrongType() {
        let data = Data(#"{"version": "four", "lines": []}"#.utf8)
        #expect {
            try decoder.decode(versioned: Poem.self, from: data)
        } throws: {
            isTypeMismatch($0, against: Int.self)
        }
    }

    @Test("an old poem is migrated through every version")
    func severalSteps() throws {
        let data = Data(#"{"version": 1, "author": "Anonymous", "poem": "One\nTwo\nThree"}"#.utf8)
        let poem = try decoder.decode(versioned: Poem.self, from: data)
        #expect(poem.lines == ["One", "Two", "Three"])
        #expect(poem.author?.name == "Anonymous")
        #expect(PoemShelf.versions(of: Poem.self) == [4, 3, 2, 1, nil])
    }

    @Test("a poem is written with its version, and can be opened again")
    func written() throws {
        struct OnlyVersion: Codable { var version: Int? }
        let data = try JSONEncoder().encode(versioned: Poem(author: .init(name: "Basho"), lines: ["old pond"]))
        #expect(try decoder.decode(OnlyVersion.self, from: data).version == 4)
        #expect(try decoder.decode(versioned: Poem.self, from: data).lines == ["old pond"])
        #expect(try decoder.decode(Poem.self, from: data).author?.name == "Basho")
    }

    @Test("the version is written over a field of the same name, and read into it")
    func clash() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let data = try encoder.encode(versioned: PoemWithClash(content: "x", version: 7))
        #expect(String(decoding: data, as: UTF8.self) == #"{"content":"x","version":1}"#)
        #expect(try decoder.decode(versioned: PoemWithClash.self, from: data).version == 1)
    }

    @Test("a field of another type in place of the version does not decode again")
    func clashOfTypes() throws {
        let data = try JSONEncoder().encode(versioned: SonnetWithClash(version: "first draft"))
        #expect {
            try decoder.decode(versioned: SonnetWithClash.self, from: data)
        } throws: {
            isTypeMismatch($0, against: String.self)
        }
    }

    @Test("a value whose type is only known at run time is written too")
    func existential() throws {
        let value: any VersionedCodable = Poem(lines: [])
        let data = try JSONEncoder().encode(versioned: value)
        #expect(String(decoding: data, as: UTF8.self).contains(#""version":4"#))
    }
}
