import DisplayText
import DocumentModel
import MigrationCore

/// The documents that were found, their check results, and the selection of documents that is shown.
///
/// Inside the list, a document is identified by its position in the order in which documents were found; outside, by
/// its ``FoundDocument/ID``.
struct DocumentList: PanelView {
    private var documents: [FoundDocument] = []
    private var positions: [FoundDocument.ID: Int] = [:]
    /// Kept apart from the results so that passing them to a job is cheap.
    private var facts: [DocumentFacts?] = []
    /// The causes that failures have in common.
    private(set) var causes = DocumentCauses()
    private var results: [CheckResult?] = []
    /// The documents with new results that ``takeNoted()`` did not return yet.
    private var noted: [FoundDocument.ID] = []
    private(set) var checkedCount = 0
    /// The versions observed in documents of no chain.
    var observations = ListObservations()
    private var counts: [MigrationOutcome: Int] = [:]
    /// The files that were left out; nil while documents are still being found.
    private(set) var leftOut: [LeftOut]?

    private(set) var filter = DocumentFilter()
    /// The documents that match the filter, in order; nil if there is no filter.
    private var filtered: [Int]?
    /// The documents that changed while a job applies a new filter; nil if no such job is running.
    private var changedSinceFilter: [Int]?

    /// The ID of each heading.
    private var headings: [ExactText: Int] = [:]
    /// The number of columns that each document's name and versions take up.
    private var widths: [Int] = []
    /// The largest width of any row.
    private(set) var widestRow = 0
    /// The ID of each document's heading.
    private var headingIDs: [Int] = []
    /// The rows, grouped under their headings.
    private(set) var sections = DocumentSections()

    /// The position in lines, which are rows and headings.
    private(set) var position = ListPosition()
    private(set) var selectedRow = 0
    /// The position of the selected document. While a filter is being applied, it may not be among the rows.
    private var selected: Int?

    /// Whether there is a committed state among the documents.
    var haveCommits: Bool { documents.contains { $0.revision != nil } }

    var selectedDocument: FoundDocument.ID? { selected.map { documents[$0].id } }
    var isFinding: Bool { leftOut == nil }
    var isChecking: Bool { checkedCount < documents.count }

    /// The number of documents of the list that are not checked yet.
    var uncheckedCount: Int { documents.count - checkedCount }
    var count: Int { documents.count }
    /// The number of rows, which is the number of documents shown.
    var rowCount: Int { sections.rowCount }

    func count(of outcome: MigrationOutcome) -> Int { counts[outcome] ?? 0 }

    subscript(_ document: FoundDocument.ID) -> FoundDocument? { positions[document].map { documents[$0] } }

    func result(of document: FoundDocument.ID) -> CheckResult? { positions[document].flatMap(result) }

    private func result(at position: Int) -> CheckResult? {
        guard var result = results[position] else { return nil }
        result.observed = observations.version(of: result, documents[position])
        return result
    }

    /// Returns the documents that have an observed version at the same path as a document, or are states of the same
    /// file, by version, the lowest first; nil if none is observed in the document.
    func documentsByObservedVersion(with document: FoundDocument.ID) -> [(DocumentVersion, [FoundDocument.ID])]? {
        guard let position = positions[document], let observed = result(at: position)?.observed else { return nil }
        let set = observations.set(of: documents[position])
        var groups: [DocumentVersion: [FoundDocument.ID]] = [:]
        for other in documents.indices where observations.set(of: documents[other]) == set {
            guard let version = result(at: other)?.observed, set != nil || version.path == observed.path else {
                continue
            }
            groups[version.version, default: []].append(documents[other].id)
        }
        return groups.sorted { $0.key.isObserved(before: $1.key) }.map { ($0.key, $0.value) }
    }

    /// Returns the documents with the same heading as `document`, including itself, in order.
    func documents(beside document: FoundDocument.ID) -> [FoundDocument.ID] {
        guard let heading = positions[document].map({ headingIDs[$0] }) else { return [] }
        return documents.indices.lazy.filter { headingIDs[$0] == heading }.map { documents[$0].id }
    }

    /// Returns the documents that are the same row as a document in the files of one folder, such as backups of a store;
    /// only the document itself if there are no others.
    func sameRows(as document: FoundDocument.ID) -> [FoundDocument.ID] {
        guard let row = self[document], row.isRow else { return [document] }
        let folder = row.folderOfFile
        return documents.lazy.filter {
            $0.isRow && $0.displayName.isExactly(row.displayName) && $0.folderOfFile.isExactly(folder)
        }.map(\.id)
    }

    /// Returns the first document that is known to have a version of a chain, preferably one that opens without a
    /// loss or a warning.
    func example(of version: DocumentVersion, in chain: String) -> FoundDocument.ID? {
        let such = results.indices.lazy.filter { position in
            guard let result = results[position], let name = result.chain else { return false }
            return result.version == version && name.isExactly(chain)
        }
        let usual = such.first { results[$0].map { $0.isPassed && !$0.isLossy && $0.warnings.isEmpty } ?? false }
        return (usual ?? such.first { results[$0]?.isPassed == true } ?? such.first).map { documents[$0].id }
    }

    /// Returns the documents whose values can be used in experiments with a traced document.
    func lenders(to trace: MigrationTrace) -> [FoundDocument.ID] {
        results.indices.lazy.filter { results[$0].map(trace.borrows) ?? false }
            .prefix(MigrationTrace.mostLenders).map { documents[$0].id }
    }

    /// Returns the document on a row and its check result.
    func row(_ row: Int) -> (document: FoundDocument, result: CheckResult?) {
        let position = position(ofRow: row)
        return (documents[position], result(at: position))
    }

    private func position(ofRow row: Int) -> Int { filtered?[row] ?? row }

    // MARK: Incoming results

    mutating func append(_ found: [FoundDocument]) {
        let first = documents.count
        documents += found
        if observations.learn(found) { observeAgain() }
        facts += Array(repeating: nil, count: found.count)
        results += Array(repeating: nil, count: found.count)
        for (offset, document) in found.enumerated() {
            positions[document.id] = first + offset
            headingIDs.append(headingID(document.heading))
            widths.append(TextWidth.columns(of: document.displayName) + 1 + Self.usualSummary)
        }
        changedSinceFilter? += first..<documents.count
        if filtered != nil {
            refilter(Array(first..<documents.count))
        } else {
            for document in first..<documents.count { sections.append(heading: headingIDs[document]) }
            widestRow = max(widestRow, widths[first...].max() ?? 0)
            sections.hasHeadings = headings.count > 1
        }
        // The first headings push down the rows that are already there.
        if rowCount > 0 { select(row: selected == nil ? 0 : selectedRow) }
    }

    /// The width of `v1 → 3`, used for documents that are not checked yet.
    private static let usualSummary = 6

    private mutating func headingID(_ heading: String) -> Int {
        let id = headings[ExactText(heading)] ?? headings.count
        headings[ExactText(heading)] = id
        return id
    }

    /// Reorders the documents. Does nothing unless `order` lists all of them.
    ///
    /// - Returns: Whether the order changed. If so, the caller must reapply any filter.
    mutating func arrange(in order: [FoundDocument.ID]) -> Bool {
        let earlier = order.compactMap { positions[$0] }
        guard earlier.count == documents.count, Set(earlier).count == earlier.count,
            earlier != Array(documents.indices)
        else { return false }
        documents = earlier.map { documents[$0] }
        facts = earlier.map { facts[$0] }
        results = earlier.map { results[$0] }
        widths = earlier.map { widths[$0] }
        headingIDs = earlier.map { headingIDs[$0] }
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
        var isChanged = false
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
            isChanged =
                isChanged || results[position].map { $0.versionCandidates != check.result.versionCandidates } ?? false
            results[position] = check.result
            noted.append(check.document)
            observations.add(check.result, documents[position])
            let summary = VersionSummary.runs(check.result, repertoire: .unicode)
            widths[position] =
                TextWidth.columns(of: documents[position].displayName) + 1 + TextWidth.columns(of: summary)
            if filtered == nil { widestRow = max(widestRow, widths[position]) }
            changed.append(position)
        }
        if isChanged { observeAgain() } else { observations.choose() }
        changedSinceFilter? += changed
        refilter(changed.sorted())
    }

    /// Returns the documents with results that are new since the last call.
    mutating func takeNoted() -> [FoundDocument.ID] {
        defer { noted = [] }
        return noted
    }

    /// Compares all documents of no chain again.
    private mutating func observeAgain() {
        observations.removeAll()
        for (document, result) in zip(documents, results) {
            if let result { observations.add(result, document) }
        }
        observations.choose()
    }

    // MARK: Filtering

    /// Sets the filter, and returns the work of finding the documents that match, whose result belongs to
    /// ``finishFilter(matching:)``; nil if the filter is empty.
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

    /// Checks again whether these documents belong to the rows. They must be in ascending order.
    private mutating func refilter(_ changed: [Int]) {
        if let filtered, !changed.isEmpty { show(rows(filtered, changed)) }
    }

    /// Returns the rows after these documents have changed. Both must be in ascending order.
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

    /// Replaces the rows. Keeps the selected document, or selects the nearest one.
    private mutating func show(_ rows: [Int]?) {
        filtered = rows
        widestRow = 0
        sections = DocumentSections()
        sections.hasHeadings = headings.count > 1
        for row in 0..<(rows?.count ?? documents.count) {
            let document = position(ofRow: row)
            sections.append(heading: headingIDs[document])
            widestRow = max(widestRow, widths[document])
        }
        guard rowCount > 0 else {
            selectedRow = 0
            return position.select(0, count: 0)
        }
        select(row: row(nearest: selected ?? 0))
    }

    /// Returns the row of a document, or of the next one that is shown.
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

    /// Selects the document on a line of the panel. Ignores headings.
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
            // Select the row below the heading, or the row above it if that one is already out of sight.
            let isSeen = position.selected + 1 < top + height
            select(row: isSeen || position.selected == top ? row : row - 1)
        }
    }

    mutating func show(height: Int) {
        let count = sections.lineCount
        position.show(count: count, height: height)
        // Keep the heading of a section in sight with its first row.
        if sections.hasHeadings, height > 1, position.top == position.selected, rowCount > 0,
            sections.isFirstOfSection(selectedRow)
        {
            let selected = position.selected
            position.select(selected - 1, count: count)
            position.show(count: count, height: height)
            position.select(selected, count: count)
        }
    }

    /// Returns the row of a document; nil if the document is not shown.
    func row(of document: FoundDocument.ID) -> Int? {
        guard let position = positions[document] else { return nil }
        guard let filtered else { return position }
        let row = row(nearest: position)
        return filtered.indices.contains(row) && filtered[row] == position ? row : nil
    }

    /// Returns the first document whose title is this path or ends with it.
    func document(ending path: String) -> FoundDocument.ID? {
        documents.firstIndex {
            $0.title.isExactly(path) || $0.title.utf8.reversed().starts(with: "/\(path)".utf8.reversed())
        }
        .map { documents[$0].id }
    }

    func row(titled title: String) -> Int? {
        documents.firstIndex { $0.title.utf8.elementsEqual(title.utf8) }
    }

    /// The row of the first document with a problem; nil until it is known which one that is.
    var rowOfFirstProblem: Int? {
        guard filter.isEmpty, let position = facts.firstIndex(where: { $0?.isProblem ?? true }) else { return nil }
        return facts[position] == nil ? nil : position
    }

    /// The number of the selected document among the shown documents with a problem, counted from 1, and how many
    /// there are; nil if the selected document has no problem.
    var problemNumber: (number: Int, count: Int)? {
        guard let selected, facts[selected]?.isProblem == true else { return nil }
        var (number, count) = (0, 0)
        for row in 0..<rowCount where facts[position(ofRow: row)]?.isProblem == true {
            count += 1
            if row <= selectedRow { number += 1 }
        }
        return (number, count)
    }

    /// Returns the row of the next document in this direction that has a problem, wrapping around at the ends.
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

    /// The row of the next document that fails with a different cause than the selected one, wrapping around at the
    /// end.
    var rowOfOtherCause: Int? {
        guard rowCount > 0, causes.sentences.count > 1 else { return nil }
        let here = selected.flatMap { facts[$0]?.cause }
        return (1..<max(1, rowCount)).lazy.map { (selectedRow + $0) % rowCount }.first { row in
            facts[position(ofRow: row)]?.cause.map { $0 != here } ?? false
        }
    }

    /// The causes of failures and the number of documents that fail with each, most frequent first.
    var countedCauses: [(number: Int, count: Int, sentence: String)] {
        var counts = Array(repeating: 0, count: causes.sentences.count)
        // Equally frequent causes are sorted by the first document in the list that fails with them, not by when they
        // were checked.
        var order: [Int] = []
        for cause in facts.lazy.compactMap({ $0?.cause }) {
            if counts[cause] == 0 { order.append(cause) }
            counts[cause] += 1
        }
        return order.enumerated().sorted { (-counts[$0.element], $0.offset) < (-counts[$1.element], $1.offset) }
            .map { ($0.element, counts[$0.element], causes.sentences[$0.element]) }
    }

    /// The number of documents that open but lose something.
    var lossyCount: Int { facts.lazy.filter { $0?.isLossy == true }.count }
}
