import DocumentModel
import MigrationCore

/// What is known of the documents that the steps of a large migration made, so that they need not all stay in memory:
/// a step that is looked at again is run again, and its hash says whether it made the same.
struct SnapshotHashes: Sendable {
    /// For each step the hash of what it made; nil where it made nothing.
    let made: [UInt64?]

    /// The hashes of a trace's documents. Takes about as long as to parse them.
    init(of trace: MigrationTrace) { made = trace.steps.map { $0.after?.root.valueHash } }
}

extension MigrationTrace {
    /// Whether every document that a step made, and can be written, is there.
    public var hasAllSnapshots: Bool {
        !steps.contains { if case .checked = $0.ending { true } else { false } }
    }

    /// Drops the documents that none of some steps has before or behind it. The document itself stays, and what came
    /// before a failure.
    ///
    /// - Parameters:
    ///   - steps: The positions of the steps whose documents stay.
    ///   - hashes: What stays of those that are dropped.
    mutating func dropSnapshots(except steps: Set<Int>, _ hashes: SnapshotHashes) {
        for index in self.steps.indices {
            let isFailed = self.steps[index].failure != nil
            let isNextFailed = index + 1 < self.steps.count && self.steps[index + 1].failure != nil
            let isBeforeWanted = steps.contains(index) || steps.contains(index - 1) || isFailed
            if index > 0, !isBeforeWanted { self.steps[index].before = nil }
            guard hashes.made[index] != nil, !steps.contains(index), !steps.contains(index + 1), !isNextFailed else {
                continue
            }
            self.steps[index].ending = .checked
        }
    }

    /// Whether the documents of a step were dropped.
    func lacksSnapshots(ofStep index: Int, _ hashes: SnapshotHashes) -> Bool {
        guard steps.indices.contains(index) else { return false }
        let isBeforeMissing = index > 0 && hashes.made[index - 1] != nil && steps[index].before == nil
        return isBeforeMissing || hashes.made[index] != nil && steps[index].after == nil
    }

    /// Takes the documents of a step that was run again.
    mutating func take(_ again: MigrationStep, forStep index: Int) {
        steps[index].before = again.before
        steps[index].ending = again.ending
        if index > 0, let before = again.before { steps[index - 1].ending = .made(before) }
        if index + 1 < steps.count { steps[index + 1].before = again.after }
    }
}
