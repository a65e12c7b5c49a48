import DocumentModel
import MigrationCore

extension MigrationTrace {
    /// The documents before the first step and after the last; nil if there are fewer than two steps or either
    /// document is missing.
    var wholeWay: (before: Document, after: Document)? {
        guard steps.count > 1, let before = steps.first?.before, let after = steps.last?.after else { return nil }
        return (before, after)
    }

    /// The document as it was read, or else the one before the first step.
    var earliestDocument: Document? { document ?? steps.first?.before }
}
