import Foundation

/// A folder that is deleted at the end of the test.
public final class TemporaryFolder {
    /// The path of the folder.
    public let path: String

    /// Makes an empty folder.
    public init() throws {
        // The real path, because programs see it as their current folder.
        let parent = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
        path = parent.appending(path: "migration-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Returns the path of a file in the folder, whether or not the file exists.
    public func path(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes a file and the folders that contain it, and returns its path.
    @discardableResult
    public func write(_ text: String, to name: String) throws -> String { try write(Data(text.utf8), to: name) }

    /// Writes a file and the folders that contain it, and returns its path.
    @discardableResult
    public func write(_ data: Data, to name: String) throws -> String {
        let url = URL(filePath: path(name))
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: url)
        return path(name)
    }

    /// Copies a file of the project into the folder, with the same name unless another is given, and returns its path.
    @discardableResult
    public func copy(_ file: String, to name: String? = nil) throws -> String {
        try write(try Project.data(file), to: name ?? URL(filePath: file).lastPathComponent)
    }

    /// Makes a symbolic link.
    public func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: path(name), withDestinationPath: target)
    }

    /// Returns the text of a file in the folder.
    public func text(_ name: String) throws -> String { try String(contentsOfFile: path(name), encoding: .utf8) }

    /// Returns the bytes of a file in the folder.
    public func data(_ name: String) throws -> Data { try Data(contentsOf: URL(filePath: path(name))) }

    /// Returns the sorted names of the files in the folder, including hidden ones.
    public func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }

    /// Returns `text` without the path of this folder.
    public func relative(_ text: String) -> String { text.replacing("\(path)/", with: "") }

    /// Makes a file in the folder, and opens it for writing.
    func handle(forWriting name: String) throws -> FileHandle {
        try FileHandle(forWritingTo: URL(filePath: try write("", to: name)))
    }
}
