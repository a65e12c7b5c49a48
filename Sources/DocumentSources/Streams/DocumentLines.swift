import DocumentModel
import MigrationCore

/// The documents in a stream: its lines, or the whole stream.
struct DocumentLines {
    /// The source that contains the documents.
    private let source: any DocumentSource
    private let stream: any ByteStream
    private var file: FilePath { source.file }

    init(of source: any DocumentSource, in stream: any ByteStream) {
        self.source = source
        self.stream = stream
    }

    /// The number of bytes to read at once.
    private static let chunkLength = 1 << 17

    /// Delivers the lines or the whole stream, depending on how the stream begins, with their bytes.
    ///
    /// - Parameter check: Called with the whole stream before it is delivered; throws if it isn't a document.
    /// - Returns: The bytes of the whole stream if it is a single document, or nil if its lines are documents.
    /// - Throws: ``SourceError``; documents found before that have been delivered.
    func findEither(
        _ search: DocumentSearch, check: (SourceBytes) throws(SourceError) -> Void
    ) throws(SourceError) -> SourceBytes? {
        var beginning = StreamBeginning()
        var length: Int
        repeat {
            length = try read(waiting: search.waiting, isCancelled: search.isCancelled) { beginning.append($0) }
            try stream.checkSize(beginning.bytes.count, as: file)
        } while length > 0 && beginning.areLines == nil
        let head = beginning.bytes.withUnsafeBytes { SourceBytes($0) }
        if beginning.areLinesAtEnd() {
            try DocumentLines(of: source, in: ResumedStream(head, then: stream)).find(search)
            return nil
        }
        var rest = GrowingBuffer()
        try rest.append(all: stream, as: file, DocumentReading(isCancelled: search.isCancelled))
        let whole = rest.bytes(behind: head)
        try check(whole)
        // Empty input contains no document: a filter may have nothing to pass on.
        if beginning.hasContent || rest.count > 0 { search.deliver(DocumentReference(source, held: whole)) }
        return whole
    }

    /// Delivers the lines with their bytes.
    ///
    /// - Throws: ``SourceError``; documents found before that have been delivered.
    func find(_ search: DocumentSearch) throws(SourceError) {
        var isEmpty = true
        try forEach(waiting: search.waiting, isCancelled: search.isCancelled) { number, bytes in
            isEmpty = false
            search.deliver(DocumentReference(source, part: "L\(number)", firstLine: number, held: bytes))
            return true
        }
        // A file that is named on the command line is meant to be a document.
        if isEmpty, search.isGiven { search.deliver(DocumentReference(source)) }
    }

    /// Calls `body` with the number (from 1) and the bytes of every line that is not empty, in order, until it returns
    /// false.
    ///
    /// - Returns: The number of lines, if all were read.
    @discardableResult
    func forEach(
        waiting: () -> Void = {}, isCancelled: () -> Bool, _ body: (_ number: Int, SourceBytes) -> Bool
    ) throws(SourceError) -> Int {
        var lines = LineSplitter()
        var line: [UInt8] = []
        var (goesOn, isFirst) = (true, true)
        func split(_ chunk: UnsafeRawBufferPointer) {
            goesOn = lines.split(chunk) {
                line += $0
            } line: { number, _, hasContent in
                defer { line.removeAll(keepingCapacity: line.capacity < 1 << 20) }
                return !hasContent || body(number, line.withUnsafeBytes { SourceBytes($0) })
            }
        }
        while goesOn {
            var isWider = false
            let length = try read(waiting: waiting, isCancelled: isCancelled) { chunk in
                if isFirst { isWider = LineSplitter.beginsInWiderEncoding(chunk) }
                isFirst = false
                split(chunk)
            }
            if isWider { throw SourceError(file, .linesNotInUTF8) }
            try stream.checkSize(line.count, as: file)
            if length == 0 { break }
        }
        if goesOn, lines.hasOnlyReturns {
            let all = line
            (lines, line) = (.atReturns, [])
            all.withUnsafeBytes { split($0) }
        }
        if goesOn, lines.hasContent { _ = body(lines.number, line.withUnsafeBytes { SourceBytes($0) }) }
        return lines.count
    }

    /// Reads a chunk, which is empty at the end, and returns its length.
    private func read(
        waiting: () -> Void, isCancelled: () -> Bool, _ body: (UnsafeRawBufferPointer) -> Void
    ) throws(SourceError) -> Int {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.chunkLength, alignment: 16)
        defer { memory.deallocate() }
        let length = try stream.read(into: memory, as: file, waiting: waiting, isCancelled: isCancelled)
        body(UnsafeRawBufferPointer(rebasing: memory[..<length]))
        return length
    }
}

/// The beginning of a stream, up to the point that shows whether its lines are documents or the whole stream is one.
///
/// Lines are documents if the first line that is not empty is a complete JSON value and another line follows. If the
/// first line is malformed, they are documents if the second line is a complete object or array and cannot continue the
/// first line.
private struct StreamBeginning {
    /// All bytes so far.
    private(set) var bytes: [UInt8] = []
    private var lines = LineSplitter()
    /// The first two lines that are not empty, once they are complete.
    private var found: [Range<Int>] = []
    /// Whether lines are documents; nil until that is known.
    private(set) var areLines: Bool?
    /// Whether the first line is a complete value; nil until something follows it.
    private var isFirstValue: Bool?

    mutating func append(_ chunk: UnsafeRawBufferPointer) {
        if bytes.isEmpty, LineSplitter.beginsInWiderEncoding(chunk) { areLines = false }
        bytes += chunk
        guard areLines == nil else { return }
        split(chunk)
        decide(isSecondBegun: found.count > 1 || lines.hasContent)
    }

    private mutating func split(_ chunk: UnsafeRawBufferPointer) {
        var found = found
        _ = lines.split(chunk) { _ in
        } line: { _, extent, hasContent in
            if hasContent { found.append(extent) }
            return found.count < 2
        }
        self.found = found
    }

    /// Whether there is anything but white space.
    var hasContent: Bool { !bytes.allSatisfy(\.isWhitespace) }

    /// Returns whether lines are documents if the stream ends here.
    mutating func areLinesAtEnd() -> Bool {
        if areLines == nil, lines.hasOnlyReturns {
            lines = .atReturns
            let all = bytes
            all.withUnsafeBytes { split($0) }
            decide(isSecondBegun: found.count > 1)
        }
        if areLines == nil, lines.hasContent {
            found.append(lines.lastLine)
            decide(isSecondBegun: found.count > 1)
        }
        return areLines ?? false
    }

    private mutating func decide(isSecondBegun: Bool) {
        guard let first = found.first, isSecondBegun else { return }
        let isFirst = isFirstValue ?? (document(in: first) != nil)
        isFirstValue = isFirst
        if isFirst {
            areLines = true
        } else if found.count > 1 {
            let isSecond =
                document(in: found[1], allowsJSON5: true).map { [.object, .array].contains($0.root.kind) } ?? false
            areLines = isSecond && !goesOn(through: found[1].upperBound)
        }
    }

    private func document(in range: Range<Int>, allowsJSON5: Bool = false) -> Document? {
        let document = try? bytes[range].withUnsafeBytes {
            try Document(parsing: SourceBytes($0), allowsJSON5: allowsJSON5)
        }
        return document?.format.isPropertyList == false ? document : nil
    }

    /// Returns whether the text up to `end` may be the beginning of a document.
    private func goesOn(through end: Int) -> Bool {
        do {
            _ = try bytes[..<end].withUnsafeBytes { try Document(parsing: SourceBytes($0), allowsJSON5: true) }
            return true
        } catch let error as DocumentParseError {
            if case .unexpected(found: .end, _) = error.problem { return true }
            return ![.json, .json5].contains(error.format)
        } catch {
            return true
        }
    }
}
