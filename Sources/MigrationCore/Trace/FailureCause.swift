import DocumentModel

/// The properties that group failures of several documents under one cause.
package struct FailureCause: Hashable, Sendable {
    /// The kind of error.
    package let kind: MigrationFailure.Kind
    /// The chain.
    package let chain: String?
    /// The step that failed, or nil if the failure came before the first step.
    package let step: MigrationFailure.Step?
    /// The path named by the errors, with array indices folded.
    package let path: DocumentPath?
    /// The field that caused the errors, with array indices folded.
    package private(set) var culprit: DocumentPath?
    /// What ended the process, and where in the code.
    package let crash: String?
    /// The message without numbers and quoted text. Nil if the process ended, because `crash` says more.
    private let message: String?

    /// Creates the cause of a document's failure. Returns nil if the document did not fail.
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

    /// Creates the cause that matches an entry of a report.
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

    /// The sort key of equally frequent causes, which is the same in every run.
    var order: [String] {
        let step = step.map { "\($0.from) \($0.to)" }
        return [kind.rawValue, chain ?? "", step ?? "", path?.description ?? "", culprit?.description ?? ""]
            + [crash ?? "", message ?? ""]
    }

    /// Returns whether the causes differ at most in the culprit, which can change when it is proved.
    package func isLike(_ other: FailureCause) -> Bool {
        var same = other
        same.culprit = culprit
        return same == self
    }
}

extension String {
    /// The message without numbers and quoted text.
    var withoutQuotedValues: String {
        // A quotation mark followed by a combining mark is one Character.
        let quoted = /'[^']*'|"[^"]*"|`[^`]*`|‘[^’]*’|“[^”]*”|«[^»]*»/.matchingSemantics(.unicodeScalar)
        return replacing(quoted, with: "''").replacing(/[0-9]+/.matchingSemantics(.unicodeScalar), with: "0")
    }
}
