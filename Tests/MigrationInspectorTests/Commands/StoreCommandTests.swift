import DocumentSources
import Foundation
import MigrationCore
import TestSupport
import Testing

@testable import MigrationInspector

@Suite("The commands on stores")
struct StoreCommandTests {
    private let program = BuiltProgram.inspector
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Executes SQL in a store of the folder with Python's SQLite, and returns the selected rows in Python's notation.
    @discardableResult
    private func execute(_ sql: String, in name: String = "poems.store") throws -> String {
        let script = """
            import sqlite3, sys
            store = sqlite3.connect(sys.argv[1], isolation_level=None)
            print([row for line in sys.argv[2].split(";") for row in store.execute(line)])
            """
        let run = try BuiltProgram(path: "/usr/bin/env").run("python3", "-c", script, folder.path(name), sql)
        try #require(run.status == 0, "\(run.errors)")
        return run.output.trimmingCharacters(in: .newlines)
    }

    /// Makes a store with a current poem, one that migrates, an empty cell, and the given poems.
    private func makeStore(_ poems: String...) throws {
        let rows = ([Poems.current, Poems.first, ""] + poems).map { "('\($0)')" }.joined(separator: ", ")
        try execute(
            "CREATE TABLE ZPOEM (Z_PK INTEGER PRIMARY KEY, ZTEXT BLOB, ZNOTE TEXT); "
                + "INSERT INTO ZPOEM (ZTEXT) VALUES \(rows); UPDATE ZPOEM SET ZNOTE = '{\"mine\":' || Z_PK || '}'")
    }

    private func run(_ arguments: String...) throws -> ProgramRun { try program.run(arguments, in: folder.path) }

    // MARK: - Losses

    @Test("a store is not migrated if a step has losses and they are refused, and check counts them")
    func losses() throws {
        try execute(
            "CREATE TABLE T (ID INTEGER PRIMARY KEY, DOC TEXT); "
                + #"INSERT INTO T (DOC) VALUES ('{"version":1,"number":1729}'), ('{"version":1,"number":7}')"#)
        let check = try run("check", "--strict", "poems.store")
        #expect(check.status == 1 && check.output.contains("2 documents drop or lose something"))
        let strict = try run("migrate", "--strict", "poems.store", "--output", "new.store")
        #expect(strict.status == 1 && strict.errors.contains("lost in step 2 → 3: $.number"))
        #expect(throws: (any Error).self) { try folder.data("new.store") }
        #expect(try run("migrate", "poems.store", "--output", "new.store").status == 0)
    }

    // MARK: - What cannot be read, or written

    /// The ways to damage a store: Python code that changes the bytes of an intact one.
    private static let faults = [
        ("empty", "b = b''"), ("encrypted", "b = bytes(range(1, 256)) * 33"), ("cut short", "b = b[:len(b) // 2]"),
        ("damaged", "b[4096:8192] = bytes([255]) * 4096"), ("scrambled", "b[16:4096] = bytes([7]) * 4080"),
        ("of a newer format", "b[18:20] = bytes([3, 3])"), ("of a newer schema", "b[44:48] = bytes([0, 0, 0, 5])"),
        ("locked", ""),
    ]

    @Test(
        "an unreadable store exits with 66 if named, except in diff, and is a result in a folder",
        arguments: faults)
    func unreadable(name: String, change: String) throws {
        try makeStore()
        let path = folder.path("docs/poems.sqlite")
        try FileManager.default.createDirectory(atPath: folder.path("docs"), withIntermediateDirectories: true)
        let script = """
            import sys
            b = bytearray(open(sys.argv[1], "rb").read())
            \(change)
            open(sys.argv[2], "wb").write(b)
            """
        let made = try BuiltProgram(path: "/usr/bin/env").run("python3", "-c", script, folder.path("poems.store"), path)
        try #require(made.status == 0, "\(made.errors)")
        let writer = try name == "locked" ? StoreWriter(path, "BEGIN EXCLUSIVE") : nil
        defer { writer?.quit() }
        let cell = path + "#ZPOEM/1/ZTEXT"
        for (arguments, status) in [
            (["check", path], 66), (["check", "docs"], 1), (["inspect", path], 66), (["inspect", "docs"], 1),
            (["check", cell], 66), (["trace", cell], 66), (["shrink", cell], 66), (["migrate", cell], 66),
            (["migrate", path, "--output", "new.store"], 66), (["diff", cell, cell], 2), (["diff", path, path], 2),
        ] {
            let run = try program.run(arguments, in: folder.path)
            #expect(run.status == Int32(status), "\(arguments): \(run.errors)")
            #expect(status == 1 || run.errors.contains("poems.sqlite"), "\(arguments): \(run.errors)")
        }
        let results = try run("check", "docs", "--format", "json").json()["results"].elements
        // In a folder, a file is a store if it begins like one.
        let isStore = !["empty", "encrypted"].contains(name)
        #expect(results.map { $0["outcome"].text } == (isStore ? ["unreadable"] : []))
        #expect(try !folder.names().contains("new.store"))
    }

    @Test(
        "migrate refuses a store with data that depends on documents, with exit status 1, and reports unchanged tables")
    func dependents() throws {
        try makeStore()
        try execute("CREATE VIRTUAL TABLE words USING fts5(ZTEXT); INSERT INTO words SELECT ZTEXT FROM ZPOEM")
        let words = try execute("SELECT * FROM words")
        let arguments = ["migrate", "poems.store", "--column", "ZPOEM.ZTEXT", "--output", "new.store"]
        let whole = try program.run(arguments, in: folder.path)
        #expect(whole.status == 0 && whole.errors.contains(CommandWords.virtualTables(["words"])))
        #expect(try execute("SELECT * FROM words", in: "new.store") == words)
        try FileManager.default.removeItem(atPath: folder.path("new.store"))
        try execute("CREATE VIRTUAL TABLE search USING fts5(ZTEXT, content='ZPOEM', content_rowid='Z_PK')")
        let refused = try program.run(arguments, in: folder.path)
        let problem = StoreProblem.hasDependent(column: "ZPOEM.ZTEXT", .fullTextIndex("search"))
        #expect(refused.status == 1 && refused.errors.contains("poems.store: \(problem)"))
        #expect(try !folder.names().contains("new.store"))
        // A single document can still be migrated.
        #expect(try run("migrate", "poems.store#ZPOEM/2/ZTEXT").status == 0)
    }

    @Test("migrate names the documents whose newest version the store refuses, and writes nothing")
    func refusedValues() throws {
        try makeStore()
        try execute(
            "CREATE TABLE T (ID INTEGER PRIMARY KEY, DOC TEXT CHECK (json_extract(DOC, '$.version') < 3)); "
                + "INSERT INTO T (DOC) VALUES ('\(Poems.first)')")
        let run = try run("migrate", "poems.store", "--column", "T.DOC", "--output", "new.store")
        #expect(
            run.status == 1
                && run.errors.contains("poems.store#T/1/DOC: \(StoreProblem.refusedValue(message: "CHECK"))"))
        #expect(run.errors.contains("T.DOC (Poem): 1 cannot be migrated"))
        #expect(try !folder.names().contains("new.store"))
    }

    @Test(
        "migrate stops if a store's own constraint exceeds the time limit, and leaves no file",
        arguments: [
            // One SQLite function, and many small terms. SQLite checks in neither whether to stop.
            "instr(hex(zeroblob(length(DOC) * 300000)), hex(zeroblob(length(DOC) * 150000)) || '1') = 0",
            Array(repeating: "length(hex(zeroblob(length(DOC) * 400000))) > 0", count: 400).joined(separator: " AND "),
        ])
    func slowConstraint(constraint: String) throws {
        try makeStore()
        try execute(
            "PRAGMA ignore_check_constraints = 1; CREATE TABLE T (ID INTEGER PRIMARY KEY, DOC TEXT CHECK (\(constraint))); "
                + "INSERT INTO T (DOC) VALUES ('\(Poems.first)')")
        let run = try run(
            "migrate", "poems.store", "--column", "T.DOC", "--output", "new.store", "--time-limit", "0.5")
        let problem = StoreProblem.tookTooLong(seconds: 0.5)
        #expect(run.status == 66 && run.errors.contains("poems.store#T/1/DOC: \(problem)"))
        #expect(try folder.names() == ["poems.store"])
    }

    @Test("migrate that exceeds its time limit ends and leaves no file, even if its messages are not read")
    func slowConstraintUnread() throws {
        try makeStore()
        try execute(
            "PRAGMA ignore_check_constraints = 1; CREATE TABLE T (ID INTEGER PRIMARY KEY, DOC TEXT CHECK "
                + "(instr(hex(zeroblob(length(DOC) * 300000)), hex(zeroblob(length(DOC) * 150000)) || '1') = 0)); "
                + "INSERT INTO T (DOC) VALUES ('\(Poems.first)')")
        let script = """
            import os, subprocess, sys
            reading, writing = os.pipe()
            os.set_blocking(writing, False)
            try:
                while True: os.write(writing, b"x" * 4096)
            except BlockingIOError: os.set_blocking(writing, True)
            arguments = "migrate poems.store --column T.DOC --output new.store --time-limit 0.5".split()
            migration = subprocess.Popen([sys.argv[1]] + arguments, stderr=writing)
            try: print(migration.wait(60))
            except subprocess.TimeoutExpired: migration.kill()
            """
        let run = try BuiltProgram(path: "/usr/bin/env").run("python3", "-c", script, program.path, in: folder.path)
        #expect(run.output == "66\n", "\(run.errors)")
        #expect(try folder.names() == ["poems.store"])
    }

    // MARK: - Checking and tracing

    @Test("check makes a document of every cell that isn't empty, in the container sqlite")
    func check() throws {
        try makeStore(Poems.broken, #"{"version":1,"#)
        let run = try run("check", "poems.store", "--column", "ZPOEM.ZTEXT", "--format", "json")
        let results = try run.json()["results"].elements
        #expect(
            results.map { $0["source"].text?.replacing("poems.store#ZPOEM/", with: "") }
                == ["1/ZTEXT", "2/ZTEXT", "4/ZTEXT", "5/ZTEXT"])
        #expect(results.map { $0["outcome"].text } == ["current", "migrated", "failed", "failed"])
        #expect(results.map { $0["failure"]["kind"].text } == [nil, nil, "fieldNoLongerValid", "malformed"])
        #expect(results.allSatisfy { $0["format"] == "json" && $0["container"] == "sqlite" && $0["chain"] == "Poem" })
        #expect(run.status == 1)
    }

    @Test("the rows of a column share the chain that fits most of them, and columns without one are unrecognized")
    func sharedChain() throws {
        try makeStore(Poems.first, #"{"name":"Ada","email":"ada@example.org"}"#, #"{"nothing":"known"}"#)
        let results = try run("check", "poems.store", "--format", "jsonl").jsonLines().dropLast()
        let texts = results.filter { $0["source"].text?.hasSuffix("/ZTEXT") == true }
        #expect(texts.map { $0["chain"].text } == Array(repeating: "Poem", count: 5))
        #expect(texts.map { $0["outcome"].text }.suffix(2) == ["failed", "failed"])
        let notes = results.filter { $0["source"].text?.hasSuffix("/ZNOTE") == true }
        #expect(notes.count == 6 && notes.allSatisfy { $0["outcome"] == "unrecognized" })
        #expect(try run("trace", "poems.store#ZPOEM/5/ZTEXT", "--format", "json").json()["chain"] == "Poem")
    }

    @Test("--column can be repeated, and an unknown name is reported with the nearest one")
    func columns() throws {
        try makeStore()
        let both = try run(
            "check", "poems.store", "--column", "zpoem.znote", "--column=ZPOEM.ZTEXT", "--format", "jsonl")
        #expect(
            try both.jsonLines().dropLast().map { $0["source"].text?.suffix(5) } == [
                "ZNOTE", "ZNOTE", "ZNOTE", "ZTEXT", "ZTEXT",
            ])
        let wrong = try run("check", "poems.store", "--column", "ZPOEM.TEXT")
        #expect(wrong.status == 66)
        #expect(
            wrong.errors.contains("poems.store: \(StoreProblem.noSuchColumn("TEXT", table: "ZPOEM", known: ["ZTEXT"]))")
        )
        #expect(try run("trace", "poems.store", "--column", "a.b").status == 64)
    }

    @Test("a store that can't be read is one unreadable document with one message")
    func unreadable() throws {
        try makeStore()
        try folder.write(Data((0..<4096).map { UInt8(truncatingIfNeeded: $0 * 31 + 5) }), to: "secret.sqlite")
        try folder.write(folder.data("poems.store").prefix(4000), to: "short.store")
        let size = try folder.data("poems.store").count
        let run = try run("check", "secret.sqlite", "short.store", "--format", "json")
        let report = try run.json()
        #expect(report["unreadable"].integer == 2 && report["documents"].integer == 2)
        let messages = report["results"].elements.map { $0["failure"]["message"].text ?? "" }
        #expect(
            messages == [
                "\(StoreProblem.notDatabase(byteCount: nil))",
                "\(StoreProblem.cutShort(byteCount: 4000, expected: size))",
            ])
        #expect(run.status == 66)
    }

    @Test("the error of a store is printed once on a terminal, and on both streams if they are separate")
    func saidOnce() throws {
        try folder.write(Data((0..<4096).map { UInt8(truncatingIfNeeded: $0 * 31 + 5) }), to: "secret.sqlite")
        let script = "import pty, sys; pty.spawn(sys.argv[1:])"
        let sentence = "\(StoreProblem.notDatabase(byteCount: nil))"
        // On a terminal, a text report already contains the message, and other formats don't.
        for format in ["text", "json", "jsonl"] {
            let seen = try BuiltProgram(path: "/usr/bin/env").run(
                "python3", "-c", script, program.path, "check", "--format", format, "secret.sqlite", in: folder.path)
            let said = seen.output.replacing(/\s+/, with: " ")
            #expect(format != "text" || said.components(separatedBy: sentence).count == 2, "\(seen.output)")
            let isComplaint = said.contains("migration-inspector: secret.sqlite: \(sentence)")
            #expect(isComplaint == (format != "text"), "\(seen.output)")
        }
        let run = try run("check", "secret.sqlite")
        #expect(run.output.contains(sentence) && run.errors.contains(sentence))
    }

    @Test("a store in a write-protected folder is read without making files beside it, even by root")
    func protected() throws {
        try makeStore()
        try execute("PRAGMA journal_mode = WAL")
        chmod(folder.path("poems.store"), 0o444)
        chmod(folder.path, 0o555)
        defer { chmod(folder.path, 0o755) }
        let run = try program.runObeyingPermissions("check", "poems.store", "--column", "ZPOEM.ZTEXT", in: folder)
        #expect(run.status == 0 && run.errors == "")
        #expect(try self.run("check", "poems.store", "--column", "ZPOEM.ZTEXT").status == 0)
        #expect(try folder.names() == ["poems.store"])
    }

    // MARK: - Migrating

    @Test("migrate prints one migrated cell, and never writes it to the store")
    func migrateCell() throws {
        try makeStore()
        let before = try folder.data("poems.store")
        let cell = "poems.store#ZPOEM/2/ZTEXT"
        #expect(
            try run("migrate", cell).output
                == #"{"author":{"name":"A"},"lines":["One","Two"],"rating":"love","version":3}"#)
        #expect(try run("migrate", cell, "--in-place").status == 64)
        #expect(try run("migrate", cell, "--output", "poems.store").status == 64)
        #expect(try folder.data("poems.store") == before)
        #expect(try folder.names() == ["poems.store"])
    }

    /// The message about the column of poems.
    private func poems(migrated: Int, current: Int, refused: Int = 0) -> String {
        CommandWords.column(
            StoreColumn(table: "ZPOEM", column: "ZTEXT"), chain: "Poem", version: .number(3), migrated: migrated,
            current: current, refused: refused)
    }

    @Test("migrate writes a copy of a store with every document migrated, and counts them")
    func migrate() throws {
        try makeStore()
        let before = try folder.data("poems.store")
        let run = try run("migrate", "poems.store", "--output", "new.store")
        let notes = CommandWords.column(
            StoreColumn(table: "ZPOEM", column: "ZNOTE"), chain: nil, version: .unversioned, migrated: 0, current: 3,
            refused: 0)
        #expect(
            run.errorLines == [
                "migration-inspector: poems.store: \(poems(migrated: 1, current: 1))",
                "migration-inspector: poems.store: \(notes)",
                "migration-inspector: new.store: \(CommandWords.written(1, besides: FilePath("poems.store")))",
            ])
        #expect(run.output == "" && run.status == 0)
        let select = "SELECT Z_PK, ZTEXT, ZNOTE FROM ZPOEM"
        let migrated = #"{"author":{"name":"A"},"lines":["One","Two"],"rating":"love","version":3}"#
        #expect(
            try execute(select, in: "new.store")
                == "[(1, '\(Poems.current)', '{\"mine\":1}'), (2, '\(migrated)', '{\"mine\":2}'), (3, '', '{\"mine\":3}')]"
        )
        #expect(try folder.data("poems.store") == before)
        #expect(try folder.names() == ["new.store", "poems.store"])
        #expect(try self.run("check", "new.store", "--column", "ZPOEM.ZTEXT").output.contains("2 current, 0 migrated"))
    }

    @Test("migrate writes nothing if no document of a store belongs to a chain")
    func noChain() throws {
        try makeStore()
        let run = try run("migrate", "poems.store", "--output", "new.store", "--column", "ZPOEM.ZNOTE")
        #expect(run.status == 1)
        #expect(run.errors.hasSuffix("\(CommandWords.noChain)\n"))
        #expect(try folder.names() == ["poems.store"])
    }

    @Test("migrate writes nothing if the chain of a column can't be determined, and says why", arguments: [1, 2])
    func unknownChain(columnCount: Int) throws {
        try makeStore()
        // More than the process that reads them may have in memory.
        let poem = #"{"version":1,"author":"A","poem":"' || hex(zeroblob(150000)) || '","starRating":4}"#
        try execute(
            "CREATE TABLE T (ID INTEGER PRIMARY KEY, DOC TEXT); WITH RECURSIVE N(I) AS "
                + "(SELECT 1 UNION ALL SELECT I + 1 FROM N WHERE I < 60) INSERT INTO T (DOC) SELECT '\(poem)' FROM N")
        let columns = ["ZPOEM.ZTEXT", "T.DOC"].suffix(columnCount).flatMap { ["--column", $0] }
        let run = try program.run(
            ["migrate", "poems.store", "--output", "new.store", "--memory-limit", "100"] + columns, in: folder.path)
        let words = CommandWords.unknownChain(
            of: StoreColumn(table: "T", column: "DOC"), because: .crashed(Crash(.outOfMemory)))
        #expect(run.status == 1 && run.errorLines == ["migration-inspector: poems.store: \(words)"])
        #expect(try folder.names() == ["poems.store"])
    }

    @Test("migrate writes nothing if a row fails, and names the first few")
    func refusal() throws {
        try makeStore(Poems.broken, #"{"version":1,"#, Poems.moody)
        let run = try run("migrate", "poems.store", "--output", "new.store", "--column", "ZPOEM.ZTEXT")
        #expect(run.status == 1)
        #expect(run.errors.contains(poems(migrated: 1, current: 1, refused: 3)))
        #expect(run.errors.contains("poems.store#ZPOEM/4/ZTEXT:1:53: \(Poems.ratingFailure.sentence)"))
        let cut = MigrationFailure(.malformed(problem: .unexpected(found: .end, expected: .name)))
        #expect(run.errors.contains("poems.store#ZPOEM/5/ZTEXT:1:14: \(cut.sentence)"))
        #expect(run.errors.contains("poems.store#ZPOEM/6/ZTEXT: \([Poems.field("mood")].lossSentence())"))
        #expect(run.errors.hasSuffix("poems.store: \(CommandWords.refused(3))\n"))
        #expect(try folder.names() == ["poems.store"])
    }

    @Test("migrate names five failing rows, and counts the others", arguments: [5, 6, 8])
    func manyRefusals(count: Int) throws {
        let rows = Array(repeating: "('\(Poems.broken)')", count: count).joined(separator: ", ")
        try execute(
            "CREATE TABLE ZPOEM (Z_PK INTEGER PRIMARY KEY, ZTEXT BLOB); INSERT INTO ZPOEM (ZTEXT) VALUES \(rows)")
        let run = try run("migrate", "poems.store", "--output", "new.store")
        let named = run.errorLines.filter { $0.contains("#ZPOEM/") }
        #expect(named.count == 5 && named[4].contains("#ZPOEM/5/ZTEXT:"))
        let others = run.errorLines.filter { $0.hasPrefix("migration-inspector: and ") }
        #expect(others.count == (count > 5 ? 1 : 0) && others.allSatisfy { $0.contains(" \(count - 5) ") })
        #expect(run.errorLines.first?.hasSuffix(poems(migrated: 0, current: 0, refused: count)) == true)
        #expect(run.errors.hasSuffix("poems.store: \(CommandWords.refused(count))\n") && run.status == 1)
    }

    @Test("migrate uses the named chain and version for a store")
    func chainAndVersion() throws {
        try execute(
            "CREATE TABLE ZPOEM (Z_PK INTEGER PRIMARY KEY, ZTEXT BLOB); INSERT INTO ZPOEM (ZTEXT) VALUES ('\(Poems.first)')"
        )
        let letter = try run("migrate", "poems.store", "--output", "new.store", "--chain", "Letter")
        let column = StoreColumn(table: "ZPOEM", column: "ZTEXT")
        let words = CommandWords.column(
            column, chain: "Letter", version: .number(2), migrated: 0, current: 0, refused: 1)
        #expect(letter.errorLines.first == "migration-inspector: poems.store: \(words)" && letter.status == 1)
        let second = try run("migrate", "poems.store", "--output", "new.store", "--to", "2")
        let migrated = CommandWords.column(
            column, chain: "Poem", version: .number(2), migrated: 1, current: 0, refused: 0)
        #expect(second.errorLines.first == "migration-inspector: poems.store: \(migrated)" && second.status == 0)
        let text = try execute("SELECT ZTEXT FROM ZPOEM", in: "new.store")
        #expect(text.contains(#""rating":"love","version":2"#))
    }

    @Test("migrate leaves no files if it is interrupted at any time", arguments: [SIGINT, SIGTERM])
    func interruption(signal: Int32) throws {
        try execute("CREATE TABLE ZPOEM (Z_PK INTEGER PRIMARY KEY, ZTEXT BLOB)")
        try execute(
            "WITH RECURSIVE N(I) AS (SELECT 1 UNION ALL SELECT I + 1 FROM N WHERE I < 200000) "
                + "INSERT INTO ZPOEM (ZTEXT) SELECT '\(Poems.first)' FROM N")
        let script = """
            import os, signal, subprocess, sys, time
            # A shell may have its background jobs ignore it.
            signal.signal(signal.SIGINT, signal.default_int_handler)
            migration = subprocess.Popen([sys.argv[1], "migrate", "poems.store", "--output", "new.store"])
            while migration.poll() is None and not [name for name in os.listdir(".") if name.endswith(".tmp")]: time.sleep(0.01)
            time.sleep(0.3)
            migration.send_signal(int(sys.argv[2]))
            print(migration.wait())
            """
        let run = try BuiltProgram(path: "/usr/bin/env")
            .run("python3", "-c", script, program.path, "\(signal)", in: folder.path)
        #expect(run.output == "-\(signal)\n", "\(run.errors)")
        #expect(try folder.names() == ["poems.store"])
    }

    @Test("migrate loses unread fields of a store only if that is allowed")
    func allowDropped() throws {
        try makeStore(Poems.moody)
        #expect(try run("migrate", "poems.store", "--output", "new.store").status == 1)
        #expect(try run("migrate", "poems.store", "--output", "new.store", "--allow-dropped").status == 0)
        #expect(try !execute("SELECT ZTEXT FROM ZPOEM WHERE Z_PK = 4", in: "new.store").contains("mood"))
    }

    @Test("migrate doesn't change a store in place, and doesn't write one to standard output or over a file")
    func refusedTargets() throws {
        try makeStore()
        let before = try folder.data("poems.store")
        let inPlace = try run("migrate", "poems.store", "--in-place")
        #expect(inPlace.status == 64)
        #expect(inPlace.errors.contains(UsageError.inPlaceOfStore("poems.store").message))
        #expect(try run("migrate", "poems.store").status == 64)
        try folder.write("mine", to: "new.store")
        for target in ["new.store", "poems.store"] {
            let run = try run("migrate", "poems.store", "--output", target)
            #expect(run.status == 1)
            #expect(run.errors.contains("\(target): \(SourceProblem.exists)"))
        }
        #expect(try folder.text("new.store") == "mine")
        #expect(try folder.data("poems.store") == before)
    }

    @Test("tables whose names are canonically equivalent but not the same are checked and migrated separately")
    func equivalentTables() throws {
        try execute(
            """
            CREATE TABLE "caf\u{e9}" (ID INTEGER PRIMARY KEY, POEM TEXT); CREATE TABLE "cafe\u{301}" (ID INTEGER PRIMARY KEY, POEM TEXT); \
            INSERT INTO "caf\u{e9}" VALUES (1, '\(Poems.first)'); INSERT INTO "cafe\u{301}" VALUES (1, '{"name":"A","email":"a@b.c"}')
            """)
        let results = try run("check", "poems.store", "--format", "jsonl").jsonLines().dropLast()
        #expect(results.map { $0["chain"].text }.sorted { ($0 ?? "") < ($1 ?? "") } == ["Poem", "User"])
        #expect(try run("migrate", "poems.store", "--output", "new.store").status == 0)
        let poems = try execute("SELECT POEM FROM \"caf\u{e9}\"", in: "new.store")
        let users = try execute("SELECT POEM FROM \"cafe\u{301}\"", in: "new.store")
        #expect(poems.contains("lines") && users.contains(#""id":"a@b.c""#))
    }
}
