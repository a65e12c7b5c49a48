import Foundation
import InspectorUI
import MigrationCore
import TestSupport
import Testing

@testable import CursesTerminal
@testable import DocumentSources
@testable import MigrationInspector

@Suite("Checking in the background")
struct DocumentFeedTests {
    /// A note that takes its time where its text says so.
    private struct Note: VersionedCodable {
        var text: String
        static let version: Int? = 2
        typealias PreviousVersion = OldNote

        init(from old: OldNote) throws {
            text = old.text
            if text == "wait" { Self.gate.wait() }
        }

        static let gate = DispatchSemaphore(value: 0)
    }

    private struct OldNote: VersionedCodable {
        var text: String
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
    }

    @Test("a document is found before it is checked", arguments: 0..<20)
    func order(_: Int) async throws {
        let folder = try TemporaryFolder()
        for number in 1...30 { try folder.write(#"{"version": 1, "text": "go"}"#, to: "\(number).json") }
        let mailbox = EventMailbox(waker: try #require(TerminalWaker()))
        let feed = DocumentFeed(opener: DocumentOpener(chains: [MigrationChain(Note.self)]), mailbox: mailbox)
        feed.start(DocumentWalker([GivenName(FilePath(folder.path))]))
        defer { feed.stop() }
        var (foundCount, checkedCount) = (0, 0)
        while checkedCount < 30 {
            for event in mailbox.drain() {
                if case .found(let documents) = event { foundCount += documents.count }
                guard case .checked(let results) = event else { continue }
                #expect(results.allSatisfy { $0.document.number < foundCount })
                checkedCount += results.count
            }
            try await Task.sleep(for: .milliseconds(5))
        }
        #expect(checkedCount == 30)
    }

    @Test("a migration that takes for ever holds back no other document", .timeLimit(.minutes(10)))
    func endless() async throws {
        let folder = try TemporaryFolder()
        for number in 1...9 {
            let text = number == 3 ? "wait" : "go"
            try folder.write(#"{"version": 1, "text": "\#(text)"}"#, to: "\(number).json")
        }
        let mailbox = EventMailbox(waker: try #require(TerminalWaker()))
        let feed = DocumentFeed(opener: DocumentOpener(chains: [MigrationChain(Note.self)]), mailbox: mailbox)
        feed.start(DocumentWalker([GivenName(FilePath(folder.path))]))
        defer {
            Note.gate.signal()
            feed.stop()
        }
        var checked: Set<Int> = []
        while checked.count < 8 {
            for case .checked(let results) in mailbox.drain() { checked.formUnion(results.map(\.document.number)) }
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(checked == [0, 1, 3, 4, 5, 6, 7, 8])
    }
}
