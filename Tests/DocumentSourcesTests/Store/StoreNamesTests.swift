import DocumentModel
import Foundation
import MigrationCore
import TestSupport
import Testing

@testable import DocumentSources

@Suite("Names in a store")
struct StoreNamesTests {
    /// Names that would select from another table if they were run as SQL.
    private static let injections = [
        "\"\u{301} UNION SELECT 1, WORD FROM SECRET --", "T\"\u{FE0F}, SECRET --", "\"\u{200D} = WORD FROM SECRET --",
    ]

    /// Makes a store with a one-row table for each name, and with a table that has a secret.
    private static let script = """
        import json, sqlite3, sys
        store = sqlite3.connect(sys.argv[1], isolation_level=None)
        quoted = lambda name: '"' + name.replace('"', '""') + '"'
        store.execute("BEGIN")
        store.execute("CREATE TABLE SECRET (ID INTEGER PRIMARY KEY, WORD TEXT)")
        store.execute("INSERT INTO SECRET VALUES (1, 'sesame')")
        for number, name in enumerate(json.load(open(sys.argv[2], encoding="utf-8"))):
            # In every other table, the key column has the same name.
            key = quoted(name) if number % 2 else "ID"
            store.execute(
                f"CREATE TABLE {quoted(name)} ({key} TEXT NOT NULL PRIMARY KEY, {quoted('document ' + name)} TEXT)")
            store.execute(f"INSERT INTO {quoted(name)} VALUES (?, ?)", (name, '{"\\u0301n":%d}' % number))
        store.execute("COMMIT")
        """

    @Test("tables, columns and keys with strange names are read and copied, and no other table is read")
    func names() throws {
        let folder = try TemporaryFolder()
        let path = FilePath(folder.path("a.store"))
        let names = StrangeNames.all + Self.injections
        try folder.write(JSONEncoder().encode(names), to: "names")
        let made = try BuiltProgram(path: "/usr/bin/env").run(
            "python3", "-c", Self.script, folder.path("a.store"), folder.path("names"))
        try #require(made.status == 0, "\(made.errors)")
        let store = try DocumentStore(path)
        let columns = try store.documentColumns()
        #expect(columns.count == names.count)
        for (number, name) in names.enumerated() {
            let column = StoreColumn(table: name, column: "document \(name)")
            #expect(columns.contains(column), "\(name.debugDescription)")
            #expect(try store.documentColumns(named: ["\(column)"]) == [column], "\(name.debugDescription)")
            #expect(
                try store.texts(column.table, column.column) == ["{\"\u{301}n\":\(number)}"], "\(name.debugDescription)"
            )
            #expect(try store.sample(ofSeries: store.series(column).name, limit: 9).count == 1)
        }

        let copy = try StoreCopy(of: store, at: FilePath(folder.path("b.store")))
        for column in columns {
            try copy.forEachCell(of: column) { cell in
                #expect(throws: Never.self) { try copy.replace(cell, with: cell.bytes.data + Data(" ".utf8)) }
            }
        }
        try copy.save()
        let copied = try DocumentStore(FilePath(folder.path("b.store")))
        for (number, name) in names.enumerated() {
            #expect(
                try copied.texts(name, "document \(name)") == ["{\"\u{301}n\":\(number)} "], "\(name.debugDescription)")
        }
    }

    @Test("a cell of a renamed column is gone, instead of containing the name of the column")
    func renaming() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a.store")
        let writer = try StoreWriter(
            path, "CREATE TABLE BOOK (ID INTEGER PRIMARY KEY, META TEXT)", #"INSERT INTO BOOK VALUES (1, '{"n":1}')"#)
        let store = try DocumentStore(FilePath(path))
        let cell = try #require(try store.cells("BOOK", "META").first)
        #expect(try cell.read().data == Data(#"{"n":1}"#.utf8))
        try writer.execute("ALTER TABLE BOOK RENAME COLUMN META TO FACTS")
        #expect(throws: SourceError.self) { try cell.read() }
        #expect(throws: SourceError.self) { try store.cells("BOOK", "META") }
    }

    @Test("the affinity of a column is the one that SQLite computes from the bytes of its type")
    func types() throws {
        for (type, affinity) in [
            ("INT\u{301}", "integer"), ("big\u{301}int", "integer"), ("\u{131}nt", "numeric"),
            ("VARCHAR\u{FE0F}(3)", "text"),
            ("B\u{301}LOB", "numeric"), ("blob\u{200D}", "blob"),
        ] {
            #expect("\(StoreAffinity(declaredType: type, isStrict: false))" == affinity, "\(type.debugDescription)")
        }
    }

    @Test("columns and tables whose names are not UTF-8 are left out, and rows keep whole keys")
    func illFormed() throws {
        let folder = try TemporaryFolder()
        let script = """
            import sqlite3, sys
            store = sqlite3.connect(sys.argv[1], isolation_level=None)
            store.execute("CREATE TABLE A (ID INTEGER PRIMARY KEY, NAME TEXT, DOC TEXT)")
            store.execute("CREATE TABLE B (ID TEXT, NAME TEXT, DOC TEXT, PRIMARY KEY (ID, NAME))")
            store.execute("CREATE TABLE C (ID TEXT, NAME TEXT, DOC TEXT, PRIMARY KEY (ID, NAME)) WITHOUT ROWID")
            store.execute("CREATE TABLE NAME (ID INTEGER PRIMARY KEY, DOC TEXT)")
            for table in "A", "B", "C": store.execute(f"INSERT INTO {table} VALUES (1, '{{}}', '{{}}'), (2, '{{}}', '{{}}')")
            store.execute("INSERT INTO NAME VALUES (1, '{}')")
            """
        let run = try BuiltProgram(path: "/usr/bin/env").run("python3", "-c", script, folder.path("a.store"))
        try #require(run.status == 0, "\(run.errors)")
        // Python cannot create such names.
        let bytes = try folder.data("a.store")
        var changed = Data()
        var rest = bytes[...]
        while let name = rest.firstRange(of: Data("NAME".utf8)) {
            changed += rest[..<name.lowerBound] + Data([0x4E, 0xFF, 0x4D, 0x45])
            rest = rest[name.upperBound...]
        }
        try folder.write(changed + rest, to: "a.store")
        let store = try DocumentStore(FilePath(folder.path("a.store")))
        #expect(try store.documentColumns().map(\.description) == ["A.DOC", "B.DOC"])
        #expect(try store.names("A", "DOC") == ["#A/1/DOC", "#A/2/DOC"])
        #expect(try store.texts("B", "DOC") == ["{}", "{}"])
    }
}
