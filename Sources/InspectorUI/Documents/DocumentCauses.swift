import MigrationCore

/// The causes of failures that were seen, numbered.
struct DocumentCauses: Sendable {
    private var numbers: [FailureCause: Int] = [:]
    /// What the first failure of each says.
    private(set) var sentences: [String] = []

    /// The number of the cause of a result; nil for one that is no failure.
    mutating func number(of result: CheckResult) -> Int? {
        guard let cause = FailureCause(result)?.atAnyPosition else { return nil }
        if let number = numbers[cause] { return number }
        numbers[cause] = sentences.count
        let place = [result.chain, result.failure?.step.map { "\($0.from) to \($0.to)" }].compactMap(\.self)
        sentences.append((place + [result.failure?.sentence ?? ""]).joined(separator: " \u{B7} "))
        return sentences.count - 1
    }
}
