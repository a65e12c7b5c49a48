import DocumentModel
import DocumentSources
import Foundation
import MigrationCore
import Testing

@testable import MigrationWorker

#if os(Linux)
    @Suite("Experiments in workers", .serialized)
    struct ExperimentTests {
        private let visits = Visits()

        /// The failure of a document after experiments, and the number of runs.
        private func proof(
            of document: DocumentReference, host: WorkerHost = WorkerHost(limits: WorkerLimits(seconds: 1)),
            isCancelled: @escaping () -> Bool = { false }
        ) throws -> (failure: MigrationFailure?, runs: Int) {
            let trace = try host.trace(document)
            #expect(trace.failure != nil)
            var runs = 0
            let proved = try host.proving(
                trace, of: WorkerRequest(document), isCancelled: isCancelled, progress: { runs = $0 })
            return (proved?.failure, runs)
        }

        @Test(
            "experiments prove which value ends its process",
            arguments: ["fatalError no such visit", "exit 3", "overflow", "abort"])
        func crash(line: String) throws {
            let (failure, runs) = try proof(of: visits.visit("crash", second: ["say hello", line, "say goodbye"]))
            #expect(failure?.kind == .crashed && failure?.culprit?.certain == true)
            #expect(failure?.culprit?.path.description == "$.second[1]")
            #expect(failure?.culprit?.proof?.passing.isEmpty == false && runs > 5)
            #expect(failure?.location != nil)
        }

        @Test("experiments keep the proof of the first of two values that fail the same way, and prove the second too")
        func alike() throws {
            let document = try visits.visit("alike", second: ["say hello", "exit 3", "say goodbye", "exit 3"])
            let host = WorkerHost(limits: WorkerLimits(seconds: 4))
            let proved = try host.proving(host.trace(document), of: WorkerRequest(document))
            #expect(proved?.failure?.culprit?.path.description == "$.second[1]")
            #expect(proved?.furtherFailures.map(\.culprit?.path.description) == ["$.second[3]"])
        }

        @Test("experiments prove which value never finishes")
        func hang() throws {
            let (failure, _) = try proof(of: visits.visit("hang", third: ["say hello", "sleep 1000"]))
            #expect(failure?.kind == .timedOut && failure?.culprit?.path.description == "$.third[1]")
        }

        @Test(
            "another version of a container is a repair only if it keeps what the container has",
            arguments: [
                (3, #""label": "honey", "grams": "x", "version": 3"#, "$.jars[0].instance.grams"),
                (3, #""label": "honey", "weight": 12, "lid": "red", "version": 1"#, "$.jars[0].instance.grams"),
                (3, #""name": "honey", "weight": 12, "version": 1"#, "$.jars[0].version"),
                (3, #""name": "honey", "weight": 12"#, "$.jars[0].version"),
                (2, #""name": "honey", "weight": 12, "version": 1"#, "$.jars[0].version"),
            ])
        func container(version: Int, content: String, path: String) throws {
            let instance = Data("{\(content)}".utf8).base64EncodedString()
            let text = #"{"version": 1, "jars": [{"version": \#(version), "instance": "\#(instance)"}]}"#
            let document = try visits.document(text, "container.json")
            let host = WorkerHost(limits: WorkerLimits(seconds: 4))
            var request = WorkerRequest(document)
            request.chain = "pantry"
            let trace = try host.answer(to: request, wanting: .trace)
            let culprit = try host.proving(trace, of: request)?.failure?.culprit
            #expect(culprit?.path.description == path)
            #expect((culprit?.proof?.repair != nil) == path.hasSuffix("version"))
        }

        @Test("experiments end at once when they are cancelled")
        func cancel() throws {
            var asked = 0
            let (failure, runs) = try proof(
                of: visits.visit("cancel", third: ["sleep 1000"]),
                isCancelled: {
                    asked += 1
                    return asked > 3
                })
            #expect(failure == nil && runs < 4)
        }

        @Test("experiments leave the file unchanged, and run what was traced even if the file has changed since")
        func changedFile() throws {
            let document = try visits.visit("changed", second: ["exit 3"])
            let host = WorkerHost(limits: WorkerLimits(seconds: 4))
            let trace = try host.trace(document)
            let bytes = try document.read()
            try visits.folder.write("{}", to: "changed.json")
            let proved = try host.proving(trace, of: WorkerRequest(document))
            #expect(proved?.failure?.culprit?.path.description == "$.second[0]")
            let now = try visits.folder.data("changed.json")
            #expect(bytes.count > 2 && now.count == 2)
        }

        @Test("experiments find nothing if the document no longer exists")
        func missing() throws {
            let document = try visits.visit("missing", second: ["exit 3"])
            let host = WorkerHost(limits: WorkerLimits(seconds: 4))
            let trace = try host.trace(document)
            let request = WorkerRequest(document.failing(because: .noSuchFile))
            #expect(try host.proving(trace, of: request) == nil)
            #expect(try host.examining(trace, of: request)?.steps.contains { $0.finding != nil } != true)
            #expect(throws: SourceError.self) { try host.shrinking(trace, of: request) }
        }

        @Test("experiments are not run if the app's code runs in the program itself")
        func inProcess() throws {
            let document = try visits.document(#"{"repeated": "a"}"#, "inside.json")
            let chain = Refusal.chains[0]
            let host = WorkerHost(inProcess: [chain])
            let trace = chain.trace(try Document(parsing: try document.read()))
            #expect(trace.failure != nil)
            #expect(try host.proving(trace, of: WorkerRequest(document)) == nil)
            #expect(try !host.mayExperiment(with: trace))
        }

        @Test("experiments are run only with a repeatable chain", arguments: [true, false])
        func repeatable(isRepeatable: Bool) throws {
            let key = isRepeatable ? "repeated" : "guarded"
            let document = try visits.document(#"{"\#(key)": "a", "note": "b"}"#, "\(key).json")
            let host = WorkerHost(limits: WorkerLimits(seconds: 4))
            let trace = try host.trace(document)
            #expect(trace.failure?.kind == .thrown && trace.chain == key)
            #expect(try host.mayExperiment(with: trace) == isRepeatable)
            var runs = 0
            _ = try host.proving(trace, of: WorkerRequest(document), progress: { runs = $0 })
            _ = try host.examining(trace, of: WorkerRequest(document), progress: { runs += $0 })
            #expect((runs > 0) == isRepeatable)
            #expect((try host.shrinking(trace, of: WorkerRequest(document)) != nil) == isRepeatable)
        }
    }
#endif
