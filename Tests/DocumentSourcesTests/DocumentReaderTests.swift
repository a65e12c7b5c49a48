import DocumentModel
import Foundation
import MigrationCore
import TestSupport
import Testing

@testable import DocumentSources

@Suite("Reading a document")
struct DocumentReaderTests {
    private func text(_ reference: DocumentReference) throws -> String {
        String(decoding: try reference.read().data, as: UTF8.self)
    }

    private func document(_ name: String) -> DocumentReference { GivenName(FilePath(name)).document }

    @Test("gives the bytes of the file, and tells how far it is")
    func whole() throws {
        let folder = try TemporaryFolder()
        let content = String(repeating: "x", count: 3_000_000)
        let reference = document(try folder.write(content, to: "a"))
        var reports: [Int] = []
        let bytes = try reference.read(
            progress: { read, total in reports.append(total == 3_000_000 ? read : -1) })
        #expect(bytes.data == Data(content.utf8))
        #expect(reports.last == 3_000_000 && reports == reports.sorted() && reports.count > 1)
    }

    @Test("reads files whose size the system does not know beforehand")
    func unknownSize() throws {
        #expect(try !text(document("/proc/self/status")).isEmpty)
    }

    @Test("knows a change that leaves the size as it was, however soon it comes")
    func soonChanges() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("{\"a\":1}", to: "x.json")
        var stamps: Set<ModificationStamp?> = [document(path).stamp]
        for number in 2...4 {
            // The clock of file systems goes in steps of some milliseconds.
            usleep(30_000)
            let file = try FileHandle(forWritingTo: URL(filePath: path))
            try file.write(contentsOf: Data("{\"a\":\(number)}".utf8))
            try file.close()
            stamps.insert(document(path).stamp)
        }
        #expect(stamps.count == 4 && !stamps.contains(nil))
    }

    @Test("cuts out a line, also when the file has changed since the line was found")
    func lines() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("{\"a\":1}\r\n\n{\"a\":2}\n{\"a\":3}", to: "x.jsonl")
        var references: [DocumentReference] = []
        try DocumentWalker([GivenName(FilePath(path))]).walk { references += $0 }
        #expect(try references.map(text) == ["{\"a\":1}\r", "{\"a\":2}", "{\"a\":3}"])
        #expect(try text(document("\(path)#L3")) == "{\"a\":2}")
        try folder.write("{\"a\":1, \"b\":2}\n\n{\"a\":22}\n{\"a\":3}\n", to: "x.jsonl")
        #expect(try references.dropFirst().map(text) == ["{\"a\":22}", "{\"a\":3}"])
        for number in [2, 5] {
            let error = try #require(throws: SourceError.self) {
                try document("\(path)#L\(number)").read()
            }
            #expect(error == SourceError(source: "\(path)#L\(number)", reason: .noSuchLine(lineCount: 4)))
        }
    }

    @Test(
        "cuts out no part of a line where only one end of the place at which it was found is still one",
        arguments: ["{\"a\":1,\"b\":222}\n{\"c\":3}\n", "{\"a\":1}\n{\"b\":2, \"c\":3}\n"])
    func movedLines(text: String) throws {
        let folder = try TemporaryFolder()
        // The second line takes the bytes 8 to 14.
        let path = try folder.write("{\"a\":1}\n{\"b\":2}\n{\"c\":3}\n", to: "x.jsonl")
        var references: [DocumentReference] = []
        try DocumentWalker([GivenName(FilePath(path))]).walk { references += $0 }
        try folder.write(text, to: "x.jsonl")
        #expect(try self.text(references[1]) == text.split(separator: "\n")[1])
    }

    @Test("a byte order mark before the first line is part of no line", arguments: ["{\"a\":1}", "", " \t"])
    func byteOrderMark(first: String) throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("\u{FEFF}\(first)\n{\"b\":2}\n", to: "x.jsonl")
        var references: [DocumentReference] = []
        try DocumentWalker([GivenName(FilePath(path))]).walk { references += $0 }
        let lines = first.contains("{") ? [first, "{\"b\":2}"] : ["{\"b\":2}"]
        #expect(try references.map(text) == lines)
        #expect(references.map(\.firstLine) == Array(3 - lines.count...2))
        // By the name alone, and where the line was found, as long as it is there.
        for (reference, line) in zip(references, lines) { #expect(try text(document(reference.name)) == line) }
        try folder.write("{\"c\": \"as long as two lines\"}\n{\"d\":4}\n", to: "x.jsonl")
        #expect(try text(references[lines.count - 1]) == "{\"d\":4}")
    }

    @Test("cuts out no end of a short line that stands where another line began", arguments: ["{} 1", "1234"])
    func shortLines(text: String) throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("{}\n1", to: "x.jsonl")
        var references: [DocumentReference] = []
        try DocumentWalker([GivenName(FilePath(path))]).walk { references += $0 }
        try folder.write(text, to: "x.jsonl")
        let error = try #require(throws: SourceError.self) { try references[1].read() }
        #expect(error.reason == .noSuchLine(lineCount: 1))
    }

    @Test("finds lines that are longer than what is read at once")
    func longLines() throws {
        let folder = try TemporaryFolder()
        let line = "\"" + String(repeating: "é", count: 700_000) + "\""
        let text = "\(line)\n\(String(repeating: " ", count: 2_000_000))\n\(line)\n\n\(line)"
        let path = try folder.write(text, to: "x.jsonl")
        var references: [DocumentReference] = []
        try DocumentWalker([GivenName(FilePath(path))]).walk { references += $0 }
        #expect(references.map { $0.names(below: "").label } == ["line 1", "line 3", "line 5"])
        for reference in references { #expect(try self.text(reference) == line) }
    }

    @Test("counts a CR alone as the end of a line, as inside of documents, wherever the file is cut to be read")
    func bareReturns() throws {
        let folder = try TemporaryFolder()
        // What is read at once ends between a CR and what follows it.
        let long = "\"" + String(repeating: "a", count: (1 << 20) - 3) + "\"\r"
        for (text, labels, count) in [
            ("{\r}\r\n1\n\r\r2\r", ["line 1", "line 3", "line 4"], 6), ("\(long)1\n2", ["line 1", "line 3"], 3),
            ("\(long)\n1\n2", ["line 1", "line 2", "line 3"], 3), (" \(long)\n1", ["line 1", "line 2"], 2),
            (" \(long)1\n2", ["line 1", "line 3"], 3),
        ] {
            let path = try folder.write(text, to: "x.jsonl")
            var references: [DocumentReference] = []
            try DocumentWalker([GivenName(FilePath(path))]).walk { references += $0 }
            #expect(references.map { $0.names(below: "").label } == labels)
            for reference in references {
                #expect(try self.text(document(reference.name)) == self.text(reference))
                let index = LineIndex(SourceBytes(text))
                let (start, number) = (try #require(reference.extent).lowerBound, try #require(reference.firstLine))
                #expect(index.line(at: start) + 1 == number)
            }
            let error = try #require(throws: SourceError.self) { try document("\(path)#L9").read() }
            #expect(error.reason == .noSuchLine(lineCount: count))
        }
    }

    @Test("says why it cannot be read")
    func errors() throws {
        let folder = try TemporaryFolder()
        func reason(_ path: String) throws -> SourceProblem {
            try #require(throws: SourceError.self) { try document(path).read() }.reason
        }
        #expect(mkfifo(folder.path("pipe"), 0o600) == 0)
        #expect(try reason(folder.path("nothing")) == .noSuchFile)
        #expect(try reason(folder.path("nothing/below")) == .noSuchFile)
        #expect(try reason(folder.path) == .isFolder)
        #expect(try reason(folder.path("pipe")) == .isSpecialFile(.namedPipe))
        #expect(try reason("/dev/zero") == .isSpecialFile(.device))
        let huge = try folder.write("{}", to: "huge")
        #expect(truncate(huge, 5 << 30) == 0)
        #expect(try reason(huge) == .tooLarge(byteCount: 5 << 30))
    }

    @Test("stops when it is cancelled")
    func cancellation() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(String(repeating: "x", count: 5_000_000), to: "a")
        var read = 0
        let error = try #require(throws: SourceError.self) {
            try document(path).read(progress: { count, _ in read = count }, isCancelled: { read > 0 })
        }
        #expect(error.reason == .cancelled)
        #expect(read < 5_000_000)
    }

    @Test("reads standard input once and keeps it, and goes on where it was interrupted", .timeLimit(.minutes(30)))
    func standardInput() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        defer { close(ends[0]) }
        let input = DocumentReference(StandardInput(descriptor: ends[0]))
        _ = write(ends[1], "{\"a\":", 5)
        var read = 0
        #expect(throws: SourceError(source: "-", reason: .cancelled)) {
            try input.read(progress: { count, _ in read = count }, isCancelled: { read > 0 })
        }
        _ = write(ends[1], "1}", 2)
        close(ends[1])
        let first = try input.read()
        #expect(String(decoding: first.data, as: UTF8.self) == "{\"a\":1}")
        #expect(try input.read() === first)
    }

    @Test("a store on standard input is said to be one")
    func storeOnStandardInput() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        defer { close(ends[0]) }
        _ = write(ends[1], "SQLite format 3\0", 16)
        close(ends[1])
        let input = DocumentReference(StandardInput(descriptor: ends[0]))
        #expect(throws: SourceError(source: "-", reason: .store(.wholeStore))) { try input.read() }
    }

    @Test("a file has another stamp after it was changed")
    func stamps() throws {
        let folder = try TemporaryFolder()
        let reference = document(try folder.write("{}", to: "a"))
        let stamp = reference.stamp
        #expect(stamp != nil && stamp == reference.stamp)
        try folder.write("{ }", to: "a")
        #expect(stamp != reference.stamp)
        #expect(document(folder.path("nothing")).stamp == nil)
    }
}
