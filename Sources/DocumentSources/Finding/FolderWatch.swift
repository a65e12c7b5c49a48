import DocumentModel
import Foundation

/// Detects changes in folders: files that were created, removed or written.
///
/// It asks the system for notifications (inotify(7)). If the system has none, or has no room for more folders, the
/// answer is always that something may have changed; callers should then ask less often.
public final class FolderWatch: Sendable {
    private struct State {
        /// Whether the system sends notifications for every folder.
        var isNotified: Bool
        /// The folders that don't exist now but may come back.
        var missing: Set<FilePath> = []
    }

    private let descriptor: Int32
    private let state: Locked<State>

    /// Creates a watch without any folders.
    public init() {
        #if os(Linux)
            descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        #else
            descriptor = -1
        #endif
        state = Locked(State(isNotified: descriptor >= 0))
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Whether ``hasChanged()`` returns true only if something has changed.
    public var knows: Bool { state.withLock { $0.isNotified } }

    /// Watches a folder, but not its subfolders. Does nothing if the folder is already watched. If the folder doesn't
    /// exist, ``hasChanged()`` returns true until it is watched successfully.
    public func watch(_ folder: FilePath) {
        #if os(Linux)
            guard descriptor >= 0 else { return }
            let inside = IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_CLOSE_WRITE | IN_MODIFY | IN_ATTRIB
            let changes = UInt32(inside | IN_DELETE_SELF | IN_MOVE_SELF)
            let isWatched = inotify_add_watch(descriptor, folder.cString, changes) >= 0
            let error = isWatched ? 0 : errno
            state.withLock { state in
                if [ENOSPC, ENOMEM].contains(error) { state.isNotified = false }
                if error == ENOENT { state.missing.insert(folder) } else { state.missing.remove(folder) }
            }
        #endif
    }

    /// Returns whether anything has or may have changed since the last call.
    public func hasChanged() -> Bool {
        var hasChanged = state.withLock { !$0.isNotified || !$0.missing.isEmpty }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        // The events themselves are ignored, because the system drops some if there are many.
        while descriptor >= 0, read(descriptor, &buffer, buffer.count) > 0 { hasChanged = true }
        return hasChanged
    }
}
