import DocumentModel
import DocumentSources
import Foundation
import MigrationCore
import TestSupport
import Testing

@testable import MigrationInspector

@Suite("Migrating a document in JSON5")
struct MigrateJSON5Tests {
    private struct Note: VersionedCodable {
        var title: String
        static let version: Int? = 2
        typealias PreviousVersion = NoteV1
        init(from old: NoteV1) { title = old.name }
    }

    private struct NoteV1: VersionedCodable {
        var name: String
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
    }

    @Test("a JSON5 document with comments is not migrated in place, unless they may be lost")
    func comments() throws {
        let folder = try TemporaryFolder()
        let document = GivenName(FilePath(try folder.write("{version: 1, name: 'A'} // c", to: "a.json5"))).document
        let chain = MigrationChain(Note.self, decoding: DecodingStrategies(allowsJSON5: true))
        func refusal(_ text: String, keepsComments: Bool) -> String? {
            MigratedDocument(chain.trace(Data(text.utf8)))
                .refusalToWrite(document, MigrateLimits(keepsComments: keepsComments))
        }
        let json5 = "{version: 1, name: 'A'} // c"
        func words(losesComments: Bool) -> String {
            "\(document.name): \(CommandWords.wouldBecomeJSON(losesComments: losesComments))"
        }
        #expect(refusal(json5, keepsComments: true) == words(losesComments: true))
        #expect(refusal("{version: 1, name: 'A'}", keepsComments: true) == words(losesComments: false))
        #expect(words(losesComments: true).contains("--allow-comments-lost"))
        #expect(refusal(json5, keepsComments: false) == nil)
        #expect(refusal(#"{"version": 1, "name": "A"}"#, keepsComments: true) == nil)
        #expect(try folder.text("a.json5") == json5)
    }

    @Test("comments of JSON5 are counted and located in the warnings, and none are found in texts")
    func warnings() throws {
        let chain = MigrationChain(Note.self, decoding: DecodingStrategies(allowsJSON5: true))
        func warnings(_ text: String) -> [Reason] { chain.trace(Data(text.utf8)).warnings }
        #expect(
            warnings("{version: 1, /* a */\n  name: 'A' // b\n}\n// c")
                == [.commentsLost(count: 3, first: SourceLocation(line: 1, column: 14, offset: 13))])
        #expect(
            warnings("// a\n{version: 1, name: 'A'}")
                == [.commentsLost(count: 1, first: SourceLocation(line: 1, column: 1, offset: 0))])
        // A current document is not written again.
        #expect(warnings("// a\n{version: 2, title: 'A'}") == [])
        #expect(warnings("{version: 1, name: '// no comment'}") == [])
        #expect(chain.check(Data("{version: 1, name: 'A'} // b".utf8)).warnings.count == 1)
    }

    @Test("a text of nothing but comments is malformed, and the message says so")
    func onlyComments() throws {
        let chain = MigrationChain(Note.self, decoding: DecodingStrategies(allowsJSON5: true))
        let failure = try #require(chain.trace(Data("// a\n".utf8)).failure)
        #expect(failure.reason == .malformed(problem: .onlyComments))
    }
}
