extension CheckResult: CustomStringConvertible {
    /// The outcome in words: `v1.json (version 1): keyNotFound at $.number in the step from 2 to 3, line 1, column 1:
    /// …`.
    public var description: String {
        let title = source + (version.map { " (version \($0))" } ?? "")
        guard let failure else { return "\(title): \(outcome.rawValue)" }
        let step = failure.step.map { " in the step from \($0.from) to \($0.to)" } ?? ""
        let place = failure.location.map { ", \($0)" } ?? ""
        return "\(title): \(failure.kind.words(at: failure.path))\(step)\(place): \(failure.message)"
    }
}
