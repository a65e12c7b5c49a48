import DocumentModel
import MigrationCore

/// A file compressed with gzip: a single document or one document per line, depending on the ending before `.gz`.
struct GzipFile: DocumentSource {
    static var container: DocumentContainer? { .jsonl }

    let file: FilePath
    /// The number of bytes of the file to read, or nil to read all of them.
    private var byteCount: Int?
    private var hasLines: Bool { DocumentEnding(file) == .lines }

    var isReadHere: Bool { true }
    var isPacked: Bool { true }

    static func source(in file: FoundFile) throws(SourceError) -> GzipFile? {
        if !file.isGiven {
            let mayBePacked = file.ending != nil || file.path.hasSuffix(DocumentEnding.packed)
            // A file that cannot be read throws when it is read as a document.
            guard mayBePacked, (try? file.head()) != nil else { return nil }
        }
        guard Gzip.begins(try file.head()) else { return nil }
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
        let (good, problem) = try parts(search.isCancelled)
        if let good {
            if hasLines {
                try DocumentLines(of: self, in: try good.unpacked()).find(search)
            } else {
                search.deliver(DocumentReference(problem == nil ? self : good))
            }
        }
        if let problem { throw problem }
    }

    /// Returns the part of the file that is intact, and why the rest after it cannot be read. A gzip member is only
    /// known to be intact at its end, so this unpacks the whole file.
    private func parts(
        _ isCancelled: @escaping () -> Bool
    ) throws(SourceError) -> (good: GzipFile?, problem: SourceError?) {
        if byteCount != nil { return (self, nil) }
        // Bytes that are appended meanwhile are ignored.
        let count = try OpenFile(path: file).status.byteCount
        let packed = FileStream(try OpenFile(path: file), first: count)
        let (goodCount, problem) = try Gzip.goodPart(of: packed, as: file, isCancelled: isCancelled) {
            () throws(SourceError) in
            try OpenFile(path: file).bytes(in: 0..<count, DocumentReading(isCancelled: isCancelled))
        }
        return (goodCount > 0 ? GzipFile(file: file, byteCount: min(count, goodCount)) : nil, problem)
    }

    func goodPart(
        of document: DocumentReference, isCancelled: @escaping () -> Bool
    ) throws(SourceError) -> (DocumentReference, SourceError)? {
        guard document.isWhole, case (let good?, let problem?) = try parts(isCancelled) else { return nil }
        return (DocumentReference(good), problem)
    }

    /// Lines of a file with any name may be documents.
    func document(named part: String) -> DocumentReference? {
        switch LineName(part) {
        case .number(let number)?: DocumentReference(self, part: part, firstLine: number)
        case .value?: DocumentReference(self, part: part, firstLine: nil)
        case nil: nil
        }
    }

    func read(_ document: DocumentReference, _ reading: DocumentReading) throws(SourceError) -> SourceBytes {
        guard !document.isWhole, let name = LineName(document.part) else {
            let bytes: SourceBytes
            do throws(SourceError) { bytes = try unpacked().all(as: file, reading) } catch {
                if byteCount == nil, case (_, let problem?) = try parts(reading.isCancelled) { throw problem }
                throw error
            }
            guard !StoreHeader.begins(bytes) else { throw SourceError(file, .gzip(.store)) }
            return bytes
        }
        let (good, problem) = try parts(reading.isCancelled)
        var search = LineSearch(for: [name])
        var lineCount = 0
        if let good {
            lineCount = try DocumentLines(of: self, in: try good.unpacked()).forEach(isCancelled: reading.isCancelled) {
                search.take($0, $1)
            }
        }
        do throws(SourceError) {
            return try search.found(name, among: lineCount, as: file)
        } catch {
            throw problem ?? error
        }
    }

    private func unpacked() throws(SourceError) -> any ByteStream {
        try Gzip.unpacking(FileStream(try OpenFile(path: file), first: byteCount ?? .max), as: file)
    }

    /// Returns the first unpacked bytes, as many as `DocumentFormat.announced(by:)` needs.
    private func head() throws(SourceError) -> SourceBytes {
        let stream = try unpacked()
        var head = GrowingBuffer()
        while head.count < DocumentFormat.headLength {
            let limit = DocumentFormat.headLength - head.count
            do throws(SourceError) {
                if try head.append(from: stream, as: file, atMost: limit, isCancelled: { false }) == 0 { break }
            } catch {
                // The bytes before the damage still show the format.
                guard case .gzip(.damaged) = error.reason, head.count > 0 else { throw error }
                break
            }
        }
        return head.bytes(behind: nil)
    }
}
