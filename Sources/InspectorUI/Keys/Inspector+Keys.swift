/// From a key to what it does.
extension Inspector {
    /// What keys mean at the moment.
    var place: Places {
        if helpTop != nil { return .help }
        switch focus {
        case .documents: return .documents
        case .step: return showsValue && inspection?.value != nil ? .value : .rows
        case .source: return inspection?.source.tree == nil ? .source : .value
        }
    }

    mutating func handle(_ key: InspectorKey) -> [InspectorEffect] {
        if key == .control("c") { return [.quit] }
        if prompt != nil { return handlePrompt(key) }
        guard let command = command(for: key) else { return [] }
        return perform(command)
    }

    /// The first of the key's commands that does something here and now.
    func command(for key: InspectorKey) -> Command? {
        let place = place
        for group in KeyTable.groups where group.places.contains(place) {
            for binding in group.bindings where binding.keys.contains(key) && can(binding.command) {
                return binding.command
            }
        }
        return nil
    }

    /// The groups whose keys do something here and now.
    var usefulGroups: [KeyGroup] {
        let place = place
        return KeyTable.groups.filter { group in
            group.places.contains(place)
                && group.bindings.contains { binding in
                    binding.keys.contains { command(for: $0) == binding.command }
                }
        }
    }

    // MARK: Typing

    private mutating func handlePrompt(_ key: InspectorKey) -> [InspectorEffect] {
        guard var prompt else { return [] }
        switch key {
        case .escape:
            self.prompt = nil
            if prompt.purpose == .filter { return filter(byName: prompt.before) }
            search = prompt.before.isEmpty ? nil : TextSearch(prompt.before)
            return []
        case .enter:
            self.prompt = nil
            guard prompt.purpose == .search else { return [] }
            rememberSearch(prompt.field.text)
            return startSearch(forward: true, includingStart: true)
        case .up, .down:
            // The list can be walked through while its filter is typed.
            guard prompt.purpose == .filter else {
                self.prompt?.recall(older: key == .up, from: searches)
                return promptChanged()
            }
            documents.move(by: key == .up ? -1 : 1)
            return inspectSelection()
        default:
            let before = prompt.field.text
            // Deleting more than there is leaves the prompt.
            if key == .backspace, before.isEmpty {
                self.prompt = nil
                return []
            }
            guard prompt.field.handle(key) else { return [] }
            self.prompt = prompt
            return before == prompt.field.text ? [] : promptChanged()
        }
    }

    private mutating func rememberSearch(_ text: String) {
        guard !text.isEmpty else { return }
        searches.removeAll { $0 == text }
        searches = searches.suffix(99) + [text]
    }

    /// The filter works while it is typed; of a search the matches on the screen light up.
    mutating func promptChanged() -> [InspectorEffect] {
        guard let prompt else { return [] }
        if prompt.purpose == .filter { return filter(byName: prompt.field.text) }
        search = prompt.field.text.isEmpty ? nil : TextSearch(prompt.field.text)
        return []
    }

    private mutating func filter(byName name: String) -> [InspectorEffect] {
        var filter = documents.filter
        filter.name = name
        return setFilter(filter)
    }

    mutating func setFilter(_ filter: DocumentFilter) -> [InspectorEffect] {
        let cancelled = documents.filterJob.map { [InspectorEffect.cancel($0)] } ?? []
        let id = makeJobID()
        let job = documents.setFilter(filter) { id }
        return cancelled + (job.map { [.perform($0)] } ?? []) + inspectSelection()
    }
}
