import DocumentModel
import Foundation
import MigrationCore

/// Why a document could not be read or written, and which.
public struct SourceError: Error, Hashable, Sendable, Codable {
    /// The file or document, named as ``DocumentReference/name`` does.
    public var source: String

    /// What went wrong.
    public var reason: SourceProblem

    /// Makes an error from its parts.
    public init(source: String, reason: SourceProblem) {
        self.source = source
        self.reason = reason
    }

    /// Whether a store was found, and something is wrong with it, or it is packed.
    var isAboutStore: Bool { if case .store = reason { true } else { reason == .gzip(.store) } }
}

extension SourceProblem {
    /// What `errno` says.
    init(errno code: Int32) {
        self =
            switch code {
            case ENOENT, ENOTDIR: .noSuchFile
            case ELOOP: .brokenLink
            case EACCES, EPERM: .permissionDenied
            case EISDIR: .isFolder
            case ENAMETOOLONG, ENXIO, ENODEV, EOVERFLOW, ETXTBSY, EROFS, EINVAL, EILSEQ, EBUSY, ENOTSUP:
                .unusablePath(message: String(cString: strerror(code)))
            case EMFILE, ENFILE, ENOMEM: .shortage(message: "\(SystemFailure(code: code, of: .descriptor))")
            default: .system(message: String(cString: strerror(code)))
            }
    }

    /// Whether a file was to be written or replaced, and was not for a reason that is not the system's.
    public var isRefusal: Bool {
        switch self {
        case .exists, .backupExists, .changedMeanwhile, .ownerNotKept, .attributeNotKept, .store(.hasDependent): true
        default: false
        }
    }
}

extension SourceError: CustomStringConvertible, LocalizedError {
    /// The whole sentence: `notes.json: no such file or folder`.
    public var description: String { "\(source): \(reason)" }

    /// The whole sentence.
    public var errorDescription: String? { description }
}
