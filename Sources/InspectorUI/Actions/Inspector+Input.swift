/// Turning keys and mouse events into changes of state.
extension Inspector {
    /// The set of key bindings that applies at the moment.
    var place: Places {
        switch prompt?.purpose {
        case .filter?: return .nameFilter
        case .search?: return .searchText
        case .entry(let entry)?: return entry.isPath ? .pathEntry : .entry
        case nil: break
        }
        if playback != nil { return .playing }
        if menu != nil { return .menu }
        if page != nil { return .page }
        if chainTable != nil { return .chain }
        if treeHere != nil { return .value }
        return switch focus {
        case .documents: .documents
        case .step: .rows
        case .source: .source
        }
    }

    mutating func handle(_ key: InspectorKey) {
        if key == .control("c") {
            Command.quit.action.perform(&self)
        } else if let command = command(for: key) {
            tourView?.note(key)
            command.action.perform(&self)
        } else if let menu, case .character(let character) = key {
            let item = menu.items.first { $0.key == character }
            if item != nil { tourView?.note(key) }
            choose(item)
        } else if prompt == nil, let words = wordsForNothing(key) {
            message = Message(words)
        } else {
            type(key)
        }
    }

    /// Returns why a key has no effect at the moment although it has one at other times.
    private func wordsForNothing(_ key: InspectorKey) -> String? {
        let bindings = KeyTable.groups.filter { $0.places.contains(place) }.flatMap(\.bindings)
        let commands = bindings.lazy.filter { $0.keys.contains(key) }.map(\.command)
        return commands.first { timeline != nil || !$0.isOfTimeline }?.wordsForNothing(in: self)
    }

    /// Returns the first of the key's commands that would change anything at the moment.
    func command(for key: InspectorKey) -> Command? {
        let place = place
        for group in KeyTable.groups where group.places.contains(place) {
            for binding in group.bindings where binding.keys.contains(key) && binding.command.action.isPossible(self) {
                return binding.command
            }
        }
        return nil
    }

    // MARK: Typing

    mutating func endTyping() {
        guard var typed = prompt else { return }
        prompt = nil
        switch typed.purpose {
        case .filter: break
        case .search:
            rememberSearch(typed.field.text)
            startSearch(forward: true, includingStart: true)
        case .entry(let entry):
            typed.problem = entry.take(&self, typed.field.text)
            if typed.problem != nil { prompt = typed }
        }
    }

    mutating func undoTyping() {
        guard let typed = prompt else { return }
        prompt = nil
        switch typed.purpose {
        case .filter: filter(byName: typed.before)
        case .search: search = nil
        case .entry: break
        }
    }

    private mutating func type(_ key: InspectorKey) {
        guard var prompt else { return }
        switch key {
        case .up, .down:
            // The list can be navigated while its filter is being typed.
            switch prompt.purpose {
            case .filter: documents.move(by: key == .up ? -1 : 1)
            case .search:
                self.prompt?.recall(older: key == .up, from: searches)
                promptChanged()
            case .entry(let entry):
                if entry.isPath { self.prompt?.recall(older: key == .up, from: openedPaths) }
            }
        case .backspace where prompt.field.text.isEmpty && !prompt.purpose.isEntry:
            // Deleting in an empty prompt closes it.
            self.prompt = nil
        default:
            let before = prompt.field.text
            guard prompt.field.handle(key) else { return }
            prompt.problem = nil
            prompt.completions = nil
            self.prompt = prompt
            if before != prompt.field.text { promptChanged() }
        }
    }

    private mutating func rememberSearch(_ text: String) {
        guard !text.isEmpty else { return }
        searches.removeAll { $0 == text }
        searches = searches.suffix(99) + [text]
    }

    /// Applies the filter, or highlights the matches on the screen, while the text is typed.
    mutating func promptChanged() {
        guard let prompt else { return }
        switch prompt.purpose {
        case .filter: filter(byName: prompt.field.text)
        case .search: search = prompt.field.text.isEmpty ? nil : TextSearch(prompt.field.text)
        case .entry: break
        }
    }

    private mutating func filter(byName name: String) {
        var filter = documents.filter
        filter.name = name
        setFilter(filter)
    }

    mutating func setFilter(_ filter: DocumentFilter) {
        if filter != documents.filter { apply(filter) }
    }

    /// Applies the filter again after documents were added or reordered.
    mutating func applyFilter() { if !documents.filter.isEmpty { apply(documents.filter) } }

    private mutating func apply(_ filter: DocumentFilter) {
        cancel(.filter)
        guard let matching = documents.setFilter(filter) else { return }
        start(.filter, size: documents.count, matching) { $0.documents.finishFilter(matching: $1) }
    }

    // MARK: The mouse

    /// A click selects the content under the pointer, and the wheel scrolls it.
    mutating func handle(_ mouse: InspectorMouse) {
        guard prompt == nil else { return }
        endPlaying()
        switch mouse.kind {
        case .wheelUp: wheel(by: -Self.wheelRows, mouse)
        case .wheelDown: wheel(by: Self.wheelRows, mouse)
        case .press where menu != nil, .doublePress where menu != nil: press(menu: mouse)
        case .press where page != nil, .doublePress where page != nil: page = nil
        case .press where chainTable != nil, .doublePress where chainTable != nil:
            chainTable?.select(x: mouse.x, y: mouse.y)
        case .press: press(mouse)
        case .doublePress: handle(.enter)
        }
    }

    private static var wheelRows: Int { 3 }

    private func panel(at mouse: InspectorMouse) -> Panel? {
        layout.panel(x: mouse.x, y: mouse.y).flatMap { $0 == .documents || panels.contains($0) ? $0 : nil }
    }

    private mutating func press(_ mouse: InspectorMouse) {
        if let timeline, layout.chain.contains(x: mouse.x, y: mouse.y) {
            let position = layout.timelineLine?.position(at: mouse.x - layout.chain.x - Layout.chainMargin)
            if let state = position.flatMap({ timeline.state(at: $0) }) {
                placeInTime = nil
                go(toState: state)
            }
        } else if layout.chain.contains(x: mouse.x, y: mouse.y) {
            let column = mouse.x - layout.chain.x - Layout.chainMargin
            if let stop = layout.chainLine?.stop(at: column) { go(toStop: stop) }
        } else if let panel = panel(at: mouse) {
            focus = panel
            let rows = layout.rows(of: panel)
            if mouse.y >= rows.minY, mouse.y < rows.maxY { self[panel]?.select(line: mouse.y - rows.minY) }
        }
    }

    /// A click on an item chooses it. A click outside the menu closes it.
    private mutating func press(menu mouse: InspectorMouse) {
        let rows = layout.menu.inset(1)
        guard let menu, rows.contains(x: mouse.x, y: mouse.y) else {
            self.menu = nil
            return
        }
        let index = menu.position.top + mouse.y - rows.minY
        choose(menu.items.indices.contains(index) ? menu.items[index] : nil)
    }

    private mutating func wheel(by rows: Int, _ mouse: InspectorMouse) {
        if menu != nil {
            menu?.move(by: rows.signum())
        } else if page != nil {
            page?.move(by: rows)
        } else if let height = chainTable?.fieldRows.height {
            chainTable?.scroll(by: rows, height: height)
        } else if let panel = panel(at: mouse) {
            let height = layout.rows(of: panel).height
            self[panel]?.scroll(by: rows, height: height)
        }
    }
}
