import DocumentModel
import Foundation
import Testing

@testable import MigrationCore

@Suite("Errors of decoders inside a type")
struct InnerDecoderTests: MendSearching {
    private struct Settings: Codable {
        var size: Int
        var name: String?
    }

    /// Decodes the content of a string while being decoded itself.
    private struct Note: VersionedCodable {
        var title: String
        var settings: String
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier

        private enum CodingKeys: String, CodingKey { case title, settings }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            title = try container.decode(String.self, forKey: .title)
            settings = try container.decode(String.self, forKey: .settings)
            _ = try JSONDecoder().decode(Settings.self, from: Data(settings.utf8))
        }
    }

    /// Decodes the content of a string in its step.
    private struct Sheet: VersionedCodable {
        var title: String
        var size: Int
        static let version: Int? = 2
        typealias PreviousVersion = SheetV1

        init(from old: SheetV1) throws {
            if old.title.isEmpty {
                throw DecodingError.keyNotFound(
                    PathCodingKey("subtitle"), .init(codingPath: [], debugDescription: "A sheet has a subtitle"))
            }
            title = old.title
            size = try JSONDecoder().decode(Settings.self, from: Data(old.settings.utf8)).size
        }
    }

    private struct SheetV1: VersionedCodable {
        var title: String
        var settings: String
        var more: String?
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
    }

    private func failure(_ chain: MigrationChain, _ json: String) throws -> MigrationFailure {
        try #require(try chain.check(json: json).failure)
    }

    @Test("an inner decoder's error is located in the string that holds what it decodes", arguments: [true, false])
    func placed(inStep: Bool) throws {
        let chain = inStep ? MigrationChain(Sheet.self) : MigrationChain(Note.self)
        let json = #"{"version": 1, "title": "x", "settings": "{\"size\": \"12\"}"}"#
        let wrong = try failure(chain, json)
        #expect(wrong.kind == .typeMismatch && wrong.path == path("$.settings.size"))
        #expect(wrong.culprit?.path == path("$.settings.size"))
        #expect(wrong.location == SourceLocation(line: 1, column: 10, offset: 9, within: path("$.settings")))
        let missing = try failure(chain, #"{"version": 1, "title": "x", "settings": "{\"sise\": 12}"}"#)
        #expect(missing.kind == .keyNotFound && missing.path == path("$.settings.size"))
    }

    @Test("an inner decoder's error is repaired in the string that holds what it decodes", arguments: [true, false])
    func mended(inStep: Bool) throws {
        let chain = inStep ? MigrationChain(Sheet.self) : MigrationChain(Note.self)
        let found = try search(chain, #"{"version": 1, "title": "x", "settings": "{\"size\": \"12\"}"}"#)
        #expect(found?.path == path("$.settings.size") && found?.certain == true)
        #expect(try found?.proof?.finding == .repair(.set(path("$.settings.size"), Document(json: "12"))))
        let renamed = try search(chain, #"{"version": 1, "title": "x", "settings": "{\"sise\": 12}"}"#)
        #expect(renamed?.proof?.finding == .repair(.rename(path("$.settings.sise"), to: "size")))
    }

    @Test("an inner decoder's error names no field of the outer document if several strings or none may hold its JSON")
    func unknown() throws {
        let chain = MigrationChain(Sheet.self)
        let two = try failure(
            chain, #"{"version": 1, "title": "x", "settings": "{\"size\": true}", "more": "{\"size\": \"a\"}"}"#)
        #expect(two.kind == .typeMismatch && two.path == .root)
        let outside = try failure(
            chain, #"{"version": 1, "title": "x", "size": 4, "settings": "{\"size\": true}"}"#)
        #expect(outside.path == .root)
        #expect(outside.message.contains("Int"))
    }

    @Test("an error that an author throws has a path in the document, unlike that of an inner decoder")
    func authors() throws {
        let thrown = try failure(
            MigrationChain(Sheet.self), #"{"version": 1, "title": "", "settings": "{\"size\": 1}"}"#)
        #expect(thrown.path == path("$.subtitle"))
    }
}
