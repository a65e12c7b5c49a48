import DocumentModel
import MigrationCore

extension MigrationOutcome {
    /// The style of words about the outcome.
    var style: Style { self == .deleted ? .dim : StepRow.Sign(self).style }
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

        init(_ kind: DifferenceNode.Kind) {
            switch kind {
            case .added: self = .added
            case .removed: self = .removed
            case .movedHere, .movedAway: self = .moved
            case .changed, .inside, .unchanged: self = .changed
            }
        }

        /// Returns the sign as it is drawn.
        func drawn(_ glyphs: Glyphs) -> StyledText {
            switch self {
            case .none: StyledText(" ")
            case .added: StyledText(glyphs.added, .added)
            case .removed: StyledText(glyphs.removed, .removed)
            case .changed: StyledText(glyphs.changed, .changed)
            case .moved: StyledText(glyphs.moved, .moved)
            case .failed: StyledText(glyphs.failed, .failed)
            case .loss: StyledText(glyphs.loss, .warning)
            case .warning: StyledText(glyphs.warning, .warning)
            case .succeeded: StyledText(glyphs.succeeded, .succeeded)
            case .unrecognized: StyledText(glyphs.unrecognized, .warning)
            case .unreadable: StyledText(glyphs.unreadable, .failed)
            }
        }

        var style: Style { drawn(.unicode).style }
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

extension StepRow {
    /// Returns the value of `document`, the one before the step, that the row is about; nil for a value that the step
    /// made.
    ///
    /// - Parameter isCompared: Whether the row belongs to a difference, where unchanged values are those of the
    ///   document after the step.
    func value(in document: Document, isCompared: Bool) -> DocumentNode? {
        switch body {
        case .inside(let old, _), .change(let old, _), .became(let old, _, _): old
        case .changedString(let node, _, let isOld): isOld ? node : nil
        case .movedAway(let node, _): node
        case .movedHere(_, let from): document.value(at: from)
        case .culprit(let node, _): node
        case .value(let node):
            switch sign {
            case .added: nil
            case .none where isCompared: Self.same(as: node, in: document)
            default: node
            }
        case .fold, .repeated, .absent, .text, .part: nil
        }
    }

    /// Returns the value at the same path of the old document if it equals this unchanged value. It may not if
    /// elements before it were added or removed. Only compares small values, so that it can be called for every key
    /// press.
    static func same(as node: DocumentNode, in document: Document) -> DocumentNode? {
        guard node.nodes.count <= comparedNodes, let like = document.value(at: node.path),
            like.nodes.count == node.nodes.count, like.isEqual(to: node)
        else { return nil }
        return like
    }

    /// The number of nodes above which values are not compared.
    private static let comparedNodes = 2000
}
