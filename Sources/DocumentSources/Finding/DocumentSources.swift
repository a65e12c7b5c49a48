import Foundation
import MigrationCore

/// The kinds of sources that there are.
enum DocumentSources {
    /// In the order in which they are asked whether a file is theirs.
    static let kinds: [any DocumentSource.Type] = [
        DocumentStream.self, GitFile.self, DocumentStore.self, GzipFile.self, JSONLines.self, WholeFile.self,
    ]

    /// The source in a file; nil for a file that is no document and holds none.
    static func source(in file: FoundFile) throws(SourceError) -> (any DocumentSource)? {
        for kind in kinds {
            if let source = try kind.source(in: file) { return source }
        }
        return nil
    }
}

/// What a name on the command line means, found out once.
///
/// It means an existing file of exactly that name; failing that, a part of an existing file (`poems.jsonl#L12`);
/// failing that, a file whose name has bytes that are not UTF-8 and are written here as reports write them
/// (`caf\xE9.json`).
public struct GivenName: Sendable {
    enum Meaning: Sendable {
        case source(any DocumentSource)
        case part(DocumentReference)
        case folder
        case history(GitHistory)
        case problem(SourceError)
    }

    /// The name, as it was given.
    public let path: FilePath
    let meaning: Meaning

    /// Finds out what a name means.
    public init(_ path: FilePath) {
        (meaning, self.path) = Self.meaning(of: path)
    }

    /// The history of a file.
    ///
    /// - Parameter isCommittedOnly: Whether the file as it is now is left out.
    public init(historyOf file: FilePath, isCommittedOnly: Bool = false) {
        path = file
        do throws(GitProblem) {
            meaning = .history(try GitHistory(of: file, isCommittedOnly: isCommittedOnly))
        } catch {
            meaning = .problem(SourceError(file, .git(error)))
        }
    }

    init(_ path: FilePath, meaning: Meaning) {
        self.path = path
        self.meaning = meaning
    }

    /// Finds out what names mean.
    public static func resolve(_ paths: [FilePath]) -> [GivenName] { paths.map { GivenName($0) } }

    /// Whether there is such a file or folder.
    public var exists: Bool {
        guard case .problem(let problem) = meaning else { return true }
        if case .git = problem.reason { return false }
        return ![.noSuchFile, .brokenLink].contains(problem.reason)
    }

    /// Whether a folder is meant.
    public var isFolder: Bool { if case .folder = meaning { true } else { false } }

    /// Whether what is meant can be read only once.
    public var isReadOnce: Bool { if case .source(let source) = meaning { source.isReadOnce } else { false } }

    /// Whether the committed states of a file are meant.
    public var isHistory: Bool { if case .history = meaning { true } else { false } }

    /// Whether one document is meant, not a folder, a store or a file of several.
    public var isOneDocument: Bool {
        switch meaning {
        case .source: store == nil && contents.map { $0.count == 1 } ?? true
        case .part, .problem: true
        case .folder, .history: false
        }
    }

    /// The one document that is meant; one that cannot be read where the name means none.
    public var document: DocumentReference {
        var document =
            switch meaning {
            case .source(let source): DocumentReference(source)
            case .part(let part): part
            case .folder, .history: DocumentReference(path, problem: SourceError(path, .isFolder), isGiven: true)
            case .problem(let problem): DocumentReference(path, problem: problem, isGiven: true)
            }
        document.isGiven = true
        return document
    }

    /// The store, if a whole store is meant.
    public var store: DocumentStore? { if case .source(let source) = meaning { source as? DocumentStore } else { nil } }

    /// What one document is looked for in.
    public enum Readable {
        /// The name of the document, as far as it can be read, and why what follows it cannot; nothing follows most.
        case one(GivenName, before: SourceError?)
        /// There are several.
        case several(first: DocumentReference, count: Int)
    }

    /// What can be read of the one document that is meant. Of what can be read only once, ask this before anything else.
    public func readable(isCancelled: @escaping () -> Bool = { false }) -> Readable {
        let good: (document: DocumentReference, problem: SourceError)?
        switch meaning {
        case .source:
            let contents = contents
            if let contents, contents.count > 1 { return .several(first: contents.first, count: contents.count) }
            good = contents.flatMap { found in found.problem.map { (found.first, $0) } }
        case .part(let part): good = try? part.source?.goodPart(of: part, isCancelled: isCancelled)
        case .folder, .history, .problem: good = nil
        }
        guard let good else { return .one(self, before: nil) }
        let name = GivenName(path, meaning: .part(good.document))
        return .one(name, before: SourceError(path, good.problem.reason))
    }

    /// What a file or stream that may hold a document a line has, and why what follows cannot be read; nil for anything
    /// else, and where none can be read.
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
        // What is not there is no document.
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
            if let other = FilePath(described: String(decoding: path.bytes, as: UTF8.self)), other != path {
                let found = Self.meaning(of: other)
                if case .problem = found.0 {} else { return found }
            }
            if let committed = try committed(path, unless: missing) { return (.part(committed), path) }
            throw missing
        } catch {
            return (.problem(SourceError(path, error.reason)), path)
        }
    }

    /// The file in a commit that a name means; nil where it has another form. Where there is no repository, it means a
    /// file.
    private static func committed(
        _ name: FilePath, unless missing: SourceError
    ) throws(SourceError) -> DocumentReference? {
        do throws(GitProblem) {
            return try GitNaming.document(named: name)
        } catch {
            throw error == .noRepository || error == .notInstalled ? missing : SourceError(name, .git(error))
        }
    }

    private static func part(_ name: FilePath) throws(SourceError) -> DocumentReference? {
        // A path may contain `#`, and so may a key: the longest file that exists is the one meant.
        let bytes = name.bytes
        for mark in bytes.indices.reversed() where bytes[mark] == UInt8(ascii: "#") {
            let file = FilePath(bytes[..<mark])
            guard let status = FileStatus(path: file), !status.isFolder,
                let text = String(validating: bytes[(mark + 1)...], as: UTF8.self)
            else { continue }
            let source = try DocumentSources.source(in: FoundFile(file, isGiven: true)) ?? WholeFile(file: file)
            if let document = source.document(named: text) { return document }
        }
        return nil
    }
}
