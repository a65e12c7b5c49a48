import Foundation
import MigrationCore
import TestSupport
import Testing

@testable import DocumentSources

@Suite("Problems of stores")
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

    /// Returns the path of the store with some bytes changed.
    private func damaged(_ change: (inout Data) -> Void) throws -> String {
        var bytes = try folder.data("a.store")
        change(&bytes)
        return try folder.write(bytes, to: "b.store")
    }

    /// The problem that a walk reports if it is given only the store.
    private func problem(_ path: String) throws -> StoreProblem {
        var problems: [StoreProblem] = []
        try DocumentWalker([GivenName(FilePath(path))]).walk { documents in
            for document in documents {
                if case .store(let problem) = document.problem?.reason { problems.append(problem) }
                #expect(document.isGiven && document.problem?.source == path)
            }
        }
        #expect(problems.count == 1)
        return try #require(problems.first)
    }

    @Test("an encrypted store, or anything else that does not begin as a database, is reported")
    func notDatabase() throws {
        let path = try folder.write(Data((0..<8192).map { UInt8(truncatingIfNeeded: $0 * 151 + 7) }), to: "b.store")
        #expect(try problem(path) == .notDatabase(byteCount: 8192))
    }

    @Test("a store that is encrypted after its first bytes is reported, because encryption may leave these plain")
    func encryptedBehindTheHeader() throws {
        for plainLength in [16, 32, 100] {
            let path = try damaged { bytes in
                for index in plainLength..<bytes.count { bytes[index] = UInt8(truncatingIfNeeded: index * 151 + 7) }
            }
            #expect(try problem(path) == .scrambled)
        }
        let pageSize = try damaged { $0.replaceSubrange(16..<18, with: [0, 3]) }
        #expect(try problem(pageSize) == .scrambled)
    }

    @Test("an empty store is reported")
    func empty() throws {
        let path = try folder.write(Data(), to: "b.store")
        #expect(try problem(path) == .notDatabase(byteCount: 0))
    }

    @Test("a store that is cut short is reported, even if only one byte is missing")
    func cutShort() throws {
        let size = try folder.data("a.store").count
        let path = try damaged { $0 = $0.prefix(10_000) }
        #expect(try problem(path) == .cutShort(byteCount: 10_000, expected: size))
        let almost = try damaged { $0 = $0.dropLast() }
        #expect(try problem(almost) == .cutShort(byteCount: size - 1, expected: size))
        let stump = try damaged { $0 = $0.prefix(60) }
        guard case .cutShort(byteCount: 60, _) = try problem(stump) else {
            Issue.record("\(try problem(stump))")
            return
        }
    }

    @Test("a store that is damaged in the schema, or in a table after documents were found in it, is reported")
    func corrupt() throws {
        let schema = try damaged { $0.replaceSubrange(101..<4096, with: Data(repeating: 0xA5, count: 3995)) }
        guard case .damaged = try problem(schema) else {
            Issue.record("\(try problem(schema))")
            return
        }
        let table = try damaged { bytes in
            for page in 20..<30 {
                bytes.replaceSubrange(page * 4096..<page * 4096 + 8, with: Data(repeating: 0xA5, count: 8))
            }
        }
        guard case .damaged = try problem(table) else {
            Issue.record("\(try problem(table))")
            return
        }
    }

    @Test("a store of a newer format is reported")
    func newer() throws {
        let version = try damaged { $0[19] = 3 }
        #expect(try problem(version) == .newerFormat(.readVersion(3)))
        let schema = try damaged { $0[47] = 9 }
        #expect(try problem(schema) == .newerFormat(.schemaFormat(9)))
    }

    @Test("a problem of a store found in a folder is reported, and not only counted")
    func inFolder() throws {
        let size = try folder.data("a.store").count
        _ = try damaged { $0 = $0.prefix(10_000) }
        var problems: [String: SourceProblem] = [:]
        try DocumentWalker([GivenName(FilePath(folder.path))]).walk { documents in
            for document in documents where !document.isGiven {
                if let problem = document.problem { problems[folder.relative(document.name)] = problem.reason }
            }
        }
        #expect(problems == ["b.store": .store(.cutShort(byteCount: 10_000, expected: size))])
    }

    @Test(
        "a missing table, column or row is reported, and so is an empty cell",
        arguments: [
            ("BOK/1/META", .noSuchTable("BOK", known: ["BOOK", "NAMELESS"])),
            ("BOOK/1/META2", .noSuchColumn("META2", table: "BOOK", known: ["ID", "META"])),
            ("BOOK/1/Q", .noSuchColumn("Q", table: "BOOK", known: ["ID", "META"])),
            ("BOOK/999/META", .noSuchRow(key: "999", table: "BOOK", keyColumns: ["ID"])),
            ("BOOK/1,2/META", .noSuchRow(key: "1,2", table: "BOOK", keyColumns: ["ID"])),
            ("BOOK/2/META", .emptyCell),
            ("BOOK/3/META", .emptyCell),
        ] as [(String, StoreProblem)])
    func missing(part: String, problem: StoreProblem) throws {
        let name = folder.path("a.store") + "#" + part
        let error = try #require(throws: SourceError.self) {
            try GivenName(FilePath(name)).document.read()
        }
        #expect(error == SourceError(source: name, reason: .store(problem)))
    }

    @Test("a whole store in place of a document is reported")
    func whole() throws {
        let error = try #require(throws: SourceError.self) {
            try GivenName(FilePath(folder.path("a.store"))).document.read()
        }
        #expect(error.reason == .store(.wholeStore))
    }

    @Test(
        "a column on the command line that is missing or cannot hold documents is reported",
        arguments: [
            ("BOOK.MTEA", .noSuchColumn("MTEA", table: "BOOK", known: ["ID", "META"])),
            ("BOKS.META", .noSuchTable("BOKS", known: ["BOOK", "NAMELESS"])),
            ("META", .columnWithoutTable("META")),
            ("NAMELESS.META", .noDocumentColumn("NAMELESS.META", because: .rowsWithoutNames)),
            ("BOOK.ID", .noDocumentColumn("BOOK.ID", because: .namesRows)),
        ] as [(String, StoreProblem)])
    func columns(name: String, problem: StoreProblem) throws {
        let error = try #require(throws: SourceError.self) {
            try DocumentStore(FilePath(folder.path("a.store"))).documentColumns(named: [name])
        }
        #expect(error.reason == .store(problem))
    }
}
