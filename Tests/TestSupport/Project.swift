import Foundation

/// Where the project and what was built of it lie.
public enum Project {
    /// The folder with Package.swift in it.
    public static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The folder of the build that the running tests belong to: programs lie there beside the tests.
    public static let builtProducts: URL = {
        // On Linux the tests are a program of their own; on macOS, a bundle in somebody else's.
        let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
        return (bundle ?? Bundle.main.executableURL ?? folder).deletingLastPathComponent()
    }()

    /// The path of a file of the project.
    public static func path(_ name: String) -> String { folder.appending(path: name).path(percentEncoded: false) }

    /// The text of a file of the project.
    public static func text(_ name: String) throws -> String { try String(contentsOfFile: path(name), encoding: .utf8) }

    /// The bytes of a file of the project.
    public static func data(_ name: String) throws -> Data { try Data(contentsOf: URL(filePath: path(name))) }
}
