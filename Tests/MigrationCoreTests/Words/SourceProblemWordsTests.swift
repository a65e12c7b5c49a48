import Testing

@testable import MigrationCore

@Suite("The sentences about bytes that cannot be read or written")
struct SourceProblemWordsTests {
    @Test(
        "say what is wrong, and what would be right",
        arguments: [
            (
                SourceProblem.isSpecialFile(.namedPipe),
                "a named pipe, which is never opened; name a file, or pipe it in and name it '-'"
            ),
            (.noSuchLine(lineCount: 1), "no such line; the file has 1 line, and empty ones are no documents"),
            (.system(message: "No space left on device"), "no space left on device"),
            (.store(.notDatabase(byteCount: 0)), "file is not a database: it is empty, so nothing can be read from it"),
            (
                .store(.cutShort(byteCount: 60, expected: 100)),
                "a SQLite database that was cut short: it has 60 bytes of 100; copy it again from where it came"
            ),
            (.store(.noSuchTable("BOK", known: ["BOOK"])), "the store has no table BOK; did you mean BOOK?"),
            (
                .store(.noSuchColumn("Q", table: "BOOK", known: ["ID", "META"])),
                "the table BOOK has no column Q; it has ID, META"
            ),
            (
                .store(.noSuchRow(key: "999", table: "BOOK", keyColumns: ["ID"])),
                "the table BOOK has no row 999; its rows are named by ID"
            ),
            (
                .store(.noDocumentColumn("BOOK.ID", because: .namesRows)),
                "the column BOOK.ID names the rows of its table; name one that holds documents"
            ),
            (
                .store(.belongsToStore(path: "a.store")),
                "no document: SQLite keeps it beside the store a.store; name that one"
            ),
        ])
    func sentence(problem: SourceProblem, sentence: String) {
        #expect(problem.description == sentence)
        #expect(Reason.unreadable(problem: problem).description == sentence)
    }
}
