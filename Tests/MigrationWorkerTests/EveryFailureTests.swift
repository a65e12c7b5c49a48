import DocumentModel
import DocumentSources
import Foundation
import MigrationCore
import Testing

@testable import MigrationWorker

#if os(Linux)
    @Suite("The failures of a document", .serialized)
    struct EveryFailureTests {
        private let visits = Visits()
        private let host = WorkerHost(limits: WorkerLimits(seconds: 4))

        /// The trace of a document, with the proofs of its failures.
        private func proved(_ chain: String, _ data: Data) throws -> MigrationTrace {
            let file = try visits.folder.write(data, to: "\(chain).json")
            var request = WorkerRequest(GivenName(FilePath(file)).document)
            request.chain = chain
            let trace = try host.answer(to: request, wanting: .trace)
            #expect(trace.failure != nil)
            return try host.proving(trace, of: request) ?? trace
        }

        /// The claim made about each failure: its first proof sentence, or the path where nothing was found.
        private func claims(_ trace: MigrationTrace) -> [String] {
            ([trace.failure].compactMap(\.self) + trace.furtherFailures).map { failure in
                failure.culprit?.proofSentences.first ?? "nothing at \(failure.path ?? .root)"
            }
        }

        private static let records = """
            [{"id": 1, "kind": "text", "title": "a"}, {"id": 2, "kind": "hologram", "title": "b"},
             {"id": 3, "kind": "image"}, {"id": "4", "kind": "text", "title": "d"}]
            """

        @Test("a later version that only skips the failing step is no repair of a document that decodes as its own")
        func skippedStep() throws {
            func culprit(_ more: String) throws -> MigrationFailure.Culprit? {
                let json = #"{"version": 1, "gaugeLabel": "a", "pressure": "x"\#(more)}"#
                return try proved("gauge", Data(json.utf8)).failure?.culprit
            }
            let own = try culprit("")
            #expect(own?.path.description != "$.version" && own?.proof?.repair == nil)
            // A field that only the later version has shows that the document is of that version.
            let later = try culprit(#", "unit": "bar""#)
            #expect(later?.path.description == "$.version" && later?.proof?.repair != nil)
        }

        @Test(
            "the same failures are found under a type, shapes and closures",
            arguments: [
                ("typed", #""version": 1, "shelf""#), ("shaped", #""shelf""#), ("edited", #""version": 1, "shelf""#),
            ])
        func kinds(chain: String, start: String) throws {
            let trace = try proved(chain, Data(#"{\#(start): \#(Self.records)}"#.utf8))
            let claims = claims(trace)
            #expect(claims.count == 3)
            #expect(claims.first?.hasPrefix("proved cause: $.shelf[1].kind: gets past this with \"") == true)
            #expect(claims.first?.hasSuffix("then fails at $.shelf[2].title") == true)
            #expect(claims[1].hasPrefix("proved cause: $.shelf[2].title: gets past this when added"))
            #expect(claims.last == "repair: $.shelf[3].id: opens with 4")
        }

        @Test("failures are found at the original names when closures rename the fields")
        func renamed() throws {
            let claims = try claims(
                proved("edited", Data(#"{"version": 1, "things": \#(Self.records)}"#.utf8)))
            #expect(claims.first?.hasPrefix("proved cause: $.things[1].kind: gets past this with \"") == true)
        }

        @Test(
            "a failure is not repaired by reading the document as an older version whose closure drops the failing row")
        func olderVersion() throws {
            let text = #"{"version": 2, "rows": [{"gate": 1}, {"gat": "two"}]}"#
            let trace = try proved("queue", Data(text.utf8))
            #expect(trace.failure?.culprit?.path == DocumentPath("$.rows[1].gate"))
            #expect(trace.failure?.culprit?.proof?.isOfVersion == false)
        }

        @Test(
            "a failure has a repair only if it is the only one, even where another version opens the document",
            arguments: [true, false])
        func eitherOfTwo(isAlone: Bool) throws {
            let seat = isAlone ? "5" : #""5""#
            let text = #"{"version": 2, "rows": [{"gate": 1}, {"gate": "4", "seat": \#(seat)}]}"#
            let proof = try proved("queue", Data(text.utf8)).failure?.culprit?.proof
            #expect(proof?.change?.path == DocumentPath("$.rows[1].gate"))
            #expect((proof?.repair != nil) == isAlone)
        }

        @Test("failures caused by the value put in for a missing one are not reported")
        func ofPutIn() throws {
            let trace = try proved("trip", Data(#"{"version": 1, "legCount": 4}"#.utf8))
            #expect(trace.failure?.culprit?.path == DocumentPath("$.legs") && trace.furtherFailures.isEmpty)
        }

        @Test("failures are found inside and after a part that no shape fits")
        func part() throws {
            let text = #"{"version": 1, "labels": [{"name": "a"}, {"name": 5}], "count": "7"}"#
            let claims = try claims(proved("labeled", Data(text.utf8)))
            #expect(
                claims == [
                    "proved cause: $.labels[1].name: gets past this with \"5\", then fails at $.count",
                    "repair: $.count: opens with 7",
                ])
        }

        @Test(
            "failures are found in each key of preferences, inside the text that holds its JSON",
            arguments: [true, false])
        func preferences(isAnyMigrated: Bool) throws {
            var values = [
                "alarms": #"[{"hour":7,"minute":30},{"hour":25,"minute":0},{"hour":9,"minute":15}]"#,
                "next": #"{"hour":24,"minute":0}"#,
            ]
            if isAnyMigrated { values["names"] = #"["a"]"# }
            let data = try PropertyListSerialization.data(fromPropertyList: values, format: .binary, options: 0)
            let trace = try proved("alarms", data)
            let places = ([trace.failure].compactMap(\.self) + trace.furtherFailures).map { failure in
                "\(failure.culprit?.path ?? .root) \(failure.culprit?.proof?.change != nil)"
            }
            // The keys of a binary property list are in any order.
            #expect(
                Set(places) == ["$.alarms[1].hour true", "$.next.hour true"])
            #expect(places.count == 2)
            for part in trace.parts where part.failure != nil {
                let proof = try #require(part.failure?.culprit?.proof)
                // The other key's failure has no path in this part.
                #expect(proof.ending == .opens || proof.ending == .fails(nil))
            }
        }

        @Test("a failure that nothing repairs in one key of preferences does not hide those of another key")
        func unmended() throws {
            let values = ["alarms": "[{", "next": #"{"hour":24,"minute":0}"#]
            let data = try PropertyListSerialization.data(fromPropertyList: values, format: .xml, options: 0)
            let trace = try proved("alarms", data)
            #expect(trace.failure?.culprit?.proof?.change == nil)
            #expect(trace.furtherFailures.map { $0.culprit?.path.description } == ["$.next.hour"])
            #expect(trace.furtherFailures.first?.culprit?.proof?.ending != .opens)
        }
    }
#endif
