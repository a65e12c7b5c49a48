import DocumentModel
import Foundation
import MigrationCore

/// An error that says which document could not be read or written, and why.
public struct SourceError: Error, Hashable, Sendable, Codable {
    /// The name of the file or document, in the form of ``DocumentReference/name``.
    public var source: String

    /// The reason.
    public var reason: SourceProblem

    /// Creates an error.
    public init(source: String, reason: SourceProblem) {
        self.source = source
        self.reason = reason
    }

    /// Whether the error is about a store that was found, or about a store that is compressed.
    var isAboutStore: Bool { if case .store = reason { true } else { reason == .gzip(.store) } }
}

extension SourceProblem {
    /// Creates the problem that a value of `errno` stands for.
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

    /// Whether a file was not written or replaced for a reason other than a failure of the system.
    public var isRefusal: Bool {
        switch self {
        case .exists, .backupExists, .changedMeanwhile, .ownerNotKept, .attributeNotKept, .store(.hasDependent): true
        default: false
        }
    }
}

extension SourceError: CustomStringConvertible, LocalizedError {
    /// The complete message: `notes.json: no such file or folder`.
    public var description: String { "\(source): \(reason)" }

    /// The complete message.
    public var errorDescription: String? { description }
}
