import DocumentModel

/// The text that a document was read from, or its tree if it has no text, and the selected row.
struct SourceView: ListPanel {
    enum Content: Sendable {
        case loading
        case text(SourceText)
        /// The tree of a binary property list, which has no text.
        case tree(ValueView)
        /// A sentence that says why there is nothing to show.
        case none(String)
    }

    private(set) var content = Content.loading
    var position = ListPosition()
    var sideways = 0
    /// Whether the mark has yet to be scrolled into view.
    private var isFresh = true
    /// The byte range of the value that is selected elsewhere, and whether it has yet to be scrolled into view.
    private(set) var followed: Range<Int>?
    private var isFollowing = false
    /// The byte offset of the last match.
    private var match: Int?

    var isLoading: Bool { if case .loading = content { true } else { false } }
    var text: SourceText? { if case .text(let text) = content { text } else { nil } }
    var tree: ValueView? {
        get { if case .tree(let tree) = content { tree } else { nil } }
        set { if let newValue { content = .tree(newValue) } }
    }

    var rowCount: Int { text?.rowCount ?? 0 }

    /// The selected line of the text. The caret's row belongs to the line above it.
    var selectedLine: Int? { text.map { $0.line(atRow: position.selected) ?? $0.mark?.line ?? 0 } }

    /// The value that is selected in the tree or on the selected line; nil if the text is not the document's own.
    var selectedNode: DocumentNode? {
        if let tree { return tree.selectedNode }
        guard let text, let document = text.document, let line = selectedLine else { return nil }
        return document.root.value(onLine: text.lines.range(ofLine: line))
    }

    /// The number of columns that line numbers take up.
    var gutter: Int { text.map { max(3, String($0.firstLine + $0.lines.count - 1).count) + 4 } ?? 0 }

    mutating func show(_ text: SourceText) {
        content = .text(text)
        isFresh = true
        followed = nil
        match = nil
        if let mark = text.mark { select(row: text.row(ofLine: mark.line)) }
    }

    mutating func show(_ tree: ValueView) { content = .tree(tree) }

    mutating func show(reason: String) { content = .none(reason) }

    /// Marks the bytes of a value and scrolls to them. Pass nil if the value is not in this text.
    mutating func follow(_ range: Range<Int>?) {
        guard range != followed, let text, text.document != nil else { return }
        followed = range
        guard let range else { return }
        isFollowing = true
        select(row: text.row(ofLine: text.lines.line(at: range.lowerBound)))
    }

    /// Returns to the text's own mark after following a value.
    mutating func unfollow() {
        guard followed != nil else { return }
        followed = nil
        isFresh = true
        select(row: text?.mark.map { text?.row(ofLine: $0.line) ?? 0 } ?? 0)
    }

    private mutating func showFollowed(width: Int, height: Int) {
        guard isFollowing, let text, let followed, height > 0 else { return }
        isFollowing = false
        if !position.visible(count: rowCount, height: height).contains(position.selected) {
            position.center(count: rowCount, height: height)
        }
        let column = SourceLine.column(of: followed.lowerBound, in: text)
        if column < sideways || column >= sideways + width - 4 { scrollSideways(to: column, width: width) }
    }

    /// Scrolls to the left edge if the column fits there, otherwise brings the column to the middle.
    private mutating func scrollSideways(to column: Int, width: Int) {
        sideways = column < width - 4 ? 0 : max(0, column - width / 2)
    }

    /// Scrolls the selection into view. A new text is scrolled so that its mark is in the middle, with the caret
    /// below it.
    mutating func show(in area: Rect) {
        let (width, height) = (area.width - gutter - 1, area.height)
        tree?.show(height: height)
        guard let text else { return }
        if isFresh, height > 0, width > 0 {
            isFresh = false
            position.center(count: rowCount, height: height)
            if let mark = text.mark {
                scrollSideways(to: SourceLine.column(of: mark.offset, in: text), width: width)
            }
        }
        showFollowed(width: width, height: height)
        position.show(count: rowCount, height: height)
        // The caret is on the row below its line. Show both if there are two rows.
        if let mark = text.mark, height > 1, position.selected == mark.line, position.top + height == mark.line + 1 {
            position.scroll(by: 1, count: rowCount, height: height)
            select(row: mark.line)
        }
    }

    func goesOn(beyond area: Rect) -> Bool {
        guard let text else { return false }
        let width = area.width - gutter - 1
        return position.visible(count: rowCount, height: area.height).contains { row in
            text.line(atRow: row).map {
                SourceLine(text, line: $0, sideways: sideways, width: width).continuesRight
            } ?? false
        }
    }

    /// Starts a search at the last match if that is on the selected line, otherwise at the start of the line.
    func searchStart(forward: Bool) -> SearchRequest.Start? {
        guard let text else { return nil }
        return .source(text, from: matchHere ?? text.lines.range(ofLine: selectedLine ?? 0).lowerBound)
    }

    mutating func reveal(_ match: SearchResult, in area: Rect) -> Bool {
        guard case .source(let offset) = match, let text else { return false }
        let isSame = matchHere == offset
        self.match = offset
        select(row: text.row(ofLine: text.lines.line(at: offset)))
        let column = SourceLine.column(of: offset, in: text)
        let width = area.width - gutter
        if column < sideways || column >= sideways + width - 8 { sideways = max(0, column - width / 2) }
        return isSame
    }

    /// The last match, if it is on the selected line.
    private var matchHere: Int? {
        match.flatMap { match in
            text.flatMap { $0.row(ofLine: $0.lines.line(at: match)) == position.selected ? match : nil }
        }
    }
}

extension DocumentNode {
    /// Returns the outermost value inside this one that starts on a line of the source, or else the innermost value
    /// that spans the line.
    func value(onLine line: Range<Int>) -> DocumentNode {
        var node = self
        while true {
            var inner: DocumentNode?
            for child in node.children {
                guard let range = child.value.sourceRange else { continue }
                let start = child.key?.sourceRange?.lowerBound ?? range.lowerBound
                if start >= line.upperBound, start > line.lowerBound { break }
                if start >= line.lowerBound { return child.value }
                if range.upperBound > line.lowerBound { inner = child.value }
            }
            guard let inner, inner.kind.isContainer else { return inner ?? node }
            node = inner
        }
    }
}
