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
