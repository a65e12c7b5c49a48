import Foundation
import TestSupport

/// A folder of documents that must stay as they are.
struct Documents {
    let folder: TemporaryFolder
    private let files: [String: Data]

    /// So many copies of the demo-data.
    init(copies: Int) throws {
        folder = try TemporaryFolder()
        for copy in 0..<copies {
            try FileManager.default.copyItem(atPath: Project.path("demo-data"), toPath: folder.path("\(copy)"))
        }
        files = try Self.files(in: folder)
    }

    /// A document large enough that reading, migrating and writing it takes a while.
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

    /// The names of files that are other ones, there too many, or gone.
    func differences() throws -> [String] {
        let now = try Self.files(in: folder)
        return Set(now.keys).union(files.keys).filter { now[$0] != files[$0] }.sorted()
    }
}

/// Numbers that a failure names, so that it can be repeated.
struct Seeded: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }

    /// How often to try: that often, or more where a longer run is asked for.
    static func count(_ usual: Int) -> Int {
        ProcessInfo.processInfo.environment["FAULT_TEST_COUNT"].flatMap { Int($0) } ?? usual
    }
}
