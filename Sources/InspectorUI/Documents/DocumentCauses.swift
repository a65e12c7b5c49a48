import MigrationCore

/// Numbers the distinct causes of failures, in the order in which they were first seen.
struct DocumentCauses: Sendable {
    private var numbers: [FailureCause: Int] = [:]
    private var causes: [FailureCause] = []
    /// The sentence of the first failure with each cause.
    private(set) var sentences: [String] = []

    /// Returns the number of a result's cause, or nil if the result is not a failure.
    ///
    /// - Parameter earlier: The number of the cause of an earlier result of the same document. It is kept if the new
    ///   result only says more about the culprit.
    mutating func number(of result: CheckResult, earlier: Int?) -> Int? {
        guard let cause = FailureCause(result) else { return nil }
        if let earlier, causes[earlier].isLike(cause) { return earlier }
        if let number = numbers[cause] { return number }
        numbers[cause] = causes.count
        causes.append(cause)
        let step = [result.chain, result.failure?.step.map { "\($0.from) to \($0.to)" }].compactMap(\.self)
        sentences.append((step + [result.failure?.sentence ?? ""]).joined(separator: " \u{B7} "))
        return causes.count - 1
    }
}
