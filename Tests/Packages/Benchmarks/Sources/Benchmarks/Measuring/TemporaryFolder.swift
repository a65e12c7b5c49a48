import Foundation

/// A folder for generated documents, which is deleted with this value, or with the program if it is interrupted.
final class TemporaryFolder {
    private let url = root.appending(path: UUID().uuidString)

    private static let root = FileManager.default.temporaryDirectory
        .appending(path: "Benchmarks-\(ProcessInfo.processInfo.processIdentifier)")

    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// The lock for deleting the folders. The signal handler keeps it while it ends the program.
    private static let removal = NSLock()

    /// Deletes all folders at the end of the program.
    static func removeAll() { removal.withLock { try? FileManager.default.removeItem(at: root) } }

    /// Deletes all folders when the program is asked to end, and ends it.
    ///
    /// - Returns: The signal sources, to be kept for as long as signals should be handled.
    static func removeAllWhenInterrupted() -> [any DispatchSourceSignal] {
        [SIGINT, SIGTERM, SIGHUP].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                removal.lock()
                // Renamed first, so that no document is added in the meantime.
                let gone = root.appendingPathExtension("removed")
                try? FileManager.default.moveItem(at: root, to: gone)
                try? FileManager.default.removeItem(at: gone)
                exit(128 + number)
            }
            source.resume()
            return source
        }
    }

    /// Returns the path of a file in the folder.
    func path(_ name: String) -> String { url.appending(path: name).path(percentEncoded: false) }

    /// Writes a file.
    ///
    /// - Returns: Its path.
    @discardableResult
    func write(_ data: Data, to name: String) throws -> String {
        let path = path(name)
        try data.write(to: URL(filePath: path))
        return path
    }

    /// Deletes a file if it exists.
    func remove(_ name: String) { try? FileManager.default.removeItem(atPath: path(name)) }
}
