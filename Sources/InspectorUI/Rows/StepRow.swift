import DocumentModel
import MigrationCore

extension MigrationOutcome {
    /// What the outcome looks like in words.
    var style: Style {
        switch self {
        case .current, .migrated: .succeeded
        case .failed, .unreadable: .failed
        case .unrecognized: .warning
        }
    }
}

/// A row of the step panel: of a step's difference, of the document that broke it, or of the overview.
struct StepRow: Sendable {
    /// What happened to the row's field: the sign at the left, and with it the color.
    enum Sign: Hashable, Sendable {
        case none, added, removed, changed, moved, failed, loss, warning, succeeded, unrecognized, unreadable

        init(_ outcome: MigrationOutcome) {
            switch outcome {
            case .current, .migrated: self = .succeeded
            case .failed: self = .failed
            case .unrecognized: self = .unrecognized
            case .unreadable: self = .unreadable
            }
        }

        var style: Style {
            switch self {
            case .none: .plain
            case .added: .added
            case .removed: .removed
            case .changed: .changed
            case .moved: .moved
            case .failed: .failed
            case .succeeded: .succeeded
            case .loss, .warning, .unrecognized: .warning
            case .unreadable: .failed
            }
        }
    }

    enum Label: Hashable, Sendable {
        case key(String)
        case index(Int)
        /// The way to a part of the document: `members[0]`.
        case path(DocumentPath)
        /// A word of the inspector, not of the document.
        case word(String)

        /// What the document calls a value of a container; long names are cut off.
        init(_ child: DocumentNode.Child) {
            self = child.key.map { .key($0.beginning(limit: 400)?.text ?? "") } ?? .index(child.ordinal)
        }

        var text: String {
            switch self {
            case .key(let name): name.isEmpty ? "\"\"" : name
            case .index(let position): "[\(position)]"
            case .path(let path): path.shown.brief
            case .word(let word): word
            }
        }
    }

    enum Body: Sendable {
        /// A value, the same on both sides or on the one side that the row's sign says.
        case value(DocumentNode)
        /// A container whose differences follow as rows.
        case inside(old: DocumentNode, new: DocumentNode)
        case change(old: DocumentNode, new: DocumentNode)
        /// One side of a changed string too long for one row, and which parts of it changed.
        case changedString(DocumentNode, changes: ChangedWords, isOld: Bool)
        /// A value at its new place and where it was, or at its old place and where it is.
        case movedHere(DocumentNode, from: DocumentPath)
        case movedAway(DocumentNode, to: DocumentPath)
        /// A value that is gone, with its name, and beside it what it became.
        case became(old: DocumentNode, Label, DocumentNode)
        case fold(FoldedRun)
        case repeated(RepeatedChanges)
        /// The field that broke the step; no value where the field is missing.
        case culprit(DocumentNode?, MigrationFailure)
        /// A field that is not there.
        case absent(String)
        case text([StyledText])
        /// A part of the document that migrated on its own: its place in the trace's parts.
        case part(Int, [StyledText])
    }

    var sign = Sign.none
    var depth = 0
    var label: Label?
    /// The columns that the labels of the row's neighbors take, so that their values stand below each other.
    var labelWidth = 0
    var body: Body
    /// True for a container whose children follow as rows.
    var isOpen = false
    /// What experiments show of the value: where it comes from, or that it is lost.
    var finding: Finding?

    /// What experiments show of a row's value.
    enum Finding: Hashable, Sendable {
        /// Where the new value comes from.
        case origin(String)
        /// That nothing depends on the old value; and where the new one comes from, if there is one.
        case loss(String, isIntended: Bool, origin: String?)
    }

    /// The value that the row stands for, the newer one where there are two.
    var node: DocumentNode? {
        switch body {
        case .value(let node), .inside(_, let node), .change(_, let node), .changedString(let node, _, _),
            .movedHere(let node, _), .movedAway(let node, _), .became(_, _, let node):
            node
        case .culprit(let node, _): node
        case .fold, .repeated, .absent, .text, .part: nil
        }
    }

    /// Whether the row can be opened or closed.
    var isFoldable: Bool {
        switch body {
        case .fold, .repeated: true
        case .value(let node), .movedHere(let node, _): node.hasRows
        case .became(let old, _, let new): old.hasRows || new.hasRows
        default: false
        }
    }

    /// Whether the row stands for several that are folded.
    var isFold: Bool {
        switch body {
        case .fold, .repeated: true
        default: false
        }
    }

    var isCulprit: Bool { if case .culprit = body { true } else { false } }
}

/// Neighbors in one container that are shown as a single row.
struct FoldedRun: Sendable {
    /// The first neighbor; nil behind the last one.
    var first: DocumentNode.Child?
    var count: Int
    var depth: Int
    var labelWidth = 0
    var sign = StepRow.Sign.none
    /// What the neighbors have in common.
    var noun = "more"

    /// The rows of the first `limit` neighbors, and the run of those that are left.
    func opened(limit: Int) -> (rows: [StepRow], rest: FoldedRun?) {
        var rest = self
        var rows: [StepRow] = []
        let shown = min(limit, count)
        rows.reserveCapacity(shown)
        for _ in 0..<shown {
            guard let child = rest.first else { break }
            rows.append(
                StepRow(
                    sign: sign, depth: depth, label: StepRow.Label(child), labelWidth: labelWidth,
                    body: .value(child.value)))
            rest.first = child.next
        }
        rest.count -= shown
        return (rows, rest.count > 0 ? rest : nil)
    }
}

extension DocumentNode {
    /// Whether there is something inside: values, or a document that this one holds.
    var hasRows: Bool { kind.isContainer ? !isEmpty : seemsToHoldDocument }
}
