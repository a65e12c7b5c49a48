/// What the mouse does: a click selects what is under it, the wheel scrolls what is under it.
extension Inspector {
    mutating func handle(_ mouse: InspectorMouse) -> [InspectorEffect] {
        if helpTop != nil { return handleInHelp(mouse) }
        guard prompt == nil else { return [] }
        let layout = Layout(self)
        switch mouse.kind {
        case .wheelUp: return wheel(by: -Self.wheelRows, mouse, layout)
        case .wheelDown: return wheel(by: Self.wheelRows, mouse, layout)
        case .press: return press(mouse, layout)
        case .doublePress: return command(for: .enter).map { perform($0) } ?? []
        }
    }

    private static var wheelRows: Int { 3 }

    private mutating func handleInHelp(_ mouse: InspectorMouse) -> [InspectorEffect] {
        switch mouse.kind {
        case .wheelUp: helpTop? -= Self.wheelRows
        case .wheelDown: helpTop? += Self.wheelRows
        case .press, .doublePress: helpTop = nil
        }
        return []
    }

    private func panel(at mouse: InspectorMouse, _ layout: Layout) -> Panel? {
        if layout.documents.frame.contains(x: mouse.x, y: mouse.y) { return .documents }
        for (panel, area) in [(Panel.step, layout.step), (.source, layout.source)] {
            if area.frame.contains(x: mouse.x, y: mouse.y) || area.content.contains(x: mouse.x, y: mouse.y) {
                return panels.contains(panel) ? panel : nil
            }
        }
        return nil
    }

    private mutating func press(_ mouse: InspectorMouse, _ layout: Layout) -> [InspectorEffect] {
        if layout.chain.contains(x: mouse.x, y: mouse.y) {
            let glyphs = Glyphs.glyphs(for: repertoire)
            return ChainScreen.stop(at: mouse.x, self, layout.chain, glyphs).map { go(toStop: $0) } ?? []
        }
        guard let panel = panel(at: mouse, layout) else { return [] }
        focus = panel
        switch panel {
        case .documents:
            guard layout.documents.content.contains(x: mouse.x, y: mouse.y) else { return [] }
            documents.select(line: documents.position.top + mouse.y - layout.documents.content.y)
            return inspectSelection()
        case .step: selectRow(at: mouse.y - stepRows(layout).y, in: stepRows(layout))
        case .source: selectRow(at: mouse.y - layout.source.content.y, in: layout.source.content)
        }
        return []
    }

    private mutating func selectRow(at line: Int, in area: Rect) {
        guard line >= 0, line < area.height else { return }
        if let tree = treeHere {
            let rows = tree.rows(height: area.height)
            if rows.indices.contains(line) { treeHere?.select(rows[line]) }
        } else if focus == .source {
            let row = (inspection?.source.position.top ?? 0) + line
            if row < inspection?.source.rowCount ?? 0 { inspection?.source.select(row) }
        } else {
            let row = (inspection?.step.position.top ?? 0) + line
            if row < inspection?.step.rows.count ?? 0 { inspection?.step.select(row) }
        }
    }

    private mutating func wheel(by rows: Int, _ mouse: InspectorMouse, _ layout: Layout) -> [InspectorEffect] {
        switch panel(at: mouse, layout) {
        case .documents?:
            documents.scroll(by: rows, height: layout.documents.content.height)
            return inspectSelection()
        case .step?:
            let height = stepRows(layout).height
            if showsValue, inspection?.value != nil {
                inspection?.value?.scroll(by: rows, height: height)
            } else {
                inspection?.step.scroll(by: rows, height: height)
            }
        case .source?:
            let height = layout.source.content.height
            if inspection?.source.tree != nil {
                inspection?.source.tree?.scroll(by: rows, height: height)
            } else {
                inspection?.source.scroll(by: rows, height: height)
            }
        case nil: break
        }
        return []
    }

    /// The rows of the step panel below its note and message.
    func stepRows(_ layout: Layout) -> Rect {
        let area = layout.step.content
        return area.splitTop(StepScreen.preambleHeight(self, area)).rest
    }
}
