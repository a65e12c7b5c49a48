import DocumentModel
import MigrationCore

/// The hashes of the documents that the steps of a large migration made, so that the documents need not stay in
/// memory. When a step is looked at again, it is run again, and its hash shows whether the result is the same.
struct SnapshotHashes: Sendable {
    /// The hash of each step's result; nil for a step without a result.
    let made: [UInt64?]

    /// Creates the hashes of a trace's documents. This takes about as long as parsing them.
    init(of trace: MigrationTrace) { made = trace.steps.map { $0.after?.root.valueHash } }
}

extension MigrationTrace {
    /// Whether all documents that were made by steps and can be written are in memory.
    public var hasAllSnapshots: Bool {
        !steps.contains { if case .checked = $0.ending { true } else { false } }
    }

    /// Drops the documents that are neither before nor after any of the given steps. Keeps the original document and
    /// the document before a failure.
    ///
    /// - Parameters:
    ///   - steps: The positions of the steps whose documents are kept.
    ///   - hashes: The hashes of the documents that are dropped.
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

    /// Returns whether the documents of a step were dropped.
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
