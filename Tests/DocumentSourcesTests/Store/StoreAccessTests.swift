import DocumentModel
import Foundation
import MigrationCore
import TestSupport
import Testing

@testable import DocumentSources

@Suite("Reading a store without changing it")
struct StoreAccessTests {
    private static let table = "CREATE TABLE BOOK (ID INTEGER PRIMARY KEY, META BLOB)"

    private static func insert(_ number: Int) -> String {
        "INSERT INTO BOOK (META) VALUES (CAST('{\"n\":\(number)}' AS BLOB))"
    }

    private func texts(_ path: String) throws -> [String] { try DocumentStore(FilePath(path)).texts("BOOK", "META") }

    @Test("a store whose schema calls SQLite's JSON functions is read, although some versions consider them unsafe")
    func functions() throws {
        let folder = try TemporaryFolder()
        try StoreWriter.make(
            folder.path("a"), "CREATE TABLE BOOK (ID INTEGER PRIMARY KEY, META, A AS (META ->> 'a'))",
            "CREATE INDEX I ON BOOK(json_extract(META, '$.a'))", #"INSERT INTO BOOK VALUES (1, '{"a":1}')"#)
        #expect(try texts(folder.path("a")) == [#"{"a":1}"#])
    }

    // MARK: - Logs

    @Test("a store is read as committed while another program writes to its log, and its files stay as they are")
    func liveLog() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a.store")
        let writer = try StoreWriter(path, "PRAGMA journal_mode = WAL", Self.table, Self.insert(1))
        let before = try FilesAsTheyAre(folder)
        #expect(before.names == ["a.store", "a.store-shm", "a.store-wal"])
        #expect(try DocumentStore(FilePath(path)).documentColumns().map(\.description) == ["BOOK.META"])
        #expect(try texts(path) == [#"{"n":1}"#])
        #expect(try FilesAsTheyAre(folder) == before)

        // The store stays open here, and its writer continues undisturbed.
        let cell = try #require(try DocumentStore(FilePath(path)).cells("BOOK", "META").first)
        let stamp = cell.stamp
        try writer.execute("BEGIN")
        try writer.execute(Self.insert(2))
        #expect(try texts(path) == [#"{"n":1}"#])
        try writer.execute("COMMIT")
        #expect(cell.stamp != stamp)
        let later = try FilesAsTheyAre(folder)
        #expect(try texts(path) == [#"{"n":1}"#, #"{"n":2}"#])
        #expect(try FilesAsTheyAre(folder) == later)
        #expect(try writer.execute("PRAGMA wal_checkpoint(PASSIVE)").hasPrefix("[(0,"))
    }

    @Test("a store is read after a crash that left its log and index")
    func crashedLog() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a.store")
        let writer = try StoreWriter(path, "PRAGMA journal_mode = WAL", Self.table, Self.insert(1))
        writer.crash()
        let before = try FilesAsTheyAre(folder)
        #expect(before.names.count == 3)
        #expect(try texts(path) == [#"{"n":1}"#])
        #expect(try FilesAsTheyAre(folder) == before)
    }

    @Test("a store with a log and no index is read, as in a copy of both")
    func logWithoutIndex() throws {
        let folder = try TemporaryFolder()
        let writer = try StoreWriter(folder.path("a"), "PRAGMA journal_mode = WAL", Self.table, Self.insert(1))
        let copies = try TemporaryFolder()
        try copies.write(folder.data("a"), to: "a")
        try copies.write(folder.data("a-wal"), to: "a-wal")
        writer.quit()
        let before = try FilesAsTheyAre(copies)
        #expect(try texts(copies.path("a")) == [#"{"n":1}"#])
        #expect(try FilesAsTheyAre(copies) == before)
        #expect(before.names == ["a", "a-wal"])
    }

    @Test(
        "a store with a damaged log is read as by a program that may rebuild the log's index",
        .timeLimit(.minutes(30)), arguments: [0, 3, 7, 11, 12, 17, 22, 25, 31])
    func brokenLog(offset: Int) throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a.store")
        let writer = try StoreWriter(path, "PRAGMA journal_mode = WAL", Self.table, Self.insert(1))
        try writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        try writer.execute(Self.insert(2))
        writer.crash()
        var log = try folder.data("a.store-wal")
        log[offset] ^= 0xFF
        try folder.write(log, to: "a.store-wal")
        let before = try FilesAsTheyAre(folder)
        let texts = try texts(path)
        #expect(try FilesAsTheyAre(folder) == before)
        let reader = try StoreWriter(path)
        #expect(try reader.execute("SELECT count(*) FROM BOOK") == "[(\(texts.count),)]")
        reader.quit()
    }

    @Test("a store that keeps a log but has none now is read, and a log that is begun later is noticed")
    func closedLog() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a.store")
        try StoreWriter.make(path, "PRAGMA journal_mode = WAL", Self.table, Self.insert(1))
        let before = try FilesAsTheyAre(folder)
        #expect(before.names == ["a.store"])
        #expect(try texts(path) == [#"{"n":1}"#])
        #expect(try FilesAsTheyAre(folder) == before)

        let writer = try StoreWriter(path, Self.insert(2))
        let during = try FilesAsTheyAre(folder)
        #expect(try texts(path).count == 2)
        #expect(try FilesAsTheyAre(folder) == during)
        writer.quit()
        #expect(try texts(path).count == 2)
    }

    @Test("a store that begins to keep a log while it is open here is read")
    func logBegunLater() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a.store")
        try StoreWriter.make(path, Self.table, Self.insert(1))
        #expect(try texts(path).count == 1)
        try StoreWriter.make(path, "PRAGMA journal_mode = WAL", Self.insert(2))
        let before = try FilesAsTheyAre(folder)
        #expect(before.names == ["a.store"])
        #expect(try texts(path).count == 2)
        #expect(try FilesAsTheyAre(folder) == before)
    }

    // MARK: - Journals and locks

    @Test("a journal that a crash left is rolled back in a copy")
    func hotJournal() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a.store")
        let writer = try StoreWriter(
            path, Self.table, Self.insert(1),
            "WITH RECURSIVE N(I) AS (SELECT 2 UNION ALL SELECT I + 1 FROM N WHERE I < 200) "
                + "INSERT INTO BOOK SELECT I, CAST('{\"n\":\"' || printf('%.900c', 'x') || '\"}' AS BLOB) FROM N",
            // With so little memory, changes are written to the file before the transaction ends.
            "PRAGMA cache_size = 1", "BEGIN", "UPDATE BOOK SET META = CAST('{\"lost\":true}' AS BLOB)")
        writer.crash()
        let before = try FilesAsTheyAre(folder)
        #expect(before.names == ["a.store", "a.store-journal"])
        let texts = try texts(path)
        #expect(texts.count == 200 && texts[0] == #"{"n":1}"# && !texts.contains { $0.contains("lost") })
        #expect(try FilesAsTheyAre(folder) == before)
    }

    /// Makes a store with a journal that a crash left, which names another file as its super-journal.
    private func storeNaming(_ name: String, in folder: TemporaryFolder) throws -> String {
        let path = folder.path("a.store")
        let writer = try StoreWriter(
            path, Self.table, Self.insert(1),
            "WITH RECURSIVE N(I) AS (SELECT 2 UNION ALL SELECT I + 1 FROM N WHERE I < 200) "
                + "INSERT INTO BOOK SELECT I, CAST('{\"n\":\"' || printf('%.900c', 'x') || '\"}' AS BLOB) FROM N",
            "PRAGMA cache_size = 1", "BEGIN", "UPDATE BOOK SET META = CAST('{\"lost\":true}' AS BLOB)")
        writer.crash()
        var journal = try folder.data("a.store-journal")
        let sum = name.utf8.reduce(UInt32(0)) { $0 &+ UInt32(bitPattern: Int32(Int8(bitPattern: $1))) }
        journal += [0x40, 0, 0, 1] + Array(name.utf8)
        for number in [UInt32(name.utf8.count), sum] { withUnsafeBytes(of: number.bigEndian) { journal += $0 } }
        journal += [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
        try folder.write(journal, to: "a.store-journal")
        return path
    }

    @Test("a journal that names another file as its super-journal is not rolled back, and that file stays")
    func superJournal() throws {
        let folder = try TemporaryFolder()
        let precious = try folder.write("precious", to: "precious é.txt")
        let path = try storeNaming(precious, in: folder)
        let before = try FilesAsTheyAre(folder)
        let error = try #require(throws: SourceError.self) { try texts(path) }
        #expect(error.reason == .store(.superJournal(journal: path + "-journal", names: precious)))
        #expect(try FilesAsTheyAre(folder) == before)
        // SQLite ignores a name with a wrong checksum, and so does this program.
        var journal = try folder.data("a.store-journal")
        journal[journal.count - 9] ^= 1
        try folder.write(journal, to: "a.store-journal")
        #expect(try texts(path).count == 200)
        #expect(try folder.text("precious é.txt") == "precious")
    }

    @Test("SQLite deletes and writes nothing outside the folders that were made for it")
    func guardedFiles() throws {
        let folder = try TemporaryFolder()
        let precious = try folder.write("precious", to: "precious")
        let path = try storeNaming(precious, in: folder)
        let item = try TemporaryItem(.folder, as: "x")
        for suffix in ["", "-journal"] {
            try folder.data("a.store" + suffix).write(to: URL(filePath: "\(item.content)" + suffix))
        }
        #expect(throws: StoreProblem.self) {
            let connection = try SQLiteConnection(path: item.content, mode: .readWrite)
            try connection.execute("SELECT count(*) FROM BOOK")
        }
        #expect(try folder.text("precious") == "precious")
        #expect(throws: StoreProblem.self) {
            try SQLiteConnection(path: FilePath(path), mode: .readWrite).execute("DELETE FROM BOOK")
        }
        #expect(throws: StoreProblem.self) {
            let new = try SQLiteConnection(path: FilePath(folder.path("new")), mode: .create)
            try new.execute("CREATE TABLE T (A)")
        }
        #expect(try folder.names() == ["a.store", "a.store-journal", "precious"])
    }

    @Test(
        "a pipe or folder beside a store is named, and not waited for",
        arguments: ["-wal", "-shm", "-journal"])
    func specialFilesBeside(suffix: String) throws {
        for isFolder in [false, true] {
            let folder = try TemporaryFolder()
            let path = folder.path("a.store")
            try StoreWriter.make(path, "PRAGMA journal_mode = WAL", Self.table, Self.insert(1))
            #expect((isFolder ? mkdir(path + suffix, 0o700) : mkfifo(path + suffix, 0o600)) == 0)
            let error = try #require(throws: SourceError.self) { try texts(path) }
            #expect(error.reason == .store(.besideIsNoFile(path: path + suffix, isFolder ? nil : .namedPipe)))
        }
    }

    @Test("SQLite does not wait for a pipe in place of a log or a journal")
    func pipesForSQLite() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a.store")
        try StoreWriter.make(path, Self.table, Self.insert(1))
        #expect(mkfifo(path + "-wal", 0o600) == 0)
        #expect(throws: StoreProblem.self) {
            let connection = try SQLiteConnection(path: FilePath(path), mode: .readOnly, parameters: ["mode=ro"])
            try connection.execute("SELECT count(*) FROM BOOK")
        }
    }

    @Test("a store with holes is refused if the copy for reading it would be too large")
    func holes() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a.store")
        let writer = try StoreWriter(path, "PRAGMA journal_mode = WAL", Self.table, Self.insert(1))
        let copies = try TemporaryFolder()
        try copies.write(folder.data("a.store"), to: "a.store")
        try copies.write(folder.data("a.store-wal"), to: "a.store-wal")
        writer.quit()
        try #require(truncate(copies.path("a.store"), off_t(SizeLimit.bytes)) == 0)
        let error = #expect(throws: SourceError.self) { try texts(copies.path("a.store")) }
        guard case .store(.copyTooLarge(_, SizeLimit.bytes))? = error?.reason else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("a store that another program has locked is not read, and is reported as locked")
    func locked() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a.store")
        let writer = try StoreWriter(path, Self.table, Self.insert(1), "BEGIN EXCLUSIVE")
        let error = try #require(throws: SourceError.self) { try texts(path) }
        #expect(error.reason == .store(.locked))
        try writer.execute("COMMIT")
        #expect(try texts(path) == [#"{"n":1}"#])
    }

    @Test("a lock that another program holds for a moment is waited for, whether or not the store is open here")
    func moment() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a.store")
        nonisolated(unsafe) let writer = try StoreWriter(path, Self.table, Self.insert(1))
        for count in 1...2 {
            try writer.execute("BEGIN EXCLUSIVE")
            try writer.execute(Self.insert(7))
            let isDone = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                usleep(50_000)
                _ = try? writer.execute("COMMIT")
                isDone.signal()
            }
            let cells = Result { try DocumentStore(FilePath(path)).cells("BOOK", "META") }
            isDone.wait()
            #expect(try cells.get().count == count + 1)
        }
    }

    @Test("a store is not locked between two reads, so that others can write")
    func noLockBetween() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a.store")
        try StoreWriter.make(path, Self.table, Self.insert(1))
        #expect(try texts(path).count == 1)
        let writer = try StoreWriter(path, "PRAGMA busy_timeout = 0", Self.insert(2))
        #expect(try texts(path).count == 2)
        writer.quit()
    }

    #if os(Linux)
        /// The number of locks that this process has on a file, as the system lists them.
        private func locks(on path: String) throws -> Int {
            var status = stat()
            try #require(stat(path, &status) == 0)
            let (process, file) = (" \(getpid()) ", ":\(status.st_ino) ")
            return try String(contentsOfFile: "/proc/locks", encoding: .utf8).split(separator: "\n")
                .count { $0.contains(process) && $0.contains(file) }
        }

        @Test("the locks for reading a store outlast a walk through its folder, which does not touch its log and index")
        func walk() throws {
            let folder = try TemporaryFolder()
            let path = folder.path("a.store")
            let writer = try StoreWriter(path, "PRAGMA journal_mode = WAL", Self.table, Self.insert(1))
            // Other tests open stores meanwhile, and only a few unused ones are kept open.
            let store = try DocumentStore(FilePath(path))
            defer { withExtendedLifetime(store) {} }
            #expect(try texts(path).count == 1)
            #expect(try locks(on: path + "-shm") == 1)
            var names: [String] = []
            var refusals: [SourceProblem] = []
            for paths in [[folder.path], [path, path + "-shm", path + "-wal"]] {
                try DocumentWalker(GivenName.resolve(paths.map { FilePath($0) })).walk { documents in
                    for document in documents {
                        guard let problem = document.problem else {
                            names.append(folder.relative(document.name))
                            continue
                        }
                        refusals.append(problem.reason)
                    }
                }
            }
            #expect(names == ["a.store#BOOK/1/META", "a.store#BOOK/1/META"])
            #expect(refusals == [.store(.belongsToStore(path: path)), .store(.belongsToStore(path: path))])
            #expect(try locks(on: path + "-shm") == 1)
            writer.quit()
        }
    #endif

    @Test("a store is read through a link, with the log beside the file that the link leads to")
    func link() throws {
        let folder = try TemporaryFolder()
        let writer = try StoreWriter(folder.path("a"), "PRAGMA journal_mode = WAL", Self.table, Self.insert(1))
        let other = try TemporaryFolder()
        try other.link("b", to: folder.path("a"))
        #expect(try texts(other.path("b")) == [#"{"n":1}"#])
        #expect(try other.names() == ["b"])
        writer.quit()
    }

    @Test("a store is read by many threads at once")
    func threads() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a.store")
        let writer = try StoreWriter(path, "PRAGMA journal_mode = WAL", Self.table)
        for number in 1...50 { try writer.execute(Self.insert(number)) }
        let before = try FilesAsTheyAre(folder)
        let cells = try DocumentStore(FilePath(path)).cells("BOOK", "META")
        let counts = try await withThrowingTaskGroup(of: Int.self) { group in
            for cell in cells { group.addTask { try cell.read().count } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(counts.count == 50 && counts.allSatisfy { $0 > 6 })
        #expect(try FilesAsTheyAre(folder) == before)
        writer.quit()
    }

    @Test("a store is not mistaken for one in a file that is gone")
    func gone() throws {
        let folder = try TemporaryFolder()
        // A file system may give a new file the identity of one that is gone.
        for number in 1...20 {
            let path = folder.path("\(number)")
            try StoreWriter.make(path, Self.table, Self.insert(number))
            #expect(try texts(path) == ["{\"n\":\(number)}"])
            unlink(path)
            try folder.write("{}", to: "\(number).txt")
            #expect(!DocumentStore.isStore(FilePath(folder.path("\(number).txt"))))
        }
    }

    @Test("a store that replaces another is read in its place")
    func replaced() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a.store")
        try StoreWriter.make(path, Self.table, Self.insert(1))
        #expect(try texts(path) == [#"{"n":1}"#])
        try StoreWriter.make(folder.path("b"), Self.table, Self.insert(7))
        #expect(rename(folder.path("b"), path) == 0)
        #expect(try texts(path) == [#"{"n":7}"#])
    }

    @Test("a store whose file is replaced is still the only one open at its path")
    func goesOver() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a.store")
        try StoreWriter.make(path, Self.table)
        let stores = OpenStores()
        func ask(_ store: SharedStore) throws {
            _ = try store.ask(as: "its name") { session throws(StoreProblem) in
                try session.schema.table(named: "BOOK")
            }
        }
        let store = try stores.store(at: FilePath(path))
        try ask(store)
        #expect(try stores.store(at: FilePath(path)) === store)
        try StoreWriter.make(folder.path("b"), Self.table)
        #expect(rename(folder.path("b"), path) == 0)
        try ask(store)
        #expect(try stores.store(at: FilePath(path)) === store)
        #expect(stores.contains(FilePath(path)))
    }

    // MARK: - Stores that change while they are read

    /// Counts the rows of the store at a path and how often it is asked, and calls a closure each time.
    private func counts(_ path: String, meanwhile: (_ time: Int) throws -> Void) throws -> (last: Int, times: Int) {
        var times = 0
        var failure: (any Error)?
        let last = try OpenStores().store(at: FilePath(path)).ask(as: "its name") { session throws(StoreProblem) in
            times += 1
            let table = try session.schema.table(named: "BOOK")
            let keys = try session.keys(of: .init(table: "BOOK", column: "META"), in: table, after: nil, limit: 100)
            do { try meanwhile(times) } catch { failure = error }
            return keys.count
        }
        if let failure { throw failure }
        return (last, times)
    }

    @Test("a store is asked again if its files changed before the answer", arguments: ["DELETE", "WAL"])
    func changes(mode: String) throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a.store")
        try StoreWriter.make(path, "PRAGMA journal_mode = \(mode)", Self.table, Self.insert(1))
        let (last, times) = try counts(path) { time in
            guard time == 1 else { return }
            try StoreWriter.make(folder.path("b"), Self.table, Self.insert(1), Self.insert(2))
            #expect(rename(folder.path("b"), path) == 0)
        }
        #expect(last == 2 && times == 2)
        #expect(try counts(path) { _ in } == (2, 1))
    }

    @Test("a store is given up only after several attempts if its files keep changing")
    func neverStill() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a.store")
        try StoreWriter.make(path, Self.table, Self.insert(1))
        var times = 0
        let error = try #require(throws: SourceError.self) {
            try counts(path) { time in
                times = time
                try folder.write(folder.data("a.store"), to: "b")
                #expect(rename(folder.path("b"), path) == 0)
            }
        }
        #expect(error == SourceError(source: "its name", reason: .store(.neverStill)) && times > 2)
    }

    @Test("a problem of a store is reported once, under the name of what was requested")
    func problems() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a.store")
        try StoreWriter.make(path, Self.table)
        let store = try OpenStores().store(at: FilePath(path))
        var times = 0
        for _ in 0..<2 {
            let error = try #require(throws: SourceError.self) {
                try store.ask(as: "its name") { session throws(StoreProblem) in
                    times += 1
                    try session.connection.execute("SELECT * FROM NOTHING")
                }
            }
            #expect(error.source == "its name" && error.isAboutStore)
        }
        #expect(times == 2)
        #expect(throws: SourceError(source: "its name", reason: .noSuchFile)) {
            unlink(path)
            try store.ask(as: "its name") { _ in }
        }
    }

    @Test("a new table is known at the latest after it was requested once")
    func laterTables() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a.store")
        try StoreWriter.make(path, Self.table, Self.insert(1))
        #expect(try texts(path).count == 1)
        try StoreWriter.make(path, "CREATE TABLE LATER (META TEXT)", "INSERT INTO LATER VALUES ('{}')")
        let store = try DocumentStore(FilePath(path))
        _ = try? store.cells("LATER", "META")
        #expect(try store.texts("LATER", "META") == ["{}"])
    }

    @Test("a store is open once for all its names, as long as few others are")
    func openStores() throws {
        let folder = try TemporaryFolder()
        let paths = try (0..<9).map { FilePath(try folder.write("", to: "\($0)")) }
        let stores = OpenStores()
        let first = try stores.store(at: paths[0])
        for path in paths[1..<8] { _ = try stores.store(at: path) }
        #expect(paths.map(stores.contains) == Array(repeating: true, count: 8) + [false])
        // The one that was used last is kept longest, under any of its names.
        try folder.link("link", to: "0")
        #expect(try stores.store(at: FilePath(folder.path("link"))) === first)
        _ = try stores.store(at: paths[8])
        #expect(paths.map(stores.contains) == [true, false] + Array(repeating: true, count: 7))
        #expect(try stores.store(at: paths[0]) === first)
        #expect(!stores.contains("nothing"))
        #expect(throws: SourceError(source: "nothing", reason: .noSuchFile)) { try stores.store(at: "nothing") }
    }

    @Test("a store without the ending of a document is recognized by its content")
    func names() throws {
        let folder = try TemporaryFolder()
        for name in ["a", "a.json", "a.jsonl"] {
            let path = folder.path(name)
            try StoreWriter.make(path, Self.table, Self.insert(1))
            let found = try DocumentSources.source(in: FoundFile(FilePath(path), isGiven: true))
            // A file with the ending of a document is taken for one, whatever it begins with.
            #expect(
                found.flatMap { type(of: $0).container } == (name == "a" ? .sqlite : name == "a.json" ? nil : .jsonl))
        }
    }
}
