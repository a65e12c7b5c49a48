import MigrationCore

/// Versions in a few characters.
enum VersionText {
    /// `3`, `1 → 3`, `1 ✗ 2`, or nothing where no version was found out.
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
        case .unrecognized, .unreadable: return ""
        }
    }
}
