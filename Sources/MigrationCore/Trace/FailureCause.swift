import DocumentModel

/// What makes failures of several documents one and the same.
package struct FailureCause: Hashable, Sendable {
    /// The kind of error.
    package let kind: MigrationFailure.Kind
    /// The chain.
    package let chain: String?
    /// The step that failed; nil before the first.
    package let step: MigrationFailure.Step?
    /// The path that the errors name, in whatever element of an array.
    package let path: DocumentPath?
    /// The field behind them, in whatever element of an array.
    package private(set) var culprit: DocumentPath?
    /// What ended the process, and where in the code.
    package let crash: String?
    /// What is said of it, without numbers and what is quoted; nil of a process that ended, which says more of itself.
    private let message: String?

    /// The cause of a document's failure; nil where it did not fail.
    package init?(_ result: CheckResult) {
        guard let failure = result.failure else { return nil }
        kind = failure.kind
        chain = result.chain
        step = failure.step
        path = failure.path?.foldingIndices
        culprit = failure.culprit?.path.foldingIndices
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
        path = cause.path?.foldingIndices
        culprit = cause.culprit?.foldingIndices
        crash = cause.crash
        message = Self.identity(ofMessage: cause.message, kind)
    }

    private static func identity(ofMessage message: String, _ kind: MigrationFailure.Kind) -> String? {
        kind == .crashed || kind == .timedOut ? nil : message.withoutQuotedValues
    }

    /// What orders causes of which there are as many, in every run in the same way.
    var order: [String] {
        let step = step.map { "\($0.from) \($0.to)" }
        return [kind.rawValue, chain ?? "", step ?? "", path?.description ?? "", culprit?.description ?? ""]
            + [crash ?? "", message ?? ""]
    }

    /// Whether the causes differ in the field behind them at most, of which more is known once it is proved.
    package func isLike(_ other: FailureCause) -> Bool {
        var same = other
        same.culprit = culprit
        return same == self
    }
}

extension String {
    /// The message without what it quotes, and without numbers.
    var withoutQuotedValues: String {
        // A quotation mark followed by a combining mark is one Character.
        let quoted = /'[^']*'|"[^"]*"|`[^`]*`|‘[^’]*’|“[^”]*”|«[^»]*»/.matchingSemantics(.unicodeScalar)
        return replacing(quoted, with: "''").replacing(/[0-9]+/.matchingSemantics(.unicodeScalar), with: "0")
    }
}
