import DocumentModel
import Foundation
import TestSupport
import Testing

@testable import DocumentSources

@Suite("Blocks of a file of lines")
struct LineBlockTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func lines(of path: FilePath) throws -> [DocumentReference] {
        var found: [DocumentReference] = []
        try JSONLines(file: path).find(
            DocumentSearch(isGiven: true, columns: [], isCancelled: { false }, waiting: {}) { found.append($0) })
        return found
    }

    @Test("lines have their bytes in any order of reading, and the new bytes after the file changes")
    func random() throws {
        var random = SeededGenerator(seed: 5)
        let texts = (0..<40).map { _ in
            var text = random.chance(50) ? "\u{FEFF}" : ""
            for number in 0..<Int.random(in: 1...3_000, using: &random) {
                text +=
                    "{\"a\":\(number),\"b\":\"" + String(repeating: "é", count: random.chance(1) ? 20_000 : number % 40)
                text += random.chance(20) ? "\"}\r\n\n" : "\"}\n"
            }
            if random.chance(50) { text.removeLast() }
            return text
        }
        let paths = try texts.enumerated().map { FilePath(try folder.write($1, to: "\($0).jsonl")) }
        // Until then, the files count as just changed.
        Thread.sleep(forTimeInterval: LineBlock.longestClockTick + 0.1)
        for (round, (path, text)) in zip(paths, texts).enumerated() {
            let bytes = Array(text.utf8)
            var documents = try lines(of: path)
            if round % 2 == 1 { documents.shuffle(using: &random) }
            for document in documents.prefix(round % 2 == 1 ? 200 : .max) {
                #expect(try document.read().data == Data(bytes[try #require(document.extent)]))
            }
            let other = text.replacing("a", with: "c")
            try Data(other.utf8).withUnsafeBytes { bytes in
                let descriptor = open(path.cString, O_WRONLY)
                defer { close(descriptor) }
                try #require(OpenFile.writeAll(bytes, to: descriptor))
            }
            // The lines after the last one that was read were read together with it.
            for document in documents.suffix(10) + documents.prefix(10) {
                #expect(try document.read().data == Data(Array(other.utf8)[try #require(document.extent)]))
            }
        }
    }

    @Test("a stretch has only the lines that begin and end in it")
    func others() throws {
        let path = FilePath(try folder.write("{}\n[1]\n[2]\n[3]", to: "x.jsonl"))
        let extents = try lines(of: path).compactMap(\.extent)
        let stretch = try #require(LineBlock(of: try OpenFile(path: path), from: extents[1], clockTick: 0))
        #expect(stretch.line(extents[1], of: path)?.data == Data("[1]".utf8))
        #expect(stretch.line(extents[2], of: path)?.data == Data("[2]".utf8))
        for extent in [extents[0], extents[3], 4..<6, 3..<5, 0..<1, 90..<99] {
            #expect(stretch.line(extent, of: path) == nil)
        }
        #expect(stretch.line(extents[1], of: "y.jsonl") == nil)
    }

    @Test("a stretch is not used for a file that has changed, or that changed just before")
    func changes() throws {
        let path = FilePath(try folder.write("{}\n[1]\n", to: "x.jsonl"))
        let extents = try lines(of: path).compactMap(\.extent)
        let stretch = try #require(LineBlock(of: try OpenFile(path: path), from: extents[1], clockTick: 0))
        #expect(stretch.line(extents[1], of: path) != nil)
        // The modification time can be set back.
        let before = try #require(FileStatus(path: path))
        Thread.sleep(forTimeInterval: 0.05)
        try folder.write("{}\n[2]\n", to: "x.jsonl")
        let time = timeval(tv_sec: before.changed.seconds, tv_usec: 0)
        try #require(utimes(path.cString, [time, time]) == 0)
        #expect(stretch.line(extents[1], of: path) == nil)
        #expect(LineBlock(of: try OpenFile(path: path), from: extents[1]) == nil)
        unlink(path.cString)
        #expect(stretch.line(extents[1], of: path) == nil)
    }

    @Test("a file is checked once for lines that are requested together")
    func asking() throws {
        let path = FilePath(try folder.write("{}\n[1]\n[2]\n", to: "x.jsonl"))
        let extents = try lines(of: path).compactMap(\.extent)
        let last = LastLineBlock()
        func text(_ number: Int, asking: UInt64?) -> String? {
            last.line(extents[number], of: path, asking: asking).map { String(decoding: $0.data, as: UTF8.self) }
        }
        #expect(text(1, asking: 1) == nil)
        last.keep(LineBlock(of: try OpenFile(path: path), from: extents[1], clockTick: 0))
        #expect(text(1, asking: 1) == "[1]")
        Thread.sleep(forTimeInterval: 0.05)
        try folder.write("[]\n[3]\n[4]\n", to: "x.jsonl")
        // All of them are as they were when requested, or newer.
        #expect(text(2, asking: 1) == "[2]")
        #expect(text(2, asking: 2) == nil && text(2, asking: nil) == nil)
        last.keep(LineBlock(of: try OpenFile(path: path), from: extents[1], clockTick: 0))
        #expect(text(2, asking: 1) == "[4]")
        last.keep(nil)
        #expect(text(2, asking: 1) == nil)
    }

    @Test("a stretch is read only if many lines fit into it")
    func long() throws {
        let path = FilePath(
            try folder.write("{}\n\"" + String(repeating: "x", count: 40_000) + "\"\n", to: "x.jsonl"))
        let extents = try lines(of: path).compactMap(\.extent)
        #expect(LineBlock(of: try OpenFile(path: path), from: extents[0], clockTick: 0) != nil)
        #expect(LineBlock(of: try OpenFile(path: path), from: extents[1], clockTick: 0) == nil)
    }
}
