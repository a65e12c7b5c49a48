import DocumentModel

/// What came of opening one stored sample of a ``Versionable`` type.
public struct SampleResult: Sendable, Hashable {
    /// The name that was given to the sample.
    public let name: String
    /// The version that it states; nil if none could be made out.
    public let version: DocumentVersion?
    /// What came of it.
    public let outcome: MigrationOutcome
    /// Why it failed; nil if it did not.
    public let failure: MigrationFailure?
    /// The topmost fields of the sample that nothing read.
    public let dropped: [DocumentPath]

    /// Whether the sample opens as the newest version.
    public var isPassed: Bool { failure == nil }
}

extension SampleResult: CustomStringConvertible {
    /// The outcome in words: `v1.json (version 1): keyNotFound at $.number in the step from 2 to 3, line 1, column 1: …`.
    public var description: String {
        let title = name + (version.map { " (version \($0))" } ?? "")
        guard let failure else { return "\(title): \(outcome.rawValue)" }
        let path = failure.path.map { " at \($0)" } ?? ""
        let step = failure.step.map { " in the step from \($0.from) to \($0.to)" } ?? ""
        let place = failure.location.map { ", \($0)" } ?? ""
        return "\(title): \(failure.kind.rawValue)\(path)\(step)\(place): \(failure.message)"
    }
}
