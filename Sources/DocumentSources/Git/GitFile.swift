import DocumentModel
import Foundation
import MigrationCore

/// A file in a commit of a git repository.
struct GitFile: DocumentSource {
    static var container: DocumentContainer? { .git }

    /// The repository; nil in another process, which receives the bytes.
    let repository: GitRepository?
    /// The path in the name of the document.
    let file: FilePath
    let blob: GitRepository.ObjectID?
    /// Information about the commit, if it was requested.
    var revision: DocumentRevision?
    let history: FilePath
    /// The name of the document inside the file, after `#`; nil if the file is the document. ``file`` ends with it too.
    let inside: String?
    /// The number of bytes to read from a file compressed with gzip that is followed by something else, or nil to read
    /// all of them.
    private var byteCount: Int?

    init(
        repository: GitRepository?, file: FilePath, blob: GitRepository.ObjectID?, revision: DocumentRevision? = nil,
        history: FilePath? = nil, inside: String? = nil
    ) {
        self.inside = inside
        self.repository = repository
        self.file = file
        self.blob = blob
        self.revision = revision
        self.history = history ?? file
    }

    // Committed files never change.
    var stamp: ModificationStamp? { nil }
    var isReadHere: Bool { true }
    var contentID: [UInt8]? {
        guard let blob, let repository else { return nil }
        return repository.gitFolder.bytes + [0] + blob.hash + (inside.map { Array($0.utf8) } ?? [])
    }

    static func source(in file: FoundFile) -> GitFile? { nil }

    static func source(at file: FilePath) -> GitFile {
        GitFile(repository: nil, file: file, blob: nil)
    }

    func find(_ search: DocumentSearch) {}

    func goodPart(
        of document: DocumentReference, isCancelled: @escaping () -> Bool
    ) throws(SourceError) -> (DocumentReference, SourceError)? {
        if document.held != nil { return nil }
        do throws(SourceError) {
            _ = try read(document, DocumentReading(isCancelled: isCancelled))
            return nil
        } catch {
            guard case .gzip(.followed(let end, _)) = error.reason else { return nil }
            var good = self
            good.byteCount = end
            return (good.document(in: document.part), error)
        }
    }

    func document(named part: String) -> DocumentReference? { nil }

    /// Returns the document in the commit with that name.
    func document(in commit: String) -> DocumentReference { DocumentReference(self, part: commit) }

    func read(_ document: DocumentReference, _ reading: DocumentReading) throws(SourceError) -> SourceBytes {
        guard let repository, let blob else { throw SourceError(file, .noSuchFile) }
        let bytes: SourceBytes
        do {
            bytes = try repository.content(of: blob)
        } catch {
            throw SourceError(file, .git(error))
        }
        if bytes.isLargeFilePointer { throw SourceError(file, .git(.largeFilePointer)) }
        let content = Gzip.begins(bytes) ? try Gzip.unpack(bytes, first: byteCount, as: file, reading) : bytes
        guard let inside else { return content }
        return try ContainedDocuments(content, as: file).document(named: inside)
    }

    /// Whether the file holds documents rather than being one.
    var holdsSeveral: Bool {
        switch DocumentEnding(file) {
        case .document?: return false
        case .lines?: return true
        case .store?, nil:
            let content = try? read(document(in: ""), DocumentReading(isCancelled: { false }))
            return content.map(StoreHeader.begins) ?? false
        }
    }

    /// Returns a document inside the file.
    ///
    /// - Parameter history: The name of its history; nil for its own name.
    func part(_ name: String, history: FilePath? = nil) -> GitFile {
        GitFile(
            repository: repository, file: file + "#\(name)", blob: blob, revision: revision, history: history,
            inside: name)
    }
}

extension SourceBytes {
    /// Whether this is a pointer to a file that Git LFS stores elsewhere (git-lfs, docs/spec.md).
    fileprivate var isLargeFilePointer: Bool {
        count < 1024
            && withBytes(in: 0..<count) { $0.starts(with: "version https://git-lfs.github.com/spec/v1\n".utf8) }
    }
}
