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
    package let crash: String?
    /// What is said of a document that cannot be read, or is none, with its numbers left out, which are those of places and
    /// lengths: it has no other marks.
    private let message: String?

    /// The cause of a document's failure; nil where it did not fail.
    package init?(_ result: CheckResult) {
        guard let failure = result.failure else { return nil }
        kind = failure.kind
        chain = result.chain
        step = failure.step
        path = failure.path
        culprit = failure.culprit?.path
        message = Self.identity(ofMessage: failure.message, kind)
        if case .crashed(let crash, _) = failure.reason {
            self.crash = crash.identity
        } else {
            crash = nil
        }
    }

    /// The cause that a report tells of.
    init(_ cause: CheckReport.Cause) {
        kind = cause.kind
        chain = cause.chain
        step = cause.step
        path = cause.path
        culprit = cause.culprit
        crash = cause.crash
        message = Self.identity(ofMessage: cause.message, kind)
    }

    private static func identity(ofMessage message: String, _ kind: MigrationFailure.Kind) -> String? {
        guard kind == .malformed || kind == .unreadable else { return nil }
        return message.split(omittingEmptySubsequences: false) { $0.isASCII && $0.isNumber }
            .filter { !$0.isEmpty }.joined(separator: "#")
    }

    /// What orders causes of which there are as many, in every run in the same way.
    var order: [String] {
        let step = step.map { "\($0.from) \($0.to)" }
        return [kind.rawValue, chain ?? "", step ?? "", path?.description ?? "", culprit?.description ?? ""]
            + [crash ?? "", message ?? ""]
    }

    /// The same for failures in whatever element of an array, and whether or not the field behind them is proved yet.
    package var atAnyPosition: FailureCause {
        var cause = self
        cause.path = path?.foldingIndices
        cause.culprit = nil
        return cause
    }
}
