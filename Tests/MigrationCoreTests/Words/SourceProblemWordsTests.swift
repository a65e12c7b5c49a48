import DocumentModel
import Testing

@testable import MigrationCore

@Suite("Sentences about bytes that cannot be read or written")
struct SourceProblemWordsTests {
    private static let manyColumns = (10..<23).map { "COLUMN\($0)" }

    @Test(
        "a source problem says what is wrong, and what would be right",
        arguments: [
            (SourceProblem.noSuchFile, "no such file or folder"),
            (.brokenLink, "a symbolic link that leads to no file"),
            (
                .permissionDenied,
                "permission denied; every folder on the way must let this user in, and what is read or written there must "
                    + "let this user read or write it"
            ),
            (.readAlready, "can be read only once, and was read already"),
            (.gzip(.notInstalled), "packed by gzip, and no gzip program is on the PATH"),
            (
                .gzip(.damaged(byteCount: 120_400, message: "crc error")),
                "gzip: damaged after 120 KB of what was packed (crc error), so none of it can be relied on; copy it again "
                    + "from where it came, or see what gzip -cd gives of it"
            ),
            (
                .gzip(.damaged(byteCount: 999, message: "")),
                "gzip: damaged after 999 bytes of what was packed, so none of it can be relied on; copy it again "
                    + "from where it came, or see what gzip -cd gives of it"
            ),
            (
                .gzip(.damaged(byteCount: 12_345_678, message: "")),
                "gzip: damaged after 12.3 MB of what was packed, so none of it can be relied on; copy it again "
                    + "from where it came, or see what gzip -cd gives of it"
            ),
            (
                .gzip(.store),
                "a SQLite store that gzip has packed; unpack it (gunzip FILE), and name what comes out"
            ),
            (.gzip(.failed(message: "no")), "gzip says: no"),
            (.isFolder, "a folder, where one document was wanted; name a file in it"),
            (
                .isSpecialFile(.namedPipe),
                "a named pipe, which is never opened; name a file, or pipe it in and name it '-'"
            ),
            (.isSpecialFile(.socket), "a socket, which is never opened; name a file, or pipe it in and name it '-'"),
            (.isSpecialFile(.device), "a device, which is never opened; name a file, or pipe it in and name it '-'"),
            (
                .isSpecialFile(.other),
                "a special file, which is never opened; name a file, or pipe it in and name it '-'"
            ),
            (
                .tooLarge(byteCount: 5_000_000_000),
                "5000000000 bytes; a document must be smaller than 4 GiB (\(Document.largestSourceLength) bytes)"
            ),
            (.noSuchLine(lineCount: 1), "no such line; the file has 1 line, and empty ones are no documents"),
            (.noSuchLine(lineCount: 2), "no such line; the file has 2 lines, and empty ones are no documents"),
            (.linesNotInUTF8, "a JSON Lines file that is not UTF-8; convert it (iconv -t UTF-8) and try again"),
            (.exists, "exists already, and a store is never written over; name a file that does not exist"),
            (
                .backupExists(path: "a.json.bak"),
                "its backup would be a.json.bak, which exists already; move that away first"
            ),
            (
                .ownerNotKept(owner: 501, group: 20),
                """
                it belongs to user 501 and group 20, and this user cannot give them the file that would replace it; \
                run this as that user, or write to another file with --output
                """
            ),
            (
                .attributeNotKept(name: "user.tag"),
                """
                it has the extended attribute or access control list 'user.tag', which cannot be given to the file that \
                would replace it; remove it, or write to another file with --output
                """
            ),
            (.system(message: "No space left on device"), "no space left on device"),
            (.shortage(message: "this process may open no more files"), "this process may open no more files"),
            (.unusablePath(message: "File name too long"), "file name too long"),
            (
                .git(.isSpecialFile(path: ".git/HEAD", .namedPipe)),
                ".git/HEAD is a named pipe, where git keeps a file of its own, and git would read it without end"
            ),
            (
                .git(.noAnswer(seconds: 10, folder: "/docs")),
                """
                git gave no answer within 10 seconds in /docs, and was ended; it waits for a file that something else \
                holds, or for a disk
                """
            ),
            (.other(because: .thrown(message: "no key for it")), "no key for it"),
            (.cancelled, "given up before it was read"),
        ] as [(SourceProblem, String)])
    func sentence(problem: SourceProblem, sentence: String) {
        #expect(problem.description == sentence)
        #expect(Reason.unreadable(problem: problem).description == sentence)
    }

    @Test(
        "a store problem says what is wrong, and what would be right",
        arguments: [
            (StoreProblem.locked, "locked by another program that is writing to it; close that program, or try again"),
            (
                .neverStill,
                """
                another program keeps writing to it, so that no moment of it could be copied; close that program, or \
                try again
                """
            ),
            (
                .readerTimedOut(seconds: 10),
                """
                the process that reads it was ended, because it said nothing for 10 s; a larger --time-limit waits longer
                """
            ),
            (
                .tookTooLong(seconds: 10),
                """
                SQLite was at it for more than 10 s: a constraint, an index or a column of the table may be that slow; a \
                larger --time-limit waits longer
                """
            ),
            (
                .damaged(detail: "row 3 is missing"),
                """
                a damaged SQLite database (row 3 is missing); what is left of it can be saved with sqlite3's .recover \
                command
                """
            ),
            (
                .cutShort(byteCount: 60, expected: 100),
                "a SQLite database that was cut short: it has 60 bytes of 100; copy it again from where it came"
            ),
            (
                .hasDependent(column: "T.DOC", .trigger("G")),
                """
                the documents of T.DOC cannot be migrated here: the trigger G acts when they change, and triggers are \
                not run; migrate them in the app
                """
            ),
            (
                .hasDependent(column: "T.DOC", .fullTextIndex("F")),
                """
                the documents of T.DOC cannot be migrated here: the full-text index F is made of them, and would go \
                stale; migrate them in the app
                """
            ),
            (
                .hasDependent(column: "T.DOC", .virtualTable("F")),
                """
                the documents of T.DOC cannot be migrated here: they are kept for the virtual table F, which would go \
                stale; migrate them in the app
                """
            ),
            (
                .hasDependent(column: "T.DOC", .addition(message: "unknown function: f()")),
                """
                the documents of T.DOC cannot be migrated here: their table needs what the app adds to SQLite (unknown \
                function: f()); migrate them in the app
                """
            ),
            (
                .refusedValue(message: "CHECK constraint failed: a"),
                "the store does not take what the document becomes: CHECK constraint failed: a"
            ),
            (.notDatabase(byteCount: 0), "file is not a database: it is empty, so nothing can be read from it"),
            (
                .notDatabase(byteCount: nil),
                """
                file is not a database: it does not begin as one of SQLite; if it is encrypted (SQLCipher does that), \
                name a decrypted copy of it
                """
            ),
            (
                .scrambled,
                """
                a SQLite database by its first bytes, but the bytes after them make no sense: it is damaged or encrypted; \
                copy it again from where it came, or name a decrypted copy of it
                """
            ),
            (
                .newerFormat(.readVersion(3)),
                """
                a SQLite database in a newer format than this program's SQLite reads (read version 3, where 2 is the \
                newest known); update SQLite
                """
            ),
            (
                .newerFormat(.schemaFormat(9)),
                """
                a SQLite database in a newer format than this program's SQLite reads (schema format 9, where 4 is the \
                newest known); update SQLite
                """
            ),
            (.noSuchTable("BOK", known: ["BOOK"]), "the store has no table BOK; did you mean BOOK?"),
            (.noSuchTable("BOOK", known: []), "the store has no table BOOK"),
            (
                .noSuchColumn("Q", table: "BOOK", known: ["ID", "META"]),
                "the table BOOK has no column Q; it has ID, META"
            ),
            (
                .noSuchColumn("Q", table: "T", known: manyColumns),
                "the table T has no column Q; it has \(manyColumns.prefix(12).joined(separator: ", ")), …"
            ),
            (.columnWithoutTable("META"), "'META' names no column of a table; a column is named TABLE.COLUMN"),
            (
                .noDocumentColumn("BOOK.SUM", because: .isComputed),
                "the column BOOK.SUM is computed from others; name one that holds documents"
            ),
            (
                .noDocumentColumn("BOOK.META", because: .rowsWithoutNames),
                """
                the column BOOK.META is of a table whose rows have no names, for its columns have taken rowid, _rowid_ \
                and oid; name one that holds documents
                """
            ),
            (
                .noDocumentColumn("BOOK.ID", because: .namesRows),
                "the column BOOK.ID names the rows of its table; name one that holds documents"
            ),
            (
                .noSuchRow(key: "999", table: "BOOK", keyColumns: ["ID", "PAGE"]),
                "the table BOOK has no row 999; its rows are named by ID,PAGE"
            ),
            (.emptyCell, "the cell is empty (NULL or of no length), and empty cells are no documents"),
            (.wholeStore, "a SQLite store, where one document was wanted; a cell of it is named FILE#TABLE/KEY/COLUMN"),
            (
                .belongsToStore(path: "a.store"),
                "no document: SQLite keeps it beside the store a.store; name that one"
            ),
            (
                .noDocuments,
                """
                no column of the store looks as if it held JSON or property lists; one can be named: \
                --column TABLE.COLUMN
                """
            ),
            (
                .noDocumentsInModels,
                """
                no JSON here; a store of SwiftData or Core Data keeps a Codable value in columns of its own, one for each \
                field, and the app migrates it with the store, unless the attribute is stored as data (as with \
                @Attribute(.transformable(by:))); a column that holds such data can be named: --column TABLE.COLUMN
                """
            ),
            (.sqlite(code: 21, message: "bad parameter"), "SQLite says: bad parameter"),
        ] as [(StoreProblem, String)])
    func store(problem: StoreProblem, sentence: String) {
        #expect(problem.description == sentence)
        #expect(SourceProblem.store(problem).description == sentence)
    }
}
