import DocumentModel
import Foundation
import MigrationCore
import TestSupport
import Testing

@testable import DocumentSources

/// Bytes that arrive in pieces, each of which is available when it is read.
private final class Pieces: ByteStream {
    private var pieces: ArraySlice<[UInt8]>
    init(_ text: String, pieceLength: Int) {
        let bytes = Array(text.utf8)
        pieces =
            stride(from: 0, to: bytes.count, by: pieceLength).map {
                Array(bytes[$0..<min(bytes.count, $0 + pieceLength)])
            }[...]
    }

    func read(into memory: UnsafeMutableRawBufferPointer, patience: Int32) -> Int? {
        guard let piece = pieces.popFirst() else { return 0 }
        let count = min(piece.count, memory.count)
        memory.copyBytes(from: piece.prefix(count))
        if count < piece.count { pieces.insert(Array(piece.dropFirst(count)), at: pieces.startIndex) }
        return count
    }
}

@Suite("Sources that can be read only once")
struct DocumentStreamTests {
    private func found(_ source: DocumentStream) throws -> [String] {
        var found: [String] = []
        try source.find(
            search {
                let text = String(decoding: (try? $0.read().data) ?? Data(), as: UTF8.self)
                found.append("\($0.name) \(text)")
            })
        return found
    }

    private func search(_ deliver: @escaping (DocumentReference) -> Void) -> DocumentSearch {
        DocumentSearch(isGiven: true, columns: [], isCancelled: { false }, waiting: {}, deliver: deliver)
    }

    private func stream(_ text: String, pieceLength: Int = 1000) -> DocumentStream {
        DocumentStream("-") { Pieces(text, pieceLength: pieceLength) }
    }

    @Test(
        "a stream is JSON Lines if it has more than one value, one a line, whatever pieces it arrives in",
        arguments: [
            ("{\"a\":1}\n{\"b\":2}\n", ["-#L1 {\"a\":1}", "-#L2 {\"b\":2}"]),
            ("\n\n{\"a\":1}\r\n \n[2]", ["-#L3 {\"a\":1}\r", "-#L5 [2]"]),
            ("\u{FEFF}1\n2", ["-#L1 1", "-#L2 2"]),
            ("{\"a\":1}\nrubbish\n", ["-#L1 {\"a\":1}", "-#L2 rubbish"]),
            ("{\"a\": \"cut\n{\"b\":2}\n", ["-#L1 {\"a\": \"cut", "-#L2 {\"b\":2}"]),
            ("rubbish\n{\"b\":2}\n", ["-#L1 rubbish", "-#L2 {\"b\":2}"]),
            ("{\"a\":1}\r{\"b\":2}\r", ["-#L1 {\"a\":1}", "-#L2 {\"b\":2}"]),
            ("\u{FEFF}rubbish\r\r[2]", ["-#L1 rubbish", "-#L3 [2]"]),
            ("{a: 1}\n{b: 2}\n", ["-#L1 {a: 1}", "-#L2 {b: 2}"]),
            ("{a: 1} // one\n{'b': 0x2,}", ["-#L1 {a: 1} // one", "-#L2 {'b': 0x2,}"]),
        ])
    func lines(text: String, expected: [String]) throws {
        for length in [1, 2, 3, 7, 1000] {
            #expect(try found(stream(text, pieceLength: length)) == expected, "\(length)")
        }
    }

    @Test(
        "a stream is one document unless it has several values, one a line",
        arguments: [
            "{\"a\":1}\n", "{\"a\":1}", "{\n\"a\":1}\n", "[\n{\"a\":1}\n]\n", "{\"a\":\n{\"b\":2}}",
            "{\"a\":\n{\"b\":2}\n{\"c\":3}",
            "<?xml version=\"1.0\"?>\n<plist><dict/></plist>\n", "{\"a\":1,\n\"b\": }\n", "rubbish\nmore of it\n",
            "{\r\"a\":1\r}",
            "bplist00\n{\"a\":1\n", "{\"a\":\"\\u00e9\n", "// head\n{a: 1}\n", "{a: 1, // one\nb: {c: 2}}\n",
            "/* head\n{} */\n{a: 1}",
        ])
    func whole(text: String) throws {
        for length in [1, 2, 3, 7, 1000] {
            #expect(try found(stream(text, pieceLength: length)) == ["- \(text)"], "\(length)")
        }
    }

    @Test(
        "a stream of white space has no document, and yet can be read as one", arguments: ["", "\n", "  ", "\r\n \n"])
    func nothing(text: String) throws {
        for length in [1, 2, 3, 1000] {
            #expect(try found(stream(text, pieceLength: length)).isEmpty)
            #expect(try DocumentReference(stream(text, pieceLength: length)).read().count == text.utf8.count)
        }
    }

    @Test("a stream in UTF-16 is one document")
    func wideText() throws {
        let text = try #require("{\"a\":1}\n{\"b\":2}".data(using: .utf16LittleEndian))
        let bytes = SourceBytes(Data([0xFF, 0xFE]) + text)
        var found: [DocumentReference] = []
        try DocumentStream("-") { ResumedStream(bytes, then: nil) }.find(search { found.append($0) })
        #expect(found.map(\.name) == ["-"])
    }

    @Test("lines are delivered while they are still being written, and waiting is reported")
    func live() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        let writing = ends[1]
        let source = DocumentStream("-") { [ends] in DescriptorStream("-", descriptor: ends[0], isOwned: true) }
        var found: [String] = []
        _ = write(writing, "1\n2\n", 4)
        let waiting = {
            // Everything that is available was delivered before it waits for more.
            found.append("waits")
            if found.count == 3 { _ = write(writing, "3\n", 2) } else { close(writing) }
        }
        let search = DocumentSearch(
            isGiven: true, columns: [], isCancelled: { false }, waiting: waiting, deliver: { found.append($0.name) })
        try source.find(search)
        #expect(found == ["-#L1", "-#L2", "waits", "-#L3", "waits"])
    }

    @Test("lines that were found are not found again, and a single document is")
    func twice() throws {
        let lines = stream("1\n2\n")
        #expect(try found(lines).count == 2)
        #expect(throws: SourceError(source: "-", reason: .readAlready)) { try found(lines) }
        #expect(throws: SourceError(source: "-", reason: .readAlready)) { try DocumentReference(lines).read() }
        let whole = stream("{\"a\":1}\n")
        #expect(try found(whole) == found(whole))
        #expect(try DocumentReference(whole).read().count == 8)
    }

    @Test("documents found in a stream keep their bytes, and so can be read as often as wanted")
    func held() throws {
        var found: [DocumentReference] = []
        try stream("1\n2\n").find(search { found.append($0) })
        for _ in 0..<2 { #expect(try found.map { try $0.read().count } == [1, 1]) }
        #expect(found.allSatisfy { !$0.isReadOnce && $0.isReadHere && $0.stamp == nil && $0.container == .jsonl })
        #expect(found.map(\.firstLine) == [1, 2])
    }

    @Test("a named pipe is waited for, and read once something writes to it")
    func namedPipe() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("pipe")
        try #require(mkfifo(path, 0o600) == 0)
        let given = GivenName(FilePath(path))
        #expect(given.exists && given.isReadOnce)
        Thread.detachNewThread {
            usleep(100_000)
            try? "{\"a\":1}\n{\"b\":2}\n".write(toFile: path, atomically: false, encoding: .utf8)
        }
        var names: [String] = []
        try DocumentWalker([given]).walk { names += $0.map(\.name) }
        #expect(names == ["\(path)#L1", "\(path)#L2"])
    }

    @Test("waiting for a named pipe ends when it is cancelled")
    func cancelled() throws {
        let folder = try TemporaryFolder()
        try #require(mkfifo(folder.path("pipe"), 0o600) == 0)
        let start = ContinuousClock.now
        #expect(throws: CancellationError.self) {
            try DocumentWalker([GivenName(FilePath(folder.path("pipe")))]).walk(
                isCancelled: { start.duration(to: .now) > .milliseconds(100) }, deliver: { _ in })
        }
    }
}
