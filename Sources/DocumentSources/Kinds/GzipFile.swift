import DocumentModel
import MigrationCore

/// A file that gzip has packed: a document, or a document a line, whichever the ending before `.gz` says.
struct GzipFile: DocumentSource {
    static var container: DocumentContainer? { .jsonl }

    let file: FilePath
    /// How many bytes of the file are read; nil for all.
    private var byteCount: Int?
    private var hasLines: Bool { DocumentEnding(file) == .lines }

    var isReadHere: Bool { true }
    var isPacked: Bool { true }

    static func source(in file: FoundFile) throws(SourceError) -> GzipFile? {
        guard file.isGiven || file.path.hasSuffix(DocumentEnding.packed), Gzip.begins(try file.head()) else {
            return nil
        }
        let source = GzipFile(file: file.path)
        switch file.ending {
        case .document, .lines: return source
        case .store: throw SourceError(file.path, .gzip(.store))
        case nil:
            if file.isGiven { return source }
            let head = try source.head()
            if StoreHeader.begins(head) { throw SourceError(file.path, .gzip(.store)) }
            return DocumentFormat.announced(by: head) == nil ? nil : source
        }
    }

    static func source(at file: FilePath) -> GzipFile { GzipFile(file: file) }

    func find(_ search: DocumentSearch) throws(SourceError) {
        do throws(SourceError) {
            if hasLines { return try DocumentLines(of: self, in: try unpacked()).find(search) }
            let stream = try unpacked()
            try stream.skip(as: file, isCancelled: search.isCancelled)
            search.deliver(DocumentReference(self))
        } catch {
            let error = try located(error, search.isCancelled)
            if !hasLines, case .gzip(let problem) = error.reason {
                // What is packed before the rest is a document; where that is not found, to read it says why not.
                guard case .followed(let offset?, _) = problem else { return search.deliver(DocumentReference(self)) }
                search.deliver(DocumentReference(GzipFile(file: file, byteCount: offset)))
            }
            throw error
        }
    }

    /// The same error, with where in the file the last good member ends if something else follows it.
    private func located(_ error: SourceError, _ isCancelled: @escaping () -> Bool) throws(SourceError) -> SourceError {
        guard case .gzip(let problem) = error.reason, problem.byteCount != nil, byteCount == nil else { return error }
        let bytes = try OpenFile(path: file).bytes(DocumentReading(isCancelled: isCancelled))
        return try GzipMembers(bytes, of: file, isCancelled: isCancelled).located(error)
    }

    /// A file of any name may have documents for lines.
    func document(named part: String) -> DocumentReference? {
        JSONLines.number(named: part).map { DocumentReference(self, part: part, firstLine: $0) }
    }

    func read(_ document: DocumentReference, _ reading: DocumentReading) throws(SourceError) -> SourceBytes {
        guard !document.isWhole, let number = document.firstLine else {
            let bytes: SourceBytes
            do throws(SourceError) { bytes = try unpacked().all(as: file, reading) } catch {
                throw try located(error, reading.isCancelled)
            }
            guard !StoreHeader.begins(bytes) else { throw SourceError(file, .gzip(.store)) }
            return bytes
        }
        var found: SourceBytes?
        let lineCount = try DocumentLines(of: self, in: try unpacked()).forEach(isCancelled: reading.isCancelled) {
            if $0 == number { found = $1 }
            return found == nil
        }
        guard let found else { throw SourceError(file, .noSuchLine(lineCount: lineCount)) }
        return found
    }

    private func unpacked() throws(SourceError) -> any ByteStream {
        guard let byteCount else { return try OpenFile(path: file).unpacking() }
        let bytes = try OpenFile(path: file).bytes(in: 0..<byteCount, DocumentReading())
        return try Gzip.unpacking(ResumedStream(bytes, then: nil), as: file)
    }

    /// The first bytes of what is packed, as many as `DocumentFormat.announced(by:)` wants.
    private func head() throws(SourceError) -> SourceBytes {
        let stream = try unpacked()
        var head = GrowingBuffer()
        while head.count < DocumentFormat.headLength {
            let limit = DocumentFormat.headLength - head.count
            if try head.append(from: stream, as: file, atMost: limit, isCancelled: { false }) == 0 { break }
        }
        return head.bytes(behind: nil)
    }
}

extension OpenFile {
    /// What gzip has packed into the file.
    fileprivate func unpacking() throws(SourceError) -> any ByteStream {
        try withDescriptor { descriptor throws(SourceError) in try Gzip.unpacking(descriptor: descriptor, as: path) }
    }
}
