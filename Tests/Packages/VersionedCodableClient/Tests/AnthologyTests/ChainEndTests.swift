import Anthology
import Foundation
import MigrationCore
import Testing

struct WithoutOlderVersion: VersionedCodable {
    static let version: Int? = 1
    typealias PreviousVersion = NothingEarlier
    var text: String
}

@Suite("The end of a chain")
struct ChainEndTests {
    private let empty = Data("{}".utf8)

    @Test("the ends of chains have no version")
    func version() {
        #expect(NothingEarlier.version == nil)
        #expect(Never.version == nil)
    }

    @Test("NothingEarlier can't be decoded")
    func nothing() {
        #expect {
            try JSONDecoder().decode(NothingEarlier.self, from: empty)
        } throws: {
            isTypeMismatch($0, against: NothingEarlier.self)
        }
    }

    @Test("Never can't be decoded from a document")
    func never() {
        #expect {
            try JSONDecoder().decode(versioned: Never.self, from: Data(#"{"no": "no"}"#.utf8))
        } throws: {
            isTypeMismatch($0, against: Never.self)
        }
    }

    @Test("a type without older versions refuses a document without a version")
    func withoutOlderVersion() {
        #expect(throws: VersionedDecodingError.unsupportedVersion(tried: WithoutOlderVersion.self)) {
            try JSONDecoder().decode(versioned: WithoutOlderVersion.self, from: empty)
        }
    }
}

@Suite("Other coders")
struct OtherCoderTests {
    @Test("a custom coder reads and writes through closures")
    func closures() throws {
        let data = try BannerCoder().encode(Poem(lines: ["x"]))
        #expect(data.starts(with: BannerCoder.banner))
        #expect(try BannerCoder().decode(Poem.self, from: data).lines == ["x"])
    }

    @Test("an error thrown by the closure is passed on")
    func thrown() {
        struct Refused: Error {}
        #expect(throws: Refused.self) {
            let _: Poem = try Poem.decodeTransparently(from: Data()) { _, _ in throw Refused() }
        }
        #expect(throws: Refused.self) {
            _ = try Poem(lines: []).encodeTransparently { _ in throw Refused() }
        }
    }

    @Test("a coder's closure that can't throw needs no try")
    func closureThatCannotThrow() {
        #expect(Poem(lines: []).encodeTransparently { _ in Data([1]) } == Data([1]))
    }

    @Test("a version path at the root can be encoded and decoded")
    func rootSpec() throws {
        let data = try JSONEncoder().encode(VersionKeyAtRootVersionPathSpec(withVersion: 3))
        #expect(String(decoding: data, as: UTF8.self) == #"{"version":3}"#)
        let spec = try JSONDecoder().decode(VersionKeyAtRootVersionPathSpec.self, from: data)
        #expect(spec[keyPath: VersionKeyAtRootVersionPathSpec.keyPathToVersion] == 3)
        #expect(VersionKeyAtRootVersionPathSpec()[keyPath: VersionKeyAtRootVersionPathSpec.keyPathToVersion] == nil)
    }
}
