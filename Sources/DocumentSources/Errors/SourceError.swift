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
        /// Something has that name already, and is not to be replaced.
        case exists
        /// The backup that would be made exists already.
        case backupExists(path: String)
        /// A file that would not belong to the same user and group once it is replaced.
        case ownerNotKept(owner: UInt32, group: UInt32)
        /// A file with an extended attribute or an access control list that its replacement cannot be given.
        case attributeNotKept(name: String)
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
}

extension SourceError.Reason {
    /// What `errno` says.
    init(errno code: Int32) {
        self =
            switch code {
            case ENOENT, ENOTDIR: .noSuchFile
            case ELOOP: .brokenLink
            case EACCES, EPERM: .permissionDenied
            case EISDIR: .isFolder
            default: .system(message: String(cString: strerror(code)))
            }
    }

    /// Whether a file was to be replaced, and was kept as it is for a reason that is not the system's.
    public var isRefusal: Bool {
        switch self {
        case .exists, .backupExists, .ownerNotKept, .attributeNotKept: true
        default: false
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
        case .exists: "exists already, and a store is never written over; name a file that does not exist"
        case .backupExists(let path): "its backup would be \(path), which exists already; move that away first"
        case .ownerNotKept(let owner, let group):
            "it belongs to user \(owner) and group \(group), and this user cannot give them the file that would replace it; "
                + "run this as that user, or write to another file with --output"
        case .attributeNotKept(let name):
            "it has the extended attribute or access control list '\(name)', which cannot be given to the file that would replace it; "
                + "remove it, or write to another file with --output"
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
