import DisplayText
import DocumentModel
import MigrationCore

/// Everything that keys can do.
enum Command: Hashable, Sendable, CaseIterable {
    case up, down, pageUp, pageDown, halfPageUp, halfPageDown, first, last
    case previousStep, nextStep
    case nextPanel, previousPanel, showDocuments, showStep, showSource
    case open, openPart, zoom, unzoom, back
    case previousProblem, nextProblem
    case changeStyle, toggleValue
    case toggleFold, closeOrLeave, openOrEnter, openAll, closeAll
    case scrollLeft, scrollRight
    case filterByName, filterByOutcome, filterByCause, nextCause
    case search, nextMatch, previousMatch, nextChange, previousChange
    case read, toggleMouse
    case mark, compare
    case history, place, orderByValue, follow, previousState, nextState, previousTurn, nextTurn, leaveTimeline
    case chainTable, closeChainTable, previousVersion, nextVersion
    case play, pause, slower, faster, previousBeat, nextBeat, endPlaying
    case tour, leaveTour, nextTourStop, previousTourStop
    case endTyping, undoTyping
    case openOther, nextCompletion, previousCompletion
    case help, closePage
    case shrink
    case change, offerPassing, pickChain, repair, undoChange, redoChange
    case write, copy, edit
    case chooseItem, closeMenu
    case stop, reload, restart, redraw, suspend, quit
}

/// The effect of a command, and whether it would change anything at the moment.
struct Action {
    private(set) var isPossible: (Inspector) -> Bool = { _ in true }
    let perform: (inout Inspector) -> Void

    static func when(_ isPossible: @escaping (Inspector) -> Bool) -> Action {
        Action(isPossible: isPossible) { _ in }
    }

    func then(_ perform: @escaping (inout Inspector) -> Void) -> Action {
        Action(isPossible: isPossible, perform: perform)
    }
}

extension Command {
    var action: Action {
        switch self {
        case .up: .move { _ in -1 }
        case .down: .move { _ in 1 }
        case .pageUp: .move { -$0 }
        case .pageDown: .move { $0 }
        case .halfPageUp: .move { -max(1, $0 / 2) }
        case .halfPageDown: .move { max(1, $0 / 2) }
        case .first: .moveToEnd(forward: false)
        case .last: .moveToEnd(forward: true)

        case .previousStep:
            .when { $0.isDetailShown && $0.timeline == nil && $0.stop > 0 }.then { $0.go(toStop: $0.stop - 1) }
        case .nextStep:
            .when { $0.isDetailShown && $0.timeline == nil && $0.stop + 1 < $0.shown?.stopCount ?? 0 }.then {
                $0.go(toStop: $0.stop + 1)
            }

        case .nextPanel: .focus(offset: 1)
        case .previousPanel: .focus(offset: -1)
        case .showDocuments: .focus(on: .documents)
        case .showStep, .open: .focus(on: .step)
        case .showSource: .focus(on: .source)
        case .openPart: .when { $0.timeline == nil && $0.shown?.selectedPart != nil }.then { $0.enterSelectedPart() }
        case .zoom:
            .when { !$0.isZoomed && $0.panels.contains($0.focus) && $0.documents.count > 0 }.then {
                $0.isZoomed = true
            }
        case .unzoom: .when { $0.isZoomed }.then { $0.isZoomed = false }
        case .back:
            .when {
                $0.isZoomed || $0.focus != .documents || !$0.documents.filter.isEmpty || $0.shown?.compared != nil
            }.then { $0.goBack() }

        case .previousProblem: .goToProblem(-1)
        case .nextProblem: .goToProblem(1)

        case .changeStyle:
            .when { $0.isStepShown && $0.shown?.value == nil && $0.shown?.step.difference != nil }.then {
                $0.setStyle($0.style == .unified ? .sideBySide : .unified)
            }
        case .toggleValue:
            .when { $0.isStepShown && $0.shown?.documentHere != nil }.then {
                $0.showsValue.toggle()
                $0.showValue()
            }

        case .toggleFold: .when { $0.here?.canToggle ?? false }.then { $0.here?.toggle() }
        case .openAll: .when { $0.here?.canOpenAll ?? false }.then { $0.here?.openAll() }
        case .closeOrLeave:
            .when { $0.treeHere.map { $0.selected.depth > 0 || $0.isOpen($0.selected) } ?? false }.then {
                $0.treeHere?.foldOrLeave()
            }
        case .openOrEnter: .when { $0.treeHere?.canToggle ?? false }.then { $0.treeHere?.unfoldOrEnter() }
        case .closeAll:
            .when { $0.treeHere.map { $0.isOpen($0.selected) } ?? false }.then {
                $0.treeHere?.setAll(closed: true)
            }

        case .scrollLeft:
            .when { $0.here?.sideways ?? 0 > 0 }.then { $0.scrollSideways(by: -Self.sidewaysStep) }
        case .scrollRight:
            .when { $0.here?.goesOn(beyond: $0.layout[$0.focus].content) ?? false }.then {
                $0.scrollSideways(by: Self.sidewaysStep)
            }

        case .filterByName:
            .when { $0.documents.count > 1 }.then { $0.prompt = Prompt(.filter, text: $0.documents.filter.name) }
        case .filterByOutcome:
            .when { !$0.documents.filter.withoutName.isEmpty || $0.outcomesToFilterBy.count > 1 }.then {
                $0.filterByNextOutcome()
            }
        case .filterByCause: .when { !$0.documents.causes.sentences.isEmpty }.then { $0.openCauses() }
        case .nextCause:
            .when { $0.documents.rowOfOtherCause != nil }.then {
                if let row = $0.documents.rowOfOtherCause { $0.documents.select(row: row) }
            }
        case .search:
            .when { $0.panels.contains($0.focus) }.then {
                $0.prompt = Prompt(.search)
                $0.search = nil
            }
        case .nextMatch: .search(forward: true)
        case .previousMatch: .search(forward: false)
        case .nextChange: .goToChange(1)
        case .previousChange: .goToChange(-1)
        case .read: .when { $0.longText != nil }.then { $0.readLongText() }
        case .mark:
            .when { $0.shown?.whole.document != nil }.then { inspector in
                guard let shown = inspector.shown, let document = shown.whole.document else { return }
                let title = inspector.documents[shown.document]?.title ?? ""
                inspector.mark = MarkedDocument(title: title, document: document)
                inspector.message = Message("\(title) is marked; = compares another document with it")
            }
        case .compare:
            .when { inspector in
                guard let mark = inspector.mark, let document = inspector.shown?.whole.document else { return false }
                return mark.document.identity != document.identity
            }.then { inspector in
                let isMarked = inspector.shown?.compared?.isNeighbor == false
                inspector.compare(with: isMarked ? inspector.neighbor : inspector.mark)
            }
        case .toggleMouse:
            Action { inspector in
                inspector.takesMouse.toggle()
                inspector.effects.append(.takeMouse(inspector.takesMouse))
                inspector.message = Message(
                    inspector.takesMouse
                        ? "the mouse is the inspector's" : "the mouse is the terminal's; M takes it back")
            }
        case .chainTable: .when { $0.shown?.trace.chain != nil }.then { $0.openChainTable() }
        case .closeChainTable: .when { $0.chainTable != nil }.then { $0.chainTable = nil }
        case .previousVersion:
            .when { $0.chainTable?.canMoveColumn(by: -1) ?? false }.then { $0.chainTable?.moveColumn(by: -1) }
        case .nextVersion:
            .when { $0.chainTable?.canMoveColumn(by: 1) ?? false }.then { $0.chainTable?.moveColumn(by: 1) }
        case .play: .when { $0.canPlay }.then { $0.play() }
        case .pause: .when { $0.playback != nil }.then { $0.playback?.isPaused.toggle() }
        case .slower: .when { $0.playback?.canGo(faster: false) ?? false }.then { $0.playback?.go(faster: false) }
        case .faster: .when { $0.playback?.canGo(faster: true) ?? false }.then { $0.playback?.go(faster: true) }
        case .previousBeat: .playing(by: -1)
        case .nextBeat: .playing(by: 1)
        case .endPlaying: .when { $0.playback != nil }.then { $0.endPlaying() }
        case .tour: .when { $0.tourView == nil && $0.canTakeTour }.then { $0.takeTour() }
        case .leaveTour: .when { $0.tourView != nil }.then { $0.leaveTour() }
        case .nextTourStop: .when { $0.tourView != nil }.then { $0.goInTour(by: 1) }
        case .previousTourStop: .when { $0.tourView?.canGo(by: -1) ?? false }.then { $0.goInTour(by: -1) }
        case .endTyping: Action { $0.endTyping() }
        case .undoTyping: Action { $0.undoTyping() }

        case .openOther: Action { $0.askPath($0.folderOfDocument) }
        case .nextCompletion: Action { $0.complete(by: 1) }
        case .previousCompletion: Action { $0.complete(by: -1) }

        case .help:
            .when { $0.page == nil }.then {
                $0.page = PageView("Keys and signs", KeyTable.helpLines + SignTable.lines($0.glyphs))
            }
        case .closePage: .when { $0.page != nil }.then { $0.page = nil }

        case .shrink: .when { $0.canShrink }.then { $0.shrink() }
        case .change: .when { $0.canChange }.then { $0.openChangeMenu() }
        case .offerPassing: .when { $0.canChange && $0.hasPassingValues }.then { $0.openChangeMenu() }
        case .pickChain: .when { $0.canPickChain }.then { $0.openChangeMenu() }
        case .repair: .when { $0.canChange && $0.repair != nil }.then { if let edit = $0.repair { $0.change(edit) } }
        case .undoChange: .when { !($0.whatIf?.isEmpty ?? true) }.then { $0.undoChange() }
        case .redoChange: .when { $0.whatIf?.canRedo ?? false }.then { $0.redoChange() }
        case .write: .when { $0.shown.map { $0.running == nil } ?? false }.then { $0.openWriteMenu() }
        case .copy: .when { $0.shown != nil }.then { $0.openCopyMenu() }
        case .edit:
            .when { $0.shown != nil }.then { inspector in
                guard let document = inspector.shown?.document else { return }
                inspector.effects.append(.edit(document, at: inspector.placeHere))
            }
        case .chooseItem: .when { $0.menu != nil }.then { $0.choose($0.menu?.selectedItem) }
        case .closeMenu: .when { $0.menu != nil }.then { $0.menu = nil }

        case .stop:
            .when { $0.stoppable != nil || $0.shown?.isShrinking == true }.then { inspector in
                if inspector.shown?.isShrinking == true { return inspector.stopShrinking() }
                if let document = inspector.inspection?.document { inspector.effects.append(.stopTrace(document)) }
            }
        case .history:
            .when { $0.inspection != nil && $0.timeline == nil }.then { inspector in
                if let document = inspector.inspection?.document { inspector.showHistory(of: document) }
            }
        case .place:
            .when { $0.timeline == nil && $0.documentsBeside.count > 1 }.then { $0.showPlaceAsTimeline() }
        case .orderByValue:
            .when { $0.pathInTime != nil && $0.timeline?.isHistory == false }.then { inspector in
                guard let timeline = inspector.timeline, let path = inspector.pathInTime else { return }
                inspector.effects.append(.order(timeline.states, by: path))
            }
        case .follow: .when { $0.pathInTime != nil }.then { $0.follow() }
        case .leaveTimeline:
            .when { inspector in
                let isMarked = inspector.shown?.compared.map { !$0.isNeighbor } ?? false
                return inspector.timeline != nil && !inspector.isZoomed && !isMarked
            }.then { $0.leaveTimeline() }
        case .previousState: .goToState { $0.state(-1) }
        case .nextState: .goToState { $0.state(1) }
        case .previousTurn: .when { $0.timelinePosition != nil }.then { $0.goToTurn(-1) }
        case .nextTurn: .when { $0.timelinePosition != nil }.then { $0.goToTurn(1) }
        case .reload: Action { $0.reload() }
        case .restart:
            .when { $0.isRebuilt }.then { inspector in
                let document = inspector.inspection.flatMap { inspector.documents[$0.document] }
                inspector.effects.append(
                    .restart(
                        InspectedView(
                            title: document?.title ?? "", stop: inspector.shown?.stop ?? 0,
                            row: inspector.shown?.step.position.selected ?? 0, supposing: inspector.supposition,
                            opened: inspector.opened)))
            }
        case .redraw: Action { $0.effects.append(.redraw) }
        case .suspend: Action { $0.effects.append(.suspend) }
        case .quit: Action { $0.effects.append(.quit) }
        }
    }

    private static var sidewaysStep: Int { 8 }
}

extension Action {
    /// Moves the selection by a number of rows that is computed from the height of a page.
    fileprivate static func move(_ rows: @escaping (_ page: Int) -> Int) -> Action {
        Action.when { $0.here?.canMove(forward: rows(1) > 0) ?? false }.then { $0.move(by: rows($0.pageHeight)) }
    }

    fileprivate static func moveToEnd(forward: Bool) -> Action {
        Action.when { $0.here?.canMove(forward: forward) ?? false }.then { $0.here?.moveToEnd(forward: forward) }
    }

    fileprivate static func focus(on panel: Panel) -> Action {
        Action.when { $0.focus != panel && $0.panels.contains(panel) }.then { $0.focus = panel }
    }

    fileprivate static func focus(offset: Int) -> Action {
        Action.when { $0.panels.count > 1 }.then {
            let panels = $0.panels
            $0.focus = panels[((panels.firstIndex(of: $0.focus) ?? 0) + offset + panels.count) % panels.count]
        }
    }

    fileprivate static func goToProblem(_ direction: Int) -> Action {
        let row = { (inspector: Inspector) in
            if inspector.timeline != nil { return inspector.rowOfProblemInTime(direction) }
            return inspector.documents.row(ofProblem: direction).flatMap {
                $0 == inspector.documents.selectedRow ? nil : $0
            }
        }
        return Action.when { row($0) != nil }.then { inspector in
            guard let row = row(inspector) else { return }
            let isRound = inspector.timeline == nil && (row > inspector.documents.selectedRow) != (direction > 0)
            inspector.documents.select(row: row)
            if isRound { inspector.message = Message(direction > 0 ? "on from the top" : "on from the bottom") }
        }
    }

    fileprivate static func playing(by count: Int) -> Action {
        Action.when { $0.playback != nil }.then { inspector in
            inspector.playback?.isPaused = true
            inspector.goInPlaying(by: count)
        }
    }

    fileprivate static func goToState(_ state: @escaping (Inspector) -> FoundDocument.ID?) -> Action {
        Action.when { state($0) != nil }.then { inspector in
            guard let state = state(inspector) else { return }
            inspector.placeInTime = nil
            inspector.go(toState: state)
        }
    }

    /// Goes to the next row of the step that has a sign.
    fileprivate static func goToChange(_ direction: Int) -> Action {
        let row = { (inspector: Inspector) -> Int? in
            guard inspector.search == nil, let step = inspector.shown?.step, inspector.shown?.value == nil else {
                return nil
            }
            let (rows, here) = (step.rows, step.position.selected)
            // There may be millions of rows, so examine them one by one up to the first match.
            return direction > 0
                ? rows.indices.dropFirst(here + 1).first { rows[$0].sign != .none }
                : rows.indices.prefix(here).last { rows[$0].sign != .none }
        }
        return Action.when { row($0) != nil }.then { inspector in
            if let row = row(inspector) { inspector.shown?.step.select(row: row) }
        }
    }

    fileprivate static func search(forward: Bool) -> Action {
        Action.when { $0.search != nil && $0.jobs[.search] == nil }.then {
            $0.startSearch(forward: forward, includingStart: false)
        }
    }
}

extension Inspector {
    fileprivate var isDetailShown: Bool { !layout.detail.isEmpty }
    fileprivate var isStepShown: Bool { layout[.step].isShown }
    fileprivate var stop: Int { shown?.stop ?? 0 }

    /// One row less than the visible rows, so that one row stays in view for orientation.
    fileprivate var pageHeight: Int {
        max(1, pageRows.height - 1)
    }

    private var pageRows: Rect {
        menu != nil
            ? layout.menu.inset(1)
            : page != nil
                ? layout.page.inset(1)
                : chainTable?.fieldRows ?? layout.rows(of: focus)
    }

    /// The text under the cursor, if it is too long for its row.
    fileprivate var longText: DocumentNode? {
        let node = focus == .step || treeHere != nil ? treeHere?.selectedNode ?? shown?.step.selectedRow?.node : nil
        guard let node, node.kind == .string, let (text, isWhole) = node.beginning(limit: 200) else { return nil }
        let room = layout[focus].content.width / 2
        return !isWhole || text.contains(where: \.isNewline) || TextWidth.columns(of: text) > room ? node : nil
    }

    /// Shows the whole text, wrapped.
    fileprivate mutating func readLongText() {
        guard let node = longText, let (text, isWhole) = node.beginning(limit: Self.mostRead) else { return }
        var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).flatMap { line in
            TextWidth.wrap(String(line), to: 76, repertoire: repertoire).map { PageView.Line.text(String($0)) }
        }
        if !isWhole { lines += [.gap, .text("That is the beginning; y copies more, and w writes all of it.")] }
        page = PageView("\(node.path)", lines)
    }

    /// More than anyone reads here, in bytes.
    private static var mostRead: Int { 200_000 }

    fileprivate mutating func move(by rows: Int) { here?.move(by: rows) }

    fileprivate mutating func scrollSideways(by columns: Int) {
        guard let sideways = here?.sideways else { return }
        here?.sideways = max(0, sideways + columns)
    }

    fileprivate mutating func goBack() {
        if isZoomed {
            isZoomed = false
        } else if let compared = shown?.compared, !compared.isNeighbor {
            compare(with: neighbor)
        } else if focus == .documents {
            setFilter(DocumentFilter())
        } else if shown?.partPath.isEmpty == false {
            leavePart()
        } else {
            focus = .documents
        }
    }

    fileprivate var outcomesToFilterBy: [DocumentFilter] {
        // Outcomes that need attention come first.
        let problems = [MigrationOutcome.failed, .unrecognized, .unreadable].filter { documents.count(of: $0) > 0 }
        let others = [MigrationOutcome.migrated, .current].filter { documents.count(of: $0) > 0 }
        return problems.map { DocumentFilter(outcome: $0) }
            + (documents.lossyCount > 0 ? [DocumentFilter(isLossy: true)] : [])
            + others.map { DocumentFilter(outcome: $0) }
    }

    fileprivate mutating func filterByNextOutcome() {
        let choices = [DocumentFilter()] + outcomesToFilterBy
        let here = choices.firstIndex(of: documents.filter.withoutName) ?? -1
        var filter = choices[(here + 1) % choices.count]
        filter.name = documents.filter.name
        setFilter(filter)
    }

    /// Opens the menu of causes of failures. Choosing one filters the list.
    fileprivate mutating func openCauses() {
        let keys = Array("123456789abcdefghilmnopqrstuvwxyz")
        let items = documents.countedCauses.enumerated().map { index, cause in
            let count = NumberWords.grouped(cause.count)
            return MenuView.Item(index < keys.count ? keys[index] : nil, "\(count) \(glyphs.times) \(cause.sentence)") {
                var filter = DocumentFilter(cause: cause.number)
                filter.name = $0.documents.filter.name
                $0.setFilter(filter)
                $0.focus = .documents
            }
        }
        menu = MenuView("Why documents fail", items)
    }
}
