import Foundation

/// A folder for generated documents, which goes away with the value, or with the program when it is interrupted.
final class TemporaryFolder {
    private let url = root.appending(path: UUID().uuidString)

    private static let root = FileManager.default.temporaryDirectory
        .appending(path: "Benchmarks-\(ProcessInfo.processInfo.processIdentifier)")

    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// Held by the one who removes the folders, and kept by the one who then ends the program.
    private static let removal = NSLock()

    /// Removes all folders, at the end of the program.
    static func removeAll() { removal.withLock { try? FileManager.default.removeItem(at: root) } }

    /// Removes all folders when the program is told to end, and ends it.
    ///
    /// - Returns: What to keep as long as that is wanted.
    static func removeAllWhenInterrupted() -> [any DispatchSourceSignal] {
        [SIGINT, SIGTERM, SIGHUP].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                removal.lock()
                // Under another name, so that no document is added to it meanwhile.
                let gone = root.appendingPathExtension("removed")
                try? FileManager.default.moveItem(at: root, to: gone)
                try? FileManager.default.removeItem(at: gone)
                exit(128 + number)
            }
            source.resume()
            return source
        }
    }

    /// The path of a file in the folder.
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

    /// Removes a file, if it is there.
    func remove(_ name: String) { try? FileManager.default.removeItem(atPath: path(name)) }
}
