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

    /// A stream that reads from a descriptor, like standard input.
    private func input(_ descriptor: Int32) -> DocumentStream {
        DocumentStream("-") { DescriptorStream("-", descriptor: descriptor, isOwned: false) }
    }

    @Test("reading returns the bytes of the file, and reports its progress")
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

    @Test("files whose size the system does not know beforehand are read")
    func unknownSize() throws {
        #expect(try !text(document("/proc/self/status")).isEmpty)
    }

    @Test("a change that keeps the size is noticed, however soon it comes")
    func soonChanges() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("{\"a\":1}", to: "x.json")
        var stamps: Set<ModificationStamp?> = [document(path).stamp]
        for number in 2...4 {
            // The clocks of file systems advance in steps of some milliseconds.
            usleep(30_000)
            let file = try FileHandle(forWritingTo: URL(filePath: path))
            try file.write(contentsOf: Data("{\"a\":\(number)}".utf8))
            try file.close()
            stamps.insert(document(path).stamp)
        }
        #expect(stamps.count == 4 && !stamps.contains(nil))
    }

    @Test("a line is read, even if the file has changed since the line was found")
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
        "part of a line is not read if only one end of the position at which the line was found is still one",
        arguments: ["{\"a\":1,\"b\":222}\n{\"c\":3}\n", "{\"a\":1}\n{\"b\":2, \"c\":3}\n"])
    func movedLines(text: String) throws {
        let folder = try TemporaryFolder()
        // The second line occupies bytes 8 to 14.
        let path = try folder.write("{\"a\":1}\n{\"b\":2}\n{\"c\":3}\n", to: "x.jsonl")
        var references: [DocumentReference] = []
        try DocumentWalker([GivenName(FilePath(path))]).walk { references += $0 }
        try folder.write(text, to: "x.jsonl")
        #expect(try self.text(references[1]) == text.split(separator: "\n")[1])
    }

    @Test("a byte order mark before the first line belongs to no line", arguments: ["{\"a\":1}", "", " \t"])
    func byteOrderMark(first: String) throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("\u{FEFF}\(first)\n{\"b\":2}\n", to: "x.jsonl")
        var references: [DocumentReference] = []
        try DocumentWalker([GivenName(FilePath(path))]).walk { references += $0 }
        let lines = first.contains("{") ? [first, "{\"b\":2}"] : ["{\"b\":2}"]
        #expect(try references.map(text) == lines)
        #expect(references.map(\.firstLine) == Array(3 - lines.count...2))
        // By its name, and at the position where it was found, as long as it is there.
        for (reference, line) in zip(references, lines) { #expect(try text(document(reference.name)) == line) }
        try folder.write("{\"c\": \"as long as two lines\"}\n{\"d\":4}\n", to: "x.jsonl")
        #expect(try text(references[lines.count - 1]) == "{\"d\":4}")
    }

    @Test("the end of a line is not read in place of a short line that began there", arguments: ["{} 1", "1234"])
    func shortLines(text: String) throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("{}\n1", to: "x.jsonl")
        var references: [DocumentReference] = []
        try DocumentWalker([GivenName(FilePath(path))]).walk { references += $0 }
        try folder.write(text, to: "x.jsonl")
        let error = try #require(throws: SourceError.self) { try references[1].read() }
        #expect(error.reason == .noSuchLine(lineCount: 1))
    }

    @Test("lines longer than the read buffer are found")
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

    @Test("a CR without LF ends a line, as in documents, wherever reads of the file are split")
    func bareReturns() throws {
        let folder = try TemporaryFolder()
        // A read ends between a CR and the byte after it.
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

    @Test("lines and their numbers are counted as in documents, wherever line ends and blanks are")
    func everyText() throws {
        let folder = try TemporaryFolder()
        var texts = [""]
        for _ in 0..<4 { texts += texts.flatMap { text in ["1", " ", "\n", "\r"].map { text + $0 } } }
        texts += texts.filter { $0.utf8.count < 3 }.map { "\u{FEFF}" + $0 }
        for text in Set(texts) {
            let content = text.hasPrefix("\u{FEFF}") ? Array(text.utf8.dropFirst(3)) : Array(text.utf8)
            // The bytes of each line, by the number of the line at which it begins. A line ends at a LF or at the end
            // of the text, or at a CR if the text has no LF.
            var expected: [Int: [UInt8]] = [:]
            var number = 1
            let lineEnd: UInt8 = content.contains(0x0A) ? 0x0A : 0x0D
            for line in content.split(separator: lineEnd, omittingEmptySubsequences: false) {
                if line.contains(UInt8(ascii: "1")) { expected[number] = Array(line) }
                number += line.count { $0 == 0x0D } - (line.last == 0x0D ? 1 : 0) + 1
            }
            let ends = LineIndex(SourceBytes(String(decoding: content, as: UTF8.self))).line(at: content.count)
            let count = content.isEmpty || [0x0A, 0x0D].contains(content.last) ? ends : ends + 1

            let path = try folder.write(text, to: "x.jsonl")
            var found: [Int: [UInt8]] = [:]
            try JSONLines(file: FilePath(path)).find(
                DocumentSearch(isGiven: false, columns: [], isCancelled: { false }, waiting: {}) { line in
                    found[line.firstLine ?? 0] = (try? line.read()).map { Array($0.data) }
                })
            #expect(found == expected, "\(text.debugDescription)")
            for number in 1...count + 1 {
                let line = try #require(JSONLines(file: FilePath(path)).document(named: "L\(number)"))
                let read = Result { () throws(SourceError) in try Array(line.read().data) }
                let problem = SourceError(source: line.name, reason: .noSuchLine(lineCount: count))
                #expect(read == expected[number].map { .success($0) } ?? .failure(problem))
            }
        }
    }

    @Test("a line that is still where it was found is read without searching the whole file")
    func knownLines() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(String(repeating: "0", count: 3 << 20) + "\n1\n2", to: "x.jsonl")
        var references: [DocumentReference] = []
        try DocumentWalker([GivenName(FilePath(path))]).walk { references += $0 }
        for (reference, text) in zip(references.dropFirst(), ["1", "2"]) {
            var questions = 0
            let bytes = try reference.read(isCancelled: {
                questions += 1
                return false
            })
            #expect(bytes.data == Data(text.utf8) && questions == 1)
        }
    }

    @Test(
        "a JSON Lines file in a wider encoding is reported as one",
        arguments: [[0xFF, 0xFE, 0x31, 0], [0xFE, 0xFF, 0, 0x31], [0, 0, 0xFE, 0xFF], [0xFF, 0xFE, 0, 0]] as [[UInt8]])
    func widerLines(bytes: [UInt8]) throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(Data(bytes + [0x0A]), to: "x.jsonl")
        let error = try #require(throws: SourceError.self) { try document("\(path)#L1").read() }
        #expect(error.reason == .linesNotInUTF8)
        // Reading the file as one document does not check its encoding.
        #expect(try DocumentReference(JSONLines(file: FilePath(path))).read().data == Data(bytes + [0x0A]))
        try folder.write(Data(bytes.dropFirst() + [0x0A]), to: "x.jsonl")
        if bytes[0] != 0 { #expect(throws: Never.self) { try document("\(path)#L1").read() } }
    }

    // MARK: - Files that change while they are read

    @Test("a file that grows while it is read is read completely", arguments: [1, 300_000, 3_000_000])
    func growth(count: Int) throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(String(repeating: "a", count: 2_000_000), to: "x.json")
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        try file.seekToEnd()
        var hasGrown = false
        let bytes = try document(path).read(progress: { _, _ in
            if !hasGrown { try? file.write(contentsOf: Data(repeating: 0x62, count: count)) }
            hasGrown = true
        })
        #expect(bytes.data == Data(repeating: 0x61, count: 2_000_000) + Data(repeating: 0x62, count: count))
    }

    @Test("a file that shrinks while it is read is read up to its new end")
    func shrinking() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(String(repeating: "a", count: 3_000_000), to: "x.json")
        var reports: [Int] = []
        let bytes = try document(path).read(progress: { count, _ in
            truncate(path, 1_500_000)
            reports.append(count)
        })
        #expect(bytes.count == 1_500_000 && reports == [1 << 20, 1_500_000])
    }

    @Test("reading can be cancelled even while the file keeps growing")
    func endlessGrowth() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("a", to: "x.json")
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        try file.seekToEnd()
        var questions = 0
        let error = try #require(throws: SourceError.self) {
            try document(path).read(isCancelled: {
                questions += 1
                try? file.write(contentsOf: Data([0x61]))
                return questions > 20
            })
        }
        #expect(error.reason == .cancelled && questions == 21)
    }

    @Test("a buffer joins pieces of any size")
    func pieces() {
        let chunk = 1 << 18
        for sizes in [
            [], [1], [chunk], [chunk - 1, 1], [chunk - 1, 2], [chunk, chunk], [1, 2, 3, chunk - 6, 1, chunk],
        ] {
            var buffer = GrowingBuffer()
            var expected: [UInt8] = []
            for (number, size) in sizes.enumerated() {
                let piece = [UInt8](repeating: UInt8(number), count: size)
                let result = buffer.append { memory in
                    memory.copyBytes(from: piece)
                    return size
                }
                expected += piece
                #expect(result == size && buffer.count == expected.count)
            }
            #expect(buffer.append { _ in 0 } == 0 && buffer.append { _ in -1 } == -1)
            #expect(Array(buffer.bytes(behind: nil).data) == expected)
            #expect(Array(buffer.bytes(behind: SourceBytes("head")).data) == Array("head".utf8) + expected)
        }
    }

    @Test("a file that cannot be read gives the reason")
    func errors() throws {
        let folder = try TemporaryFolder()
        func reason(_ path: String) throws -> SourceProblem {
            try #require(throws: SourceError.self) { try document(path).read() }.reason
        }
        #expect(mkfifo(folder.path("pipe"), 0o600) == 0)
        #expect(try reason(folder.path("nothing")) == .noSuchFile)
        #expect(try reason(folder.path("nothing/below")) == .noSuchFile)
        #expect(try reason(folder.path) == .isFolder)
        // As if it had taken the place of a file. A pipe that is named is a stream.
        let pipe = DocumentReference(WholeFile(file: FilePath(folder.path("pipe"))))
        #expect(throws: SourceError(source: pipe.name, reason: .isSpecialFile(.namedPipe))) { try pipe.read() }
        #expect(try reason("/dev/zero") == .isSpecialFile(.device))
        let socketPath = folder.path("socket")
        let descriptor = try Self.listen(at: socketPath)
        defer { close(descriptor) }
        #expect(try reason(socketPath) == .isSpecialFile(.socket))
        try folder.link("circle", to: "circle")
        try folder.link("gone", to: "nothing")
        #expect(try reason(folder.path("circle")) == .brokenLink && reason(folder.path("gone")) == .brokenLink)
        let huge = try folder.write("{}", to: "huge")
        #expect(truncate(huge, 5 << 30) == 0)
        #expect(try reason(huge) == .tooLarge(byteCount: 5 << 30))
    }

    /// Opens a socket at a path, which must be short.
    private static func listen(at path: String) throws -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        try #require(path.utf8.count < MemoryLayout.size(ofValue: address.sun_path))
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let result = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(result == 0)
        return descriptor
    }

    @Test("reading stops when it is cancelled")
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

    @Test(
        "standard input is read once and kept, and reading resumes where it was interrupted", .timeLimit(.minutes(30)))
    func standardInput() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        defer { close(ends[0]) }
        let input = DocumentReference(self.input(ends[0]))
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

    @Test("standard input that cannot be read gives the reason, and has no stamp, no parts and no other name")
    func brokenInput() throws {
        let folder = try TemporaryFolder()
        let descriptor = open(folder.path, O_RDONLY)
        #expect(throws: SourceError(source: "-", reason: .isFolder)) {
            try DocumentReference(self.input(descriptor)).read()
        }
        close(descriptor)
        #expect(throws: SourceError(source: "-", reason: SourceProblem(errno: EBADF))) {
            try DocumentReference(self.input(Int32.max)).read()
        }
        let input = document("-")
        #expect(input.isReadOnce && input.isWhole && input.isGiven && input.stamp == nil && input.container == nil)
        #expect(!document(folder.path).isReadOnce)
        #expect(document("-#L1").problem?.reason == .noSuchFile)
    }

    @Test("a store on standard input is reported as one")
    func storeOnStandardInput() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        defer { close(ends[0]) }
        _ = write(ends[1], "SQLite format 3\0", 16)
        close(ends[1])
        let input = DocumentReference(self.input(ends[0]))
        #expect(throws: SourceError(source: "-", reason: .store(.wholeStore))) { try input.read() }
        let stream = DocumentStream("-") { ResumedStream(SourceBytes("SQLite format 3\0 and so on"), then: nil) }
        #expect(throws: SourceError(source: "-", reason: .store(.wholeStore))) {
            try stream.find(
                DocumentSearch(isGiven: true, columns: [], isCancelled: { false }, waiting: {}, deliver: { _ in }))
        }
    }

    @Test("a file has another stamp after a change")
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
