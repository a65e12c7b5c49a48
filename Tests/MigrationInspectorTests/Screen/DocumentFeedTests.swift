import Foundation
import InspectorUI
import MigrationCore
import MigrationWorker
import TestSupport
import Testing

@testable import CursesTerminal
@testable import DocumentSources
@testable import MigrationInspector

@Suite("Checking in the background")
struct DocumentFeedTests {
    private struct Note: VersionedCodable {
        var text: String
        static let version: Int? = 2
        typealias PreviousVersion = OldNote

        init(from old: OldNote) throws { text = old.text }
    }

    private struct OldNote: VersionedCodable {
        var text: String
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
    }

    /// Takes events until a condition holds.
    @MainActor
    private func events(
        of mailbox: EventMailbox, _ host: WorkerHost, until condition: @autoclosure () -> Bool,
        take: (InspectorEvent) -> Void
    ) async throws {
        let isDone = try await awaits {
            host.runOnMainThread()
            for event in mailbox.drain() { take(event) }
            return condition()
        }
        try #require(isDone)
    }

    @Test("documents of several folders have places with the folder's name")
    @MainActor
    func severalFolders() async throws {
        let folder = try TemporaryFolder()
        let opened = ["a", "b"].map(folder.path)
        for name in ["a/1.json", "b/1.json"] { try folder.write(#"{"version": 2, "text": "go"}"#, to: name) }
        let mailbox = EventMailbox(waker: try #require(TerminalWaker()))
        let host = WorkerHost(inProcess: [MigrationChain(Note.self)])
        let feed = DocumentFeed(opener: Opener(host: host), mailbox: mailbox)
        feed.start(DocumentWalker(opened.map { GivenName(FilePath($0)) }))
        defer { feed.stop() }
        var places: [String] = []
        try await events(of: mailbox, host, until: places.count == 2) {
            if case .found(let documents) = $0 { places += documents.map(\.heading) }
        }
        #expect(places == opened.map { $0 + "/" })
    }

    @Test("omissions are reported once everything is found, and a document is identified by its number")
    @MainActor
    func leftOut() async throws {
        let folder = try TemporaryFolder()
        for name in ["a.json", "b.json"] { try folder.write(#"{"version": 2, "text": "go"}"#, to: name) }
        for name in [".hidden", "notes.txt", "more.txt"] { try folder.write("no", to: name) }
        let mailbox = EventMailbox(waker: try #require(TerminalWaker()))
        let host = WorkerHost(inProcess: [MigrationChain(Note.self)])
        let feed = DocumentFeed(opener: Opener(host: host), mailbox: mailbox)
        feed.start(DocumentWalker([GivenName(FilePath(folder.path))]))
        defer { feed.stop() }
        var (found, reported, checked) = ([FoundDocument](), [[LeftOut]](), 0)
        try await events(of: mailbox, host, until: !reported.isEmpty && checked == 2) { event in
            switch event {
            case .found(let documents): found += documents
            case .finishedFinding(let leftOut): reported.append(leftOut)
            case .checked(let results): checked += results.count
            default: Issue.record("\(event)")
            }
        }
        #expect(found.map(\.displayName) == ["a.json", "b.json"] && found.map(\.heading) == ["", ""])
        let omissions: [(DocumentWalker.Omission, Int)] = [(.hidden, 1), (.otherKind, 2)]
        #expect(reported == [omissions.map { LeftOut($0.noun(count: $1), count: $1) }])
        #expect(found.map { feed.reference(of: $0.id)?.name } == found.map(\.name))
        #expect(feed.reference(of: .init(2)) == nil)
    }

    @Test("a document is found before it is checked", arguments: 0..<20)
    @MainActor
    func order(_: Int) async throws {
        let folder = try TemporaryFolder()
        for number in 1...30 { try folder.write(#"{"version": 1, "text": "go"}"#, to: "\(number).json") }
        let mailbox = EventMailbox(waker: try #require(TerminalWaker()))
        let host = WorkerHost(inProcess: [MigrationChain(Note.self)])
        let feed = DocumentFeed(opener: Opener(host: host), mailbox: mailbox)
        feed.start(DocumentWalker([GivenName(FilePath(folder.path))]))
        defer { feed.stop() }
        var (foundCount, checkedCount) = (0, 0)
        try await events(of: mailbox, host, until: checkedCount >= 30) { event in
            if case .found(let documents) = event { foundCount += documents.count }
            guard case .checked(let results) = event else { return }
            #expect(results.allSatisfy { $0.document.number < foundCount })
            checkedCount += results.count
        }
        #expect(checkedCount == 30)
    }

    @Test("a rescan finds new, gone and changed documents and lines, and checks nothing else")
    @MainActor
    func again() async throws {
        let folder = try TemporaryFolder()
        let text = #"{"version": 2, "text": "go"}"#
        for name in ["a.json", "c.json", "d.json", "e/1.json"] { try folder.write(text, to: name) }
        try folder.write(String(repeating: text + "\n", count: 3), to: "lines.jsonl")
        let mailbox = EventMailbox(waker: try #require(TerminalWaker()))
        let host = WorkerHost(inProcess: [MigrationChain(Note.self)])
        let feed = DocumentFeed(opener: Opener(host: host), mailbox: mailbox)
        feed.start(DocumentWalker([GivenName(FilePath(folder.path))]))
        defer { feed.stop() }
        var (names, order, results) = ([Int: String](), [Int](), [String: MigrationOutcome]())
        var (gone, isAsked) = (0, false)
        func waits(for condition: () -> Bool) async throws {
            try await events(of: mailbox, host, until: condition()) { event in
                switch event {
                case .found(let new):
                    for document in new { names[document.id.number] = document.title }
                    order += new.map(\.id.number)
                case .foundAgain(let new, let newOrder, let newlyGone, let wasAsked):
                    for document in new { names[document.id.number] = document.title }
                    order = newOrder.map(\.number)
                    gone += newlyGone
                    isAsked = wasAsked
                case .checked(let checked):
                    for check in checked { results[names[check.document.number] ?? ""] = check.result.outcome }
                default: break
                }
            }
        }
        try await waits { results.count == 7 }

        results = [:]
        try folder.write(text, to: "b.json")
        try folder.write(text.replacing("2", with: "7"), to: "c.json")
        try FileManager.default.removeItem(atPath: folder.path("d.json"))
        try folder.write(text + "\n" + text.replacing("go", with: "on") + "\n", to: "lines.jsonl")
        #expect(feed.folders.hasChanged())
        feed.lookAgain(.changed)
        try await waits { results.count == 5 }
        #expect(
            results == [
                "b.json": .current, "c.json": .failed, "d.json": .unreadable, "lines.jsonl#L2": .current,
                "lines.jsonl#L3": .unreadable,
            ])
        #expect(
            order.map { names[$0] } == [
                "a.json", "b.json", "c.json", "d.json", "e/1.json", "lines.jsonl#L1", "lines.jsonl#L2",
                "lines.jsonl#L3",
            ])
        #expect(gone == 2 && !isAsked)

        // A new document that can't be read is found too.
        results = [:]
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("dangling.json"), withDestinationPath: "nowhere.json")
        feed.lookAgain(.changed)
        try await waits { results["dangling.json"] == .unreadable }
        try FileManager.default.removeItem(atPath: folder.path("dangling.json"))

        // A document that is back is no longer gone, and a full rescan checks everything.
        results = [:]
        try folder.write(text, to: "d.json")
        feed.lookAgain(.all)
        try await waits { results["d.json"] == .current && results.count == 8 }
        #expect(gone == 3 && isAsked)
    }

    @Test("the committed states of a document come after all others, are checked, and survive a rescan")
    @MainActor
    func history() async throws {
        let git = try GitFolder()
        for number in 1...3 {
            try git.commit(
                #"{"version": \#(number == 2 ? 7 : 2), "text": "\#(number)"}"#, to: "a.json", "number \(number)")
        }
        try git.folder.write(#"{"version": 2, "text": "now"}"#, to: "a.json")
        try git.folder.write(#"{"version": 2, "text": "b"}"#, to: "b.json")
        let mailbox = EventMailbox(waker: try #require(TerminalWaker()))
        let host = WorkerHost(inProcess: [MigrationChain(Note.self)])
        let feed = DocumentFeed(opener: Opener(host: host), mailbox: mailbox)
        feed.start(DocumentWalker([GivenName(FilePath(git.folder.path))]))
        defer { feed.stop() }
        var (names, results) = ([Int: String](), [Int: MigrationOutcome]())
        var (histories, problems, gone) = ([Int](), [String](), 0)
        func waits(for condition: () -> Bool) async throws {
            try await events(of: mailbox, host, until: condition()) { event in
                switch event {
                case .found(let new): for document in new { names[document.id.number] = document.displayName }
                case .foundAgain(let new, _, let newlyGone, _):
                    gone += newlyGone + new.count
                case .foundHistory(_, let states, let problem):
                    if let first = states.first { histories.append(first.document.number) }
                    if let problem { problems.append(problem) }
                case .checked(let checked):
                    for check in checked { results[check.document.number] = check.result.outcome }
                default: break
                }
            }
        }
        try await waits { results.count == 2 }
        feed.findHistory(of: .init(0))
        try await waits { results.count == 5 }
        #expect(histories == [2] && problems.isEmpty)
        #expect((2...4).map { results[$0] } == [.current, .failed, .current])
        #expect((2...4).map { names[$0]?.hasSuffix("number \(5 - $0)") } == [true, true, true])
        feed.findHistory(of: .init(1))
        try await waits { !problems.isEmpty }
        #expect(problems[0].contains("no commit that leads to the current one has this file"))
        results = [:]
        feed.lookAgain(.all)
        try await waits { results.count == 5 }
        #expect(gone == 0)
    }

    @Test("data after a packed document has its own name and no history, and is found by a rescan")
    @MainActor
    func restOfPacked() async throws {
        let git = try GitFolder()
        let member = try Gzip.pack(Data(#"{"version": 2, "text": "1"}"#.utf8), as: "x")
        try git.folder.write(member + Data("more".utf8), to: "a.json.gz")
        try git.commit()
        try git.folder.write(member, to: "b.json.gz")
        let mailbox = EventMailbox(waker: try #require(TerminalWaker()))
        let host = WorkerHost(inProcess: [MigrationChain(Note.self)])
        let feed = DocumentFeed(opener: Opener(host: host), mailbox: mailbox)
        feed.start(DocumentWalker([GivenName(FilePath(git.folder.path))]))
        defer { feed.stop() }
        var (found, results) = ([FoundDocument](), [Int: MigrationOutcome]())
        var histories: [(states: [Int], problem: String?)] = []
        func waits(for condition: () -> Bool) async throws {
            try await events(of: mailbox, host, until: condition()) { event in
                switch event {
                case .found(let new), .foundAgain(let new, _, _, _): found += new
                case .foundHistory(_, let states, let problem):
                    histories.append((states.map(\.document.number), problem))
                case .checked(let checked):
                    for check in checked { results[check.document.number] = check.result.outcome }
                default: break
                }
            }
        }
        try await waits { results.count == 3 }
        let rest = ", from byte \(member.count)"
        #expect(found.map(\.displayName) == ["a.json.gz", "a.json.gz\(rest)", "b.json.gz"])
        #expect(found.map(\.title) == found.map(\.displayName))
        #expect((0...2).map { results[$0] } == [.current, .unreadable, .current])
        feed.findHistory(of: .init(1))
        feed.findHistory(of: .init(0))
        try await waits { histories.count == 2 && results.count == 5 }
        #expect(histories[0].problem == CommandWords.noHistoryOfRest && histories[0].states.isEmpty)
        // The committed state, without the data after it.
        #expect(histories[1].states == [3] && histories[1].problem == nil)
        try git.folder.write(member + Data("more".utf8), to: "b.json.gz")
        feed.lookAgain(.all)
        try await waits { found.count == 6 && results.count == 6 }
        #expect(found[5].displayName == "b.json.gz\(rest)" && results[5] == .unreadable)
    }
}
