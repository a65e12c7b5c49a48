import MigrationCore

/// Formats versions in a few characters.
enum VersionText {
    /// Returns `3`, `1 → 3` or `1 ✗ 2`; empty if no version was detected.
    static func path(of result: CheckResult) -> String {
        guard let version = result.version else { return "" }
        switch result.outcome {
        case .current,
            .migrated where version == result.target:
            return "\(version)"
        case .migrated: return "\(version) → \(result.target ?? version)"
        case .failed:
            guard let step = result.failure?.step else { return "\(version) ✗" }
            return step.from == version ? "\(version) ✗ \(step.to)" : "\(version) → \(step.from) ✗ \(step.to)"
        case .unrecognized, .unreadable, .deleted: return ""
        }
    }
}
