import DocumentModel
import MigrationCore

extension MigrationOutcome {
    /// The style of words about the outcome.
    var style: Style {
        switch self {
        case .current, .migrated: .succeeded
        case .failed, .unreadable: .failed
        case .unrecognized: .warning
        case .deleted: .dim
        }
    }
}

/// A row of the step panel. It belongs to a step's difference, to the document that broke a step, or to the overview.
struct StepRow: Sendable {
    /// The change of the row's field, shown as a sign on the left and by the color.
    enum Sign: Hashable, Sendable {
        case none, added, removed, changed, moved, failed, loss, warning, succeeded, unrecognized, unreadable

        init(_ outcome: MigrationOutcome) {
            switch outcome {
            case .current, .migrated: self = .succeeded
            case .failed: self = .failed
            case .unrecognized: self = .unrecognized
            case .unreadable: self = .unreadable
            case .deleted: self = .removed
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
        /// The path to a part of the document, such as `members[0]`.
        case path(DocumentPath)
        /// A word of the inspector rather than of the document.
        case word(String)

        /// Creates the label of a value in its container. Long names are cut off.
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
        /// A value that is the same on both sides, or exists on the one side that the row's sign indicates.
        case value(DocumentNode)
        /// A container whose differences follow as rows.
        case inside(old: DocumentNode, new: DocumentNode)
        case change(old: DocumentNode, new: DocumentNode)
        /// One side of a changed string too long to share a row, with its changed parts.
        case changedString(DocumentNode, changes: ChangedWords, isOld: Bool)
        /// A moved value, either at its new path with the old one, or at its old path with the new one.
        case movedHere(DocumentNode, from: DocumentPath)
        case movedAway(DocumentNode, to: DocumentPath)
        /// A removed value with its name, and the value that it became.
        case became(old: DocumentNode, Label, DocumentNode)
        case fold(FoldedRun)
        case repeated(RepeatedChanges)
        /// The field that broke the step; no value if the field is missing.
        case culprit(DocumentNode?, MigrationFailure)
        /// A missing field.
        case absent(String)
        case text([StyledText])
        /// A part of the document that migrated separately, by its position in the trace's parts.
        case part(Int, [StyledText])
    }

    var sign = Sign.none
    var depth = 0
    var label: Label?
    /// The width of the labels of adjacent rows, so that their values line up.
    var labelWidth = 0
    var body: Body
    /// Whether the row is a container whose children follow as rows.
    var isOpen = false
    /// The finding of experiments about the value: its origin, or that it is lost.
    var finding: Finding?

    /// A finding of experiments about a row's value.
    enum Finding: Hashable, Sendable {
        /// The origin of the new value.
        case origin(String)
        /// The old value is lost because nothing depends on it. Includes the origin of the new value, if there is
        /// one.
        case loss(String, isIntended: Bool, origin: String?)
    }

    /// The value that the row is about, or the newer one if there are two.
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

    /// Whether the row is a fold of several rows.
    var isFold: Bool {
        switch body {
        case .fold, .repeated: true
        default: false
        }
    }

    var isCulprit: Bool { if case .culprit = body { true } else { false } }
}

/// Adjacent values of one container that are shown as a single row.
struct FoldedRun: Sendable {
    /// The first value; nil at the end of the container.
    var first: DocumentNode.Child?
    var count: Int
    var depth: Int
    var labelWidth = 0
    var sign = StepRow.Sign.none
    /// A word that describes the values.
    var noun = "more"

    /// Returns the rows of the first `limit` values, and the run of the remaining ones.
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
    /// Whether the value has contents: other values, or a document that it holds.
    var hasRows: Bool { kind.isContainer ? !isEmpty : seemsToHoldDocument }
}
