import Foundation
import TestSupport

/// A folder with a store that is large enough to take a while to copy. It has a log without an index, so reading it
/// needs a copy too.
struct Stores {
    let folder: TemporaryFolder
    let names = ["store", "store-wal"]
    private let files: [Data]

    init() throws {
        let original = try TemporaryFolder()
        let writer = try StoreWriter(
            original.path("store"), "CREATE TABLE Z(ID INTEGER PRIMARY KEY, ZTEXT)", "PRAGMA journal_mode = WAL",
            "CREATE TABLE ZIMAGE(ZDATA)", "INSERT INTO ZIMAGE VALUES (zeroblob(30000000))",
            "PRAGMA wal_checkpoint(TRUNCATE)",
            #"INSERT INTO Z VALUES (1, '{"version": 1, "author": "A", "poem": "B", "starRating": 5}')"#)
        folder = try TemporaryFolder()
        files = try names.map { try original.data($0) }
        for (name, file) in zip(names, files) { try folder.write(file, to: name) }
        writer.quit()
        // Files that were just written would make the program wait.
        usleep(100_000)
    }

    /// Returns the names of the files that have changed, are new, or are gone.
    func differences() throws -> [String] {
        try folder.names().filter { !names.contains($0) }
            + zip(names, files).filter { try folder.data($0) != $1 }.map(\.0)
    }
}

/// A folder of documents that must not change.
struct Documents {
    let folder: TemporaryFolder
    private let files: [String: Data]

    /// Makes copies of the demo-data in the folders "0", "1" and so on.
    init(copies: Int) throws {
        folder = try TemporaryFolder()
        for copy in 0..<copies {
            try FileManager.default.copyItem(atPath: Project.path("demo-data"), toPath: folder.path("\(copy)"))
        }
        files = try Self.files(in: folder)
    }

    /// Makes a document large enough that reading, migrating and writing it takes a while.
    init(lines: Int) throws {
        folder = try TemporaryFolder()
        let lines = (0..<lines).map { "an epicure dining at Crewe, \($0)" }.joined(separator: "\\n")
        try folder.write(
            #"{"version": 1, "author": "Anonymous", "poem": "\#(lines)", "starRating": 5}"#, to: "poem.json")
        files = try Self.files(in: folder)
    }

    private static func files(in folder: TemporaryFolder) throws -> [String: Data] {
        var files: [String: Data] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
            files[name] = FileManager.default.contents(atPath: folder.path(name)) ?? Data()
        }
        return files
    }

    /// Returns the names of the files that have changed, are new, or are gone.
    func differences() throws -> [String] {
        let now = try Self.files(in: folder)
        return Set(now.keys).union(files.keys).filter { now[$0] != files[$0] }.sorted()
    }
}
