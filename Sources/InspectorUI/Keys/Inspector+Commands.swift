import MigrationCore

/// What the commands do, and when they do anything.
extension Inspector {
    /// Whether the command would change something here and now.
    func can(_ command: Command) -> Bool {
        switch command {
        case .up, .pageUp, .halfPageUp, .first: canMove(forward: false)
        case .down, .pageDown, .halfPageDown, .last: canMove(forward: true)
        case .previousStep: isDetailShown && (inspection?.stop ?? 0) > 0
        case .nextStep: isDetailShown && inspection.map { $0.stop + 1 < $0.stopCount } ?? false
        case .nextPanel, .previousPanel: panels.count > 1
        case .showDocuments: focus != .documents
        case .showStep: focus != .step && panels.contains(.step)
        case .showSource: focus != .source && panels.contains(.source)
        case .open: panels.contains(.step)
        case .openPart: selectedPart != nil
        case .zoom: !isZoomed && panels.contains(focus) && documents.count > 0
        case .unzoom: isZoomed
        case .back: isZoomed || focus != .documents || !documents.filter.isEmpty
        case .previousProblem: documents.row(ofProblem: -1).map { $0 != documents.selectedRow } ?? false
        case .nextProblem: documents.row(ofProblem: 1).map { $0 != documents.selectedRow } ?? false
        case .changeStyle: !showsValue && inspection?.step.difference != nil && isStepShown
        case .toggleValue: inspection?.documentHere != nil && isStepShown
        case .toggleFold:
            if let tree = treeHere { tree.canToggle } else { inspection?.step.selectedRow?.isFoldable ?? false }
        case .closeOrLeave: treeHere.map { $0.selected.depth > 0 || $0.canToggle && $0.isOpen($0.selected) } ?? false
        case .openOrEnter: treeHere?.canToggle ?? false
        case .openAll: if let tree = treeHere { tree.canOpenAll } else { inspection?.step.hasFolds ?? false }
        case .closeAll: treeHere.map { $0.canToggle && $0.isOpen($0.selected) } ?? false
        case .scrollLeft: sideways > 0
        case .scrollRight: canScrollRight
        case .filterByName: documents.count > 1
        case .filterByOutcome: documents.filter.outcome != nil || outcomesToFilterBy.count > 1
        case .search: panels.contains(focus)
        case .nextMatch, .previousMatch: search != nil && searchJob == nil
        case .help: helpTop == nil
        case .closeHelp: helpTop != nil
        case .reload: inspection?.trace != nil
        case .redraw, .suspend, .quit: true
        }
    }

    mutating func perform(_ command: Command) -> [InspectorEffect] {
        switch command {
        case .up: return move(by: -1)
        case .down: return move(by: 1)
        case .pageUp: return move(by: -pageHeight)
        case .pageDown: return move(by: pageHeight)
        case .halfPageUp: return move(by: -max(1, pageHeight / 2))
        case .halfPageDown: return move(by: max(1, pageHeight / 2))
        case .first: return moveToEnd(forward: false)
        case .last: return moveToEnd(forward: true)
        case .previousStep: return go(toStop: (inspection?.stop ?? 0) - 1)
        case .nextStep: return go(toStop: (inspection?.stop ?? 0) + 1)
        case .nextPanel: focus(offset: 1)
        case .previousPanel: focus(offset: -1)
        case .showDocuments: focus(on: .documents)
        case .showStep, .open: focus(on: .step)
        case .showSource: focus(on: .source)
        case .openPart:
            guard let part = selectedPart, let inspection else { return [] }
            return enterPart(inspection.partPath + [part])
        case .zoom: isZoomed = true
        case .unzoom: isZoomed = false
        case .back: return goBack()
        case .previousProblem: return goToProblem(-1)
        case .nextProblem: return goToProblem(1)
        case .changeStyle: return setStyle(style == .unified ? .sideBySide : .unified)
        case .toggleValue: setShowsValue(!showsValue)
        case .toggleFold: if treeHere != nil { treeHere?.toggle() } else { inspection?.step.toggle() }
        case .closeOrLeave: treeHere?.foldOrLeave()
        case .openOrEnter: treeHere?.unfoldOrEnter()
        case .openAll: if treeHere != nil { treeHere?.setAll(closed: false) } else { inspection?.step.openFolds() }
        case .closeAll: treeHere?.setAll(closed: true)
        case .scrollLeft: sideways = max(0, sideways - Self.sidewaysStep)
        case .scrollRight: sideways += Self.sidewaysStep
        case .filterByName: prompt = Prompt(.filter, text: documents.filter.name)
        case .filterByOutcome: return filterByNextOutcome()
        case .search:
            prompt = Prompt(.search)
            search = nil
        case .nextMatch: return startSearch(forward: true, includingStart: false)
        case .previousMatch: return startSearch(forward: false, includingStart: false)
        case .help: helpTop = 0
        case .closeHelp: helpTop = nil
        case .reload: return reload()
        case .redraw: return [.redraw]
        case .suspend: return [.suspend]
        case .quit: return [.quit]
        }
        return []
    }

    private var isDetailShown: Bool { !Layout(self).detail.isEmpty }
    private var isStepShown: Bool { Layout(self).step.isShown }

    // MARK: Panels

    /// The panels that have something in them, in the order of the Tab key.
    var panels: [Panel] {
        inspection?.trace == nil ? [.documents] : [.documents, .step, .source]
    }

    private mutating func focus(offset: Int) {
        let panels = panels
        let here = panels.firstIndex(of: focus) ?? 0
        focus(on: panels[(here + offset + panels.count) % panels.count])
    }

    mutating func focus(on panel: Panel) {
        guard panels.contains(panel) else { return }
        focus = panel
    }

    private mutating func goBack() -> [InspectorEffect] {
        if isZoomed {
            isZoomed = false
        } else if let inspection, !inspection.partPath.isEmpty, focus != .documents {
            return enterPart(inspection.partPath.dropLast())
        } else if focus != .documents {
            focus = .documents
        } else {
            return setFilter(DocumentFilter())
        }
        return []
    }

    private var selectedPart: Int? {
        guard !showsValue, case .part(let part, _)? = inspection?.step.selectedRow?.body else { return nil }
        return part
    }

    // MARK: Moving

    /// The rows of a page but one, which stays in sight.
    private var pageHeight: Int {
        let layout = Layout(self)
        let rows =
            helpTop != nil
            ? HelpScreen.height(self) : focus == .step ? stepRows(layout).height : layout.height(of: focus)
        return max(1, rows - 1)
    }

    private func canMove(forward: Bool) -> Bool {
        if let top = helpTop {
            return forward ? top + HelpScreen.height(self) < HelpScreen.lineCount(self) : top > 0
        }
        if let tree = treeHere { return canMove(in: tree, forward: forward) }
        switch focus {
        case .documents: return forward ? documents.selectedRow + 1 < documents.rowCount : documents.selectedRow > 0
        case .step: return canMove(inspection?.step.position, inspection?.step.rows.count ?? 0, forward)
        case .source: return canMove(inspection?.source.position, inspection?.source.rowCount ?? 0, forward)
        }
    }

    private func canMove(_ position: ListPosition?, _ count: Int, _ forward: Bool) -> Bool {
        guard let position else { return false }
        return forward ? position.selected + 1 < count : position.selected > 0
    }

    private func canMove(in tree: ValueView, forward: Bool) -> Bool {
        guard forward else { return tree.selected.depth > 0 }
        var next = tree.selected
        return next.moveToNext(folds: tree.folds)
    }

    private mutating func move(by rows: Int) -> [InspectorEffect] {
        if let top = helpTop {
            helpTop = ListPosition.sum(top, rows)
        } else if treeHere != nil {
            treeHere?.move(by: rows)
        } else {
            switch focus {
            case .documents:
                documents.move(by: rows)
                return inspectSelection()
            case .step: inspection?.step.move(by: rows)
            case .source: inspection?.source.move(by: rows)
            }
        }
        return []
    }

    private mutating func moveToEnd(forward: Bool) -> [InspectorEffect] {
        if helpTop != nil {
            helpTop = forward ? HelpScreen.lineCount(self) : 0
        } else if treeHere != nil {
            if forward { treeHere?.moveToLast() } else { treeHere?.moveToFirst() }
        } else {
            switch focus {
            case .documents:
                documents.select(row: forward ? documents.rowCount - 1 : 0)
                return inspectSelection()
            case .step: inspection?.step.select(forward ? .max : 0)
            case .source: inspection?.source.select(forward ? .max : 0)
            }
        }
        return []
    }

    private mutating func goToProblem(_ direction: Int) -> [InspectorEffect] {
        guard let row = documents.row(ofProblem: direction) else { return [] }
        documents.select(row: row)
        return inspectSelection()
    }

    // MARK: Sideways

    private static var sidewaysStep: Int { 8 }

    /// The columns that are scrolled out at the left of the panel with the keyboard.
    private var sideways: Int {
        get {
            if let tree = treeHere { return tree.sideways }
            return (focus == .source ? inspection?.source.sideways : inspection?.step.sideways) ?? 0
        }
        set {
            if treeHere != nil {
                treeHere?.sideways = newValue
            } else if focus == .source {
                inspection?.source.sideways = newValue
            } else {
                inspection?.step.sideways = newValue
            }
        }
    }

    /// Whether something on the screen goes on at the right.
    private var canScrollRight: Bool {
        let layout = Layout(self)
        if let tree = treeHere {
            let area = focus == .source ? layout.source.content : layout.step.content
            return ValueScreen.isWiderThan(area, tree)
        }
        switch focus {
        case .documents: return false
        case .step: return StepScreen.isWiderThan(layout.step.content, inspection, style)
        case .source: return SourceScreen.isWiderThan(layout.source.content, self)
        }
    }

    // MARK: Outcomes

    private var outcomesToFilterBy: [MigrationOutcome] {
        Self.outcomes.filter { documents.count(of: $0) > 0 }
    }

    /// What needs looking at comes first.
    private static var outcomes: [MigrationOutcome] { [.failed, .unrecognized, .unreadable, .migrated, .current] }

    private mutating func filterByNextOutcome() -> [InspectorEffect] {
        let outcomes = outcomesToFilterBy
        var filter = documents.filter
        let here = filter.outcome.flatMap { outcomes.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
        filter.outcome = filter.outcome != nil && here == 0 || here >= outcomes.count ? nil : outcomes[here]
        return setFilter(filter)
    }
}
