import Foundation
import MigrationCore
import TestSupport
import Testing

@testable import DocumentSources

@Suite("The header of a store")
struct StoreHeaderTests {
    private let folder: TemporaryFolder
    private let whole: Data

    init() throws {
        folder = try TemporaryFolder()
        try StoreWriter.make(folder.path("a"), "CREATE TABLE T (ID INTEGER PRIMARY KEY, META)")
        whole = try folder.data("a")
    }

    /// The header of the store with the bytes at some offsets changed.
    private func header(_ changes: [Int: [UInt8]] = [:], length: Int? = nil) throws -> StoreHeader {
        var bytes = whole
        for (offset, change) in changes { bytes.replaceSubrange(offset..<offset + change.count, with: change) }
        return try StoreHeader(OpenFile(path: FilePath(try folder.write(bytes.prefix(length ?? bytes.count), to: "b"))))
    }

    private func problem(_ changes: [Int: [UInt8]], byteCount: Int? = nil) throws -> StoreProblem? {
        try header(changes).problem(byteCount: byteCount ?? whole.count)
    }

    @Test("a header as SQLite writes it has no problem, with any possible page size")
    func fine() throws {
        #expect(try problem([:]) == nil)
        for exponent in 9...16 {
            let size = 1 << exponent
            let bytes = size == 65536 ? [0, 1] : [UInt8(size >> 8), UInt8(size & 0xFF)]
            #expect(try problem([16: bytes], byteCount: 2 * size) == nil)
            let expected = StoreProblem.cutShort(byteCount: 2 * size - 1, expected: 2 * size)
            #expect(try problem([16: bytes], byteCount: 2 * size - 1) == expected)
        }
    }

    @Test("a header with another page size makes no sense")
    func pageSizes() throws {
        for bytes in [[0, 0], [0, 2], [1, 0], [2, 1], [3, 0], [0xFF, 0xFF]] as [[UInt8]] {
            #expect(try problem([16: bytes], byteCount: 1 << 20) == .scrambled)
        }
    }

    @Test("a header without the bytes that all stores share makes no sense")
    func fixedBytes() throws {
        for offset in Array(21...23) + Array(72..<92) + [100] {
            #expect(try problem([offset: [whole[offset] + 1]]) == .scrambled, "\(offset)")
        }
        for kind in [5, 13] as [UInt8] { #expect(try problem([100: [kind]]) == nil) }
        // The bytes beside them may be anything.
        for (offset, byte) in [(20, 8), (68, 1), (71, 1), (101, 1)] as [(Int, UInt8)] {
            #expect(try problem([offset: [byte]]) == nil, "\(offset)")
        }
    }

    @Test("a header has the number of pages, unless an old program that does not count them wrote last")
    func pageCount() throws {
        let size = whole.count
        #expect(try problem([:], byteCount: size - 1) == .cutShort(byteCount: size - 1, expected: size))
        #expect(try problem([:], byteCount: size + 1) == nil)
        #expect(try problem([24: [0xFF]], byteCount: size - 1) == nil)
        #expect(try problem([92: [0xFF]], byteCount: size - 1) == nil)
        let many = StoreProblem.cutShort(byteCount: size, expected: 0x0102_0304 * 4096)
        #expect(try problem([28: [1, 2, 3, 4]]) == many)
    }

    @Test("a header with a read version above 2 or a schema format above 4 is of a newer format")
    func newer() throws {
        func isNewer(_ changes: [Int: [UInt8]]) throws -> Bool {
            if case .newerFormat = try problem(changes) { true } else { false }
        }
        #expect(try !isNewer([18: [3]]) && !isNewer([19: [2]]) && isNewer([19: [3]]))
        #expect(try !isNewer([47: [4]]) && isNewer([47: [5]]) && isNewer([44: [1]]))
    }

    @Test("a header says whether readers or writers use a log")
    func log() throws {
        for (write, read, usesLog) in [(1, 1, false), (2, 1, true), (1, 2, true), (2, 2, true)]
            as [(UInt8, UInt8, Bool)]
        {
            #expect(try header([18: [write, read]]).usesLog == usesLog)
        }
    }

    @Test("a header that begins differently is not that of a database, and one with too few bytes is cut short")
    func length() throws {
        for offset in 0..<16 { #expect(try problem([offset: [0x7F]]) == .notDatabase(byteCount: whole.count)) }
        for length in [15, 16, 99, 100] {
            let header = try header(length: length)
            #expect(header.isDatabase == (length > 15))
            let problem =
                length == 15
                ? StoreProblem.notDatabase(byteCount: length)
                : .cutShort(byteCount: length, expected: length < 100 ? 100 : whole.count)
            #expect(header.problem(byteCount: length) == problem)
        }
        #expect(try header(length: 100).problem(byteCount: whole.count) == nil)
    }

    @Test("a file named like one that belongs to a store does so only beside one")
    func besides() throws {
        for suffix in ["-wal", "-shm", "-journal", "-WAL"] {
            #expect(StoreFiles.store(ofFileBeside: FilePath(folder.path("a" + suffix))) == FilePath(folder.path("a")))
            #expect(StoreFiles.store(ofFileBeside: FilePath(folder.path("nothing" + suffix))) == nil)
        }
        for name in ["a", "a.wal", "awal", "a-wal.json"] {
            #expect(StoreFiles.store(ofFileBeside: FilePath(folder.path(name))) == nil)
        }
        try folder.write("{}", to: "x")
        #expect(StoreFiles.store(ofFileBeside: FilePath(folder.path("x-wal"))) == nil)
    }
}
