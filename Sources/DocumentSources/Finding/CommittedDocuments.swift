import DocumentModel
import Foundation
import MigrationCore

/// The documents in a folder as it was in a commit, or those inside a file of a commit.
///
/// They are the documents that ``DocumentWalker`` would find there, except that symbolic links are left out: git stores
/// only where they lead.
struct CommittedDocuments: Sendable {
    let place: GitNaming.Place

    /// Whether they are in a folder, rather than in a file.
    let isFolder: Bool

    init(_ place: GitNaming.Place, isFolder: Bool) { (self.place, self.isFolder) = (place, isFolder) }

    /// A file of the commit.
    struct File {
        let place: GitNaming.Place
        let blob: GitRepository.ObjectID
        /// Whether the file was named, so that it is meant to be a document.
        let isGiven: Bool

        var file: GitFile { GitFile(repository: place.repository, file: place.written, blob: blob) }
    }

    /// Returns the files, in the natural order of their names. Hidden ones, and everything that is neither a file nor a
    /// folder, are left out.
    func files(
        isCancelled: () -> Bool, leaveOut: (DocumentWalker.Omission) -> Void
    ) throws(GitProblem) -> [File] {
        if case .file(let blob)? = try place.entry { return [File(place: place, blob: blob, isGiven: true)] }
        var files: [File] = []
        var folders = [(place: place, rest: try place.entries[...])]
        while var folder = folders.popLast() {
            guard let entry = folder.rest.popFirst() else { continue }
            folders.append(folder)
            if isCancelled() { break }
            let inside = folder.place.with(
                written: folder.place.written.appending(entry.name), path: folder.place.path.appending(entry.name))
            switch entry.entry {
            case _ where entry.name.bytes.first == UInt8(ascii: "."): leaveOut(.hidden)
            case .file(let blob): files.append(File(place: inside, blob: blob, isGiven: false))
            case .other(.folder): folders.append((inside, try inside.entries[...]))
            case .other: leaveOut(.special)
            }
        }
        return files
    }

    /// Finds the documents.
    ///
    /// - Parameters:
    ///   - columns: The columns of stores to look for documents in; if empty, they are detected.
    ///   - deliver: Called with each document, and with the file that it is or that contains it.
    func find(
        columns: [String], isCancelled: @escaping () -> Bool, leaveOut: (DocumentWalker.Omission) -> Void,
        deliver: @escaping (_ document: DocumentReference, _ file: GitNaming.Place) -> Void
    ) throws(GitProblem) {
        for found in try files(isCancelled: isCancelled, leaveOut: leaveOut) {
            if isCancelled() { return }
            let (file, commit) = (found.file, place.commitName)
            let whole = file.document(in: commit)
            let deliver = { deliver($0, found.place) }
            let ending = DocumentEnding(file.file)
            if ending == .document {
                deliver(whole)
                continue
            }
            let content: SourceBytes
            do throws(SourceError) {
                content = try file.read(whole, DocumentReading(isCancelled: isCancelled))
            } catch {
                if ending != nil || found.isGiven { deliver(whole) } else { leaveOut(.unreadable) }
                continue
            }
            guard ending == .lines || StoreHeader.begins(content) else {
                let isDocument = found.isGiven || DocumentFormat.announced(by: content) != nil
                if isDocument { deliver(whole) } else { leaveOut(.otherKind) }
                continue
            }
            var isEmpty = true
            do throws(SourceError) {
                try ContainedDocuments(content, as: file.file).forEach(columns: columns, isCancelled: isCancelled) {
                    isEmpty = false
                    deliver(DocumentReference(file.part($0), part: commit, held: $1))
                }
                if isEmpty { leaveOut(.empty) }
            } catch {
                // Nothing shows that another store in a folder was meant to contain documents.
                let hasNone = [.store(.noDocuments), .store(.noDocumentsInModels)].contains(error.reason)
                if hasNone, !found.isGiven { leaveOut(.empty) } else { deliver(whole.failing(because: error.reason)) }
            }
        }
    }
}

extension GitNaming.Place {
    /// The entries of the folder, in the natural order of their names.
    fileprivate var entries: [(name: FilePath, entry: GitRepository.Entry)] {
        get throws(GitProblem) { try repository.entries(ofFolder: path, in: commit) }
    }
}

extension GitNaming {
    /// The meaning of a name of the form `COMMIT:PATH`.
    enum Meaning {
        /// A file that is a document, or one document in a file.
        case document(DocumentReference)
        /// A folder, or a file that holds documents.
        case several(CommittedDocuments)
    }

    /// Returns what `COMMIT:PATH` means, or nil if the name has a different form.
    static func meaning(of name: FilePath) throws(GitProblem) -> Meaning? {
        guard let place = try place(named: name) else { return nil }
        return try meaning(of: place)
    }

    /// Returns what a path means in a commit.
    static func meaning(of place: Place) throws(GitProblem) -> Meaning {
        switch try place.entry {
        case .file(let blob)?:
            let file = GitFile(repository: place.repository, file: place.written, blob: blob)
            return file.holdsSeveral
                ? .several(CommittedDocuments(place, isFolder: false)) : .document(file.document(in: place.commitName))
        case .other(.folder)?: return .several(CommittedDocuments(place, isFolder: true))
        case .other(.link)?: throw .link
        case .other?: throw .noFile
        case nil: break
        }
        for (container, part) in place.containers {
            guard case .file(let blob)? = try container.entry else { continue }
            let file = GitFile(repository: place.repository, file: place.written, blob: blob, inside: part)
            return .document(file.document(in: place.commitName))
        }
        throw .notInCommit(path: place.path.description, commit: place.commitName)
    }
}
