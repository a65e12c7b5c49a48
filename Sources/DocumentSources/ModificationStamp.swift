import Foundation

/// What changes when a file changes: compare two of them to know whether to read a document again.
public struct ModificationStamp: Hashable, Sendable {
    private let seconds: Int
    private let nanoseconds: Int
    private let byteCount: Int
    private let identity: FileStatus.Identity

    init(_ status: FileStatus) {
        (seconds, nanoseconds) = status.modified
        byteCount = status.byteCount
        identity = status.identity
    }

    /// Whether this change came after the other.
    func isLater(than other: ModificationStamp) -> Bool {
        (seconds, nanoseconds) > (other.seconds, other.nanoseconds)
    }

    /// The time between the change and now, in seconds; clocks may say that the change is yet to come.
    var distanceToNow: Double {
        abs(Date.now.timeIntervalSince1970 - (Double(seconds) + Double(nanoseconds) * 1e-9))
    }
}

extension DocumentReference {
    /// The stamp of the document's file as it is now, for a cell of a store that of its log if the log changed later; nil for standard input,
    /// which never changes, and where there is no file.
    public var modificationStamp: ModificationStamp? {
        guard !isStandardInput, let stamp = FileStatus(path: file).map(ModificationStamp.init) else { return nil }
        guard storeColumn != nil, let files = try? StoreFiles(path: file), let log = files.moment.log else {
            return stamp
        }
        return log.isLater(than: stamp) ? log : stamp
    }
}
