import DisplayText
import DocumentModel

/// Searching, and reading what is found.
extension KeyCommand {
    static let search = KeyCommand("search") {
        .when($0.panels.contains($0.focus)) {
            $0.search = nil
            $0.overlay = Prompt(
                .init(
                    label: PromptWords.search, hints: PromptWords.searching, closesIfEmpty: true,
                    take: { inspector, typed in
                        inspector.rememberSearch(typed)
                        inspector.startSearch(forward: true, includingStart: true)
                        return nil
                    }, changed: { $0.search = $1.isEmpty ? nil : TextSearch($1) },
                    leave: { inspector, _ in inspector.search = nil },
                    arrow: { $0.recall(older: $1, from: $0.kept.searches) }))
        }
    }
    static let nextMatch = goToMatch("nextMatch", forward: true)
    static let previousMatch = goToMatch("previousMatch", forward: false)
    static let nextChange = goToChange("nextChange", 1)
    static let previousChange = goToChange("previousChange", -1)

    /// Shows the whole text under the cursor, wrapped, if it is too long for its row.
    static let read = KeyCommand("read") { now in
        guard let node = now.longText, let (text, isWhole) = node.beginning(limit: PageView.longestText) else {
            return .nothing()
        }
        return .change {
            let lines = PageView.lines(of: text, $0.repertoire)
            $0.overlay = PageView(
                "\(node.path)", isWhole ? lines : lines + [.gap, .text(PromptWords.onlyTheBeginning)])
        }
    }

    private static func goToMatch(_ name: String, forward: Bool) -> KeyCommand {
        KeyCommand(name) {
            .when($0.search != nil && $0.jobs[.search] == nil) {
                $0.startSearch(forward: forward, includingStart: false)
            }
        }
    }

    /// Goes to the next row of the step that has a sign.
    private static func goToChange(_ name: String, _ direction: Int) -> KeyCommand {
        KeyCommand(name) { now in
            guard now.search == nil, let step = now.shown?.step, now.shown?.value == nil else { return .nothing() }
            let (rows, here) = (step.rows, step.position.selected)
            // There may be millions of rows, so examine them one by one up to the first match.
            let next =
                direction > 0
                ? rows.indices.dropFirst(here + 1).first { rows[$0].sign != .none }
                : rows.indices.prefix(here).last { rows[$0].sign != .none }
            guard let next else { return .nothing() }
            return .change { $0.shown?.step.select(row: next) }
        }
    }
}

extension Inspector {
    /// The text under the cursor, if it is too long for its row.
    fileprivate var longText: DocumentNode? {
        let node = focus == .step || treeHere != nil ? treeHere?.selectedNode ?? shown?.step.selectedRow?.node : nil
        guard let node, node.kind == .string, let (text, isWhole) = node.beginning(limit: 200) else { return nil }
        let room = layout[focus].content.width / 2
        return !isWhole || text.contains(where: \.isNewline) || TextWidth.columns(of: text) > room ? node : nil
    }

    fileprivate mutating func rememberSearch(_ text: String) {
        guard !text.isEmpty else { return }
        kept.searches.removeAll { $0 == text }
        kept.searches = kept.searches.suffix(99) + [text]
    }

    fileprivate mutating func startSearch(forward: Bool, includingStart: Bool) {
        guard let search, !search.isEmpty, let begin = self[focus]?.searchStart(forward: forward) else { return }
        let request = SearchRequest(search: search, start: begin, isForward: forward, includesStart: includingStart)
        start(.search, size: begin.size) { [focus] isCancelled in
            request.find(isCancelled: isCancelled).map { match in
                (match: match, panel: focus, tally: request.tally(of: match, isCancelled: isCancelled))
            }
        } then: {
            $0.show($1.match, in: $1.panel)
            $0.tally = $1.tally
        }
    }

    private mutating func show(_ match: SearchResult, in panel: Panel) {
        let text = search?.text ?? ""
        if case .nothing = match {
            // The contents of closed rows are not searched.
            let isPartial = panel == .step && shown?.value == nil && shown?.step.hasClosedRows == true
            message = Message(.notFound(text, onlyInOpenRows: isPartial))
            return
        }
        let area = layout[panel].content
        // A search that wraps around may end where it started.
        if self[panel]?.reveal(match, in: area) == true {
            message = Message(.noOtherMatch(text))
        }
    }
}
