import DocumentModel
import DocumentSources
import Foundation
import MigrationCore
import TestSupport
import Testing

@testable import MigrationInspector

@Suite("Baselines")
struct BaselineTests {
    @Test("a failure and a loss are known again, however the versions of the step are spelled")
    func spelledVersions() throws {
        let pair = try Document(json: #"{"major": 4, "minor": 5}"#)
        let versions: [(DocumentVersion, DocumentVersion)] = [
            (.number(1), .number(2)), (.written(10900, as: "1.9.0"), .written(11000, as: "1.10.0")),
            (.unversioned, .values(405, pair)), (.name("a"), .name("b")),
        ]
        for (from, to) in versions {
            let step = MigrationFailure.Step(from: from, to: to)
            var failed = CheckResult(source: "a.json", outcome: .failed)
            (failed.version, failed.target) = (from, to)
            failed.failure = MigrationFailure(.thrown(message: "no"), step: step)
            var lossy = CheckResult(source: "b.json", outcome: .migrated)
            (lossy.version, lossy.target) = (from, to)
            lossy.lost = [ValueLoss(path: DocumentPath([.key("n")]), step: step)]
            var report = CheckReport()
            report.add(failed)
            report.add(lossy)
            let folder = try TemporaryFolder()
            let path = try folder.write(JSONText.text(of: report, layout: .pretty), to: "report.json")
            var baseline = try Baseline(reading: FilePath(path))
            baseline.countsLosses = true
            let isKnown = [baseline.meet(failed), baseline.meet(lossy)]
            #expect(isKnown == [true, true], "\(from) → \(to)")
            let other = MigrationFailure.Step(from: from, to: .name("other"))
            failed.failure = MigrationFailure(.thrown(message: "no"), step: other)
            let isOtherKnown = baseline.meet(failed)
            #expect(!isOtherKnown)
        }
    }
}
