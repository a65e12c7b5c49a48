import DocumentModel
import Foundation
import MigrationCore
import MigrationWorker
import TestSupport
import Testing

@testable import DocumentSources
@testable import MigrationInspector

@Suite("Checks of documents with the same bytes")
struct DocumentChecksTests {
    private struct Note: VersionedCodable {
        var text: String
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
        static let decodings = Locked<[String]>([])
        init(from decoder: any Decoder) throws {
            text = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .text)
            Self.decodings.withLock { [text] in $0.append(text) }
        }
        init(from old: NothingEarlier) throws { text = "" }
    }

    @Test("documents with the same bytes are checked once, and all are reported, in order if requested")
    @MainActor
    func once() async throws {
        let git = try GitFolder()
        for text in ["a", "b", "a", "c", "b", "a"] {
            try git.commit(#"{"version": 1, "text": "\#(text)"}"#, to: "note.json", "wrote \(text)")
        }
        let host = WorkerHost(inProcess: [MigrationChain(Note.self)])
        let opener = Opener(host: host, chain: "Note")
        let file = FilePath(git.path("note.json"))
        for isOrdered in [true, false] {
            Note.decodings.withLock { $0 = [] }
            let reported = Locked<[(Int, String)]>([])
            let checks = opener.checks(isOrdered: isOrdered) { number, document, result in
                #expect(result.source == document.name && result.revision == document.revision)
                reported.withLock { $0.append((number, result.revision?.subject ?? "")) }
            }
            let isDone = Locked(false)
            Thread.detachNewThread {
                _ = try? DocumentWalker([GivenName(historyOf: file)]).walk { $0.forEach(checks.add) }
                try? checks.finish()
                isDone.withLock { $0 = true }
            }
            while !isDone.withLock({ $0 }) {
                host.runOnMainThread()
                try await Task.sleep(for: .milliseconds(2))
            }
            let subjects = reported.withLock { $0 }.sorted { $0.0 < $1.0 }.map(\.1)
            #expect(subjects == ["a", "b", "c", "a", "b", "a"].map { "wrote \($0)" })
            if isOrdered { #expect(reported.withLock { $0.map(\.0) } == Array(0..<6)) }
            #expect(Note.decodings.withLock { $0 } == ["a", "b", "c"])
        }
    }
}
