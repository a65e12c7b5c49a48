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

    /// The time between the change and now, in seconds; clocks may say that the change is yet to come.
    var distanceToNow: Double {
        abs(Date.now.timeIntervalSince1970 - (Double(seconds) + Double(nanoseconds) * 1e-9))
    }
}

extension DocumentReference {
    /// The stamp of the document's file as it is now; nil for standard input, which never changes, and where there is no file.
    public var modificationStamp: ModificationStamp? {
        isStandardInput ? nil : FileStatus(path: file).map(ModificationStamp.init)
    }
}
