import DocumentModel
import Foundation

extension Versionable {
    /// Opens stored samples of this and of older versions, and says of each what came of it: the test that an app keeps
    /// for the documents of its users.
    ///
    ///     let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    ///     let samples = try files.map { (name: $0.lastPathComponent, data: try Data(contentsOf: $0)) }
    ///     for result in Complex.checkSamples(samples) {
    ///         #expect(result.isPassed, "\(result)")
    ///     }
    ///
    /// Every sample is looked at, whatever came of those before.
    ///
    /// - Parameters:
    ///   - samples: The names of the samples, and the JSON documents.
    ///   - decoding: How the app decodes dates, data and keys.
    /// - Returns: A result for each sample, in their order.
    public static func checkSamples(
        _ samples: some Sequence<(name: String, data: Data)>, decoding: DecodingStrategies = DecodingStrategies()
    ) -> [CheckResult] {
        let chain = MigrationChain(Self.self, decoding: decoding)
        return samples.map { name, data in chain.check(data, source: name) }
    }
}

extension Versionable {
    /// The folder in which the folders of stored samples are: the desktop of the person at the machine, also where the
    /// program runs in a simulator.
    public static var mockDirectoryRootPath: String {
        let home = NSHomeDirectory()
        #if targetEnvironment(simulator)
            // A simulator's home lies inside the person's: /Users/NAME/Library/Developer/….
            let components = home.split(separator: "/")
            if components.count >= 2, components[0] == "Users" { return "/Users/\(components[1])/Desktop" }
        #endif
        return home.hasSuffix("/") ? home + "Desktop" : home + "/Desktop"
    }

    /// The folder of stored samples of this type.
    public static var mockDirectoryPath: String { "\(mockDirectoryRootPath)/\(self)/" }
}
