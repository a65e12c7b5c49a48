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
    ) -> [SampleResult] {
        let chain = MigrationChain(Self.self, decoding: decoding)
        return samples.map { name, data in
            do {
                let result = chain.check(try Document(parsing: SourceBytes(data)), source: name)
                return SampleResult(
                    name: name, version: result.version, outcome: result.outcome, failure: result.failure,
                    dropped: result.dropped)
            } catch {
                let failure = MigrationFailure(parsing: error)
                return SampleResult(name: name, version: nil, outcome: .failed, failure: failure, dropped: [])
            }
        }
    }
}

/// What came of opening one stored sample of a ``Versionable`` type.
public struct SampleResult: Sendable, Hashable {
    /// The name that was given to the sample.
    public let name: String
    /// The version that it states; nil if none could be made out.
    public let version: DocumentVersion?
    /// What came of it.
    public let outcome: MigrationOutcome
    /// Why it failed; nil if it did not.
    public let failure: MigrationFailure?
    /// The topmost fields of the sample that nothing read.
    public let dropped: [DocumentPath]

    /// Whether the sample opens as the newest version.
    public var isPassed: Bool { failure == nil }
}

extension SampleResult: CustomStringConvertible {
    /// The outcome in words: `v1.json (version 1): keyNotFound at $.number in the step from 2 to 3, line 1, column 1:
    /// …`.
    public var description: String {
        let title = name + (version.map { " (version \($0))" } ?? "")
        guard let failure else { return "\(title): \(outcome.rawValue)" }
        let path = failure.path.map { " at \($0)" } ?? ""
        let step = failure.step.map { " in the step from \($0.from) to \($0.to)" } ?? ""
        let place = failure.location.map { ", \($0)" } ?? ""
        return "\(title): \(failure.kind.rawValue)\(path)\(step)\(place): \(failure.message)"
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
