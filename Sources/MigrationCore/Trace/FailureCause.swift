import DocumentModel

/// What makes failures of several documents one and the same.
package struct FailureCause: Hashable, Sendable {
    /// The kind of error.
    package let kind: MigrationFailure.Kind
    /// The chain.
    package let chain: String?
    /// The step that failed; nil before the first.
    package let step: MigrationFailure.Step?
    /// The path that the errors name.
    package private(set) var path: DocumentPath?
    /// The field behind them.
    package private(set) var culprit: DocumentPath?
    /// What ended the process, and where in the code.
    private let crash: Crash?

    /// The cause of a document's failure; nil where it did not fail.
    package init?(_ result: CheckResult) {
        guard let failure = result.failure else { return nil }
        kind = failure.kind
        chain = result.chain
        step = failure.step
        path = failure.path
        culprit = failure.culprit?.path
        if case .crashed(let crash, _) = failure.reason {
            self.crash = Crash(crash.cause, place: crash.place)
        } else {
            crash = nil
        }
    }

    /// The same for failures in whatever element of an array, and whether or not the field behind them is proved yet.
    package var atAnyPosition: FailureCause {
        var cause = self
        cause.path = path?.foldingIndices
        cause.culprit = nil
        return cause
    }
}
