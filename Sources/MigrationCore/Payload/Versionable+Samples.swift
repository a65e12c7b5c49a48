import DocumentModel
import Foundation

extension Versionable {
    /// Opens stored samples of this version and of older ones, and returns the outcome of each. Use it in a test that
    /// protects your users' documents.
    ///
    ///     let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    ///     let samples = try files.map { (name: $0.lastPathComponent, data: try Data(contentsOf: $0)) }
    ///     for result in Complex.checkSamples(samples) {
    ///         #expect(result.isPassed, "\(result)")
    ///     }
    ///
    /// Every sample is checked, even if others before it fail.
    ///
    /// - Parameters:
    ///   - samples: The names of the samples, and the JSON documents.
    ///   - decoding: How the app decodes dates, data, and keys.
    /// - Returns: A result for each sample, in the same order.
    public static func checkSamples(
        _ samples: some Sequence<(name: String, data: Data)>, decoding: DecodingStrategies = DecodingStrategies()
    ) -> [CheckResult] {
        let chain = MigrationChain(Self.self, decoding: decoding)
        return samples.map { name, data in chain.check(data, source: name) }
    }
}

extension Versionable {
    /// The folder that contains the folders of stored samples: the desktop of the current user, even if the program
    /// runs in a simulator.
    public static var mockDirectoryRootPath: String {
        let home = NSHomeDirectory()
        #if targetEnvironment(simulator)
            // A simulator's home is inside the user's home: /Users/NAME/Library/Developer/….
            let components = home.split(separator: "/")
            if components.count >= 2, components[0] == "Users" { return "/Users/\(components[1])/Desktop" }
        #endif
        return home.hasSuffix("/") ? home + "Desktop" : home + "/Desktop"
    }

    /// The folder of stored samples of this type.
    public static var mockDirectoryPath: String { "\(mockDirectoryRootPath)/\(self)/" }
}
