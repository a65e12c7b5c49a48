import DocumentModel

// All sentences about what experiments show of a step.

extension Sequence<ValueLoss> {
    /// The values that steps lose, a sentence for each step.
    package var lossSentences: [String] {
        var steps: [(step: MigrationFailure.Step, paths: [DocumentPath])] = []
        for loss in self {
            if steps.last?.step == loss.step {
                steps[steps.count - 1].paths.append(loss.path)
            } else {
                steps.append((loss.step, [loss.path]))
            }
        }
        return steps.map { step, paths in
            "lost in step \(step.from) → \(step.to): \(paths.briefly): \(StepFinding.grounds)"
        }
    }
}

extension StepFinding {
    /// On what grounds a value is called lost.
    package static let grounds = "nothing that was tried changes the result"

    /// What is said of a value that the step lost, in a row of its own.
    package static func lossWords(_ lost: String = "lost", isIntended: Bool) -> String {
        isIntended ? "\(lost), as intended" : "\(lost): \(grounds)"
    }

    /// The values that the step lost, in a few words; nil where there is none.
    package var lossesSentence: String? { lost.isEmpty ? nil : "lost: \(lost.briefly)" }
}

/// Where values come from, in words, for many values of a step.
package struct OriginWords: Sendable {
    /// What experiments show of the step.
    package let finding: StepFinding
    private let origins: [DocumentPath: ValueOrigin]
    /// The names of the fields that are lost.
    private let lostNames: Set<ExactText>

    /// The words of a finding.
    package init(_ finding: StepFinding) {
        self.finding = finding
        lostNames = Set((finding.lost + finding.intended).compactMap { $0.lastKey.map { ExactText($0) } })
        origins = Dictionary(finding.origins.map { ($0.path, $0) }) { first, _ in first }
    }

    /// Whether some field of that name is lost.
    package func mayLose(_ name: String) -> Bool { !lostNames.isEmpty && lostNames.contains(ExactText(name)) }

    /// Where a value comes from that the step made, in a few words; nil where nothing is known of it.
    ///
    /// - Parameter path: Where the value is, elements of arrays folded.
    package func of(_ path: DocumentPath) -> String? {
        guard let origin = origins[path] else {
            return finding.differing.contains { path.hasPrefix($0) } ? "differs in every run" : nil
        }
        if origin.from.isEmpty { return "made by the step" }
        // What moved says that itself.
        return "← " + origin.from.map { $0.briefly(besides: path) }.joined(separator: ", ")
    }
}

extension DocumentPath {
    /// The path without what it has in common with another: `pounds` beside `$.sets[*].kilograms`.
    fileprivate func briefly(besides other: DocumentPath) -> String {
        var shared = min(zip(components, other.components).prefix { $0 == $1 }.count, components.count - 1)
        while shared > 0, case .everyElement = components[shared] { shared -= 1 }
        guard shared >= 0 else { return "\(self)" }
        return DocumentPath(Array(components[shared...])).brief
    }
}
