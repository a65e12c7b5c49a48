import DocumentModel

/// The text that a document was read from, or its tree where there is no text, and where one is in it.
struct SourceView: Sendable {
    enum Content: Sendable {
        case loading
        case text(SourceText)
        /// A binary property list has no text to show.
        case tree(ValueView)
        /// One sentence.
        case none(String)
    }

    private(set) var content = Content.loading
    private(set) var position = ListPosition()
    var sideways = 0
    var job: BackgroundJob.ID?
    /// Whether the marked place has still to be brought into sight.
    private var isFresh = true
    /// The bytes of the value that is selected elsewhere, and whether they have still to be brought into sight.
    private(set) var followed: Range<Int>?
    private var isFollowing = false

    var text: SourceText? { if case .text(let text) = content { text } else { nil } }
    var tree: ValueView? {
        get { if case .tree(let tree) = content { tree } else { nil } }
        set { if let newValue { content = .tree(newValue) } }
    }

    var rowCount: Int { text?.rowCount ?? 0 }

    mutating func show(_ text: SourceText) {
        content = .text(text)
        job = nil
        isFresh = true
        followed = nil
        if let mark = text.mark { position.select(text.row(ofLine: mark.line), count: rowCount) }
    }

    mutating func show(_ tree: ValueView) {
        content = .tree(tree)
        job = nil
    }

    mutating func show(reason: String) {
        content = .none(reason)
        job = nil
    }

    mutating func move(by count: Int) { position.move(by: count, count: rowCount) }
    mutating func select(_ row: Int) { position.select(row, count: rowCount) }

    mutating func scroll(by count: Int, height: Int) {
        position.scroll(by: count, count: rowCount, height: height)
    }

    /// Marks the bytes of a value and brings them into sight; nil where the value has no place in this text.
    mutating func follow(_ range: Range<Int>?) {
        guard range != followed, let text, text.document != nil else { return }
        followed = range
        guard let range else { return }
        isFollowing = true
        position.select(text.row(ofLine: text.lines.line(at: range.lowerBound)), count: rowCount)
    }

    /// Goes back to the marked place after a value was followed.
    mutating func unfollow() {
        guard followed != nil else { return }
        followed = nil
        isFresh = true
        position.select(text?.mark.map { text?.row(ofLine: $0.line) ?? 0 } ?? 0, count: rowCount)
    }

    private mutating func showFollowed(width: Int, height: Int) {
        guard isFollowing, let text, let followed, height > 0 else { return }
        isFollowing = false
        if !position.visible(count: rowCount, height: height).contains(position.selected) {
            position.center(count: rowCount, height: height)
        }
        let column = SourceLine.column(of: followed.lowerBound, in: text)
        if column < sideways || column >= sideways + width - 4 {
            sideways = column < width - 4 ? 0 : max(0, column - width / 2)
        }
    }

    /// Goes to a byte of the text.
    mutating func reveal(_ offset: Int, width: Int) {
        guard let text else { return }
        position.select(text.row(ofLine: text.lines.line(at: offset)), count: rowCount)
        let column = SourceLine.column(of: offset, in: text)
        if column < sideways || column >= sideways + width - 8 { sideways = max(0, column - width / 2) }
    }

    /// Scrolls as far as the selection needs it; a text that is new is scrolled so that its mark is in the middle,
    /// with the caret below it.
    mutating func show(width: Int, height: Int) {
        tree?.show(height: height)
        guard let text else { return }
        if isFresh, height > 0, width > 0 {
            isFresh = false
            position.center(count: rowCount, height: height)
            if let mark = text.mark {
                let column = SourceLine.column(of: mark.offset, in: text)
                sideways = column < width - 4 ? 0 : max(0, column - width / 2)
            }
        }
        showFollowed(width: width, height: height)
        position.show(count: rowCount, height: height)
        // The caret belongs to its line: they are seen together where there are two rows.
        if let mark = text.mark, height > 1, position.selected == mark.line, position.top + height == mark.line + 1 {
            position.scroll(by: 1, count: rowCount, height: height)
            position.select(mark.line, count: rowCount)
        }
    }

    /// The byte from which a search starts.
    var searchOffset: Int {
        guard let text else { return 0 }
        let row = position.selected
        return text.lines.range(ofLine: text.line(atRow: row) ?? text.mark?.line ?? 0).lowerBound
    }
}
