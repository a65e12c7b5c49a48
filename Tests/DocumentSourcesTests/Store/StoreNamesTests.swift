import DocumentModel
import Foundation
import MigrationCore
import TestSupport
import Testing

@testable import DocumentSources

@Suite("Names in a store")
struct StoreNamesTests {
    /// What would select from another table if it were SQL.
    private static let injections = [
        "\"\u{301} UNION SELECT 1, WORD FROM SECRET --", "T\"\u{FE0F}, SECRET --", "\"\u{200D} = WORD FROM SECRET --",
    ]

    private static func identifier(_ name: String) -> String {
        "\"" + name.unicodeScalars.map { $0 == "\"" ? "\"\"" : String($0) }.joined() + "\""
    }

    @Test("a table, its columns and its keys of any names are read and copied as themselves, and nothing else is")
    func names() throws {
        let folder = try TemporaryFolder()
        let path = FilePath(folder.path("a.store"))
        let names = StrangeNames.all + Self.injections
        let made = try SQLiteConnection(path: path, mode: .create)
        try made.execute("BEGIN")
        try made.execute("CREATE TABLE SECRET (ID INTEGER PRIMARY KEY, WORD TEXT)")
        try made.execute(#"INSERT INTO SECRET VALUES (1, 'sesame')"#)
        for (number, name) in names.enumerated() {
            let (table, document) = (Self.identifier(name), Self.identifier("document \(name)"))
            // Every other table has a column of that name for its key.
            let key = number.isMultiple(of: 2) ? "\(table) TEXT NOT NULL PRIMARY KEY" : "ID TEXT NOT NULL PRIMARY KEY"
            try made.execute("CREATE TABLE \(table) (\(key), \(document) TEXT)")
            let insertion = try made.prepare("INSERT INTO \(table) VALUES (?, ?)")
            try insertion.start(with: [.text(Data(name.utf8)), .text(Data("{\"\u{301}n\":\(number)}".utf8))])
            while try insertion.step() {}
        }
        try made.execute("COMMIT")
        made.close()

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

    @Test("a column that another program renames is gone, and its cells do not hold its name")
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

    @Test("the type of a column is what SQLite takes it for, byte by byte")
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
        // Python takes names in UTF-8 only.
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
