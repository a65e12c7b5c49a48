import DisplayText
import DocumentModel
import MigrationCore

/// The documents that were found, what the checks said of them, and which of them are shown.
///
/// Inside the list a document is its position in the order in which documents were found; outside it is its
/// ``FoundDocument/ID``.
struct DocumentList: PanelView {
    private var documents: [FoundDocument] = []
    private var positions: [FoundDocument.ID: Int] = [:]
    /// Apart from the results, so that a job gets them cheaply.
    private var facts: [DocumentFacts?] = []
    /// What the failures have in common.
    private(set) var causes = DocumentCauses()
    private var results: [CheckResult?] = []
    private(set) var checkedCount = 0
    private var counts: [MigrationOutcome: Int] = [:]
    /// nil while documents are still being found.
    private(set) var leftOut: [LeftOut]?

    private(set) var filter = DocumentFilter()
    /// The documents that the filter lets through, in order; nil when it lets all through.
    private var filtered: [Int]?
    /// What changed while a job works on a new filter; nil while none does.
    private var changedSinceFilter: [Int]?

    /// The places that documents are in.
    private var places: [ExactText: Int] = [:]
    /// The columns that each document's name and versions take.
    private var widths: [Int] = []
    /// The most of them, of the rows.
    private(set) var widestRow = 0
    /// The place of each document.
    private var placeIDs: [Int] = []
    /// The rows, and the headings of their places between them.
    private(set) var sections = DocumentSections()

    /// In lines: rows and headings.
    private(set) var position = ListPosition()
    private(set) var selectedRow = 0
    /// The position of the selected document, which may be none of the rows while a filter is at work.
    private var selected: Int?

    var selectedDocument: FoundDocument.ID? { selected.map { documents[$0].id } }
    var isFinding: Bool { leftOut == nil }
    var isChecking: Bool { checkedCount < documents.count }
    var count: Int { documents.count }
    /// The number of rows: the documents that are shown.
    var rowCount: Int { sections.rowCount }

    func count(of outcome: MigrationOutcome) -> Int { counts[outcome] ?? 0 }

    subscript(_ document: FoundDocument.ID) -> FoundDocument? { positions[document].map { documents[$0] } }

    func result(of document: FoundDocument.ID) -> CheckResult? { positions[document].flatMap { results[$0] } }

    /// The documents of the place of another, in their order, itself among them.
    func documents(beside document: FoundDocument.ID) -> [FoundDocument.ID] {
        guard let place = positions[document].map({ placeIDs[$0] }) else { return [] }
        return documents.indices.lazy.filter { placeIDs[$0] == place }.map { documents[$0].id }
    }

    /// The first document that is known to be of a version of a chain, best one that opens and has nothing special.
    func example(of version: DocumentVersion, in chain: String) -> FoundDocument.ID? {
        let such = results.indices.lazy.filter { position in
            guard let result = results[position], let name = result.chain else { return false }
            return result.version == version && name.isExactly(chain)
        }
        let usual = such.first { results[$0].map { $0.isPassed && !$0.isLossy && $0.warnings.isEmpty } ?? false }
        return (usual ?? such.first { results[$0]?.isPassed == true } ?? such.first).map { documents[$0].id }
    }

    /// The documents that lend their values to experiments with a traced one.
    func lenders(to trace: MigrationTrace) -> [FoundDocument.ID] {
        results.indices.lazy.filter { results[$0].map(trace.borrows) ?? false }
            .prefix(MigrationTrace.mostLenders).map { documents[$0].id }
    }

    /// The document on a row, and what its check said.
    func row(_ row: Int) -> (document: FoundDocument, result: CheckResult?) {
        let position = position(ofRow: row)
        return (documents[position], results[position])
    }

    private func position(ofRow row: Int) -> Int { filtered?[row] ?? row }

    // MARK: What arrives

    mutating func append(_ found: [FoundDocument]) {
        let first = documents.count
        documents += found
        facts += Array(repeating: nil, count: found.count)
        results += Array(repeating: nil, count: found.count)
        for (offset, document) in found.enumerated() {
            positions[document.id] = first + offset
            placeIDs.append(placeID(document.place))
            widths.append(TextWidth.columns(of: document.displayName) + 1 + Self.usualSummary)
        }
        changedSinceFilter? += first..<documents.count
        if filtered != nil {
            refilter(Array(first..<documents.count))
        } else {
            for document in first..<documents.count { sections.append(place: placeIDs[document]) }
            widestRow = max(widestRow, widths[first...].max() ?? 0)
            sections.hasHeadings = places.count > 1
        }
        // The first headings push down what is there.
        if rowCount > 0 { select(row: selected == nil ? 0 : selectedRow) }
    }

    /// The columns of `v1 → 3`, for a document that is not checked yet.
    private static let usualSummary = 6

    private mutating func placeID(_ place: String) -> Int {
        let id = places[ExactText(place)] ?? places.count
        places[ExactText(place)] = id
        return id
    }

    /// Puts the documents into another order, in which all of them are.
    ///
    /// - Returns: Whether it is another one: then a filter is to be applied again.
    mutating func arrange(in order: [FoundDocument.ID]) -> Bool {
        let earlier = order.compactMap { positions[$0] }
        guard earlier.count == documents.count, Set(earlier).count == earlier.count,
            earlier != Array(documents.indices)
        else { return false }
        documents = earlier.map { documents[$0] }
        facts = earlier.map { facts[$0] }
        results = earlier.map { results[$0] }
        widths = earlier.map { widths[$0] }
        placeIDs = earlier.map { placeIDs[$0] }
        for (position, document) in documents.enumerated() { positions[document.id] = position }
        var moved = earlier
        for (position, earlier) in earlier.enumerated() { moved[earlier] = position }
        selected = selected.map { moved[$0] }
        show(filtered?.map { moved[$0] }.sorted())
        return true
    }

    mutating func finishFinding(leftOut: [LeftOut]) {
        self.leftOut = leftOut
    }

    mutating func note(_ checked: [CheckedDocument]) {
        var changed: [Int] = []
        for check in checked {
            guard let position = positions[check.document] else { continue }
            if let earlier = facts[position] {
                counts[earlier.outcome, default: 0] -= 1
            } else {
                checkedCount += 1
            }
            counts[check.result.outcome, default: 0] += 1
            facts[position] = DocumentFacts(
                outcome: check.result.outcome, isLossy: !check.result.outcome.isProblem && check.result.isLossy,
                cause: causes.number(of: check.result, earlier: facts[position]?.cause))
            results[position] = check.result
            let summary = VersionSummary.runs(check.result, repertoire: .unicode)
            widths[position] =
                TextWidth.columns(of: documents[position].displayName) + 1 + TextWidth.columns(of: summary)
            if filtered == nil { widestRow = max(widestRow, widths[position]) }
            changed.append(position)
        }
        changedSinceFilter? += changed
        refilter(changed.sorted())
    }

    // MARK: Filtering

    /// Takes another filter, and gives the work of finding the documents that match, for ``finishFilter(matching:)``;
    /// nil where there is nothing to find out.
    mutating func setFilter(_ filter: DocumentFilter) -> (@Sendable (_ isCancelled: () -> Bool) -> [Int]?)? {
        self.filter = filter
        changedSinceFilter = filter.isEmpty ? nil : []
        guard !filter.isEmpty else {
            show(nil)
            return nil
        }
        return { [documents, facts] in
            filter.matching(documents, facts: facts, among: documents.indices, isCancelled: $0)
        }
    }

    mutating func finishFilter(matching: [Int]) {
        let changed = Set(changedSinceFilter ?? []).sorted()
        changedSinceFilter = nil
        show(rows(matching, changed))
    }

    /// Looks again whether these documents, in ascending order, belong to the rows.
    private mutating func refilter(_ changed: [Int]) {
        if let filtered, !changed.isEmpty { show(rows(filtered, changed)) }
    }

    /// The rows after these documents, in ascending order, have changed.
    private func rows(_ rows: [Int], _ changed: [Int]) -> [Int] {
        let matching = filter.matching(documents, facts: facts, among: changed) ?? []
        // Both are in ascending order, so one pass merges them.
        var merged: [Int] = []
        merged.reserveCapacity(rows.count + matching.count)
        var (nextChanged, nextMatching) = (changed.startIndex, matching.startIndex)
        for row in rows {
            while nextMatching < matching.endIndex, matching[nextMatching] < row {
                merged.append(matching[nextMatching])
                nextMatching += 1
            }
            while nextChanged < changed.endIndex, changed[nextChanged] < row { nextChanged += 1 }
            if nextChanged < changed.endIndex, changed[nextChanged] == row { continue }
            merged.append(row)
        }
        return merged + matching[nextMatching...]
    }

    /// Changes the rows and keeps the selected document, or selects the one nearest to it.
    private mutating func show(_ rows: [Int]?) {
        filtered = rows
        widestRow = 0
        sections = DocumentSections()
        sections.hasHeadings = places.count > 1
        for row in 0..<(rows?.count ?? documents.count) {
            let document = position(ofRow: row)
            sections.append(place: placeIDs[document])
            widestRow = max(widestRow, widths[document])
        }
        guard rowCount > 0 else {
            selectedRow = 0
            return position.select(0, count: 0)
        }
        select(row: row(nearest: selected ?? 0))
    }

    /// The row of a document, or of the next one that is shown.
    private func row(nearest document: Int) -> Int {
        guard let filtered else { return document }
        return min(filtered.partitioningIndex { $0 >= document }, filtered.count - 1)
    }

    // MARK: Moving

    mutating func select(row: Int) {
        guard rowCount > 0 else { return }
        selectedRow = max(0, min(row, rowCount - 1))
        selected = position(ofRow: selectedRow)
        position.select(sections.line(ofRow: selectedRow), count: sections.lineCount)
    }

    /// Selects the document on a line of the panel; a heading changes nothing.
    mutating func select(line: Int) {
        let line = position.top + line
        guard line >= 0, line < sections.lineCount, case .row(let row) = sections.line(at: line) else { return }
        select(row: row)
    }

    func canMove(forward: Bool) -> Bool { forward ? selectedRow + 1 < rowCount : selectedRow > 0 }
    mutating func move(by rows: Int) { select(row: ListPosition.sum(selectedRow, rows)) }
    mutating func moveToEnd(forward: Bool) { select(row: forward ? rowCount - 1 : 0) }

    mutating func scroll(by lines: Int, height: Int) {
        guard rowCount > 0 else { return }
        position.scroll(by: lines, count: sections.lineCount, height: height)
        let top = position.top
        switch sections.line(at: position.selected) {
        case .row(let row): select(row: row)
        case .heading(let row):
            // The row below it, unless that is out of sight already: then the one above it.
            let isSeen = position.selected + 1 < top + height
            select(row: isSeen || position.selected == top ? row : row - 1)
        }
    }

    mutating func show(height: Int) {
        let count = sections.lineCount
        position.show(count: count, height: height)
        // The first row of a place is seen below the name of the place.
        if sections.hasHeadings, height > 1, position.top == position.selected, rowCount > 0,
            sections.isFirstOfSection(selectedRow)
        {
            let selected = position.selected
            position.select(selected - 1, count: count)
            position.show(count: count, height: height)
            position.select(selected, count: count)
        }
    }

    /// The row of a document; nil where it is not shown.
    func row(of document: FoundDocument.ID) -> Int? {
        guard let position = positions[document] else { return nil }
        guard let filtered else { return position }
        let row = row(nearest: position)
        return filtered.indices.contains(row) && filtered[row] == position ? row : nil
    }

    /// The first document whose title is this path, or ends in it.
    func document(ending path: String) -> FoundDocument.ID? {
        documents.firstIndex {
            $0.title.isExactly(path) || $0.title.utf8.reversed().starts(with: "/\(path)".utf8.reversed())
        }
        .map { documents[$0].id }
    }

    func row(titled title: String) -> Int? {
        documents.firstIndex { $0.title.utf8.elementsEqual(title.utf8) }
    }

    /// The row of the first document with a problem; nil as long as it is not known which that is.
    var rowOfFirstProblem: Int? {
        guard filter.isEmpty, let position = facts.firstIndex(where: { $0?.isProblem ?? true }) else { return nil }
        return facts[position] == nil ? nil : position
    }

    /// Which of the documents with a problem that are shown the selected one is, from 1, and how many there are; nil
    /// where it has none.
    var problemNumber: (number: Int, count: Int)? {
        guard let selected, facts[selected]?.isProblem == true else { return nil }
        var (number, count) = (0, 0)
        for row in 0..<rowCount where facts[position(ofRow: row)]?.isProblem == true {
            count += 1
            if row <= selectedRow { number += 1 }
        }
        return (number, count)
    }

    /// The row of the next document in this direction that has a problem, going round at the end.
    func row(ofProblem direction: Int) -> Int? {
        let problems = MigrationOutcome.allCases.filter(\.isProblem).reduce(0) { $0 + count(of: $1) }
        guard problems > 0, rowCount > 0 else { return nil }
        var row = selectedRow
        for _ in 0..<rowCount {
            row = (row + direction + rowCount) % rowCount
            if facts[position(ofRow: row)]?.isProblem == true { return row }
        }
        return nil
    }

    /// The row of the next document that fails of another cause than the selected one, going round at the end.
    var rowOfOtherCause: Int? {
        guard rowCount > 0, causes.sentences.count > 1 else { return nil }
        let here = selected.flatMap { facts[$0]?.cause }
        return (1..<max(1, rowCount)).lazy.map { (selectedRow + $0) % rowCount }.first { row in
            facts[position(ofRow: row)]?.cause.map { $0 != here } ?? false
        }
    }

    /// The causes that documents fail of, with how many they are, the most frequent first.
    var countedCauses: [(number: Int, count: Int, sentence: String)] {
        var counts = Array(repeating: 0, count: causes.sentences.count)
        // Of those that are equally frequent the one comes first that a document higher up fails of, not that was checked
        // before.
        var order: [Int] = []
        for cause in facts.lazy.compactMap({ $0?.cause }) {
            if counts[cause] == 0 { order.append(cause) }
            counts[cause] += 1
        }
        return order.enumerated().sorted { (-counts[$0.element], $0.offset) < (-counts[$1.element], $1.offset) }
            .map { ($0.element, counts[$0.element], causes.sentences[$0.element]) }
    }

    /// How many documents open and lose something.
    var lossyCount: Int { facts.lazy.filter { $0?.isLossy == true }.count }
}
