import DisplayText
import DocumentModel

/// Opening and closing rows.
extension [StepRow] {
    /// Opens the row if it is closed, and the other way round. Does nothing to a row that cannot be opened.
    mutating func toggle(at index: Int) {
        guard indices.contains(index), self[index].isFoldable else { return }
        if case .fold(let run) = self[index].body {
            replaceSubrange(index...index, with: run.begun)
        } else if case .repeated(let changes) = self[index].body {
            replaceSubrange(index...index, with: changes.begun)
        } else if self[index].isOpen {
            close(at: index)
        } else {
            open(at: index)
        }
    }

    private mutating func open(at index: Int) {
        self[index].unfold()
        guard let container = self[index].node, container.kind.isContainer else { return }
        let row = self[index]
        var children: [StepRow] = []
        func add(_ container: DocumentNode, _ sign: StepRow.Sign) {
            guard container.hasRows else { return }
            let first = children.count
            children += FoldedRun(childrenOf: container, depth: row.depth + 1, sign: sign).begun
            children.alignLabels(in: first..<children.count, depth: row.depth + 1)
        }
        if case .became(let old, _, let new) = row.body, row.sign != .moved {
            add(old, .removed)
            add(new, .added)
        } else {
            add(container, row.sign == .moved ? .none : row.sign)
        }
        self[index].isOpen = true
        insert(contentsOf: children, at: index + 1)
    }

    private mutating func close(at index: Int) {
        let depth = self[index].depth
        let end = self[(index + 1)...].firstIndex { $0.depth <= depth } ?? endIndex
        self[index].isOpen = false
        removeSubrange((index + 1)..<end)
    }

    /// Opens every fold once; a long one leaves a shorter fold at its end.
    mutating func openFolds() {
        for index in indices.reversed() {
            if self[index].isFold { toggle(at: index) }
        }
    }

    /// Ends a run of neighbors whose container's rows begin at `first`: folds it where it is long, but for the rows
    /// that something more interesting touches.
    mutating func append(_ run: inout FoldedRun?, from first: Int, isLast: Bool) {
        if let run { self += run.folded(keepingStart: count > first, keepingEnd: !isLast) }
        run = nil
    }

    /// Gives neighbors, the rows of this depth, the width of their longest label, so that their values stand below
    /// each other.
    mutating func alignLabels(in range: Range<Int>, depth: Int, widest: Int = StepRow.widestLabel) {
        var width = 0
        for row in self[range] where row.depth == depth {
            for side in [StepRow.Side.old, .new] {
                width = Swift.max(width, TextWidth.columns(of: row.label(on: side)?.text ?? ""))
            }
        }
        width = Swift.min(width, widest)
        for index in range where self[index].depth == depth {
            self[index].labelWidth = width
            if case .fold(var run) = self[index].body {
                run.labelWidth = width
                self[index].body = .fold(run)
            }
        }
    }
}

extension StepRow {
    /// Puts the documents that values hold in place of these values.
    fileprivate mutating func unfold() {
        switch body {
        case .value(let node): body = .value(node.unfolded ?? node)
        case .movedHere(let node, let from): body = .movedHere(node.unfolded ?? node, from: from)
        case .became(let old, let label, let new):
            body = .became(old: old.unfolded ?? old, label, new.unfolded ?? new)
        default: break
        }
    }

    /// A longer label moves its own value to the right, not those of its neighbors.
    static let widestLabel = 18
}

extension FoldedRun {
    /// All that is inside a container.
    init(childrenOf container: DocumentNode, depth: Int, sign: StepRow.Sign) {
        self.init(first: container.firstChild, count: container.count, depth: depth, sign: sign)
    }

    var row: StepRow { StepRow(depth: depth, body: .fold(self)) }

    /// The first rows of the run, and a fold of those that are left.
    var begun: [StepRow] {
        let (rows, rest) = opened(limit: Self.openedAtOnce)
        return rows + (rest.map { [$0.row] } ?? [])
    }

    /// More rows than a person reads at once: opening goes on from there.
    private static let openedAtOnce = 500

    /// The run as rows: whole when it is short, else with a few rows at the ends that something interesting touches.
    fileprivate func folded(keepingStart: Bool, keepingEnd: Bool) -> [StepRow] {
        guard count > Self.shownWhole else { return opened(limit: count).rows }
        // A run that is alone in its container has no interesting neighbor: its beginning is shown.
        let start = keepingStart ? Self.context : keepingEnd ? 0 : Self.shownWhole
        let end = keepingEnd ? Self.context : 0
        let (rows, rest) = opened(limit: start)
        guard var fold = rest else { return rows }
        let last = fold.droppingFirst(fold.count - end)
        fold.count -= end
        return rows + [fold.row] + last.opened(limit: end).rows
    }

    private func droppingFirst(_ dropped: Int) -> FoldedRun {
        var rest = self
        for _ in 0..<dropped { rest.first = rest.first?.next }
        rest.count -= dropped
        return rest
    }

    /// Neighbors of a change that are shown, and the longest run that is not worth folding.
    private static let context = 3
    private static let shownWhole = 10
}
