import DisplayText
import DocumentModel

/// Opening and closing rows.
extension [StepRow] {
    /// Opens the row if it is closed, and the other way round. Does nothing to a row that cannot be opened.
    mutating func toggle(at index: Int) {
        guard indices.contains(index), self[index].isFoldable else { return }
        if case .fold(let run) = self[index].body {
            let (rows, rest) = run.opened(limit: FoldedRun.openedAtOnce)
            replaceSubrange(index...index, with: rows + (rest.map { [$0.row] } ?? []))
        } else if self[index].isOpen {
            close(at: index)
        } else {
            open(at: index)
        }
    }

    private mutating func open(at index: Int) {
        guard let container = self[index].node else { return }
        let run = FoldedRun(
            childrenOf: container, depth: self[index].depth + 1,
            sign: self[index].sign == .moved ? .none : self[index].sign)
        let (rows, rest) = run.opened(limit: FoldedRun.openedAtOnce)
        var children = rows + (rest.map { [$0.row] } ?? [])
        children.alignLabels(in: children.indices, depth: run.depth)
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
            if case .fold = self[index].body { toggle(at: index) }
        }
    }

    /// Gives neighbors, the rows of this depth, the width of their longest label, so that their values stand below
    /// each other.
    mutating func alignLabels(in range: Range<Int>, depth: Int, widest: Int = StepRow.widestLabel) {
        var width = 0
        for row in self[range] where row.depth == depth {
            width = Swift.max(width, TextWidth.columns(of: row.label?.text ?? ""))
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
    /// A longer label moves its own value to the right, not those of its neighbors.
    static let widestLabel = 18
}

extension FoldedRun {
    /// All that is inside a container.
    init(childrenOf container: DocumentNode, depth: Int, sign: StepRow.Sign) {
        self.init(
            first: container.firstChild, count: container.count, depth: depth, labelWidth: 0, sign: sign)
    }

    var row: StepRow { StepRow(sign: .none, depth: depth, body: .fold(self)) }
}
