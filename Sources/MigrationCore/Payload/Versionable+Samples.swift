import DocumentModel
import Foundation

extension Versionable {
    /// Opens stored samples of this and of older versions, and says of each what came of it: the test that an app keeps for the documents
    /// of its users.
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
    ///   - decoding: How the app decodes dates, data, keys and the like.
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
