import DocumentModel
import DocumentSources
import Foundation
import MigrationCore
import Testing

@testable import MigrationWorker

#if os(Linux)
    @Suite("Documents that are saved again", .serialized)
    struct WritingTests {
        private let visits = Visits()
        private let host = WorkerHost(limits: WorkerLimits(seconds: 4))

        /// The trace of a document after examination.
        private func examined(_ chain: String, _ json: String) throws -> MigrationTrace {
            let file = try visits.folder.write(Data(json.utf8), to: "\(chain).json")
            var request = WorkerRequest(GivenName(FilePath(file)).document)
            request.chain = "\(chain) notebook"
            let trace = try host.answer(to: request, wanting: .trace)
            return try #require(try host.examining(trace, of: request, findsOrigins: false))
        }

        private static func page(_ name: String, version: Int) -> String {
            """
            {"version": \(version), "\(name)": {"title": "Mill", "price": 2.75, "tags": ["a", "b"],
             "rows": [{"id": 1, "text": "one"}, {"id": "two", "text": "two"}, {"id": 3, "text": "three"}]}}
            """
        }

        private static let kinds = [
            ("typed", "page", 2, MigrationOutcome.current), ("shaped", "page", 1, .current),
            ("edited", "page", 2, .current), ("edited", "sheet", 1, .migrated),
        ]

        @Test("a value that is read but not written again is lost at the next save", arguments: kinds)
        func losses(kind: String, name: String, version: Int, outcome: MigrationOutcome) throws {
            let trace = try examined(kind, Self.page(name, version: version))
            #expect(trace.outcome == outcome)
            let losses = (trace.losses ?? []).filter { $0.when == .writing && $0.step == nil }
            #expect(losses.map(\.path.description) == ["$.page.tags[*]", "$.page.rows[1]"])
            #expect(trace.narrowings?.map { "\($0.path) \($0.how) \($0.when)" } == ["$.page.price digits writing"])
            #expect(trace.examined?.isWhole == true)
            let result = CheckResult(trace)
            #expect(result.isLossy && result.isDoubtful)
        }

        @Test("a value is lost at the next save if all other values that it can have were accepted, even if it is one")
        func fewValues() throws {
            let trace = try examined("sided", #"{"version": 1, "caption": "Mill", "side": "left", "isBound": true}"#)
            #expect(trace.losses?.map(\.path.description) == ["$.side", "$.isBound"])
            #expect(trace.examined?.isWhole == true)
        }

        @Test("what a closure made is no loss at the next save, unless the document's own value is gone with it")
        func madeByClosure() throws {
            let kept = try examined("stamped", #"{"version": 1, "inscription": "Mill"}"#)
            #expect(kept.outcome == .migrated && kept.losses == [] && kept.examined?.isWhole == true)
            let priced = try examined("stamped", #"{"version": 1, "inscription": "Mill", "price": 2.5}"#)
            #expect(priced.losses?.map { "\($0.path) \($0.when)" } == ["$.cents writing"])
        }

        @Test("a loss that the author of the chain intends is not reported when the document is saved again")
        func intended() throws {
            let trace = try examined("intended", Self.page("page", version: 2))
            #expect(trace.losses?.map(\.path.description) == ["$.page.rows[1]"])
            #expect(trace.writing?.finding?.intended.map(\.description) == ["$.page.tags[*]"])
        }

        @Test("the numbers of a version that is read from several are not lost in a step")
        func severalNumbers() throws {
            let trace = try examined("released", #"{"major": 4, "minor": 2, "headline": "Mill"}"#)
            #expect(trace.outcome == .migrated && trace.losses == [] && trace.examined?.isWhole == true)
        }

        @Test("documents of one version that spell it differently each report their own spelling")
        func spellings() throws {
            let texts = [2, 4, 4, 1].map { #"{"major": 4, "minor": \#($0), "headline": "Mill"}"# }
            let requests = try texts.enumerated().map { number, text in
                let file = try visits.folder.write(Data(text.utf8), to: "spelled\(number).json")
                var request = WorkerRequest(GivenName(FilePath(file)).document)
                request.chain = "released notebook"
                return request
            }
            var versions: [String] = []
            _ = try host.replies(to: requests, wanting: .outcome) { _, reply in
                versions += reply.answer?.version.map { ["\($0)"] } ?? []
            }
            #expect(versions == [2, 4, 4, 1].map { "major 4, minor \($0)" })
        }

        @Test("a document that is written as it was read loses nothing at the next save")
        func clean() throws {
            let trace = try examined(
                "typed", #"{"version": 2, "page": {"title": "Mill", "price": 3, "rows": [{"id": 1, "text": "one"}]}}"#)
            #expect(trace.losses == [] && trace.narrowings == [] && trace.examined?.isWhole == true)
            #expect(CheckResult(trace).isDoubtful == false)
        }

        @Test("a typed document that migrates is written by its last step, and is not examined twice")
        func migrated() throws {
            let trace = try examined("typed", #"{"version": 1, "heading": "Mill"}"#)
            #expect(trace.outcome == .migrated && trace.writing == nil && trace.losses == [])
        }

        @Test("a field is left over only if the result still has it under its own name")
        func leftOver() throws {
            let oldest = try examined("priced", #"{"version": 1, "price": 5}"#)
            #expect(oldest.outcome == .migrated && oldest.leftOver == [] && oldest.dropped == [])
            let older = try examined("priced", #"{"version": 2, "amount": 5}"#)
            #expect(older.leftOver?.map(\.description) == ["$.amount"] && older.dropped == [])
        }

        @Test("findings about the next save are the same when a trace is encoded and read again")
        func coding() throws {
            let trace = try examined("typed", Self.page("page", version: 2))
            let read = try JSONDecoder().decode(
                versioned: MigrationTrace.self, from: JSONEncoder().encode(versioned: trace))
            #expect(read.writing == trace.writing && read.losses == trace.losses)
            let unknown = MigrationTrace.Writing(notExamined: .differs)
            let data = try JSONEncoder().encode(unknown)
            #expect(try JSONDecoder().decode(MigrationTrace.Writing.self, from: data) == unknown)
        }
    }
#endif
