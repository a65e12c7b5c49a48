import Foundation
import TestSupport
import Testing

@testable import DocumentSources

@Suite("What is wrong with a store is said in one sentence")
struct StoreProblemTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try StoreWriter.make(
            folder.path("a.store"), "CREATE TABLE BOOK (ID INTEGER PRIMARY KEY, META TEXT)",
            "INSERT INTO BOOK VALUES (1, '{}'), (2, ''), (3, NULL)",
            "CREATE TABLE NAMELESS (rowid TEXT, _rowid_ TEXT, oid TEXT, META TEXT)",
            "INSERT INTO NAMELESS VALUES ('1', '2', '3', '{}')",
            "WITH RECURSIVE N(I) AS (SELECT 4 UNION ALL SELECT I + 1 FROM N WHERE I < 400) "
                + "INSERT INTO BOOK SELECT I, '{\"n\":\"' || printf('%.500c', 'x') || '\"}' FROM N")
    }

    /// The store with bytes of it changed.
    private func damaged(_ change: (inout Data) -> Void) throws -> String {
        var bytes = try folder.data("a.store")
        change(&bytes)
        return try folder.write(bytes, to: "b.store")
    }

    /// What a walk says that is given the store and nothing else.
    private func sentence(_ path: String) throws -> String {
        var sentences: [String] = []
        try DocumentWalker([GivenName(FilePath(path))]).walk { documents in
            for document in documents {
                sentences += [document.problem?.message].compactMap(\.self)
                #expect(document.isGiven && document.problem?.source == path)
            }
        }
        #expect(sentences.count == 1)
        return sentences.first ?? ""
    }

    @Test("encrypted, or anything else that does not begin as a database")
    func notDatabase() throws {
        let path = try folder.write(Data((0..<8192).map { UInt8(truncatingIfNeeded: $0 * 151 + 7) }), to: "b.store")
        #expect(
            try sentence(path).hasPrefix(
                "file is not a database: it does not begin as one of SQLite; if it is encrypted"))
    }

    @Test("encrypted behind its first bytes, which encryption may leave plain for systems that look at them")
    func encryptedBehindTheHeader() throws {
        for plainLength in [16, 32, 100] {
            let path = try damaged { bytes in
                for index in plainLength..<bytes.count { bytes[index] = UInt8(truncatingIfNeeded: index * 151 + 7) }
            }
            #expect(try sentence(path).contains("those behind them make no sense: it is damaged or encrypted"))
        }
        let pageSize = try damaged { $0.replaceSubrange(16..<18, with: [0, 3]) }
        #expect(try sentence(pageSize).contains("those behind them make no sense: it is damaged or encrypted"))
    }

    @Test("empty")
    func empty() throws {
        let path = try folder.write(Data(), to: "b.store")
        #expect(try sentence(path) == "file is not a database: it is empty, so nothing can be read from it")
    }

    @Test("cut short, be it by one byte")
    func cutShort() throws {
        let size = try folder.data("a.store").count
        let path = try damaged { $0 = $0.prefix(10_000) }
        #expect(
            try sentence(path)
                == "a SQLite database that was cut short: it has 10000 bytes of \(size); copy it again from where it came"
        )
        let almost = try damaged { $0 = $0.dropLast() }
        #expect(try sentence(almost).hasPrefix("a SQLite database that was cut short: it has \(size - 1) bytes of"))
        let stump = try damaged { $0 = $0.prefix(60) }
        #expect(try sentence(stump).hasPrefix("a SQLite database that was cut short: it has 60 bytes"))
    }

    @Test("damaged in the schema, and damaged in a table after documents were found in it")
    func corrupt() throws {
        let schema = try damaged { $0.replaceSubrange(101..<4096, with: Data(repeating: 0xA5, count: 3995)) }
        #expect(try sentence(schema).hasPrefix("a damaged SQLite database ("))
        let table = try damaged { bytes in
            for page in 20..<30 {
                bytes.replaceSubrange(page * 4096..<page * 4096 + 8, with: Data(repeating: 0xA5, count: 8))
            }
        }
        #expect(try sentence(table).hasPrefix("a damaged SQLite database ("))
    }

    @Test("of a newer format")
    func newer() throws {
        let version = try damaged { $0[19] = 3 }
        #expect(try sentence(version).contains("newer format than this program's SQLite reads (read version 3,"))
        let schema = try damaged { $0[47] = 9 }
        #expect(try sentence(schema).contains("newer format than this program's SQLite reads (schema format 9,"))
    }

    @Test("found in a folder, it is reported too, and not only counted")
    func inFolder() throws {
        _ = try damaged { $0 = $0.prefix(10_000) }
        var problems: [String] = []
        try DocumentWalker([GivenName(FilePath(folder.path))]).walk { documents in
            for document in documents where !document.isGiven {
                guard let problem = document.problem else { continue }
                problems.append("\(folder.relative(document.name)): \(problem.message.prefix(40))")
            }
        }
        #expect(problems == ["b.store: a SQLite database that was cut short: it"])
    }

    @Test(
        "a table, a column, a row that is not there, and a cell with nothing in it",
        arguments: [
            ("BOK/1/META", "the store has no table BOK; did you mean BOOK?"),
            ("BOOK/1/META2", "the table BOOK has no column META2; did you mean META?"),
            ("BOOK/1/Q", "the table BOOK has no column Q; it has ID, META"),
            ("BOOK/999/META", "the table BOOK has no row 999; its rows are named by ID"),
            ("BOOK/1,2/META", "the table BOOK has no row 1,2; its rows are named by ID"),
            ("BOOK/2/META", "the cell is empty (NULL or of no length), and empty cells are no documents"),
            ("BOOK/3/META", "the cell is empty (NULL or of no length), and empty cells are no documents"),
        ])
    func missing(part: String, sentence: String) throws {
        let name = folder.path("a.store") + "#" + part
        let error = try #require(throws: SourceError.self) {
            try GivenName(FilePath(name)).document.read()
        }
        #expect(error.description == "\(name): \(sentence)")
    }

    @Test("a whole store where one document was wanted")
    func whole() throws {
        let error = try #require(throws: SourceError.self) {
            try GivenName(FilePath(folder.path("a.store"))).document.read()
        }
        #expect(
            error.message
                == "a SQLite store, where one document was wanted; a cell of it is named FILE#TABLE/KEY/COLUMN")
    }

    @Test(
        "a column on the command line that is none, or cannot hold documents",
        arguments: [
            ("BOOK.MTEA", "the table BOOK has no column MTEA; did you mean META?"),
            ("BOKS.META", "the store has no table BOKS; did you mean BOOK?"),
            ("META", "'META' names no column of a table; a column is named TABLE.COLUMN"),
            (
                "NAMELESS.META",
                "the column NAMELESS.META is of a table whose rows have no names, for its columns have taken rowid, "
                    + "_rowid_ and oid; name one that holds documents"
            ),
            ("BOOK.ID", "the column BOOK.ID names the rows of its table; name one that holds documents"),
        ])
    func columns(name: String, sentence: String) throws {
        let error = try #require(throws: SourceError.self) {
            try DocumentStore(FilePath(folder.path("a.store"))).documentColumns(named: [name])
        }
        #expect(error.message == sentence)
    }
}
