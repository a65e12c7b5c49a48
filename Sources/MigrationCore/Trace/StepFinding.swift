import DocumentModel

/// What the experiments with a step show: where its values come from, and what it forgot.
public struct StepFinding: Sendable, Equatable {
    /// For each value that the step made new or changed, the values that it depends on.
    public var origins: [ValueOrigin]
    /// The values of the document before that the step read and on which nothing depends, as far as was tried; elements
    /// of arrays folded to `[*]` where it is so of all that were tried.
    public var lost: [DocumentPath]
    /// Those of them that the author of the chain means to lose.
    public var intended: [DocumentPath]
    /// The places of the document after that differ in every run, of which nothing can be said.
    public var differing: [DocumentPath]
    /// Values that are equal to one that is gone and did not come from there: they stay when that is another.
    public var notMoved: [ValueMove]

    /// Makes a finding from its parts.
    public init(
        origins: [ValueOrigin], lost: [DocumentPath], intended: [DocumentPath] = [], differing: [DocumentPath] = [],
        notMoved: [ValueMove] = []
    ) {
        self.notMoved = notMoved
        self.origins = origins
        self.lost = lost
        self.intended = intended
        self.differing = differing
    }

    /// The finding with those losses told apart that are intended.
    package func intending(_ losses: [DocumentPath]) -> StepFinding {
        var finding = self
        finding.intended = lost.filter { path in losses.contains { path.foldingIndices.hasPrefix($0.foldingIndices) } }
        finding.lost = lost.filter { !finding.intended.contains($0) }
        return finding
    }
}

/// Where a value that a step made comes from; elements of arrays are folded to `[*]`.
public struct ValueOrigin: Sendable, Hashable, Codable {
    /// Where the value is in the document after the step.
    public var path: DocumentPath
    /// The values of the document before it that it depends on; none where the step made it by itself.
    public var from: [DocumentPath]

    /// Makes an origin from its parts.
    public init(path: DocumentPath, from: [DocumentPath]) {
        self.path = path
        self.from = from
    }
}

/// A value that a step of a migration read and did not carry on, as far as experiments show.
public struct ValueLoss: Sendable, Hashable, Codable {
    /// Where the value is in the document before the step; elements of arrays are folded to `[*]`.
    public var path: DocumentPath
    /// The step.
    public var step: MigrationFailure.Step

    /// Makes a loss from its parts.
    public init(path: DocumentPath, step: MigrationFailure.Step) {
        self.path = path
        self.step = step
    }
}

extension MigrationTrace {
    /// The values that steps lost and no author means to lose; nil where that was not looked for.
    public var losses: [ValueLoss]? {
        guard steps.contains(where: { $0.finding != nil }) else { return nil }
        return steps.flatMap { step in
            (step.finding?.lost ?? []).map { ValueLoss(path: $0, step: .init(from: step.from, to: step.to)) }
        }
    }
}
