import DisplayText
import DocumentModel

/// A search through a view, starting at the selected row.
struct SearchRequest: Sendable {
    /// The contents to search, with the position to start at.
    enum Start: Sendable {
        case rows([StepRow], from: Int)
        case values(Document, from: DocumentNode.ID)
        case source(SourceText, from: Int)

        /// The number of rows, values or bytes to search.
        var size: Int {
            switch self {
            case .rows(let rows, _): rows.count
            case .values(let document, _): document.nodeCount
            case .source(let text, _): text.bytes.count
            }
        }
    }

    let search: TextSearch
    let start: Start
    let isForward: Bool
    /// Whether the selected row itself may match, as when the text has just been typed.
    let includesStart: Bool

    /// Searches from the start and wraps around at the end; returns nil if cancelled.
    func find(isCancelled: () -> Bool) -> SearchResult? {
        switch start {
        case .rows(let rows, let from):
            find(from, in: rows, isCancelled: isCancelled) { search.matches($0.searchText) }
                .map { $0.map(SearchResult.row) ?? .nothing }
        case .values(let document, let from):
            find(from, in: document.root.nodes, isCancelled: isCancelled) { $0.matches(search) }
                .map { $0.map { .value(TreeCursor(to: $0, in: document)) } ?? .nothing }
        case .source(let text, let from):
            findOffset(in: text, from: from).map(SearchResult.source) ?? .nothing
        }
    }

    /// Returns the number of a match among all matches, counted from 1, and how many there are; nil if there is no
    /// match or the view is too large to count matches while the user waits.
    func tally(of match: SearchResult, isCancelled: () -> Bool) -> SearchTally? {
        guard start.size <= Self.mostCounted else { return nil }
        var (number, count) = (0, 0)
        let from: Int
        let at: Int
        switch (start, match) {
        case (.rows(let rows, let first), .row(let row)):
            for (index, candidate) in rows.enumerated() where search.matches(candidate.searchText) {
                count += 1
                if index <= row { number += 1 }
            }
            (from, at) = (first, row)
        case (.values(let document, let first), .value(let cursor)):
            // A name and its value are one row.
            let row = cursor.node
            for node in document.root.nodes where node.matches(search) {
                if isCancelled() { return nil }
                count += 1
                if node.id <= row.id { number += 1 }
            }
            (from, at) = (document.root.id.distance(to: first), document.root.id.distance(to: row.id))
        case (.source(let text, let first), .source(let offset)):
            text.bytes.withBytes(in: 0..<text.bytes.count) { bytes in
                var next = search.firstMatch(in: bytes, from: 0)
                while let found = next {
                    count += 1
                    if found <= offset { number += 1 }
                    next = search.firstMatch(in: bytes, from: found + 1)
                }
            }
            (from, at) = (first, offset)
        default: return nil
        }
        return SearchTally(
            number: number, count: count, isRound: isForward ? at < from : at > from, isForward: isForward)
    }

    /// The number of rows, values or bytes that can be searched in a few hundredths of a second.
    private static let mostCounted = 4_000_000

    /// Returns the next index in this direction whose element fits, wrapping around at the end; `.some(nil)` if there
    /// is none, and nil if cancelled.
    private func find<Elements: RandomAccessCollection>(
        _ from: Elements.Index, in elements: Elements, isCancelled: () -> Bool, fits: (Elements.Element) -> Bool
    ) -> Elements.Index?? {
        guard !elements.isEmpty else { return .some(nil) }
        var index = from
        for round in 0..<elements.count {
            if round % 4096 == 0, isCancelled() { return nil }
            if round > 0 || !includesStart {
                if !isForward, index == elements.startIndex { index = elements.endIndex }
                index = elements.index(index, offsetBy: isForward ? 1 : -1)
            }
            if index >= elements.endIndex { index = elements.startIndex }
            if fits(elements[index]) { return index }
        }
        return .some(nil)
    }

    private func findOffset(in text: SourceText, from: Int) -> Int? {
        text.bytes.withBytes(in: 0..<text.bytes.count) { bytes in
            if isForward {
                return search.firstMatch(in: bytes, from: includesStart ? from : from + 1)
                    ?? search.firstMatch(in: bytes, from: 0)
            }
            return search.lastMatch(in: bytes, before: from) ?? search.lastMatch(in: bytes, before: bytes.count)
        }
    }
}

/// The number of the match that a search found.
struct SearchTally: Hashable, Sendable {
    let number: Int
    let count: Int
    /// Whether the search wrapped around.
    let isRound: Bool
    let isForward: Bool

    /// A text such as `3 of 170`.
    var words: String {
        let words = "\(NumberWords.grouped(number)) of \(NumberWords.grouped(count))"
        return isRound ? "\(words), on from the \(isForward ? "top" : "bottom")" : words
    }
}

/// The result of a search.
enum SearchResult: Sendable {
    case nothing
    case row(Int)
    case value(TreeCursor)
    /// The byte offset of the match.
    case source(Int)
}

extension DocumentNode {
    fileprivate func matches(_ search: TextSearch) -> Bool {
        switch kind {
        case .string, .key: search.matches(string ?? "")
        case .number: search.matches(numberText ?? "")
        case .boolean: search.matches(boolean == true ? "true" : "false")
        case .null: search.matches("null")
        case .object, .array, .date, .data: false
        }
    }
}

extension StepRow {
    /// The words of the row, as a search sees them.
    var searchText: String {
        var names = [label(on: .old), label(on: .new)].compactMap { $0?.text }
        if names.first == names.last { names = names.suffix(1) }
        return names.map { $0 + " " }.joined()
            + content(showing: .both, budget: 400, glyphs: .unicode).map(\.text).joined()
    }
}
