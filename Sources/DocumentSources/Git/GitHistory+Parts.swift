import DocumentModel
import MigrationCore

/// The histories of documents in files: of rows of a store, or lines of a log.
extension GitHistory {
    /// Returns the states of the documents in the file, document by document, newest first: those in which a document
    /// differs from the states that they were made from, and the current one if it differs from the newest of them.
    ///
    /// - Parameter states: The states of the file, newest first.
    func statesOfParts(among states: [DocumentReference], _ isCancelled: () -> Bool) -> [DocumentReference] {
        var documents = parts.map { PartHistory(of: $0.name, as: $0.history) }
        var positions: [String: Int] = [:]
        for state in states.reversed() {
            if isCancelled() { return [] }
            guard let file = state.place as? GitFile, let revision = file.revision else { continue }
            let earlier = revision.parents.compactMap { positions[$0] }
            for (number, content) in contents(of: state, in: file).enumerated() {
                documents[number].add(content, of: file, madeFrom: earlier)
            }
            positions[revision.commit] = positions.count
        }
        let newest = states.first { $0.revision?.lane == 0 }.flatMap { $0.revision.flatMap { positions[$0.commit] } }
        let current = isCommittedOnly ? [] : currentParts
        return documents.indices.flatMap { number in
            if isCancelled() { return [] as [DocumentReference] }
            let now = number < current.count ? current[number] : nil
            return documents[number].states(newest: newest, now: now)
        }
    }

    /// Returns the contents of the documents in a state of the file.
    private func contents(of state: DocumentReference, in file: GitFile) -> [PartContent] {
        do throws(SourceError) {
            let content = ContainedDocuments(try state.read(), as: file.file)
            return try content.documents(named: parts.map(\.name)).map { PartContent($0) }
        } catch {
            return parts.map { _ in PartContent(.failure(error)) }
        }
    }

    /// The documents in the file on the disk, with their contents; empty if there is no such file.
    private var currentParts: [(document: DocumentReference, content: PartContent)] {
        guard FileStatus(path: file) != nil else { return [] }
        do throws(SourceError) {
            let found = FoundFile(file, isGiven: true)
            if let store = try DocumentStore.source(in: found) {
                return parts.map { part in
                    let document = store.document(named: part.name) ?? DocumentReference(store)
                    return (document, PartContent(of: document))
                }
            }
            let source: any DocumentSource = try GzipFile.source(in: found) ?? JSONLines(file: file)
            let whole = try DocumentReference(source).read()
            let contents = try ContainedDocuments(whole, as: file).documents(named: parts.map(\.name))
            return zip(parts, contents).map { part, content in
                (source.document(named: part.name) ?? DocumentReference(source), PartContent(content))
            }
        } catch {
            let problem = DocumentReference(file, problem: error, isGiven: true)
            return parts.map { _ in (problem, PartContent(.failure(error))) }
        }
    }
}

/// The content of a document in one state of its file.
enum PartContent: Equatable {
    case bytes([UInt8])
    /// The file has no such document, or is gone, for this reason.
    case absent(SourceProblem)
    case unreadable(SourceProblem)

    init(_ content: Result<SourceBytes, SourceError>) {
        switch content {
        case .success(let bytes): self = .bytes(Array(bytes.data))
        case .failure(let error):
            switch error.reason {
            case .git(.absent): self = .absent(error.reason)
            case .noSuchLine, .noLineWith, .store(.noSuchRow), .store(.noSuchTable), .store(.noSuchColumn),
                .store(.emptyCell):
                self = .absent(.git(.absent(.withoutPart)))
            default: self = .unreadable(error.reason)
            }
        }
    }

    init(of document: DocumentReference) {
        self.init(Result { () throws(SourceError) in try document.read() })
    }

    var isAbsent: Bool { if case .absent = self { true } else { false } }
    fileprivate var isKnown: Bool { if case .unreadable = self { false } else { true } }

    /// Returns the document with this content.
    fileprivate func document(_ document: DocumentReference, in source: any DocumentSource) -> DocumentReference {
        switch self {
        case .bytes(let bytes):
            DocumentReference(
                source, part: document.part, firstLine: document.firstLine,
                held: bytes.withUnsafeBytes { SourceBytes($0) })
        case .absent(let problem), .unreadable(let problem): document.failing(because: problem)
        }
    }
}

/// The states of one document in a file, found among the states of the file, oldest first.
private struct PartHistory {
    private let name: String
    private let history: FilePath
    /// For each state of the file, the position of the one with the state that the document has there; nil before there
    /// is a document.
    private var standIns: [Int32?] = []
    /// The positions of the states of the file in which the document differs from those that they were made from.
    private var kept: [Int] = []
    /// The documents in these states.
    private var states: [Int: (file: GitFile, revision: DocumentRevision, content: PartContent)] = [:]

    /// - Parameter history: The name of the document's history.
    init(of name: String, as history: FilePath) { (self.name, self.history) = (name, history) }

    /// Adds the next state of the file.
    ///
    /// - Parameter earlier: The positions of the states that it was made from.
    mutating func add(_ content: PartContent, of file: GitFile, madeFrom earlier: [Int]) {
        guard var revision = file.revision else { return }
        let parents = earlier.compactMap { standIns[$0].map(Int.init) }
            .reduce(into: [Int]()) { if !$0.contains($1) { $0.append($1) } }
        if content.isAbsent, parents.isEmpty, !revision.isAtBorder {
            standIns.append(nil)
        } else if content.isKnown, let same = parents.first(where: { states[$0]?.content == content }) {
            standIns.append(Int32(same))
        } else {
            let position = standIns.count
            revision.parents = parents.compactMap { states[$0]?.revision.commit }
            revision.change = content.isAbsent ? .deleted : revision.change == .deleted ? .modified : revision.change
            standIns.append(Int32(position))
            kept.append(position)
            states[position] = (file, revision, content)
        }
    }

    /// Returns the states of the document, newest first.
    ///
    /// - Parameters:
    ///   - newest: The position of the state of the file that leads to the present.
    ///   - now: The document on the disk.
    func states(newest: Int?, now: (document: DocumentReference, content: PartContent)?) -> [DocumentReference] {
        let newest = newest.flatMap { standIns[$0] }.flatMap { states[Int($0)] }
        var lanes = GitHistory.Lanes(newest: newest?.revision.commit)
        let committed: [DocumentReference] = kept.reversed().compactMap { position in
            guard let (state, earlier, content) = states[position] else { return nil }
            var (file, revision) = (state, earlier)
            revision.lane = lanes.place(revision.commit, before: revision.parents)
            file.revision = revision
            file = file.part(name, history: history)
            return content.document(file.document(in: revision.shortCommit), in: file)
        }
        guard let now, now.content != newest?.content, !now.content.isAbsent else { return committed }
        return [now.document] + committed
    }
}
