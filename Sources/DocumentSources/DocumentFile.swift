import DocumentModel
import Foundation

/// What a file holds, as far as its name and its first bytes tell.
enum DocumentFile: Sendable, Hashable {
    /// One document.
    case document
    /// A document a line.
    case lines
    /// A SQLite database.
    case store

    /// What the name alone says; nil where the first bytes must be asked.
    init?(name: some StringProtocol) {
        let lowercased = name.lowercased()
        if lowercased.hasSuffix(".jsonl") {
            self = .lines
        } else if [".json", ".plist", ".resolved"].contains(where: lowercased.hasSuffix) {
            self = .document
        } else {
            return nil
        }
    }

    /// What the first bytes of a file say; nil where they begin no document.
    init?(head: SourceBytes) {
        guard let format = DocumentFormat.announced(by: head) else { return nil }
        self = format == .sqlite ? .store : .document
    }

    /// What is wrong with reading an open file as one document: it is a store, or has the name of one and begins as nothing that is known.
    static func storeProblem(of file: borrowing OpenFile, path: String) throws(SourceError) -> StoreProblem? {
        guard DocumentFile(name: path) == nil else { return nil }
        switch DocumentFile(head: try file.head(of: path)) {
        case .store: return .wholeStore
        case .document, .lines: return nil
        case nil: return hasStoreName(path) ? .notDatabase(byteCount: file.status.byteCount) : nil
        }
    }

    /// Whether somebody who gives a file this name means a SQLite database.
    static func hasStoreName(_ name: String) -> Bool {
        let lowercased = name.lowercased()
        return [".sqlite", ".sqlite3", ".db", ".store"].contains(where: lowercased.hasSuffix)
    }
}

extension OpenFile {
    /// The first bytes of the file, as many as ``DocumentFormat/announced(by:)`` wants.
    func head(of path: String) throws(SourceError) -> SourceBytes {
        var failure: Int32 = 0
        let head = SourceBytes(capacity: DocumentFormat.headLength) { memory in
            let length = read(into: memory, at: 0)
            if length < 0 { failure = errno }
            return max(0, length)
        }
        guard failure == 0 else { throw SourceError(source: path, errno: failure) }
        return head
    }
}
