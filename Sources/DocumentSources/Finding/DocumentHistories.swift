import DocumentModel
import MigrationCore

/// The committed states of every document in a folder, or in a file that holds several: of those that are in a work
/// tree, or in a commit.
struct DocumentHistories: Sendable {
    private let name: FilePath
    /// The folder or file in a commit, or nil if it is on the disk.
    private let committed: CommittedDocuments?

    /// - Parameter name: `FOLDER`, `FILE`, `COMMIT:FOLDER` or `COMMIT:FILE`.
    /// - Returns: nil if the name is that of a single document.
    init?(of name: FilePath) throws(GitProblem) {
        self.name = name
        if let status = FileStatus(path: name) {
            guard status.isFolder || !FileStatus.isLink(name) && GivenName(name).holdsSeveral else { return nil }
            committed = nil
            // Without a repository there are no histories.
            _ = try GitRepository.containing(status.isFolder ? name : name.folder)
            return
        }
        guard case .several(let documents)? = try? GitNaming.meaning(of: name) else { return nil }
        committed = documents
    }

    /// A file with documents, or a document that has no history, with the reason.
    enum Found {
        case history(GitHistory)
        case problem(DocumentReference)
    }

    /// Finds the documents that are there now, and returns the histories of their files.
    ///
    /// - Parameter columns: The columns of stores to look for documents in; if empty, they are detected.
    func find(
        columns: [String], isCancelled: @escaping () -> Bool, entering: @escaping (FilePath) -> Void,
        leaveOut: @escaping (DocumentWalker.Omission, Int) -> Void
    ) throws(CancellationError) -> [Found] {
        var files = Files()
        guard let committed else {
            try DocumentWalker([GivenName(name)], columns: columns)
                .walk(isCancelled: isCancelled, entering: entering) { documents in
                    for document in documents {
                        files.add(document, in: document.file, part: document.part) {
                            (parts) throws(GitProblem) in try GitHistory(of: document.file, parts: parts)
                        }
                    }
                }
                .forEach(leaveOut)
            return files.found
        }
        do throws(GitProblem) {
            let add = { (document: DocumentReference, place: GitNaming.Place) in
                let name = FilePath("\(place.commitName):") + place.written.description
                files.add(document, in: name, part: (document.source as? GitFile)?.inside ?? "") {
                    (parts) throws(GitProblem) in try GitHistory(name, at: place, parts: parts)
                }
            }
            try committed.find(
                columns: columns, isCancelled: isCancelled, leaveOut: { leaveOut($0, 1) }, deliver: add)
        } catch {
            files.add(DocumentReference(name, problem: SourceError(name, .git(error)), isGiven: true))
        }
        if isCancelled() { throw CancellationError() }
        return files.found
    }

    /// The files with documents, in the order in which they are found. The documents inside a file follow each other.
    private struct Files {
        private typealias Part = (name: String, document: DocumentReference)
        private var last: (file: FilePath, parts: [Part], history: ([String]) throws(GitProblem) -> GitHistory)?
        private var closed: [Found] = []

        mutating func add(_ problem: DocumentReference) {
            closed = found + [.problem(problem)]
            last = nil
        }

        mutating func add(
            _ document: DocumentReference, in file: FilePath, part: String,
            history: @escaping ([String]) throws(GitProblem) -> GitHistory
        ) {
            // A file that cannot be read now may have been readable before. It isn't known to hold several documents.
            if document.problem != nil, DocumentEnding(file) != .document { return add(document) }
            if last?.file != file || part.isEmpty {
                closed = found
                last = (file, [], history)
            }
            if !part.isEmpty { last?.parts.append((part, document)) }
        }

        var found: [Found] {
            guard let last else { return closed }
            do throws(GitProblem) {
                return closed + [.history(try last.history(Self.names(of: last.parts)))]
            } catch {
                let problem = SourceError(last.file, .git(error))
                return closed + [.problem(DocumentReference(last.file, problem: problem, isGiven: false))]
            }
        }

        /// Returns the names of documents in a file, which have to be the same in every state of the file. Lines with an
        /// identity are named by it, since their numbers change when a line before them comes or goes.
        private static func names(of parts: [Part]) -> [String] {
            let numbers = parts.map(\.name)
            guard let first = numbers.first, JSONLines.number(named: first) != nil else { return numbers }
            var text = Array("[".utf8)
            for part in parts {
                guard let line = try? part.document.read() else { return numbers }
                text += (text.count > 1 ? Array(",".utf8) : []) + line.data
            }
            text += "]".utf8
            guard let array = try? Document(parsing: text.withUnsafeBytes { SourceBytes($0) }).root,
                // A line may be anything, such as two values with a comma.
                array.count == parts.count, let member = array.identifyingMember
            else { return numbers }
            return array.elements.map { element in
                "\(member)=\(element[member].flatMap { $0.string ?? $0.numberText } ?? "")"
            }
        }
    }
}
