import DocumentModel
import DocumentSources
import Foundation
import MigrationCore
import Testing

@testable import MigrationWorker

#if os(Linux)
    @Suite("Steps inside parts", .serialized)
    struct PartStepTests {
        private let visits = Visits()
        private let host = WorkerHost(limits: WorkerLimits(seconds: 4))

        /// The trace of a document, with its steps examined.
        private func examined(_ chain: String, _ data: Data, findsOrigins: Bool = true) throws -> MigrationTrace {
            let file = try visits.folder.write(data, to: "\(chain).json")
            var request = WorkerRequest(GivenName(FilePath(file)).document)
            request.chain = chain
            let trace = try host.answer(to: request, wanting: .trace)
            #expect(trace.outcome == .migrated)
            return try #require(try host.examining(trace, of: request, findsOrigins: findsOrigins))
        }

        private func losses(_ trace: MigrationTrace) -> [String]? {
            trace.losses?.map { loss in
                let step = loss.step.map { "\($0.from)→\($0.to)" }
                return "\(loss.path) of \(loss.part.map(\.description) ?? "-") \(step ?? "-")"
            }
        }

        private func labeled(_ labels: String, findsOrigins: Bool = true) throws -> MigrationTrace {
            try examined(
                "labeled", Data(#"{"version": 1, "labels": [\#(labels)], "count": 2}"#.utf8), findsOrigins: findsOrigins
            )
        }

        private static let old = #"{"label": "b", "note": "keep me"}"#

        @Test("a part loses what its own shape reads and does not keep")
        func shapes() throws {
            let trace = try labeled(#"{"name": "a"}, \#(Self.old)"#)
            #expect(losses(trace) == ["$.labels[1].note of $.labels[1] 1→2"])
            #expect(trace.examined?.isWhole == true && trace.examined.map { $0.runs > 2 } == true)
            #expect(
                trace.parts.last?.steps.first?.finding?.origins.map { "\($0.path) \($0.from)" } == ["$.name [$.label]"])
            #expect(CheckResult(trace).lost?.count == 1)
        }

        @Test("a loss shared by all elements is reported once, and any other loss for each element that has it")
        func folding() throws {
            let labels = (0..<40).map { #"{"label": "b\#($0)", "note": "n\#($0)"}"# }
            let all = try labeled(labels.joined(separator: ","), findsOrigins: false)
            #expect(losses(all) == ["$.labels[*].note of $.labels[*] 1→2"])
            #expect(all.examined.map { $0.isWhole && $0.runs < 100 } == true)
            let some = try labeled(#"\#(Self.old), {"name": "a"}, \#(Self.old)"#)
            #expect(losses(some) == ["$.labels[0].note of $.labels[0] 1→2", "$.labels[2].note of $.labels[2] 1→2"])
        }

        @Test("steps inside the bytes of a container are examined one by one")
        func container() throws {
            let payload = Data(#"{"name": "honey", "weight": 12, "lid": "red", "version": 1}"#.utf8)
            let jar = #"{"version": 1, "instance": "\#(payload.base64EncodedString())"}"#
            let trace = try examined("pantry", Data(#"{"version": 1, "jars": [\#(jar)]}"#.utf8))
            #expect(losses(trace) == ["$.jars[0].instance.lid of $.jars[0].instance 2→3"])
            #expect(trace.examined?.isWhole == true)
        }

        @Test("steps inside the texts of preferences are examined")
        func preferences() throws {
            let values = [
                "alarms": #"[{"hour":7,"minute":30,"label":"x"},{"hour":9,"minute":15,"label":"y"}]"#,
                "names": #"["a"]"#,
            ]
            let data = try PropertyListSerialization.data(fromPropertyList: values, format: .xml, options: 0)
            let trace = try examined("alarms", data)
            #expect(losses(trace) == ["$.alarms[*].label of $.alarms 4→5"])
            #expect(trace.examined?.isWhole == true)
            #expect(trace.steps.first?.finding?.lost.map(\.description) == ["$.alarms[*].label"])
            let origins = trace.steps.first?.finding?.origins ?? []
            #expect(origins.contains { "\($0.path)" == "$.names" && $0.from.map(\.description) == ["$.names"] })
        }

        @Test("a value dropped in one element of a part is not also reported as lost")
        func dropped() throws {
            let alarms = #"[{"hour":7,"minute":30,"label":"x"},{"hour":9,"minute":15,"label":"y","mood":1}]"#
            let data = try PropertyListSerialization.data(
                fromPropertyList: ["alarms": alarms], format: .xml, options: 0)
            let trace = try examined("alarms", data)
            #expect(trace.dropped.map(\.description) == ["$.alarms[1].mood"])
            #expect(losses(trace) == ["$.alarms[*].label of $.alarms 4→5"])
        }
    }
#endif
