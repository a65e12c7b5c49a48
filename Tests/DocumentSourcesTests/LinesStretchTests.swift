import DocumentModel
import Foundation
import TestSupport
import Testing

@testable import DocumentSources

@Suite("A stretch of a file of lines")
struct LinesStretchTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Writes a file that says it was last changed a while ago.
    private func write(_ text: String, changed secondsAgo: Double = 60) throws -> FilePath {
        let path = FilePath(try folder.write(text, to: "x.jsonl"))
        try date(path, secondsAgo)
        return path
    }

    private func date(_ path: FilePath, _ secondsAgo: Double) throws {
        let time = timeval(tv_sec: Int(Date.now.timeIntervalSince1970 - secondsAgo), tv_usec: 0)
        try #require(utimes(path.cString, [time, time]) == 0)
    }

    private func lines(of path: FilePath) throws -> [DocumentReference] {
        var found: [DocumentReference] = []
        try JSONLines(file: path).find(
            DocumentSearch(isGiven: true, columns: [], isCancelled: { false }, waiting: {}) { found.append($0) })
        return found
    }

    @Test("gives the bytes of every line, in whatever order they are read")
    func random() throws {
        var random = SeededGenerator(seed: 5)
        for round in 0..<40 {
            var text = random.chance(50) ? "\u{FEFF}" : ""
            for number in 0..<Int.random(in: 1...3_000, using: &random) {
                text +=
                    "{\"a\":\(number),\"b\":\"" + String(repeating: "é", count: random.chance(1) ? 20_000 : number % 40)
                text += random.chance(20) ? "\"}\r\n\n" : "\"}\n"
            }
            if random.chance(50) { text.removeLast() }
            let path = try write(text)
            let bytes = Array(text.utf8)
            var documents = try lines(of: path)
            if round % 2 == 1 { documents.shuffle(using: &random) }
            for document in documents.prefix(round % 2 == 1 ? 200 : .max) {
                let extent = try #require(document.extent)
                #expect(try document.read().data == Data(bytes[extent]))
            }
        }
    }

    @Test("stands for lines that begin and end in it, and for no others")
    func others() throws {
        let path = try write("{}\n[1]\n[2]\n[3]")
        let extents = try lines(of: path).compactMap(\.extent)
        let stretch = try #require(LinesStretch(of: try OpenFile(path: path), from: extents[1]))
        #expect(stretch.line(extents[1], of: path)?.data == Data("[1]".utf8))
        #expect(stretch.line(extents[2], of: path)?.data == Data("[2]".utf8))
        for extent in [extents[0], extents[3], 4..<6, 3..<5, 0..<1, 90..<99] {
            #expect(stretch.line(extent, of: path) == nil)
        }
        #expect(stretch.line(extents[1], of: "y.jsonl") == nil)
    }

    @Test("stands for the file no longer when that changed, nor when it has only just changed")
    func changes() throws {
        let path = try write("{}\n[1]\n")
        let extents = try lines(of: path).compactMap(\.extent)
        let stretch = try #require(LinesStretch(of: try OpenFile(path: path), from: extents[1]))
        #expect(stretch.line(extents[1], of: path) != nil)
        _ = try write("{}\n[2]\n", changed: 30)
        #expect(stretch.line(extents[1], of: path) == nil)
        #expect(LinesStretch(of: try OpenFile(path: path), from: extents[1]) != nil)
        try date(path, 0)
        #expect(LinesStretch(of: try OpenFile(path: path), from: extents[1]) == nil)
        unlink(path.cString)
        #expect(stretch.line(extents[1], of: path) == nil)
    }

    @Test("is read only where many lines fit into it")
    func long() throws {
        let path = try write("{}\n\"" + String(repeating: "x", count: 40_000) + "\"\n")
        let extents = try lines(of: path).compactMap(\.extent)
        #expect(LinesStretch(of: try OpenFile(path: path), from: extents[0]) != nil)
        #expect(LinesStretch(of: try OpenFile(path: path), from: extents[1]) == nil)
    }
}
