import DocumentModel
import Testing

@testable import MigrationCore

@Suite("Sentences about values that were not examined")
struct ExaminationWordsTests {
    private func path(_ text: String) -> DocumentPath { DocumentPath(text) ?? .root }

    @Test("a path that stands for several values has their number")
    func counts() {
        let left = [
            StepFinding.Left(path: path("$.packages.*.license"), count: 204, because: .refused),
            StepFinding.Left(path: path("$.rows[*].unit"), count: 2, because: .refused),
            StepFinding.Left(path: path("$.rows[*].unit"), count: 3, because: .refused),
            StepFinding.Left(path: path("$.unit"), count: 1, because: .refused),
        ]
        #expect(
            Examination(runs: 9, left: left).sentences == [
                "not known whether it is lost: $.packages.*.license (204), $.rows[*].unit (5), $.unit: "
                    + "the app accepts too few other values here"
            ])
    }
}
