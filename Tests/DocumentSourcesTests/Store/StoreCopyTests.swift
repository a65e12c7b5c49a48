import Foundation
import MigrationCore
import TestSupport
import Testing

@testable import DocumentSources

@Suite("Copies of stores")
struct StoreCopyTests {
    private let folder: TemporaryFolder
    private let column = StoreColumn(table: "T", column: "META")

    init() throws { folder = try TemporaryFolder() }

    private func make(_ statements: String...) throws -> DocumentStore {
        let writer = try StoreWriter(
            folder.path("a"), "CREATE TABLE T (ID INTEGER PRIMARY KEY, META)",
            "INSERT INTO T VALUES (1, '{\"a\":1}'), (2, CAST('{\"a\":2}' AS BLOB)), (3, NULL)")
        for statement in statements { try writer.execute(statement) }
        writer.quit()
        return try DocumentStore(FilePath(folder.path("a")))
    }

    private func replaceAll(in copy: StoreCopy) throws {
        var cells: [StoreCopy.Cell] = []
        try copy.forEachCell(of: column) { cells.append($0) }
        for cell in cells {
            try copy.replace(
                cell, with: Data(cell.bytes.string(in: 0..<cell.bytes.count).replacing("a", with: "b").utf8))
        }
    }

    @Test("a copy has replaced text as text and blobs as blobs, and all else, like the original, is unchanged")
    func replacing() throws {
        let store = try make()
        let before = try folder.data("a")
        let copy = try StoreCopy(of: store, at: FilePath(folder.path("b")))
        try replaceAll(in: copy)
        #expect(try folder.names().filter { !$0.hasPrefix(".") } == ["a"])
        try copy.save()
        let reader = try StoreWriter(folder.path("b"))
        #expect(
            try reader.execute("SELECT *, typeof(META) FROM T")
                == #"[(1, '{"b":1}', 'text'), (2, b'{"b":2}', 'blob'), (3, None, 'null')]"#)
        #expect(try reader.execute("PRAGMA integrity_check") == "[('ok',)]")
        reader.quit()
        #expect(try folder.data("a") == before)
    }

    @Test("every cell is visited once, even in several batches", arguments: [63, 64, 65, 128, 300])
    func batches(count: Int) throws {
        let store = try make(
            "DELETE FROM T",
            "WITH RECURSIVE N(I) AS (SELECT 1 UNION ALL SELECT I + 1 FROM N WHERE I < \(count)) "
                + "INSERT INTO T SELECT I, '{\"a\":' || I || '}' FROM N")
        let copy = try StoreCopy(of: store, at: FilePath(folder.path("b")))
        var names: [String] = []
        try copy.forEachCell(of: column) { names.append($0.reference.name) }
        #expect(names == (1...count).map { "\(folder.path("a"))#T/\($0)/META" })
        try replaceAll(in: copy)
        try copy.save()
        let reader = try StoreWriter(folder.path("b"))
        #expect(try reader.execute("SELECT count(*) FROM T WHERE META LIKE '{\"b\":%'") == "[(\(count),)]")
        reader.quit()
    }

    @Test("a copy that is not saved leaves no files")
    func abandoned() throws {
        do {
            let copy = try StoreCopy(of: try make(), at: FilePath(folder.path("b")))
            try replaceAll(in: copy)
        }
        #expect(try folder.names() == ["a"])
    }

    @Test("a copy keeps a log if the original does, has the content of that log, and needs no other file")
    func log() throws {
        let store = try make("PRAGMA journal_mode = WAL")
        let writer = try StoreWriter(folder.path("a"), "INSERT INTO T VALUES (4, '{\"a\":4}')")
        let before = try FilesAsTheyAre(folder)
        let copy = try StoreCopy(of: store, at: FilePath(folder.path("b")))
        try replaceAll(in: copy)
        try copy.save()
        #expect(try folder.names().filter { $0.hasPrefix("b") } == ["b"])
        #expect(rename(folder.path("b"), folder.path("c")) == 0)
        let reader = try StoreWriter(folder.path("c"))
        #expect(try reader.execute("PRAGMA journal_mode") == "[('wal',)]")
        #expect(try reader.execute("SELECT META FROM T WHERE ID = 4") == #"[('{"b":4}',)]"#)
        reader.quit()
        unlink(folder.path("c"))
        // Apart from the hidden folder that a copy has until it ends.
        #expect(try folder.names().filter { !$0.hasPrefix(".") } == before.names)
        writer.quit()
    }

    @Test("a copy has the content of a log that the file does not mention")
    func logBesides() throws {
        _ = try make("PRAGMA journal_mode = WAL")
        let writer = try StoreWriter(folder.path("a"), "INSERT INTO T VALUES (4, '{\"a\":4}')")
        // As if a program had ended log mode without removing the log, and another one had continued with it.
        let file = try FileHandle(forUpdating: URL(filePath: folder.path("a")))
        try file.seek(toOffset: 18)
        try file.write(contentsOf: Data([1, 1]))
        try file.close()
        let copy = try StoreCopy(of: try DocumentStore(FilePath(folder.path("a"))), at: FilePath(folder.path("b")))
        try replaceAll(in: copy)
        try copy.save()
        let reader = try StoreWriter(folder.path("b"))
        #expect(try reader.execute("SELECT META FROM T WHERE ID = 4") == #"[('{"b":4}',)]"#)
        reader.quit()
        writer.quit()
    }

    @Test("large cells are replaced in separate transactions")
    func large() throws {
        let store = try make(
            "DELETE FROM T",
            "WITH RECURSIVE N(I) AS (SELECT 1 UNION ALL SELECT I + 1 FROM N WHERE I < 5) "
                + "INSERT INTO T SELECT I, '{\"a\":\"' || hex(zeroblob(1500000)) || '\"}' FROM N")
        let copy = try StoreCopy(of: store, at: FilePath(folder.path("b")))
        try replaceAll(in: copy)
        try copy.save()
        let reader = try StoreWriter(folder.path("b"))
        #expect(try reader.execute("SELECT count(*) FROM T WHERE META LIKE '{\"b\":%'") == "[(5,)]")
        #expect(try reader.execute("PRAGMA integrity_check") == "[('ok',)]")
        reader.quit()
    }

    @Test("a copy is readable only by those who may read the store", arguments: [0o600, 0o640, 0o644] as [mode_t])
    func rights(mode: mode_t) throws {
        let store = try make()
        chmod(folder.path("a"), mode)
        let copy = try StoreCopy(of: store, at: FilePath(folder.path("b")))
        try copy.save()
        let status = try #require(FileStatus(path: FilePath(folder.path("b"))))
        #expect(status.permissions & ~mode == 0 && status.permissions & 0o600 == 0o600)
    }

    @Test("a store is found, read, named and copied under a name that is not UTF-8")
    func bytes() throws {
        _ = try make("PRAGMA journal_mode = WAL")
        let path = FilePath(Array(folder.path("caf").utf8) + [0xE9] + Array("%20?#".utf8))
        #expect(rename(folder.path("a"), path.cString) == 0)
        let store = try #require(GivenName(path).store)
        let cell = try #require(try store.cells("T", "META").first)
        #expect(cell.name == folder.path(#"caf\xE9%20?##T/1/META"#))
        #expect(try GivenName(FilePath(cell.name)).document.read().data == Data(#"{"a":1}"#.utf8))
        let copy = try StoreCopy(of: store, at: path + ".new")
        try replaceAll(in: copy)
        try copy.save()
        #expect(try DocumentStore(path + ".new").texts("T", "META").first == #"{"b":1}"#)
        for name in [path, path + ".new"] { unlink(name.cString) }
    }

    /// Returns what keeps a store from being changed, or nil if the copy is made.
    private func problem(_ statements: [String]) throws -> StoreProblem? {
        let writer = try StoreWriter(
            folder.path("a"), "CREATE TABLE T (ID INTEGER PRIMARY KEY, META, NOTE)",
            "INSERT INTO T VALUES (1, '{\"a\":1}', 'x'), (2, '{\"b\":1}', 'y'), (3, NULL, 'z')")
        for statement in statements { try writer.execute(statement) }
        writer.quit()
        let copy = try StoreCopy(of: DocumentStore(FilePath(folder.path("a"))), at: FilePath(folder.path("b")))
        do { try replaceAll(in: copy) } catch let error as SourceError {
            guard case .store(let problem) = error.reason else { throw error }
            return problem
        }
        try copy.save()
        let reader = try StoreWriter(folder.path("b"))
        #expect(try reader.execute("SELECT ID, META, NOTE FROM T") == expected)
        #expect(try reader.execute("PRAGMA integrity_check") == "[('ok',)]")
        reader.quit()
        return nil
    }

    private let expected = #"[(1, '{"b":1}', 'x'), (2, '{"b":1}', 'y'), (3, None, 'z')]"#

    @Test(
        "a copy is refused if triggers, full-text indexes or other virtual tables depend on the replaced cells",
        arguments: [
            (["CREATE TRIGGER G AFTER UPDATE ON T BEGIN DELETE FROM T WHERE ID = 3; END"], .trigger("G")),
            (["CREATE TRIGGER \"DELETE\" UPDATE OF NOTE, [meta] ON T BEGIN SELECT 1; END"], .trigger("DELETE")),
            (
                ["CREATE TRIGGER G /* INSERT */ BEFORE UPDATE OF \"META\" ON t BEGIN SELECT RAISE(ABORT, 'no'); END"],
                .trigger("G")
            ),
            (["CREATE VIRTUAL TABLE F USING fts5(META, content='T', content_rowid='ID')"], .fullTextIndex("F")),
            (["CREATE VIRTUAL TABLE F USING fts4(content=\"t\", META)"], .fullTextIndex("F")),
            (
                ["CREATE VIEW V AS SELECT * FROM T", "CREATE VIRTUAL TABLE F USING fts5(META, content = v)"],
                .fullTextIndex("F")
            ),
            (
                [
                    "CREATE INDEX I ON T(lower(META))", "PRAGMA writable_schema = ON",
                    "UPDATE sqlite_schema SET sql = replace(sql, 'lower', 'mine') WHERE name = 'I'",
                ], .addition(message: "unknown function: mine()")
            ),
        ] as [([String], StoreDependent)])
    func dependents(statements: [String], dependent: StoreDependent) throws {
        #expect(try problem(statements) == .hasDependent(column: "T.META", dependent))
    }

    @Test("a copy is refused for a table in which a virtual table of an unknown module keeps its content")
    func unknownModule() throws {
        let store = try make(
            "CREATE TABLE X_DATA (ID INTEGER PRIMARY KEY, META)", "INSERT INTO X_DATA SELECT * FROM T",
            "PRAGMA writable_schema = ON",
            "INSERT INTO sqlite_schema VALUES ('table', 'x', 'x', 0, 'CREATE VIRTUAL TABLE x USING mine(a)')")
        let copy = try StoreCopy(of: store, at: FilePath(folder.path("b")))
        var cells: [StoreCopy.Cell] = []
        try copy.forEachCell(of: StoreColumn(table: "X_DATA", column: "META")) { cells.append($0) }
        let error = #expect(throws: SourceError.self) { try copy.replace(cells[0], with: Data("{}".utf8)) }
        #expect(error?.reason == .store(.hasDependent(column: "X_DATA.META", .virtualTable("x"))))
        #expect(error?.source == folder.path("a"))
    }

    @Test("a value many times as long as the store is not made, even if a constraint asks for it")
    func hugeConstraint() throws {
        let store = try make(
            "CREATE TABLE C (ID INTEGER PRIMARY KEY, META CHECK (length(zeroblob(200000000) || META) > 0))",
            "PRAGMA ignore_check_constraints = ON", "INSERT INTO C SELECT * FROM T")
        let copy = try StoreCopy(of: store, at: FilePath(folder.path("b")))
        var cells: [StoreCopy.Cell] = []
        try copy.forEachCell(of: StoreColumn(table: "C", column: "META")) { cells.append($0) }
        let error = #expect(throws: SourceError.self) { try copy.replace(cells[0], with: Data("{}".utf8)) }
        #expect(error.map { "\($0)" }?.contains("too big") == true)
    }

    @Test("a copy has a value that is only in the log and far longer than the file")
    func longInLog() throws {
        let writer = try StoreWriter(
            folder.path("a"), "PRAGMA journal_mode = WAL", "PRAGMA wal_autocheckpoint = 0",
            "CREATE TABLE T (ID INTEGER PRIMARY KEY, META)",
            #"INSERT INTO T VALUES (1, '{"a":"' || hex(zeroblob(35000000)) || '"}')"#)
        defer { writer.quit() }
        let copy = try StoreCopy(of: DocumentStore(FilePath(folder.path("a"))), at: FilePath(folder.path("b")))
        var lengths: [Int] = []
        try copy.forEachCell(of: column) { lengths.append($0.bytes.count) }
        #expect(lengths == [70_000_008])
        try copy.save()
    }

    @Test(
        "a copy is complete if SQLite itself maintains what depends on the cells, or nothing does",
        arguments: [
            ["CREATE TRIGGER G AFTER INSERT ON T BEGIN DELETE FROM T; END"],
            ["CREATE TRIGGER G DELETE ON T BEGIN SELECT 1; END"],
            ["CREATE TRIGGER G AFTER UPDATE OF NOTE ON T BEGIN DELETE FROM T; END"],
            ["CREATE VIRTUAL TABLE F USING fts5(META)", "INSERT INTO F SELECT META FROM T"],
            [
                "CREATE VIRTUAL TABLE F USING fts5(META, content='')",
                "INSERT INTO F(rowid, META) SELECT ID, META FROM T",
            ],
            ["CREATE VIRTUAL TABLE F USING rtree(id, a, b)", "INSERT INTO F VALUES (1, 2, 3)"],
            ["ALTER TABLE T ADD COLUMN A AS (META ->> 'b')", "CREATE INDEX I ON T(A)"],
            ["CREATE INDEX I ON T(json_extract(META, '$.b')) WHERE META LIKE '%b%'"],
            ["CREATE VIEW V AS SELECT META FROM T"],
        ])
    func independents(statements: [String]) throws { #expect(try problem(statements) == nil) }

    @Test(
        "a value that the store refuses is not taken, and no other row is lost for it",
        arguments: [
            ("META CHECK (META NOT LIKE '%b%')", "CHECK constraint failed: META NOT LIKE '%b%'"),
            ("META UNIQUE", "UNIQUE constraint failed: T.META"),
            ("META UNIQUE ON CONFLICT REPLACE", "UNIQUE constraint failed: T.META"),
            ("META UNIQUE ON CONFLICT IGNORE", "UNIQUE constraint failed: T.META"),
            ("META REFERENCES U(META)", "FOREIGN KEY constraint failed"),
        ])
    func refusedValues(column: String, message: String) throws {
        let rows = column.contains("CHECK") ? "(1, '{\"a\":1}')" : "(1, '{\"a\":1}'), (2, '{\"b\":1}')"
        try StoreWriter.make(
            folder.path("a"), "CREATE TABLE U (META UNIQUE)", "INSERT INTO U VALUES ('{\"a\":1}')",
            "CREATE TABLE T (ID INTEGER PRIMARY KEY, \(column))", "INSERT INTO T VALUES \(rows)")
        let copy = try StoreCopy(of: DocumentStore(FilePath(folder.path("a"))), at: FilePath(folder.path("b")))
        var cells: [StoreCopy.Cell] = []
        try copy.forEachCell(of: self.column) { cells.append($0) }
        let error = #expect(throws: SourceError.self) { try copy.replace(cells[0], with: Data("{\"b\":1}".utf8)) }
        #expect(error?.reason == .store(.refusedValue(message: message)))
        #expect(error?.source == folder.path("a") + "#T/1/META")
        try copy.save()
        #expect(
            try DocumentStore(FilePath(folder.path("b"))).texts("T", "META")
                == cells.map { "\($0.bytes.string(in: 0..<$0.bytes.count))" })
    }

    @Test(
        "a copy never replaces a file, or a file that a store has left beside its path",
        arguments: ["b", "b-wal", "b-shm", "b-journal"])
    func taken(name: String) throws {
        let store = try make()
        try folder.write("mine", to: name)
        let error = try #require(throws: SourceError.self) { try StoreCopy(of: store, at: FilePath(folder.path("b"))) }
        #expect(error.reason == .exists && error.source == folder.path(name))
        #expect(try folder.names() == ["a", name])
        #expect(try folder.text(name) == "mine")
    }

    @Test("a copy never replaces a link that leads nowhere, or a file that appears while it is made")
    func takenLater() throws {
        let store = try make()
        try folder.link("c", to: "nothing")
        #expect(throws: SourceError(source: folder.path("c"), reason: .exists)) {
            try StoreCopy(of: store, at: FilePath(folder.path("c")))
        }
        do {
            let copy = try StoreCopy(of: store, at: FilePath(folder.path("b")))
            try folder.write("mine", to: "b")
            #expect(throws: SourceError(source: folder.path("b"), reason: .exists)) { try copy.save() }
        }
        #expect(try folder.text("b") == "mine" && folder.names() == ["a", "b", "c"])
    }

    @Test("a discarded copy leaves no files, and a saved one stays", arguments: [true, false])
    func discarding(isSaved: Bool) throws {
        let copy = try StoreCopy(of: try make(), at: FilePath(folder.path("b")))
        try replaceAll(in: copy)
        if isSaved { try copy.save() }
        copy.discard()
        #expect(try folder.names() == (isSaved ? ["a", "b"] : ["a"]))
        // Discarding it again does no harm, and it can no longer be used.
        copy.discard()
        #expect(throws: SourceError.self) { try copy.forEachCell(of: column) { _ in } }
    }

    @Test("a missing column or store is reported under the name of the original")
    func problems() throws {
        let store = try make()
        let copy = try StoreCopy(of: store, at: FilePath(folder.path("b")))
        let error = try #require(throws: SourceError.self) {
            try copy.forEachCell(of: StoreColumn(table: "T", column: "NOTHING")) { _ in }
        }
        let problem = StoreProblem.noSuchColumn("NOTHING", table: "T", known: ["ID", "META"])
        #expect(error == SourceError(source: folder.path("a"), reason: .store(problem)))
        unlink(folder.path("a"))
        #expect(throws: SourceError(source: folder.path("a"), reason: .noSuchFile)) {
            try StoreCopy(of: store, at: FilePath(folder.path("c")))
        }
        #expect(throws: SourceError(source: folder.path("nothing/b"), reason: .noSuchFile)) {
            try StoreCopy(of: store, at: FilePath(folder.path("nothing/b")))
        }
    }

    @Test("a copy keeps a journal if the original does, and has its tables, indexes and column constraints")
    func schema() throws {
        let store = try make(
            "CREATE UNIQUE INDEX I ON T (META)",
            "CREATE TABLE U (A TEXT PRIMARY KEY, B INTEGER NOT NULL) WITHOUT ROWID",
            "INSERT INTO U VALUES ('x', 1)", "PRAGMA user_version = 7")
        let copy = try StoreCopy(of: store, at: FilePath(folder.path("b")))
        try replaceAll(in: copy)
        try copy.save()
        let (reader, original) = (try StoreWriter(folder.path("b")), try StoreWriter(folder.path("a")))
        for question in ["SELECT type, name, sql FROM sqlite_schema", "SELECT * FROM U", "PRAGMA user_version"] {
            #expect(try reader.execute(question) == original.execute(question))
        }
        #expect(try reader.execute("PRAGMA journal_mode") == "[('delete',)]")
    }

    @Test("a copy may be a file in the current folder")
    func relative() throws {
        let name = "store-copy-\(UUID().uuidString)"
        defer { unlink(name) }
        let copy = try StoreCopy(of: try make(), at: FilePath(name))
        try copy.save()
        #expect(FileManager.default.fileExists(atPath: name))
    }
}
