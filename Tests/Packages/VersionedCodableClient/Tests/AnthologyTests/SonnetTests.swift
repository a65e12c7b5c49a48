import Anthology
import Foundation
import MigrationCore
import Testing

@Suite("Versions at custom paths")
struct SonnetTests {
    @Test("a version under another name at the root is found")
    func otherName() throws {
        let data = Data(
            #"{"_version": 1, "author": "Shakespeare", "body": {"quatrains": [["a"]], "couplets": [["b"]]}}"#.utf8)
        #expect(try JSONDecoder().decode(versioned: SonnetV1.self, from: data).author == "Shakespeare")
    }

    @Test("a version inside metadata is found")
    func insideMetadata() throws {
        let data = Data(
            #"{"metadata": {"documentVersion": 2}, "author": "Shakespeare", "body": [{"couplet": {"_0": ["c"]}}]}"#.utf8
        )
        let sonnet = try JSONDecoder().decode(versioned: Sonnet.self, from: data)
        #expect(sonnet.body == [.couplet(["c"])])
    }

    @Test("a version is found at the path of an older type")
    func moved() throws {
        let data = Data(
            #"{"_version": 1, "author": "Shakespeare", "body": {"quatrains": [["a"]], "couplets": [["b"]]}}"#.utf8)
        let sonnet = try JSONDecoder().decode(versioned: Sonnet.self, from: data)
        #expect(sonnet.body == [.quatrain(["a"]), .couplet(["b"])])
    }

    @Test("a version is written where the type keeps it")
    func written() throws {
        let old = Data(#"{"metadata": {"documentVersion": 2}, "author": "S", "body": []}"#.utf8)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let data = try encoder.encode(versioned: JSONDecoder().decode(versioned: Sonnet.self, from: old))
        #expect(
            String(decoding: data, as: UTF8.self)
                == #"{"author":"S","body":[],"metadata":{"documentVersion":2}}"#)
    }
}
