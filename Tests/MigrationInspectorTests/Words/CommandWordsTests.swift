import DocumentModel
import DocumentSources
import MigrationCore
import Testing

@testable import MigrationInspector

@Suite("Sentences of the commands")
struct CommandWordsTests {
    // MARK: - check

    @Test("a message about shortened time says how to give all documents more")
    func shortenedTime() {
        #expect(
            CommandWords.shortenedTime(onTheWayTo: .number(3), of: "Poem")
                == "20 documents ran out of time on the way to version 3 of Poem; "
                + "the others got a tenth of the time there; --time-limit gives all of them more")
    }

    @Test(
        "the message about omissions counts each kind of file",
        arguments: [
            (
                1, "1 hidden file or folder, which opens only by name", "1 file of another kind", "1 unreadable file",
                "1 pipe, socket or device"
            ),
            (
                2, "2 hidden files or folders, which open only by name", "2 files of other kinds", "2 unreadable files",
                "2 pipes, sockets or devices"
            ),
        ])
    func leftOut(count: Int, hidden: String, otherKind: String, unreadable: String, special: String) {
        #expect(CommandWords.leftOut([:]) == nil)
        #expect(
            CommandWords.leftOut([.hidden: count, .otherKind: count, .unreadable: count, .special: count])
                == "left out \(hidden), \(otherKind), \(unreadable), \(special)")
    }

    @Test("the message about omissions counts cycles of links and files without documents")
    func leftOutAtTheEnd() {
        #expect(
            CommandWords.leftOut([.linkLoop: 1, .empty: 1]) == "left out 1 link in a circle, 1 file without documents")
        #expect(
            CommandWords.leftOut([.linkLoop: 2, .empty: 2]) == "left out 2 links in a circle, 2 files without documents"
        )
    }

    // MARK: - migrate

    @Test("the messages of migrate say why nothing was written, and where the old document is kept")
    func migrate() {
        #expect(CommandWords.unwritten(because: "no room") == "no room; nothing was written")
        #expect(CommandWords.isCurrent(.number(3)) == "already version 3")
        #expect(
            CommandWords.kept("document", as: FilePath("poem.json.bak")) == "the old document is kept as poem.json.bak")
    }

    @Test(
        "the message about hard links warns of other names of a replaced file",
        arguments: [(1, "another name (a hard link)"), (2, "2 other names (hard links)")])
    func stays(count: Int, names: String) {
        #expect(
            CommandWords.stays("file", otherNames: count)
                == "warning: the file has \(names), under which the old file stays")
    }

    // MARK: - migrate, of a store

    @Test(
        "the message about a column counts its documents by outcome",
        arguments: [
            (1, 2, 3, "1 migrated to version 3, 2 already version 3, 3 cannot be migrated"),
            (0, 2, 0, "2 already version 3"), (0, 0, 0, "no documents"),
        ])
    func column(migrated: Int, current: Int, refused: Int, words: String) {
        let column = StoreColumn(table: "ZPOEM", column: "ZTEXT")
        func sentence(chain: String?) -> String {
            CommandWords.column(
                column, chain: chain, version: .number(3), migrated: migrated, current: current, refused: refused)
        }
        #expect(sentence(chain: "Poem") == "ZPOEM.ZTEXT (Poem): \(words)")
        #expect(
            sentence(chain: nil) == "ZPOEM.ZTEXT: \(current) documents belong to no chain, and stay as they are")
    }

    @Test("the messages about a store say whether it was written")
    func store() {
        #expect(
            CommandWords.noChain
                == "none of its documents belongs to a chain this program knows; nothing was written")
        #expect(CommandWords.refused(1) == "1 document cannot be migrated, so none was; nothing was written")
        #expect(
            CommandWords.refused(1, keepsGoing: true)
                == "1 document cannot be migrated, so none was; --keep-going is for files, a store is copied whole or not "
                + "at all; nothing was written")
        #expect(CommandWords.refused(3) == "3 documents cannot be migrated, so none was; nothing was written")
        let store = FilePath("poems.store")
        #expect(
            CommandWords.written(1, besides: store) == "written, with 1 document migrated; poems.store is as it was")
        #expect(
            CommandWords.written(0, besides: store) == "written, with 0 documents migrated; poems.store is as it was")
    }

    // MARK: - trace

    @Test("the outcome of a document is described after its sign")
    func outcome() throws {
        let current = try Document(json: Poems.current)
        #expect(MigrationTrace(source: "a", target: .number(3)).outcomeWords == "✓ already version 3")
        #expect(
            MigrationTrace(source: "a", target: .number(3), rewriting: .made(current)).outcomeWords
                == "✓ migrated to version 3")
        #expect(MigrationTrace(source: "a", opening: .failed(Poems.ratingFailure)).outcomeWords == "✗ failed")
        let unrecognized = MigrationTrace(source: "a", opening: .unrecognized([]))
        #expect(unrecognized.outcomeWords == "? \([Reason]().unrecognizedSentence)")
        let unreadable = MigrationFailure(.unreadable(problem: .permissionDenied))
        #expect(MigrationTrace(source: "a", opening: .failed(unreadable)).outcomeWords == "✗ unreadable")
    }

    @Test("the message about standard output says that it could not be written")
    func console() {
        #expect(ConsoleError(message: "cut short").description == "standard output could not be written: cut short")
    }
}
