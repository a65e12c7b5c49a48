import CSQLite
import DocumentModel
import DocumentSources
import Foundation
import MigrationCore
import MigrationWorker

let storeTarget = FuzzTarget(
    name: "store", summary: "changed SQLite stores, with and without a log; reached: a step ran on a row",
    usualCount: 1_000
) { try Stores(examples: Examples()) }

/// An input consists of the size of a store, the store, and its log, which may be empty.
private struct Stores: FuzzSubject {
    private let examples: Examples
    private let folder = FileManager.default.temporaryDirectory.appending(path: "stores-\(UUID().uuidString)")
    private let plain: [UInt8]
    private let withLog: (store: [UInt8], log: [UInt8])

    private static let mostDocuments = 6

    init(examples: Examples) throws {
        self.examples = examples
        plain = try Array(Data(contentsOf: URL(filePath: Examples.store)))
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appending(path: "logged.sqlite")
        try Data(plain).write(to: file)
        var store: OpaquePointer?
        sqlite3_open(file.path, &store)
        sqlite3_exec(
            store, "PRAGMA journal_mode=WAL; CREATE TABLE more(id INTEGER PRIMARY KEY, text TEXT);", nil, nil, nil)
        sqlite3_exec(store, "INSERT INTO more(text) VALUES ('{\"version\": 1}'), ('x'), ('[1, 2]')", nil, nil, nil)
        withLog = try (Array(Data(contentsOf: file)), Array(Data(contentsOf: URL(filePath: file.path + "-wal"))))
        sqlite3_close(store)
    }

    func input(_ random: inout SplitMix64) -> [UInt8] {
        let hasLog = random.below(3) == 0
        var (store, log) = hasLog ? withLog : (plain, [])
        for _ in 0...random.below(3) {
            // Most of a page is the contents of rows, and its first bytes say where they are.
            let page = random.below(store.count / 4096) * 4096
            let place =
                random.below(2) == 0 ? random.below(store.count) : page + random.below(random.below(2) == 0 ? 100 : 16)
            store[place] =
                random.below(2) == 0 ? UInt8(random.below(256)) : store[place] ^ (1 << UInt8(random.below(8)))
        }
        if !log.isEmpty, random.below(2) == 0 {
            log[random.below(random.below(2) == 0 ? 56 : log.count)] = UInt8(random.below(256))
        }
        if random.below(32) == 0 { store.removeLast(random.below(store.count)) }
        var size = UInt32(store.count)
        return withUnsafeBytes(of: &size) { Array($0) } + store + log
    }

    func run(_ input: [UInt8]) throws -> Depth {
        guard input.count > 4 else { return .refused }
        let size = Int(input.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) })
        guard input.count >= 4 + size else { return .refused }
        let (store, log) = (input[4..<4 + size], input[(4 + size)...])
        let path = folder.appending(path: "store.sqlite").path
        for name in ["", "-wal", "-shm", "-journal"] { unlink(path + name) }
        try Data(store).write(to: URL(filePath: path))
        if !log.isEmpty { try Data(log).write(to: URL(filePath: path + "-wal")) }
        // The program waits before it reads a file that was just written, so that a later change would have another
        // time.
        for file in log.isEmpty ? [path] : [path, path + "-wal"] {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1e9)], ofItemAtPath: file)
        }
        var found: [DocumentReference] = []
        try DocumentWalker([GivenName(FilePath(path))]).walk { if found.count < Self.mostDocuments { found += $0 } }
        var depth = Depth.refused
        for document in found.prefix(Self.mostDocuments) {
            let reply = try examples.host.reply(to: WorkerRequest(document), wanting: .trace)
            guard let trace = reply?.answer else { continue }
            if trace.document != nil, depth == .refused { depth = .parsed }
            if !trace.steps.isEmpty { depth = .reached }
        }
        try Broken.unless(try Data(contentsOf: URL(filePath: path)) == Data(store), "the store was written to")
        return depth
    }
}
