import DocumentModel
import Foundation

/// Tells whether something in folders has changed: a file that came, went or was written.
///
/// The system is asked to tell of it (inotify(7)). Where it cannot, or has no room for more folders, the answer is
/// always that something may have changed; then it is asked less often.
public final class FolderWatch: Sendable {
    private let descriptor: Int32
    /// Whether the system tells of every folder.
    private let isTold: Locked<Bool>

    /// Watches no folder yet.
    public init() {
        #if os(Linux)
            descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        #else
            descriptor = -1
        #endif
        isTold = Locked(descriptor >= 0)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Whether ``hasChanged()`` says so only where something has changed.
    public var knows: Bool { isTold.withLock { $0 } }

    /// Watches a folder, not those inside it; one that is watched already stays so.
    public func watch(_ folder: FilePath) {
        #if os(Linux)
            guard descriptor >= 0 else { return }
            let changes = IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_CLOSE_WRITE | IN_MODIFY | IN_ATTRIB
            let isWatched = inotify_add_watch(descriptor, folder.cString, UInt32(changes)) >= 0
            // A folder that is gone, or may not be read, has nothing to tell.
            if !isWatched, [ENOSPC, ENOMEM].contains(errno) { isTold.withLock { $0 = false } }
        #endif
    }

    /// Whether anything has changed since this was asked last, or may have.
    public func hasChanged() -> Bool {
        var hasChanged = !knows
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        // What it was is not looked at: where much changes the system leaves some of it out.
        while descriptor >= 0, read(descriptor, &buffer, buffer.count) > 0 { hasChanged = true }
        return hasChanged
    }
}
