/// Turning keys and mouse events into changes of state.
extension Inspector {
    /// All keys that work at the moment.
    var keys: [KeyGroup] {
        guard let overlay else {
            let context = context
            return focus.keys + KeyTable.groups.filter { $0.contexts.contains(context) }
        }
        return overlay.keys + (overlay.isTyping ? [] : KeyTable.tour)
    }

    mutating func handle(_ key: InspectorKey) {
        if key == .control("c") {
            effects.append(.quit)
        } else if let (_, change) = command(for: key) {
            tour.view?.note(key)
            change(&self)
        } else if let overlay, overlay.typed(key, in: &self) {
            if !overlay.isTyping { tour.view?.note(key) }
        } else if let notice = noticeForNothing(key) {
            message = Message(notice)
        }
    }

    /// Returns the first of the key's commands that would change anything at the moment, and the change.
    ///
    /// - Parameter groups: ``keys``, if the caller has them.
    func command(
        for key: InspectorKey, among groups: [KeyGroup]? = nil
    ) -> (command: KeyCommand, change: (inout Inspector) -> Void)? {
        for binding in (groups ?? keys).lazy.flatMap(\.bindings) where binding.keys.contains(key) {
            if case .change(let change) = binding.command.effect(self) { return (binding.command, change) }
        }
        return nil
    }

    /// Returns why a key has no effect at the moment although it has one at other times.
    private func noticeForNothing(_ key: InspectorKey) -> Notice? {
        for binding in keys.lazy.flatMap(\.bindings) where binding.keys.contains(key) {
            if case .nothing(let notice?) = binding.command.effect(self) { return notice }
        }
        return nil
    }

    // MARK: The mouse

    /// A click selects the content under the pointer, and the wheel scrolls it.
    mutating func handle(_ mouse: InspectorMouse) {
        let rows: Int? =
            switch mouse.kind {
            case .wheelUp: -Self.wheelRows
            case .wheelDown: Self.wheelRows
            case .press, .doublePress: nil
            }
        if let overlay {
            if let rows, let area = overlay.rows(in: layout.overlay) {
                self.overlay?.scroll(by: rows, height: area.height)
                return
            }
            if overlay.clicked(mouse, in: &self) { return }
        }
        if let rows {
            guard let panel = panel(at: mouse) else { return }
            let height = layout.rows(of: panel).height
            self[panel]?.scroll(by: rows, height: height)
        } else if mouse.kind == .press {
            press(mouse)
        } else {
            handle(.enter)
        }
    }

    private static var wheelRows: Int { 3 }

    private func panel(at mouse: InspectorMouse) -> Panel? {
        layout.panel(x: mouse.x, y: mouse.y).flatMap { $0 == .documents || panels.contains($0) ? $0 : nil }
    }

    private mutating func press(_ mouse: InspectorMouse) {
        if let timeline, layout.chain.contains(x: mouse.x, y: mouse.y) {
            let line = layout.timelineLine
            let row = line.flatMap { line in
                let index = mouse.y - layout.chain.y
                return line.rows.indices.contains(index) ? line.rows[index] : nil
            }
            let position = line?.position(at: mouse.x - layout.chain.x - Layout.chainMargin, in: row, of: timeline)
            if let state = position.flatMap({ timeline.state(at: $0) }) {
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
}
