import DocumentModel
import DocumentSources
import Foundation
import MigrationCore
import TestSupport
import Testing

@testable import MigrationInspector
@testable import MigrationWorker

@Suite("Traces that were written to a file")
struct RecordedTraceTests {
    private static let failure = MigrationFailure(
        .field(
            path: .root.appending(key: "starRating"),
            problem: .noLongerValid(message: "Star rating 9 is no longer valid")),
        step: .init(from: .number(1), to: .number(2)), location: SourceLocation(line: 1, column: 29, offset: 28))

    private static func trace() throws -> MigrationTrace {
        let document = try Document(json: "{\"version\": 1, \"starRating\": 9}")
        return MigrationTrace(
            source: "on a customer's machine.json", format: .json, chain: "Poem",
            versions: [.init(version: .number(1), type: "PoemV1"), .init(version: .number(2), type: "Poem")],
            target: .number(2), detection: VersionDetection(version: .number(1), path: DocumentPath("$.version")),
            steps: [
                MigrationStep(
                    from: .number(1), to: .number(2), fromType: "PoemV1", toType: "Poem", seconds: 0.001,
                    before: document, ending: .failed(failure))
            ],
            document: document)
    }

    private static func file(in folder: TemporaryFolder) throws -> DocumentReference {
        GivenName(FilePath(try folder.write(JSONEncoder().encode(versioned: trace()), to: "trace.json"))).document
    }

    @Test("the inspector opens a trace file as the migration that it records")
    func opened() throws {
        let folder = try TemporaryFolder()
        let reference = try Self.file(in: folder)
        let opener = DocumentOpener(chains: [])
        let live = try Self.trace()
        let request = WorkerRequest(reference, opensTraces: true)
        let trace = try Wanted.trace.reply(of: opener, to: request).get()
        #expect(trace.source == live.source)
        #expect(trace.outcome == .failed)
        #expect(trace.failure == live.failure)
        #expect(trace.steps.map(\.toType) == ["Poem"])
        #expect(trace.document?.root["starRating"]?.numberText == "9")
        #expect(try Wanted.outcome.reply(of: opener, to: request).get().failure == live.failure)
    }

    @Test("a trace file is an ordinary document everywhere else")
    func elsewhere() throws {
        let folder = try TemporaryFolder()
        let request = WorkerRequest(try Self.file(in: folder))
        let result = try Wanted.outcome.reply(of: DocumentOpener(chains: []), to: request).get()
        #expect(result.outcome == .unrecognized)
    }
}
