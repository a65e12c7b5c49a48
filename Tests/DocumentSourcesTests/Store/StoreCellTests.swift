import DocumentModel
import Foundation
import MigrationCore
import TestSupport
import Testing

@testable import DocumentSources

@Suite("The cells of a store")
struct StoreCellTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path("a.store") }

    init() throws { folder = try TemporaryFolder() }

    private func store(_ statements: String...) throws -> DocumentStore {
        let writer = try StoreWriter(path)
        for statement in statements { try writer.execute(statement) }
        writer.quit()
        return try DocumentStore(FilePath(path))
    }

    // MARK: - Keys

    @Test("cells are named by Z_PK, in its order, and found again by their names")
    func primaryKey() throws {
        let store = try store(
            "CREATE TABLE ZBOOK (Z_PK INTEGER PRIMARY KEY, ZMETA BLOB)",
            "INSERT INTO ZBOOK VALUES (10, '{\"a\":1}'), (-3, '{\"a\":2}'), (9, NULL), (2, ''), (7, x'')")
        #expect(try store.names("ZBOOK", "ZMETA") == ["#ZBOOK/-3/ZMETA", "#ZBOOK/10/ZMETA"])
        #expect(try store.texts("ZBOOK", "ZMETA") == [#"{"a":2}"#, #"{"a":1}"#])
    }

    @Test("cells are named by their rowid if no key is declared, whatever other columns are called")
    func rowid() throws {
        let store = try store(
            "CREATE TABLE T (rowid TEXT, META TEXT)", "INSERT INTO T VALUES ('x', '{\"a\":1}'), ('y', '{\"a\":2}')")
        #expect(try store.names("T", "META") == ["#T/1/META", "#T/2/META"])
        #expect(try store.texts("T", "META") == [#"{"a":1}"#, #"{"a":2}"#])
    }

    @Test("cells are named by text keys, escaped if the name of a document could not contain them")
    func textKeys() throws {
        let store = try store(
            "CREATE TABLE T (KEY TEXT PRIMARY KEY, META TEXT)",
            """
            INSERT INTO T VALUES ('a/b#c%d,e', '{"n":1}'), ('', '{"n":2}'), ('007', '{"n":3}'), ('0xAB', '{"n":4}'), \
            ('é 漢', '{"n":5}'), (char(10), '{"n":6}'), (x'0AFF', '{"n":7}'), ('7', '{"n":8}')
            """)
        #expect(
            try store.names("T", "META") == [
                "#T//META", "#T/%0A/META", "#T/007/META", "#T/%30xAB/META", "#T/7/META", "#T/a%2Fb%23c%25d%2Ce/META",
                "#T/é 漢/META", "#T/0x0AFF/META",
            ])
        #expect(try store.texts("T", "META").map { $0.filter(\.isNumber) } == ["2", "6", "3", "4", "8", "1", "5", "7"])
    }

    @Test("cells of tables, columns and keys with equivalent but different names are distinguished")
    func equivalentNames() throws {
        let store = try store(
            "CREATE TABLE \"caf\u{e9}\" (\"\u{e9}\" TEXT PRIMARY KEY, \"cl\u{e9}\" TEXT, \"cle\u{301}\" TEXT) WITHOUT ROWID",
            "CREATE TABLE \"cafe\u{301}\" (ID INTEGER PRIMARY KEY, \"cl\u{e9}\" TEXT)",
            "INSERT INTO \"caf\u{e9}\" VALUES ('e\u{301}', '{\"a\":1}', '{\"a\":2}'), ('\u{e9}', '{\"a\":3}', '{\"a\":4}')",
            "INSERT INTO \"caf\u{e9}\" VALUES (',\u{301}', '{\"a\":5}', '{\"a\":6}'), ('0x\u{301}', '{\"a\":7}', '{\"a\":8}')",
            "INSERT INTO \"cafe\u{301}\" VALUES (1, '{\"a\":9}')")
        #expect(Set(try store.documentColumns()).count == 3)
        let named = ["cafe\u{301}.cl\u{e9}", "caf\u{e9}.cl\u{e9}", "caf\u{e9}.cle\u{301}"]
        #expect(try store.documentColumns(named: named).count == 3)
        #expect(try store.texts("caf\u{e9}", "cl\u{e9}") == ["5", "7", "1", "3"].map { "{\"a\":\($0)}" })
        #expect(try store.texts("caf\u{e9}", "cle\u{301}") == ["6", "8", "2", "4"].map { "{\"a\":\($0)}" })
        #expect(try store.texts("cafe\u{301}", "cl\u{e9}") == [#"{"a":9}"#])
        #expect(Set(try store.cells("caf\u{e9}", "cl\u{e9}") + store.cells("cafe\u{301}", "cl\u{e9}")).count == 5)
    }

    @Test("cells are distinguished if a number and its text are different keys")
    func untypedKeys() throws {
        let store = try store(
            "CREATE TABLE T (KEY BLOB PRIMARY KEY, META TEXT) WITHOUT ROWID",
            "INSERT INTO T VALUES (7, '{\"n\":1}'), ('7', '{\"n\":2}'), (1.5, '{\"n\":3}'), ('1.5', '{\"n\":4}')")
        #expect(try store.names("T", "META") == ["#T/1.5/META", "#T/7/META", "#T/%31.5/META", "#T/%37/META"])
        #expect(try store.texts("T", "META").map { $0.filter(\.isNumber) } == ["3", "1", "4", "2"])
    }

    @Test("cells are named by all columns of a key, even in a table without rowid and with more rows than one batch")
    func compositeKeys() throws {
        let store = try store(
            "CREATE TABLE T (META TEXT, B TEXT COLLATE NOCASE, A INTEGER, PRIMARY KEY (A, B)) WITHOUT ROWID",
            "WITH RECURSIVE N(I) AS (SELECT 0 UNION ALL SELECT I + 1 FROM N WHERE I < 2999) "
                + "INSERT INTO T SELECT '{\"n\":' || I || '}', 'Key,' || (I % 7), I / 7 FROM N")
        let names = try store.names("T", "META")
        #expect(names.count == 3000 && Set(names).count == 3000)
        #expect(names[8] == "#T/1,Key%2C1/META")
        #expect(try store.texts("T", "META") == (0..<3000).map { "{\"n\":\($0)}" })
    }

    @Test("cells are each visited once, whatever their number", arguments: [0, 1, 1023, 1024, 1025, 2048, 2500])
    func batches(count: Int) throws {
        let store = try store(
            "CREATE TABLE T (ID INTEGER PRIMARY KEY, META TEXT)",
            "WITH RECURSIVE N(I) AS (SELECT 1 UNION ALL SELECT I + 1 FROM N WHERE I <= \(count)) "
                + "INSERT INTO T SELECT I * 3, CASE WHEN I <= \(count) THEN '{}' END FROM N")
        #expect(try store.names("T", "META") == (1..<1 + count).map { "#T/\($0 * 3)/META" })
    }

    @Test("cells are named by the rowid if a key contains NULL")
    func nullKeys() throws {
        let store = try store(
            "CREATE TABLE T (KEY TEXT PRIMARY KEY, META TEXT)",
            "INSERT INTO T VALUES ('a', '{\"n\":1}'), (NULL, '{\"n\":2}'), (NULL, '{\"n\":3}')")
        #expect(try store.names("T", "META") == ["#T/1/META", "#T/2/META", "#T/3/META"])
        #expect(try store.texts("T", "META").count == 3)
    }

    @Test("cells are named by the rowid if NULL is possible in a key that looks like an alias of the rowid")
    func nullNumbers() throws {
        // SQLite keeps an old bug for compatibility (lang_createtable.html, section 5).
        let store = try store(
            "CREATE TABLE T (ID INTEGER PRIMARY KEY DESC, META TEXT)",
            "INSERT INTO T VALUES (NULL, '{\"n\":1}'), (NULL, '{\"n\":2}'), (7, '{\"n\":3}')")
        #expect(try store.texts("T", "META") == (1...3).map { "{\"n\":\($0)}" })
    }

    @Test("cells are found under names that SQL would take for something else")
    func strangeNames() throws {
        let store = try store(
            "CREATE TABLE \"a\"\"b/c.d\" (\"select\" INTEGER PRIMARY KEY, \"x'y/z\" TEXT)",
            "INSERT INTO \"a\"\"b/c.d\" VALUES (1, '{\"a\":1}')")
        #expect(try store.documentColumns() == [StoreColumn(table: "a\"b/c.d", column: "x'y/z")])
        #expect(try store.documentColumns(named: ["A\"B/c.d.X'Y/z"]) == store.documentColumns())
        #expect(try store.names("a\"b/c.d", "x'y/z") == ["#a\"b%2Fc.d/1/x'y%2Fz"])
        #expect(try store.texts("a\"b/c.d", "x'y/z") == [#"{"a":1}"#])
    }

    @Test("cells have names in which reports print every character as it is")
    func unseenNames() throws {
        let store = try store(
            "CREATE TABLE \"t\u{9B}\" (k TEXT PRIMARY KEY, \"d\u{AD}\" TEXT)",
            "INSERT INTO \"t\u{9B}\" VALUES ('a\u{85}\u{200E}\u{2028}é', '{\"a\":1}')")
        #expect(try store.names("t\u{9B}", "d\u{AD}") == ["#t%C2%9B/a%C2%85%E2%80%8E%E2%80%A8é/d%C2%AD"])
        #expect(try store.texts("t\u{9B}", "d\u{AD}") == [#"{"a":1}"#])
    }

    @Test("cells contain UTF-8, whatever encoding the store has for text")
    func encodings() throws {
        let store = try store(
            "PRAGMA encoding = 'UTF-16be'", "CREATE TABLE T (KEY TEXT PRIMARY KEY, META TEXT)",
            "INSERT INTO T VALUES ('ключ', '{\"a\":\"ü漢\"}')")
        #expect(try store.names("T", "META") == ["#T/ключ/META"])
        #expect(try store.texts("T", "META") == [#"{"a":"ü漢"}"#])
    }

    // MARK: - Columns

    @Test(
        "columns of documents are found, whatever encoding the store has for text",
        arguments: ["UTF-8", "UTF-16le", "UTF-16be"])
    func columnsInEncodings(encoding: String) throws {
        let store = try store(
            "PRAGMA encoding = '\(encoding)'", "CREATE TABLE T (META TEXT, BINARY BLOB, NOTE TEXT)",
            "INSERT INTO T VALUES (' {\"ä\":1}', CAST('{\"ä\":1}' AS BLOB), 'ä')")
        let found = try store.documentColumns().map(\.column)
        // A blob may be text in the database's encoding.
        #expect(found == ["META", "BINARY"])
    }

    @Test("columns of documents are those whose values begin as documents, in tables only")
    func columns() throws {
        let list = try PropertyListSerialization.data(fromPropertyList: ["a": 1], format: .binary, options: 0)
        let archive = try PropertyListSerialization.data(
            fromPropertyList: [
                "$archiver": "NSKeyedArchiver", "$objects": ["$null"], "$top": [:], "$version": 100_000,
            ],
            format: .binary, options: 0)
        let hexadecimal = { (data: Data) in data.map { String(format: "%02X", $0) }.joined() }
        let store = try store(
            """
            CREATE TABLE A (ID INTEGER PRIMARY KEY, OBJECTS JSON, BROKEN TEXT, LISTS BLOB, ARCHIVES BLOB, ARRAYS TEXT, \
            NOTES TEXT, BRACES TEXT, NUMBERS NUMERIC, EMPTY TEXT, COMPUTED TEXT AS (OBJECTS), MIXED TEXT)
            """,
            """
            INSERT INTO A VALUES (1, ' {"a":1}', '{"a', x'\(hexadecimal(list))', x'\(hexadecimal(archive))', '[1]', \
            '[1] see there', '{name} said', 5, NULL, '{"a":1}'), (2, '{}', NULL, NULL, NULL, '[]', '[2] see here', \
            '{x}', 6.5, '', 'text'), (3, '{"a', '{"b":', NULL, NULL, '[1', 'nothing', '', 7, NULL, 'text')
            """,
            "CREATE VIEW V AS SELECT ID, OBJECTS FROM A",
            "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_PLIST BLOB)",
            "INSERT INTO Z_METADATA VALUES (1, x'\(hexadecimal(list))')")
        #expect(
            try store.documentColumns().map(\.description) == ["A.OBJECTS", "A.BROKEN", "A.LISTS", "A.ARRAYS"])
        #expect(
            try store.documentColumns(named: ["z_metadata.z_plist", "A.NOTES", "A.NOTES"]).map(\.description)
                == ["Z_METADATA.Z_PLIST", "A.NOTES"])
    }

    @Test("columns of documents are looked for at both ends of a table, so that one added late is found")
    func sparseColumns() throws {
        let store = try store(
            "CREATE TABLE T (ID INTEGER PRIMARY KEY, EARLY TEXT, LATE TEXT)",
            "WITH RECURSIVE N(I) AS (SELECT 1 UNION ALL SELECT I + 1 FROM N WHERE I < 30000) "
                + "INSERT INTO T SELECT I, iif(I = 3, '{\"a\":1}', NULL), iif(I > 29990, '{\"a\":1}', NULL) FROM N")
        #expect(try store.documentColumns().map(\.column) == ["EARLY", "LATE"])
        #expect(try store.names("T", "EARLY") == ["#T/3/EARLY"])
        #expect(try store.cells("T", "LATE").count == 10)
    }

    /// Returns the SQL for a table whose columns have the given cells, from the first row on.
    private func table(_ name: String, _ columns: [(name: String, cells: [String])]) -> [String] {
        let count = columns.map(\.cells.count).max() ?? 0
        let rows = (0..<count).map { row in
            let cells = columns.map { row < $0.cells.count ? $0.cells[row] : "NULL" }
            return "(\(cells.joined(separator: ", ")))"
        }
        let names = columns.map(\.name).joined(separator: ", ")
        return ["CREATE TABLE \(name) (\(names))", "INSERT INTO \(name) VALUES \(rows.joined(separator: ", "))"]
    }

    @Test("columns of documents are those in which more than half of the non-empty cells begin as documents")
    func majorities() throws {
        let (object, text, array, number) = ("'{\"a\":1}'", "'text'", "'[1]'", "5")
        let columns: [(name: String, cells: [String])] = [
            ("ONE", [object]), ("HALF", [object, text]), ("MOST", [text, object, object]),
            ("EMPTY_ASIDE", [object, "''", "NULL", "x''", "''"]), ("NUMBERS", [number, number, object]),
            ("FEW_NUMBERS", [number, object, object]), ("ARRAY", [array]), ("HALF_ARRAYS", [array, text]),
            ("MIXED", [array, object, text]), ("NONE", [text]), ("BROKEN_ARRAY", ["'[1'"]),
            ("BROKEN_ARRAY_AND_OBJECT", ["'[1'", object, text]),
            ("BROKEN_ARRAY_AND_OBJECTS", ["'[1'", object, object]),
            ("BLANKS", ["'  ' || char(10) || '{ \"a\":1}'"]), ("MARKED", ["char(65279) || \(object)"]),
            ("EMPTY_OBJECT", ["'{ }'"]), ("OPEN", ["'{'"]), ("BRACES", ["'{{x}}'"]), ("LIST", ["'<plist><dict/>'"]),
            ("HTML", ["'<html>'"]), ("BLOB", ["x'7B227D'"]),
            // JSON5: names without quotation marks, and comments.
            ("JSON5", ["'{a: 1,}'", "'// note' || char(10) || '{\"a\": 1}'", "'{/**/}'"]),
            ("HALF_JSON5", ["'{a: 1}'", text]),
            ("BOTH", ["'{a: 1}'", object, text]), ("TEMPLATE", ["'{a}'", "'{b: c}'"]),
            ("SLASHES", ["'/home'", "'//x'"]),
        ]
        let writer = try StoreWriter(path)
        for statement in table("T", columns) { try writer.execute(statement) }
        writer.quit()
        let found = try DocumentStore(FilePath(path)).documentColumns().map(\.column)
        #expect(
            found == [
                "ONE", "MOST", "EMPTY_ASIDE", "FEW_NUMBERS", "ARRAY", "MIXED", "BROKEN_ARRAY_AND_OBJECTS", "BLANKS",
                "MARKED", "EMPTY_OBJECT", "LIST", "BLOB", "JSON5", "BOTH",
            ])
    }

    @Test("columns of documents may have any type except numbers, in every table of the app")
    func tables() throws {
        let store = try store(
            "CREATE TABLE sqlitebooks (A TEXT, B, C JSON, D INTEGER, E REAL, F STRING)",
            "INSERT INTO sqlitebooks VALUES ('{}', '{}', '{}', '{}', '{}', '{}')",
            "CREATE TABLE z_metadata (A TEXT)", "INSERT INTO z_metadata VALUES ('{}')",
            "CREATE TABLE Z_MODELCACHE (A TEXT)", "INSERT INTO Z_MODELCACHE VALUES ('{}')",
            "CREATE TABLE Z_METADATA2 (A TEXT)", "INSERT INTO Z_METADATA2 VALUES ('{}')",
            "CREATE TABLE T10 (A TEXT)", "INSERT INTO T10 VALUES ('{}')",
            "CREATE TABLE T9 (A TEXT PRIMARY KEY, B TEXT, C TEXT AS (B), D TEXT AS (B) STORED)",
            "INSERT INTO T9 VALUES ('{\"a\":1}', '{}')",
            "CREATE VIRTUAL TABLE V USING fts4(A)", "INSERT INTO V VALUES ('{}')",
            "CREATE VIEW W AS SELECT A FROM T10", "CREATE TABLE NAMELESS (rowid, oid, _rowid_, A TEXT)",
            "INSERT INTO NAMELESS VALUES (1, 1, 1, '{}')")
        let found = try store.documentColumns().map(\.description).filter { !$0.hasPrefix("V") }
        #expect(
            found == [
                "sqlitebooks.A", "sqlitebooks.B", "sqlitebooks.C", "sqlitebooks.F", "T9.B", "T10.A", "Z_METADATA2.A",
            ])
        for (name, refusal) in [
            ("T9.A", .namesRows), ("T9.C", .isComputed), ("T9.D", .isComputed), ("NAMELESS.A", .rowsWithoutNames),
        ] as [(String, ColumnRefusal)] {
            let error = try #require(throws: SourceError.self) { try store.documentColumns(named: [name]) }
            #expect(error.reason == .store(.noDocumentColumn(name, because: refusal)))
        }
        #expect(throws: SourceError.self) { try store.documentColumns(named: ["W.A"]) }
        #expect(try store.documentColumns(named: ["SQLITEBOOKS.d"]).map(\.description) == ["sqlitebooks.D"])
    }

    @Test("cells are named by the name of the rowid that no column has", arguments: ["rowid", "_rowid_", "oid"])
    func rowidNames(free: String) throws {
        let taken = ["rowid", "_rowid_", "oid"].filter { $0 != free }.map { $0.uppercased() }
        let store = try store(
            "CREATE TABLE T (\(taken[0]) TEXT, \(taken[1]) TEXT, META TEXT)",
            "INSERT INTO T VALUES ('x', 'y', '{\"a\":1}'), ('y', 'x', '{\"a\":2}')")
        #expect(try store.names("T", "META") == ["#T/1/META", "#T/2/META"])
        #expect(try store.texts("T", "META") == [#"{"a":1}"#, #"{"a":2}"#])
    }

    @Test("columns that are named on the command line may have periods in both names")
    func namedColumns() throws {
        let store = try store(
            "CREATE TABLE A (\"B.C\" TEXT)", "CREATE TABLE \"A.B\" (C TEXT, B TEXT)", "CREATE TABLE \"A.BX\" (C TEXT)")
        for (name, column) in [
            ("a.b.c", StoreColumn(table: "A.B", column: "C")), ("A.B.B", StoreColumn(table: "A.B", column: "B")),
            ("A.BX.C", StoreColumn(table: "A.BX", column: "C")),
        ] { #expect(try store.documentColumns(named: [name]) == [column]) }
        for (name, problem) in [
            ("A.B", .noSuchColumn("B", table: "A", known: ["B.C"])),
            ("A.", .noSuchTable("A", known: ["A", "A.B", "A.BX"])),
            ("A.B.", .noSuchColumn("B.", table: "A", known: ["B.C"])),
            ("AB.C", .noSuchTable("AB", known: ["A", "A.B", "A.BX"])),
            ("A", .columnWithoutTable("A")), ("", .columnWithoutTable("")),
        ] as [(String, StoreProblem)] {
            let error = try #require(throws: SourceError.self) { try store.documentColumns(named: [name]) }
            #expect(error.reason == .store(problem), "\(name)")
        }
    }

    @Test("columns of documents are looked for in 32 cells from each end of a table, at most 5000 rows from it")
    func reach() throws {
        let writer = try StoreWriter(path)
        for (name, count) in [("LONG", 10_001), ("SHORT", 9999), ("TWICE", 10_000)] {
            // The 5000th row from each end and the one between; and objects before others, for a majority or half.
            let isObject = [
                "I = 5000", "I = 5001", "I = 5002", "I <= 33", "I <= 32", "I <= \(count - 31)", "I <= \(count - 32)",
            ]
            let cells = isObject.map { "iif(\($0), '{}', \($0.contains("<") ? "'x'" : "NULL"))" }
            try writer.execute("CREATE TABLE \(name) (A TEXT, B TEXT, C TEXT, D TEXT, E TEXT, F TEXT, G TEXT)")
            try writer.execute(
                "WITH RECURSIVE N(I) AS (SELECT 1 UNION ALL SELECT I + 1 FROM N WHERE I < \(count)) "
                    + "INSERT INTO \(name) SELECT \(cells.joined(separator: ", ")) FROM N")
        }
        writer.quit()
        let found = try DocumentStore(FilePath(path)).documentColumns().map(\.description)
        #expect(
            found == [
                "LONG.A", "LONG.C", "LONG.F", "SHORT.A", "SHORT.B", "SHORT.C", "SHORT.D", "SHORT.F", "SHORT.G",
                "TWICE.A", "TWICE.B", "TWICE.C", "TWICE.F",
            ])
    }

    @Test("a sample of a series has a number of cells from both ends, and none larger than 1 MB")
    func samples() throws {
        let store = try store(
            "CREATE TABLE T (ID INTEGER PRIMARY KEY, META, MANY TEXT)",
            "INSERT INTO T (META) VALUES ('{}'), ('\"' || printf('%.1048574c', 'x') || '\"'), "
                + "('\"' || printf('%.1048575c', 'x') || '\"'), (NULL), (''), (CAST('[1]' AS BLOB)), "
                + "('\"' || printf('%.524290c', 'x') || replace(printf('%.262143c', 'x'), 'x', 'é') || '\"')",
            "WITH RECURSIVE N(I) AS (SELECT 8 UNION ALL SELECT I + 1 FROM N WHERE I < 20008) "
                + "INSERT INTO T SELECT I, NULL, I FROM N")
        func sample(_ column: String, limit: Int) throws -> [SourceBytes] {
            try store.series(StoreColumn(table: "t", column: column.lowercased())).sample(limit: limit)
        }
        #expect(try sample("META", limit: 32).map(\.count) == [2, 1 << 20, 3])
        let ends = try sample("MANY", limit: 3).map { $0.string(in: 0..<$0.count) }
        #expect(ends == ["8", "9", "10", "20008", "20007", "20006"])
    }

    @Test("cells of one column are one series, however they are named, and those of another column are another")
    func series() throws {
        let store = try store(
            "CREATE TABLE T (ID INTEGER PRIMARY KEY, META TEXT, OTHER TEXT)", "INSERT INTO T VALUES (1, '{}', '{}')",
            "INSERT INTO T VALUES (2, '{}', '{}')")
        let (cells, others) = (try store.cells("T", "META"), try store.cells("T", "OTHER"))
        let series = try #require(cells[0].series)
        #expect(series == cells[1].series && series == store.series(StoreColumn(table: "T", column: "META")))
        #expect(series != others[0].series && Set(cells.map(\.series) + others.map(\.series)).count == 2)
        #expect(!cells.contains(series.reference) && series.reference.name == "\(path)#T//META")
        #expect(GivenName(FilePath(try folder.write("1", to: "x.jsonl"))).document.series == nil)
        try StoreWriter.make(folder.path("b"), "CREATE TABLE T (META TEXT)")
        #expect(try series != DocumentStore(FilePath(folder.path("b"))).series(StoreColumn(table: "T", column: "META")))
    }

    @Test("cells with binary property lists are read as such")
    func propertyLists() throws {
        let list = try PropertyListSerialization.data(fromPropertyList: ["a": 1], format: .binary, options: 0)
        let store = try store(
            "CREATE TABLE T (ID INTEGER PRIMARY KEY, META BLOB)",
            "INSERT INTO T VALUES (1, x'\(list.map { String(format: "%02X", $0) }.joined())')")
        let cell = try #require(try store.cells("T", "META").first)
        let document = try Document(parsing: try cell.read())
        #expect(document.format == .plistBinary && document.root["a"]?.numberText == "1")
    }

    // MARK: - Many cells

    @Test("a hundred thousand cells are listed in batches, like files", .timeLimit(.minutes(30)))
    func many() throws {
        try StoreWriter.make(
            path, "CREATE TABLE T (ID INTEGER PRIMARY KEY, NAME TEXT, META BLOB)",
            "WITH RECURSIVE N(I) AS (SELECT 1 UNION ALL SELECT I + 1 FROM N WHERE I < 100000) "
                + "INSERT INTO T SELECT I, 'name', CAST('{\"version\":1,\"n\":' || I || '}' AS BLOB) FROM N")
        var counts: [Int] = []
        try DocumentWalker([GivenName(FilePath(path))]).walk { counts.append($0.count) }
        #expect(counts.reduce(0, +) == 100_000)
        #expect(try #require(counts.first) < 10_000)
        for number in stride(from: 1, through: 100_000, by: 100) {
            let bytes = try GivenName(FilePath("\(path)#T/\(number)/META")).document.read()
            #expect(bytes.string(in: 0..<bytes.count) == "{\"version\":1,\"n\":\(number)}")
        }
    }

    @Test("a cancelled walk through cells ends early")
    func cancellation() throws {
        _ = try store(
            "CREATE TABLE T (ID INTEGER PRIMARY KEY, META TEXT)",
            "WITH RECURSIVE N(I) AS (SELECT 1 UNION ALL SELECT I + 1 FROM N WHERE I < 9000) "
                + "INSERT INTO T SELECT I, '{\"a\":1}' FROM N")
        var count = 0
        #expect(throws: CancellationError.self) {
            try DocumentWalker([GivenName(FilePath(path))]).walk(
                isCancelled: { count > 0 }, deliver: { count += $0.count })
        }
        #expect(count > 0 && count < 9000)
    }

    @Test("a store without documents is counted in a folder, and is an error if it is named")
    func none() throws {
        _ = try store("CREATE TABLE T (ID INTEGER PRIMARY KEY, NAME TEXT)", "INSERT INTO T VALUES (1, 'x')")
        let leftOut = try DocumentWalker([GivenName(FilePath(folder.path))]).walk { #expect($0.isEmpty) }
        #expect(leftOut == [.empty: 1])
        var errors: [SourceProblem] = []
        try DocumentWalker([GivenName(FilePath(path))]).walk { documents in
            errors += documents.filter(\.isGiven).compactMap(\.problem?.reason)
        }
        #expect(errors == [.store(.noDocuments)])
    }

    @Test("a store of SwiftData whose Codable values are columns is reported as having no documents")
    func noneInModels() throws {
        let store = try store(
            "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR)",
            "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_PLIST BLOB)",
            "CREATE TABLE ZPERSON (Z_PK INTEGER PRIMARY KEY, ZNAME VARCHAR, ZSTREET VARCHAR)",
            "INSERT INTO ZPERSON VALUES (1, 'Ada', 'Elm Street')")
        let error = try #require(throws: SourceError.self) { try store.documentColumns() }
        #expect(error.reason == .store(.noDocumentsInModels))
        let leftOut = try DocumentWalker([GivenName(FilePath(folder.path))]).walk { #expect($0.isEmpty) }
        #expect(leftOut == [.empty: 1])
    }
}
