import MigrationCore

/// The causes of failures that were seen, numbered.
struct DocumentCauses: Sendable {
    private var numbers: [FailureCause: Int] = [:]
    private var causes: [FailureCause] = []
    /// What the first failure of each says.
    private(set) var sentences: [String] = []

    /// The number of the cause of a result; nil for one that is no failure.
    ///
    /// - Parameter earlier: That of an earlier result of the same document, which stays when more is known of its culprit.
    mutating func number(of result: CheckResult, earlier: Int?) -> Int? {
        guard let cause = FailureCause(result) else { return nil }
        if let earlier, causes[earlier].isLike(cause) { return earlier }
        if let number = numbers[cause] { return number }
        numbers[cause] = causes.count
        causes.append(cause)
        let place = [result.chain, result.failure?.step.map { "\($0.from) to \($0.to)" }].compactMap(\.self)
        sentences.append((place + [result.failure?.sentence ?? ""]).joined(separator: " \u{B7} "))
        return causes.count - 1
    }
}
