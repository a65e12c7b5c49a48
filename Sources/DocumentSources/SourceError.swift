import DocumentModel
import Foundation

/// Why a document could not be read or written, in words for the person who must act.
public struct SourceError: Error, Hashable, Sendable {
    /// What went wrong.
    public enum Reason: Hashable, Sendable {
        /// Nothing has that name.
        case noSuchFile
        /// A symbolic link that leads to nothing, or in a circle.
        case brokenLink
        /// The file or a folder on the way to it may not be read or written.
        case permissionDenied
        /// A folder where a file was wanted.
        case isFolder
        /// A device, pipe or socket: `kind` says which. Such files are never opened.
        case isSpecialFile(kind: String)
        /// A file of 4 GiB or more.
        case tooLarge(byteCount: Int)
        /// A line that the file does not have.
        case noSuchLine(lineCount: Int)
        /// A JSON Lines file in an encoding other than UTF-8.
        case linesNotInUTF8
        /// Something about a SQLite store.
        case store(StoreProblem)
        /// A name that is no UTF-8, so that it could be neither shown nor written down.
        case nameNotInUTF8
        /// Something has that name already, and is not to be replaced.
        case exists
        /// The backup that would be made exists already.
        case backupExists(path: String)
        /// Anything else that the system says, in its words.
        case system(message: String)
        /// Reading was given up because the caller asked for it.
        case cancelled
    }

    /// The file or document, named as ``DocumentReference/name`` does.
    public var source: String

    /// What went wrong.
    public var reason: Reason

    /// Makes an error from its parts.
    public init(source: String, reason: Reason) {
        self.source = source
        self.reason = reason
    }

    /// Whether a store was opened, and something is wrong with it.
    var isAboutStore: Bool { if case .store = reason { true } else { false } }

    /// The error that `errno` names, which a call about `source` left.
    init(source: String, errno code: Int32) {
        self.source = source
        reason =
            switch code {
            case ENOENT, ENOTDIR: FileStatus.isLink(source) ? .brokenLink : .noSuchFile
            case ELOOP: .brokenLink
            case EACCES, EPERM: .permissionDenied
            case EISDIR: .isFolder
            default: .system(message: String(cString: strerror(code)))
            }
    }
}

extension SourceError: CustomStringConvertible {
    /// What is wrong and what would be right, without the name of the source.
    public var message: String {
        switch reason {
        case .noSuchFile: "no such file or folder"
        case .brokenLink: "a symbolic link that leads to no file"
        case .permissionDenied: "permission denied; the file and every folder on the way to it must let this user in"
        case .isFolder: "a folder, where one document was wanted; name a file in it"
        case .isSpecialFile(let kind): "\(kind), which is never opened; name a file, or pipe it in and name it '-'"
        case .tooLarge(let byteCount):
            "\(byteCount) bytes; a document must be smaller than 4 GiB (\(Document.largestSourceLength) bytes)"
        case .noSuchLine(let lineCount):
            "no such line; the file has \(lineCount) line\(lineCount == 1 ? "" : "s"), and empty ones are no documents"
        case .linesNotInUTF8: "a JSON Lines file that is not UTF-8; convert it (iconv -t UTF-8) and try again"
        case .store(let problem): problem.message
        case .nameNotInUTF8: "a name that is not UTF-8; rename it to open it"
        case .exists: "exists already, and a store is never written over; name a file that does not exist"
        case .backupExists(let path): "its backup would be \(path), which exists already; move that away first"
        case .system(let message): message.prefix(1).lowercased() + message.dropFirst()
        case .cancelled: "given up before it was read"
        }
    }

    /// The whole sentence: `notes.json: no such file or folder`.
    public var description: String { "\(source): \(message)" }
}

extension SourceError: LocalizedError {
    /// The whole sentence.
    public var errorDescription: String? { description }
}
