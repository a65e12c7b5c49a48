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
    let revision: DocumentRevision?
    let history: FilePath
    /// The number of bytes to read from a file compressed with gzip that is followed by something else; nil for all.
    private var byteCount: Int?

    init(
        repository: GitRepository?, file: FilePath, blob: GitRepository.ObjectID?, revision: DocumentRevision? = nil,
        history: FilePath? = nil
    ) {
        self.repository = repository
        self.file = file
        self.blob = blob
        self.revision = revision
        self.history = history ?? file
    }

    // Committed files never change.
    var stamp: ModificationStamp? { nil }
    var isReadHere: Bool { true }
    var contentID: [UInt8]? { blob.flatMap { blob in repository.map { $0.gitFolder.bytes + [0] + blob.hash } } }

    static func source(in file: FoundFile) -> GitFile? { nil }

    static func source(at file: FilePath) -> GitFile {
        GitFile(repository: nil, file: file, blob: nil)
    }

    func find(_ search: DocumentSearch) {}

    func goodPart(
        of document: DocumentReference, isCancelled: @escaping () -> Bool
    ) throws(SourceError) -> (DocumentReference, SourceError)? {
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
        return Gzip.begins(bytes) ? try Gzip.unpack(bytes, first: byteCount, as: file, reading) : bytes
    }
}

extension SourceBytes {
    /// Whether this is a pointer to a file that Git LFS stores elsewhere (git-lfs, docs/spec.md).
    fileprivate var isLargeFilePointer: Bool {
        count < 1024
            && withBytes(in: 0..<count) { $0.starts(with: "version https://git-lfs.github.com/spec/v1\n".utf8) }
    }
}
