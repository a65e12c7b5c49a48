/// Moving through rows, panels and steps.
extension KeyCommand {
    static let up = move("up") { _ in -1 }
    static let down = move("down") { _ in 1 }
    static let pageUp = move("pageUp") { -$0 }
    static let pageDown = move("pageDown") { $0 }
    static let halfPageUp = move("halfPageUp") { -max(1, $0 / 2) }
    static let halfPageDown = move("halfPageDown") { max(1, $0 / 2) }
    static let first = moveToEnd("first", forward: false)
    static let last = moveToEnd("last", forward: true)

    static let previousStep = step("previousStep", by: -1)
    static let nextStep = step("nextStep", by: 1)

    static let nextPanel = focus("nextPanel", offset: 1)
    static let previousPanel = focus("previousPanel", offset: -1)
    static let showDocuments = focus("showDocuments", on: .documents)
    static let showStep = focus("showStep", on: .step)
    static let showSource = focus("showSource", on: .source)
    static let openPart = KeyCommand("openPart") {
        guard $0.timeline == nil, let shown = $0.shown, let part = shown.selectedPart else { return .nothing() }
        return .change { $0.enterPart(shown.partPath + [part]) }
    }
    static let zoom = KeyCommand("zoom") {
        .when(!$0.isZoomed && $0.panels.contains($0.focus) && $0.documents.count > 0) { $0.isZoomed = true }
    }
    static let unzoom = KeyCommand("unzoom") { .when($0.isZoomed) { $0.isZoomed = false } }
    static let back = KeyCommand("back") { now in
        if now.isZoomed { return .change { $0.isZoomed = false } }
        if let compared = now.shown?.compared, !compared.isNeighbor {
            return .change { $0.compare(with: $0.neighbor) }
        }
        if now.focus == .documents {
            return .when(!now.documents.filter.isEmpty || now.shown?.compared != nil) {
                $0.setFilter(DocumentFilter())
            }
        }
        if now.shown?.partPath.isEmpty == false { return .change { $0.leavePart() } }
        return .change { $0.focus = .documents }
    }

    static let toggleFold = KeyCommand("toggleFold") { .when($0.here?.canToggle ?? false) { $0.here?.toggle() } }
    static let openAll = KeyCommand("openAll") { .when($0.here?.canOpenAll ?? false) { $0.here?.openAll() } }
    static let closeOrLeave = KeyCommand("closeOrLeave") {
        .when($0.treeHere.map { $0.selected.depth > 0 || $0.isOpen($0.selected) } ?? false) {
            $0.treeHere?.foldOrLeave()
        }
    }
    static let openOrEnter = KeyCommand("openOrEnter") {
        .when($0.treeHere?.canToggle ?? false) { $0.treeHere?.unfoldOrEnter() }
    }
    static let closeAll = KeyCommand("closeAll") {
        .when($0.treeHere.map { $0.isOpen($0.selected) } ?? false) { $0.treeHere?.setAll(closed: true) }
    }

    static let scrollLeft = KeyCommand("scrollLeft") { .when($0.here?.sideways ?? 0 > 0) { $0.scrollSideways(by: -8) } }
    static let scrollRight = KeyCommand("scrollRight") {
        .when($0.here?.goesOn(beyond: $0.layout[$0.focus].content) ?? false) { $0.scrollSideways(by: 8) }
    }

    static let close = KeyCommand("close", always: { $0.closeOverlay() })

    /// Moves the selection by a number of rows that is computed from the height of a page.
    private static func move(
        _ name: String, _ rows: @escaping @Sendable (_ page: Int) -> Int
    ) -> KeyCommand {
        KeyCommand(name) {
            let count = rows($0.pageHeight)
            return .when($0.here?.canMove(forward: count > 0) ?? false) { $0.here?.move(by: count) }
        }
    }

    private static func moveToEnd(_ name: String, forward: Bool) -> KeyCommand {
        KeyCommand(name) {
            .when($0.here?.canMove(forward: forward) ?? false) { $0.here?.moveToEnd(forward: forward) }
        }
    }

    private static func step(_ name: String, by count: Int) -> KeyCommand {
        KeyCommand(name) {
            let stop = ($0.shown?.stop ?? 0) + count
            let isThere = (0..<max(0, $0.shown?.stopCount ?? 0)).contains(stop)
            return .when(!$0.layout.detail.isEmpty && $0.timeline == nil && isThere) { $0.go(toStop: stop) }
        }
    }

    private static func focus(_ name: String, on panel: Panel) -> KeyCommand {
        KeyCommand(name) { .when($0.focus != panel && $0.panels.contains(panel)) { $0.focus = panel } }
    }

    private static func focus(_ name: String, offset: Int) -> KeyCommand {
        KeyCommand(name) { now in
            let panels = now.panels
            let next = ((panels.firstIndex(of: now.focus) ?? 0) + offset + panels.count) % panels.count
            return .when(panels.count > 1) { $0.focus = panels[next] }
        }
    }
}

extension KeyGroup {
    /// Returns the group of the keys that go up and down.
    static func upAndDown(_ contexts: KeyContexts, hint: String, _ help: String) -> KeyGroup {
        KeyGroup(contexts, hint: hint, help, .init(.up, .up, "k"), .init(.down, .down, "j"))
    }

    static func upAndDown(hint: String) -> KeyGroup { upAndDown([], hint: hint, "") }
}

/// Requests to the program around.
extension KeyCommand {
    static let toggleMouse = KeyCommand(
        "toggleMouse",
        always: {
            $0.kept.takesMouse.toggle()
            $0.effects.append(.takeMouse($0.kept.takesMouse))
            $0.message = Message(.mouse(isTaken: $0.kept.takesMouse))
        })
    static let redraw = KeyCommand("redraw", always: { $0.effects.append(.redraw) })
    static let suspend = KeyCommand("suspend", always: { $0.effects.append(.suspend) })
    static let quit = KeyCommand("quit", always: { $0.effects.append(.quit) })
    static let reload = KeyCommand("reload", always: { $0.reload() })
    static let restart = KeyCommand("restart") { now in
        let document = now.inspection.flatMap { now.documents[$0.document] }
        let view = InspectedView(
            title: document?.title ?? "", stop: now.shown?.stop ?? 0,
            row: now.shown?.step.position.selected ?? 0, supposing: now.supposition, opened: now.opened)
        return .when(now.isRebuilt, else: .notRebuilt) { $0.effects.append(.restart(view)) }
    }
    static let stop = KeyCommand("stop") { now in
        if now.shown?.isShrinking == true { return .change { $0.stopShrinking() } }
        guard now.stoppable != nil, let document = now.inspection?.document else { return .nothing(.notRunning) }
        return .change { $0.effects.append(.stopTrace(document)) }
    }
}

extension Inspector {
    /// One row less than the visible rows, so that one row stays in view for orientation.
    fileprivate var pageHeight: Int {
        max(1, (overlay?.rows(in: layout.overlay) ?? layout.rows(of: focus)).height - 1)
    }

    fileprivate mutating func scrollSideways(by columns: Int) {
        guard let sideways = here?.sideways else { return }
        here?.sideways = max(0, sideways + columns)
    }
}
