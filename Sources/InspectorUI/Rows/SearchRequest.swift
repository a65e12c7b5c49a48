import DocumentModel

/// A search through a view, from the selected row on.
struct SearchRequest: Sendable {
    enum Place: Sendable {
        case rows([StepRow], from: Int)
        case values(Document, from: DocumentNode.ID)
        case source(SourceText, from: Int)

        /// What there is to look through, in rows, values or bytes.
        var size: Int {
            switch self {
            case .rows(let rows, _): rows.count
            case .values(let document, _): document.nodeCount
            case .source(let text, _): text.bytes.count
            }
        }
    }

    let search: TextSearch
    let place: Place
    let isForward: Bool
    /// Whether the selected row itself may be the match, as it may when the text has just been typed.
    let includesStart: Bool

    /// Looks from the start on and round the end; nil when cancelled.
    func find(isCancelled: () -> Bool) -> SearchResult? {
        switch place {
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

    /// The next index in this direction whose element fits, going round at the end; nil inside when there is none.
    private func find<Elements: RandomAccessCollection>(
        _ from: Elements.Index, in places: Elements, isCancelled: () -> Bool, fits: (Elements.Element) -> Bool
    ) -> Elements.Index?? {
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

/// Where a search ended.
enum SearchResult: Sendable {
    case nothing
    case row(Int)
    case value(TreeCursor)
    /// The byte that the match begins at.
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
        let label = label.map { $0.text + " " } ?? ""
        return label + content(showing: .both, budget: 400, glyphs: .unicode).map(\.text).joined()
    }
}
