import DisplayText
import DocumentModel

/// Opening and closing rows.
extension [StepRow] {
    /// Opens the row if it is closed, or closes it if it is open. Does nothing if the row cannot be opened.
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

    /// Opens every fold once. A long fold leaves a shorter one at its end.
    mutating func openFolds() {
        for index in indices.reversed() {
            if self[index].isFold { toggle(at: index) }
        }
    }

    /// Ends a run of adjacent values whose container's rows start at `first`. Folds it if it is long, except for the
    /// values next to something more interesting.
    mutating func end(_ run: inout FoldedRun?, from first: Int, isLast: Bool) {
        if let run { self += run.folded(keepingStart: count > first, keepingEnd: !isLast) }
        run = nil
    }

    /// Sets the label width of adjacent rows at this depth to that of their longest label, so that their values line
    /// up.
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
    /// Replaces values that hold documents by these documents.
    fileprivate mutating func unfold() {
        switch body {
        case .value(let node): body = .value(node.unfolded ?? node)
        case .movedHere(let node, let from): body = .movedHere(node.unfolded ?? node, from: from)
        case .became(let old, let label, let new):
            body = .became(old: old.unfolded ?? old, label, new.unfolded ?? new)
        default: break
        }
    }

    /// The width above which a label only shifts its own value to the right, not those of its neighbors.
    static let widestLabel = 18
}

extension FoldedRun {
    /// Creates a run of everything inside a container.
    init(childrenOf container: DocumentNode, depth: Int, sign: StepRow.Sign) {
        self.init(first: container.firstChild, count: container.count, depth: depth, sign: sign)
    }

    var row: StepRow { StepRow(depth: depth, body: .fold(self)) }

    /// The first rows of the run, and a fold with the remaining ones.
    var begun: [StepRow] {
        let (rows, rest) = opened(limit: Self.openedAtOnce)
        return rows + (rest.map { [$0.row] } ?? [])
    }

    /// The number of rows that are opened at once. The rest stay folded and can be opened next.
    private static let openedAtOnce = 500

    /// Returns the run as rows: all of them if it is short, otherwise a few rows at each end that is next to
    /// something interesting.
    fileprivate func folded(keepingStart: Bool, keepingEnd: Bool) -> [StepRow] {
        guard count > Self.shownWhole else { return opened(limit: count).rows }
        // A run that fills its container has no interesting neighbor, so its beginning is shown.
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

    /// The number of values shown next to a change, and the length up to which a run is not folded.
    private static let context = 3
    private static let shownWhole = 10
}
