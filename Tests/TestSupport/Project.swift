import Foundation

/// The locations of the project and its build.
public enum Project {
    /// The folder that contains Package.swift.
    public static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The build folder of the running tests, which contains the built programs.
    public static let builtProducts: URL = {
        // On Linux, the tests are an executable. On macOS, they are a bundle in another one.
        let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
        return (bundle ?? Bundle.main.executableURL ?? folder).deletingLastPathComponent()
    }()

    /// Returns the path of a file in the project.
    public static func path(_ name: String) -> String { folder.appending(path: name).path(percentEncoded: false) }

    /// Returns the text of a file in the project.
    public static func text(_ name: String) throws -> String { try String(contentsOfFile: path(name), encoding: .utf8) }

    /// Returns the bytes of a file in the project.
    public static func data(_ name: String) throws -> Data { try Data(contentsOf: URL(filePath: path(name))) }
}
