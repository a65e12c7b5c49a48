import DocumentModel
import MigrationCore

/// What the list looks at in the result of a document again and again.
struct DocumentFacts: Hashable, Sendable {
    let outcome: MigrationOutcome
    /// Whether it opens and loses something.
    let isLossy: Bool
    /// The number of the cause that it fails of; nil where it does not.
    let cause: Int?

    /// Whether the document needs a look.
    var isProblem: Bool { outcome.isProblem }
}

/// What failures have in common that are of one kind: the same error at the same field, in whatever element.
struct DocumentCause: Hashable, Sendable {
    let kind: MigrationFailure.Kind
    let chain: String?
    let step: MigrationFailure.Step?
    let path: DocumentPath?
    /// What ended the process, and where in the code.
    let crash: Crash?

    init?(_ result: CheckResult) {
        guard let failure = result.failure else { return nil }
        kind = failure.kind
        chain = result.chain
        step = failure.step
        path = failure.path?.foldingIndices
        if case .crashed(let crash, _) = failure.reason {
            self.crash = Crash(crash.cause, place: crash.place)
        } else {
            crash = nil
        }
    }
}

/// The causes of failures that were seen, numbered.
struct DocumentCauses: Sendable {
    private var numbers: [DocumentCause: Int] = [:]
    /// What the first failure of each says.
    private(set) var sentences: [String] = []

    /// The number of the cause of a result; nil for one that is no failure.
    mutating func number(of result: CheckResult) -> Int? {
        guard let cause = DocumentCause(result) else { return nil }
        if let number = numbers[cause] { return number }
        numbers[cause] = sentences.count
        let place = [result.chain, result.failure?.step.map { "\($0.from) to \($0.to)" }].compactMap(\.self)
        sentences.append((place + [result.failure?.sentence ?? ""]).joined(separator: " \u{B7} "))
        return sentences.count - 1
    }
}
