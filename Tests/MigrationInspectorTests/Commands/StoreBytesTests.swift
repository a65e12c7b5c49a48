import Foundation
import TestSupport
import Testing

@Suite("Stores stay unchanged byte for byte, with their log and its index")
struct StoreBytesTests {
    private let program = BuiltProgram.inspector
    private let folder: TemporaryFolder
    /// The folder for copies, so that nothing may change in the store's own folder.
    private let copies: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        copies = try TemporaryFolder()
    }

    private static let table = "CREATE TABLE ZPOEM (Z_PK INTEGER PRIMARY KEY, ZTEXT BLOB)"

    private static func insert(_ count: Int) -> String {
        "WITH RECURSIVE N(I) AS (SELECT 1 UNION ALL SELECT I + 1 FROM N WHERE I < \(count)) "
            + "INSERT INTO ZPOEM (ZTEXT) SELECT CAST('\(Poems.first)' AS BLOB) FROM N"
    }

    /// Runs every command that opens a store, and compares the files after each.
    private func expectNoChange(of names: [String], count: Int) throws {
        let store = folder.path("poems.store")
        let before = try FilesAsTheyAre(folder)
        #expect(before.names == names)
        let copy = copies.path("copy.store")
        unlink(copy)
        for arguments in [
            ["check", store], ["check", folder.path, "--format", "json"], ["inspect", store],
            ["trace", "\(store)#ZPOEM/1/ZTEXT"], ["trace", "\(store)#ZPOEM/1/ZTEXT", "--format", "json"],
            ["migrate", "\(store)#ZPOEM/1/ZTEXT"], ["migrate", store, "--output", copy],
        ] {
            let run = try program.run(arguments)
            #expect(run.status == 0, "\(arguments): \(run.errors)")
            #expect(try FilesAsTheyAre(folder) == before, "\(arguments)")
        }
        #expect(
            try program.run("check", store).output.hasSuffix(
                "\(count) migrated, 0 failed, 0 unrecognized, 0 unreadable\n"))
        #expect(
            try program.run("check", copy).output.hasSuffix(
                "\(count) documents: \(count) current, 0 migrated, 0 failed, 0 unrecognized, 0 unreadable\n"))
        #expect(try FilesAsTheyAre(folder) == before)
        #expect(try copies.names() == ["copy.store"])
    }

    @Test("a store that no program has open isn't changed by any command", arguments: ["DELETE", "WAL"])
    func closed(mode: String) throws {
        try StoreWriter.make(
            folder.path("poems.store"), "PRAGMA journal_mode = \(mode)", Self.table, Self.insert(50))
        try expectNoChange(of: ["poems.store"], count: 50)
    }

    @Test("a store that another program has open, with all writes still in the log, isn't changed by any command")
    func open() throws {
        let writer = try StoreWriter(
            folder.path("poems.store"), "PRAGMA journal_mode = WAL", Self.table, Self.insert(50))
        try expectNoChange(of: ["poems.store", "poems.store-shm", "poems.store-wal"], count: 50)
        try writer.execute(Self.insert(1))
        writer.quit()
    }

    @Test("a store in an open transaction isn't changed, and uncommitted rows in its log are not read")
    func writing() throws {
        let writer = try StoreWriter(
            folder.path("poems.store"), "PRAGMA journal_mode = WAL", Self.table, Self.insert(50),
            // With so little memory, a transaction is written to the log before it ends.
            "PRAGMA cache_size = 1", "BEGIN", Self.insert(500))
        try expectNoChange(of: ["poems.store", "poems.store-shm", "poems.store-wal"], count: 50)
        try writer.execute("COMMIT")
        try expectNoChange(of: ["poems.store", "poems.store-shm", "poems.store-wal"], count: 550)
        writer.quit()
    }

    @Test("a store that another program is writing to with a journal isn't changed by any command")
    func journal() throws {
        let writer = try StoreWriter(folder.path("poems.store"), Self.table, Self.insert(50), "BEGIN", Self.insert(1))
        try expectNoChange(of: ["poems.store", "poems.store-journal"], count: 50)
        try writer.execute("COMMIT")
        try expectNoChange(of: ["poems.store"], count: 51)
        writer.quit()
    }

    @Test("a store that a crash has left isn't changed, with or without the index of its log")
    func crashed() throws {
        let writer = try StoreWriter(
            folder.path("poems.store"), "PRAGMA journal_mode = WAL", Self.table, Self.insert(50))
        writer.crash()
        try expectNoChange(of: ["poems.store", "poems.store-shm", "poems.store-wal"], count: 50)
        unlink(folder.path("poems.store-shm"))
        try expectNoChange(of: ["poems.store", "poems.store-wal"], count: 50)
    }

    /// Writes small transactions to a store without a pause, and starts a new log now and then. Then prints whether the
    /// store is intact.
    private static let busyWriter = """
        import sqlite3, sys, time
        store = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=0 if sys.argv[2] == "WAL" else 20)
        store.execute("PRAGMA journal_mode = " + sys.argv[2])
        store.execute("PRAGMA wal_autocheckpoint = 20")
        end = time.monotonic() + 4
        while time.monotonic() < end:
            store.execute("INSERT INTO ZPOEM (ZTEXT) VALUES (CAST(? AS BLOB))", (sys.argv[3],))
        print(store.execute("PRAGMA integrity_check").fetchone()[0])
        """

    @Test(
        "a program that keeps writing to a store is not disturbed by the commands, and doesn't disturb them",
        arguments: ["WAL", "DELETE"])
    func busy(mode: String) async throws {
        let store = folder.path("poems.store")
        try StoreWriter.make(store, "PRAGMA journal_mode = \(mode)", Self.table, Self.insert(50))
        async let writing = BuiltProgram(path: "/usr/bin/env")
            .runForLong(["python3", "-c", Self.busyWriter, store, mode, Poems.first])
        // The writer may have written thousands of documents, whose losses are another matter.
        for round in 1...4 {
            let check = try program.run("check", store)
            #expect(check.status == 0, "\(check.output.prefix(2000))\(check.errors)")
            let trace = try program.run("trace", "\(store)#ZPOEM/7/ZTEXT")
            #expect(trace.status == 0, "\(trace.errors)")
            // The copy is from a single moment, even if more is written in the meantime.
            let migrate = try program.run(
                "migrate", store, "--output", copies.path("\(round).store"), "--no-experiments")
            #expect(migrate.status == 0, "\(migrate.errors)")
            let copy = try StoreWriter(copies.path("\(round).store"))
            #expect(try copy.execute("PRAGMA integrity_check") == "[('ok',)]")
            copy.quit()
        }
        let written = try await writing
        #expect(written.output == "ok\n", "\(written.errors)")
        let last = try program.run("migrate", store, "--output", copies.path("copy.store"), "--no-experiments")
        #expect(last.status == 0, "\(last.errors)")
    }
}
