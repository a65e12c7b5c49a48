import DocumentModel
import Foundation
import MigrationCore

/// The kinds of sources.
enum DocumentSources {
    /// All kinds, in the order in which they are asked whether they recognize a file.
    static let kinds: [any DocumentSource.Type] = [
        DocumentStream.self, GitFile.self, DocumentStore.self, GzipFile.self, JSONLines.self, WholeFile.self,
    ]

    /// Returns the source in a file, or nil if the file isn't a document and contains none.
    static func source(in file: FoundFile) throws(SourceError) -> (any DocumentSource)? {
        for kind in kinds {
            if let source = try kind.source(in: file) { return source }
        }
        return nil
    }
}

/// A name from the command line and its meaning, which is resolved once.
///
/// A name means an existing file of exactly that name. Failing that, it means a part of an existing file
/// (`poems.jsonl#L12`), and failing that, a file whose name has bytes that are not UTF-8 and are escaped here as in
/// reports (`caf\xE9.json`).
public struct GivenName: Sendable {
    enum Meaning: Sendable {
        case source(any DocumentSource)
        case part(DocumentReference)
        case folder
        /// The same row or line in every file of a folder.
        case parts(folder: FilePath, part: String)
        case history(GitHistory)
        /// The committed states of every document in a folder, or in a file.
        case histories(DocumentHistories)
        /// Several documents as they were in a commit.
        case committed(CommittedDocuments)
        case problem(SourceError)
    }

    /// The name, as it was given.
    public let path: FilePath
    let meaning: Meaning

    /// Resolves a name.
    public init(_ path: FilePath) {
        (meaning, self.path) = Self.meaning(of: path)
    }

    /// Creates a name that means the history of a document, or of every document in a folder or a file. The same row or
    /// line in every file of a folder is its own history.
    ///
    /// - Parameter isCommittedOnly: Whether to leave out the current file.
    public init(historyOf file: FilePath, isCommittedOnly: Bool = false) {
        path = file
        do throws(GitProblem) {
            if FileStatus(path: file) == nil, let (folder, part) = Self.parts(file) {
                meaning = .parts(folder: folder, part: part)
            } else if let histories = try DocumentHistories(of: file) {
                meaning = .histories(histories)
            } else {
                meaning = .history(try GitHistory(of: file, isCommittedOnly: isCommittedOnly))
            }
        } catch {
            meaning = .problem(SourceError(file, .git(error)))
        }
    }

    /// Creates a name for a document that is only in memory.
    package init(holding bytes: SourceBytes, as path: FilePath) {
        self.init(path, meaning: .part(.held(bytes, as: path)))
    }

    init(_ path: FilePath, meaning: Meaning) {
        self.path = path
        self.meaning = meaning
    }

    /// Resolves several names.
    public static func resolve(_ paths: [FilePath]) -> [GivenName] { paths.map { GivenName($0) } }

    /// Whether there is a file or folder of that name.
    public var exists: Bool {
        guard case .problem(let problem) = meaning else { return true }
        if case .git = problem.reason { return false }
        return ![.noSuchFile, .brokenLink].contains(problem.reason)
    }

    /// Whether the name means a folder.
    public var isFolder: Bool { if case .folder = meaning { true } else { false } }

    /// Whether the name means an existing file or folder as a whole, rather than parts of files, what was committed, or a
    /// stream.
    public var isFileOrFolder: Bool {
        switch meaning {
        case .source(let source): !source.isReadOnce
        case .part, .folder, .problem: true
        case .parts, .history, .histories, .committed: false
        }
    }

    /// Whether the source that the name means can be read only once.
    public var isReadOnce: Bool { if case .source(let source) = meaning { source.isReadOnce } else { false } }

    /// Whether the name means the committed states of a document, or of several.
    public var isHistory: Bool {
        switch meaning {
        case .history, .histories: true
        default: false
        }
    }

    /// Whether the name means the committed states of a single document.
    public var isHistoryOfOne: Bool { if case .history = meaning { true } else { false } }

    /// Whether the name means a single document, not a folder, a store or a file of several documents.
    public var isOneDocument: Bool {
        switch meaning {
        case .source: store == nil && contents.map { $0.count == 1 } ?? true
        case .part, .problem: true
        case .folder, .parts, .history, .histories, .committed: false
        }
    }

    /// Whether the name means a store, or a file with one document per line.
    var holdsSeveral: Bool {
        guard case .source(let source) = meaning else { return false }
        return source is DocumentStore || source is JSONLines || source is GzipFile && DocumentEnding(path) == .lines
    }

    /// The document that the name means. If the name means no single document, reading it throws an error.
    public var document: DocumentReference {
        var document =
            switch meaning {
            case .source(let source): DocumentReference(source)
            case .part(let part): part
            case .committed(let documents) where !documents.isFolder:
                DocumentReference(path, problem: SourceError(path, .git(.severalDocuments)), isGiven: true)
            case .folder, .parts, .history, .histories, .committed:
                DocumentReference(path, problem: SourceError(path, .isFolder), isGiven: true)
            case .problem(let problem): DocumentReference(path, problem: problem, isGiven: true)
            }
        document.isGiven = true
        return document
    }

    /// The store, if the name means a whole store.
    public var store: DocumentStore? { if case .source(let source) = meaning { source as? DocumentStore } else { nil } }

    /// The result of looking for a single document.
    public enum Readable {
        /// A name for the document, as far as it can be read, and why the rest after it cannot; usually there is no
        /// rest.
        case one(GivenName, before: SourceError?)
        /// There are several documents.
        case several(first: DocumentReference, count: Int)
    }

    /// Returns what can be read of the document that the name means. If the source can be read only once, call this
    /// before anything else.
    public func readable(isCancelled: @escaping () -> Bool = { false }) -> Readable {
        let good: (document: DocumentReference, problem: SourceError)?
        switch meaning {
        case .source:
            let contents = contents
            if let contents, contents.count > 1 { return .several(first: contents.first, count: contents.count) }
            good = contents.flatMap { found in found.problem.map { (found.first, $0) } }
        case .part(let part): good = try? part.source?.goodPart(of: part, isCancelled: isCancelled)
        case .folder, .parts, .history, .histories, .committed, .problem: good = nil
        }
        guard let good else { return .one(self, before: nil) }
        let name = GivenName(path, meaning: .part(good.document))
        return .one(name, before: SourceError(path, good.problem.reason))
    }

    /// The documents in a file or stream that may have one per line, and why the rest cannot be read. Nil for any other
    /// source, and if no document can be read.
    private var contents: (first: DocumentReference, count: Int, problem: SourceError?)? {
        guard case .source(let source) = meaning, type(of: source).container == .jsonl else { return nil }
        var first: DocumentReference?
        var count = 0
        let search = DocumentSearch(
            isGiven: false, columns: [], isCancelled: { false }, waiting: {},
            deliver: { document in
                first = first ?? document
                count += 1
            })
        var problem: SourceError?
        do throws(SourceError) { try source.find(search) } catch { problem = error }
        // A missing file isn't a document.
        guard let first, first.problem == nil else { return nil }
        return (first, count, problem)
    }

    private static func meaning(of path: FilePath) -> (Meaning, FilePath) {
        do throws(SourceError) {
            let isInput = path == DocumentStream.standardInput.file
            let status = isInput ? nil : FileStatus(path: path)
            let missing = SourceError(path, errno: errno)
            if status?.isFolder == true { return (.folder, path) }
            if status != nil || isInput {
                let source = try DocumentSources.source(in: FoundFile(path, isGiven: true))
                return (.source(source ?? WholeFile(file: path)), path)
            }
            if let part = try Self.part(path) { return (.part(part), path) }
            if let placed = Self.placed(path) { return placed }
            if let (folder, part) = Self.parts(path) { return (.parts(folder: folder, part: part), path) }
            if let other = FilePath(described: String(decoding: path.bytes, as: UTF8.self)), other != path {
                let found = Self.meaning(of: other)
                if case .problem = found.0 {} else { return found }
            }
            if let committed = try committed(path, unless: missing) { return (committed, path) }
            throw missing
        } catch {
            return (.problem(SourceError(path, error.reason)), path)
        }
    }

    /// Returns what a name means in git, a path in a commit or a file with a date, or nil if the name has a different
    /// form. Without a repository, the name is treated as that of a file.
    private static func committed(_ name: FilePath, unless missing: SourceError) throws(SourceError) -> Meaning? {
        do throws(GitProblem) {
            let dated = DatedName(name)
            return switch try dated == nil ? GitNaming.meaning(of: name) : dated?.meaning {
            case .document(let document)?: .part(document)
            case .several(let documents)?: .committed(documents)
            case nil: nil
            }
        } catch {
            throw error == .noRepository || error == .notInstalled ? missing : SourceError(name, .git(error))
        }
    }

    /// Whether the name means the same row or line in several files, which are its states.
    public var isOfParts: Bool { if case .parts = meaning { true } else { false } }

    private static func parts(_ name: FilePath) -> (folder: FilePath, part: String)? {
        let bytes = name.bytes
        for mark in bytes.indices.reversed() where bytes[mark] == UInt8(ascii: "#") {
            let folder = FilePath(bytes[..<mark])
            guard FileStatus(path: folder)?.isFolder == true,
                let part = String(validating: bytes[(mark + 1)...], as: UTF8.self),
                // The lines of different files that have the same number have nothing else in common.
                CellName(part) != nil || LineName(part) != nil && JSONLines.number(named: part) == nil
            else { continue }
            return (folder, part)
        }
        return nil
    }

    /// Returns the document at a place in a file, which is written as reports print it: `FILE:LINE` or
    /// `FILE:LINE:COLUMN`. In a file of one document per line, it is the document in that line.
    private static func placed(_ name: FilePath) -> (Meaning, FilePath)? {
        var bytes = name.bytes[...]
        var line: Int?
        for _ in 0..<2 {
            guard let mark = bytes.lastIndex(of: UInt8(ascii: ":")),
                let text = String(validating: bytes[(mark + 1)...], as: UTF8.self), let number = Int(text), number > 0
            else { return nil }
            (bytes, line) = (bytes[..<mark], number)
            let file = FilePath(bytes)
            guard let line, let status = FileStatus(path: file), !status.isFolder else { continue }
            let given = GivenName(file)
            guard case .source(let source) = given.meaning, given.store == nil, !given.isOneDocument else {
                return (given.meaning, given.path)
            }
            return source.document(named: "L\(line)").map { (.part($0), name) }
        }
        return nil
    }

    private static func part(_ name: FilePath) throws(SourceError) -> DocumentReference? {
        // Both paths and keys may contain `#`, so use the longest prefix that is an existing file.
        let bytes = name.bytes
        for mark in bytes.indices.reversed() where bytes[mark] == UInt8(ascii: "#") {
            let file = FilePath(bytes[..<mark])
            guard let status = FileStatus(path: file), !status.isFolder,
                let text = String(validating: bytes[(mark + 1)...], as: UTF8.self)
            else { continue }
            let source = try DocumentSources.source(in: FoundFile(file, isGiven: true)) ?? WholeFile(file: file)
            guard let document = source.document(named: text) else { continue }
            // `FILE#PART@DATE` is an earlier state of a document, unless there is a document of that name.
            if DatedName(name) == nil || (try? document.read()) != nil { return document }
        }
        return nil
    }
}
