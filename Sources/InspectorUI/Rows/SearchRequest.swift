import DocumentModel

/// A search through a view, from where one is.
struct SearchRequest: Sendable {
    enum Place: Sendable {
        case rows([StepRow], from: Int)
        case values(Document, from: DocumentNode.ID)
        case source(SourceText, from: Int)
    }

    let search: TextSearch
    let place: Place
    let isForward: Bool
    /// Whether the place one is at may be the match: so when a text has just been typed.
    let includesStart: Bool

    /// Looks from the start on and round the end; nil when cancelled.
    func find(isCancelled: () -> Bool) -> SearchResult? {
        switch place {
        case .rows(let rows, let from):
            find(from, in: rows, isCancelled: isCancelled) { search.matches($0.searchText) }
                .map { .row($0) }
        case .values(let document, let from):
            find(from, in: document.root.nodes, isCancelled: isCancelled) { $0.matches(search) }
                .map { id in .value(id.map { TreeCursor(to: $0, in: document) }) }
        case .source(let text, let from):
            .source(findOffset(in: text, from: from))
        }
    }

    /// The next index in this direction whose element fits, going round at the end; nil inside when there is none.
    private func find<Places: RandomAccessCollection>(
        _ from: Places.Index, in places: Places, isCancelled: () -> Bool, fits: (Places.Element) -> Bool
    ) -> Places.Index?? {
        guard !places.isEmpty else { return .some(nil) }
        var index = from
        for round in 0..<places.count {
            if round % 4096 == 0, isCancelled() { return nil }
            if round > 0 || !includesStart {
                if !isForward, index == places.startIndex { index = places.endIndex }
                index = places.index(index, offsetBy: isForward ? 1 : -1)
            }
            if index >= places.endIndex { index = places.startIndex }
            if fits(places[index]) { return index }
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

/// Where a search ended; nil when there is no match.
enum SearchResult: Sendable {
    case row(Int?)
    case value(TreeCursor?)
    case source(Int?)
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
        let label = label.map { $0.text + " " } ?? ""
        return label + content(showing: .both, budget: 400, glyphs: .unicode).map(\.text).joined()
    }
}
