import DocumentModel
import Foundation

/// Tells whether something in folders has changed: a file that came, went or was written.
///
/// The system is asked to tell of it (inotify(7)). Where it cannot, or has no room for more folders, the answer is
/// always that something may have changed; then it is asked less often.
public final class FolderWatch: Sendable {
    private struct State {
        /// Whether the system tells of every folder.
        var isTold: Bool
        /// The folders that are not there, and may come back.
        var missing: Set<FilePath> = []
    }

    private let descriptor: Int32
    private let state: Locked<State>

    /// Watches no folder yet.
    public init() {
        #if os(Linux)
            descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        #else
            descriptor = -1
        #endif
        state = Locked(State(isTold: descriptor >= 0))
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Whether ``hasChanged()`` says so only where something has changed.
    public var knows: Bool { state.withLock { $0.isTold } }

    /// Watches a folder, not those inside it; one that is watched already stays so. One that is gone is asked for.
    public func watch(_ folder: FilePath) {
        #if os(Linux)
            guard descriptor >= 0 else { return }
            let inside = IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_CLOSE_WRITE | IN_MODIFY | IN_ATTRIB
            let changes = UInt32(inside | IN_DELETE_SELF | IN_MOVE_SELF)
            let isWatched = inotify_add_watch(descriptor, folder.cString, changes) >= 0
            let error = isWatched ? 0 : errno
            state.withLock { state in
                if [ENOSPC, ENOMEM].contains(error) { state.isTold = false }
                if error == ENOENT { state.missing.insert(folder) } else { state.missing.remove(folder) }
            }
        #endif
    }

    /// Whether anything has changed since this was asked last, or may have.
    public func hasChanged() -> Bool {
        var hasChanged = state.withLock { !$0.isTold || !$0.missing.isEmpty }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        // What it was is not looked at: where much changes the system leaves some of it out.
        while descriptor >= 0, read(descriptor, &buffer, buffer.count) > 0 { hasChanged = true }
        return hasChanged
    }
}
