import Foundation

/// A folder of a test's own, gone when the test is.
public final class TemporaryFolder {
    /// The path of the folder.
    public let path: String

    /// Makes an empty folder.
    public init() throws {
        // The real path, as programs that ask for their current folder see it.
        let parent = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
        path = parent.appending(path: "migration-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The path of a file in the folder, whether or not there is one.
    public func path(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes a file, and the folders on the way to it; returns its path.
    @discardableResult
    public func write(_ text: String, to name: String) throws -> String { try write(Data(text.utf8), to: name) }

    /// Writes a file, and the folders on the way to it; returns its path.
    @discardableResult
    public func write(_ data: Data, to name: String) throws -> String {
        let url = URL(filePath: path(name))
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: url)
        return path(name)
    }

    /// Copies a file of the project into the folder, under its own name unless another is given; returns its path.
    @discardableResult
    public func copy(_ file: String, to name: String? = nil) throws -> String {
        try write(try Project.data(file), to: name ?? URL(filePath: file).lastPathComponent)
    }

    /// Makes a symbolic link.
    public func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: path(name), withDestinationPath: target)
    }

    /// The text of a file in the folder.
    public func text(_ name: String) throws -> String { try String(contentsOfFile: path(name), encoding: .utf8) }

    /// The bytes of a file in the folder.
    public func data(_ name: String) throws -> Data { try Data(contentsOf: URL(filePath: path(name))) }

    /// The names of the files in the folder, hidden ones too, in order.
    public func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }

    /// `text` with the path of this folder taken off.
    public func relative(_ text: String) -> String { text.replacing("\(path)/", with: "") }

    /// A new file in the folder, open to be written to.
    func handle(forWriting name: String) throws -> FileHandle {
        try FileHandle(forWritingTo: URL(filePath: try write("", to: name)))
    }
}
