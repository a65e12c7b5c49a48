import DisplayText
import DocumentModel
import MigrationCore

/// A table of a chain's versions side by side. Each version is a column with its fields and their types, and below
/// them an example document of that version.
///
/// The versions may also be observed in documents of no chain. Then the fields are those that the documents have.
struct ChainTable: ListPanel {
    struct Column: Sendable {
        let version: DocumentVersion
        let type: String
        /// The documents of an observed version; nil for a version of a chain.
        var group: ObservedGroup?
        var note: String?
        var outline: VersionOutline?
        /// The fields that changed since the previous version, by path.
        var changes: [DocumentPath: OutlineChange] = [:]
        /// The path, in this version, of the value that broke the document, as the error or the experiment names it.
        var culpritValue: DocumentPath?
        /// The field that the culprit is a value of.
        var culprit: DocumentPath? {
            culpritValue.map { outline?.spelled($0) ?? $0 }.map { outline?[$0]?.path ?? $0.foldingIndices }
        }
        /// Whether all fields of the version are known.
        var isComplete: Bool { outline?.isComplete ?? false }
        var example: Example?
        /// The origins of the values that the step to this version makes, as shown by experiments with the document.
        var origins: OriginWords?
    }

    /// An example document of a version.
    struct Example: Sendable {
        let title: String
        let view: ValueView
        /// Whether the document was read from a file, rather than made by a step.
        let isFound: Bool
    }

    /// The name of the chain; nil if the versions are only observed.
    let chain: String?
    /// The format of the document, which decides how its fields are named.
    let format: DocumentFormat?
    /// The title of the table.
    let title: String
    private(set) var columns: [Column]
    /// The fields of all versions. The fields of any one version are in that version's order.
    private(set) var fields: [DocumentPath] = []
    /// Whether the fields have been looked up. Some may still be unknown.
    private(set) var isKnown = false
    var position = ListPosition()
    /// The version that the cursor is on.
    private(set) var column: Int
    /// The leftmost column on the screen, and the number of columns shown.
    private(set) var firstColumn = 0
    private(set) var shownColumns = 1
    /// The areas of the screen with the fields and with the documents below them.
    private(set) var fieldRows = Rect.zero
    private(set) var exampleRows = Rect.zero
    private var area = Rect.zero
    /// The documents being read to serve as examples, with their columns.
    private var awaited: [FoundDocument.ID: (column: Int, title: String)] = [:]

    var rowCount: Int { fields.count }
    var selectedField: DocumentPath? { fields.indices.contains(position.selected) ? fields[position.selected] : nil }

    /// Creates the table for a document's chain, with that document as the example of its version.
    init?(_ trace: MigrationTrace, title: String) {
        guard let chain = trace.chain, !trace.versions.isEmpty else { return nil }
        self.chain = chain
        format = trace.format
        self.title = "Chain \(chain)"
        columns = trace.versions.map { Column(version: $0.version, type: $0.type) }
        let here = columns.firstIndex { $0.version == trace.detection.version }
        column = here ?? max(0, columns.count - 1)
        if let here, let document = trace.earliestDocument {
            columns[here].example = Example(title: title, view: ValueView(document), isFound: true)
        }
        for step in trace.steps {
            guard let index = columns.firstIndex(where: { $0.version == step.to }) else { continue }
            columns[index].note = step.note
            if let after = step.after {
                columns[index].example = Example(title: "made of \(title)", view: ValueView(after), isFound: false)
            }
        }
        noteFindings(of: trace)
    }

    /// Creates the table of observed versions.
    ///
    /// - Parameters:
    ///   - path: The path of the version in a document; nil if the document lacks it.
    ///   - document: The document that is the example of its version, and its title.
    init(
        observing groups: [ObservedGroup], at path: DocumentPath?, example: (document: Document?, title: String),
        of version: DocumentVersion
    ) {
        chain = nil
        format = example.document?.format
        title = "Observed" + (path.map { " at \($0.shown)" } ?? " versions") + ", nothing migrates"
        columns = groups.map { group in
            let count = group.documents.count == 1 ? "1 document" : "\(group.documents.count) documents"
            return Column(version: group.version, type: count, group: group)
        }
        column = columns.firstIndex { $0.version == version } ?? max(0, columns.count - 1)
        if columns.indices.contains(column), let document = example.document {
            columns[column].example = Example(title: example.title, view: ValueView(document), isFound: true)
        }
    }

    /// Returns the table with the fields of observed versions filled in. Does nothing if the groups are of another
    /// table.
    func knowing(_ groups: [ObservedGroup]) -> ChainTable {
        guard columns.map({ $0.group?.documents }) == groups.map(\.documents) else { return self }
        var table = self
        table.isKnown = true
        for (index, group) in groups.enumerated() {
            table.columns[index].group = group
            table.columns[index].outline = group.outline
            let changes = group.outline?.changes(from: index > 0 ? groups[index - 1].outline : nil) ?? []
            table.columns[index].changes = Dictionary(changes.map { ($0.field.path, $0) }) { first, _ in first }
        }
        table.arrangeFields()
        table.select(row: selectedField.flatMap { table.fields.firstIndex(of: $0) } ?? 0)
        return table
    }

    /// Notes which value broke the document, and the origins of values that experiments found.
    mutating func noteFindings(of trace: MigrationTrace) {
        for index in columns.indices { columns[index].culpritValue = nil }
        let here = columns.firstIndex { $0.version == trace.detection.version }
        for step in trace.steps {
            if let index = columns.firstIndex(where: { $0.version == step.to }) {
                columns[index].origins = step.finding.map(OriginWords.init)
            }
        }
        guard let failure = trace.failure else { return }
        let before = failure.step.flatMap { step in columns.firstIndex { $0.version == step.from } } ?? here
        if let path = failure.culprit?.path ?? (failure.step == nil ? failure.path : nil) {
            // A proof names the value in the document as it was read.
            let index = failure.culprit?.proof == nil ? before : here
            if let index { columns[index].culpritValue = path }
        }
        if let step = failure.step, let path = failure.path,
            let index = columns.firstIndex(where: { $0.version == step.to })
        {
            columns[index].culpritValue = path
        }
    }

    /// Returns the table with the fields of the versions filled in.
    func knowing(_ description: ChainDescription, _ outlines: [VersionOutline?]) -> ChainTable {
        var table = self
        let selected = selectedField
        table.isKnown = true
        let outlines = description.versions.indices.map { index in
            outlines.indices.contains(index) ? outlines[index]?.spelled(in: format) : nil
        }
        for (index, version) in description.versions.enumerated() {
            guard let column = columns.firstIndex(where: { $0.version == version.version }) else { continue }
            let outline = outlines[index]
            table.columns[column].outline = outline
            table.columns[column].note = description.note(onStepTo: index) ?? columns[column].note
            let before = index > 0 ? outlines[index - 1] : nil
            let changes = outline?.changes(from: before) ?? []
            table.columns[column].changes = Dictionary(changes.map { ($0.field.path, $0) }) { first, _ in first }
        }
        table.arrangeFields()
        let culprit = table.columns[table.column].culprit
        table.select(row: (selected ?? culprit).flatMap { table.fields.firstIndex(of: $0) } ?? 0)
        return table
    }

    /// Lists every field once. A field that is new in a version follows the field that precedes it there.
    private mutating func arrangeFields() {
        fields = []
        for column in columns {
            var last: Int?
            for field in column.outline?.fields ?? [] {
                if let known = fields.firstIndex(of: field.path) {
                    last = known
                } else {
                    last = last.map { $0 + 1 } ?? 0
                    fields.insert(field.path, at: last ?? 0)
                }
            }
        }
        for culprit in columns.compactMap(\.culprit) where !fields.contains(culprit) { fields.append(culprit) }
    }

    // MARK: Examples

    /// Requests an example from a file for each column that does not have one.
    ///
    /// - Returns: The documents to read.
    mutating func awaitExamples(_ example: (DocumentVersion) -> (FoundDocument.ID, title: String)?) -> [FoundDocument
        .ID]
    {
        for (index, column) in columns.enumerated() where column.example?.isFound != true {
            guard let (document, title) = example(column.version) else { continue }
            awaited[document] = (index, title)
        }
        return awaited.keys.sorted { $0.number < $1.number }
    }

    mutating func take(_ document: Document?, of id: FoundDocument.ID) {
        guard let (column, title) = awaited.removeValue(forKey: id), let document else { return }
        columns[column].example = Example(title: title, view: ValueView(document), isFound: true)
    }

    // MARK: Moving

    func canMoveColumn(by count: Int) -> Bool { columns.indices.contains(column + count) }

    mutating func moveColumn(by count: Int) { column = max(0, min(columns.count - 1, column + count)) }

    mutating func scroll(by rows: Int, height: Int) {
        position.scroll(by: rows, count: rowCount, height: fieldRows.height)
    }

    mutating func select(x: Int, y: Int) {
        if fieldRows.contains(x: x, y: y) { select(line: y - fieldRows.y) }
        guard area.contains(x: x, y: y), columnWidth > 0 else { return }
        column = firstColumn + min(shownColumns - 1, (x - area.x) / columnWidth)
    }

    // MARK: Areas

    /// The width of a version's column on the screen.
    var columnWidth: Int { area.width / max(1, shownColumns) }

    /// Returns the area of a version's column within `rows`.
    func rect(of index: Int, in rows: Rect) -> Rect {
        let width = columnWidth
        return Rect(x: area.x + (index - firstColumn) * width, y: rows.y, width: width, height: rows.height)
    }

    var visibleColumns: Range<Int> { firstColumn..<min(columns.count, firstColumn + shownColumns) }

    /// The number of lines of a column's heading, and of the details about the selected field.
    static let headHeight = 2
    static let detailHeight = 2

    mutating func show(in frame: Rect) {
        area = frame.inset(1)
        shownColumns = max(1, min(columns.count, area.width / Self.leastWidth))
        if column < firstColumn { firstColumn = column }
        if column >= firstColumn + shownColumns { firstColumn = column - shownColumns + 1 }
        firstColumn = max(0, min(firstColumn, columns.count - shownColumns))
        let rest = area.splitTop(Self.headHeight).rest
        let height = max(1, min(max(1, fields.count), (rest.height - Self.detailHeight) * 3 / 5))
        (fieldRows, _) = rest.splitTop(height)
        // The examples are below the rule with the documents' names.
        exampleRows = rest.splitTop(height + Self.detailHeight + 1).rest
        position.show(count: rowCount, height: height)
    }

    private static let leastWidth = 25
}
