import DisplayText
import DocumentModel
import MigrationCore

/// Changing the document in memory to see the effect at once.
extension KeyCommand {
    static let change = KeyCommand("change") { .when($0.canChange, else: .nothingToChange) { $0.openChangeMenu() } }
    static let offerPassing = KeyCommand("offerPassing") {
        .when($0.canChange && $0.hasPassingValues) { $0.openChangeMenu() }
    }
    static let pickChain = KeyCommand("pickChain") {
        .when($0.canChange && $0.isUnrecognized && !$0.chains.all.isEmpty) { $0.openChangeMenu() }
    }
    static let repair = KeyCommand("repair") {
        guard $0.canChange, let repair = $0.repair else {
            return .nothing($0.shown?.experiments == nil ? .noRepair($0.hasPassingValues) : .stillTrying)
        }
        return .change { $0.change(repair) }
    }
    static let undoChange = KeyCommand("undoChange") {
        guard let document = $0.inspection?.document else { return .nothing(.notChanged) }
        return .when($0.whatIf?.isEmpty == false, else: .notChanged) {
            $0.whatIfs[document]?.undo()
            $0.traceAgain()
        }
    }
    static let redoChange = KeyCommand("redoChange") {
        guard let document = $0.inspection?.document else { return .nothing(.notUndone) }
        return .when($0.whatIf?.canRedo ?? false, else: .notUndone) {
            $0.whatIfs[document]?.redo()
            $0.traceAgain()
        }
    }
    /// Starts the search for the smallest document that fails in the same way.
    static let shrink = KeyCommand("shrink") {
        guard $0.canChange, let shown = $0.shown, shown.whole.failure != nil, !shown.isShrinking else {
            return .nothing(.cannotShrink)
        }
        return .change {
            $0.shown?.experiments = 0
            $0.shown?.isShrinking = true
            $0.shown?.isLeftAlone = false
            $0.effects.append(.shrink(shown.document, shown.whole))
        }
    }
}

extension Inspector {
    /// Whether the document on the screen can be changed: it has parsed, its trace is complete, and the trace is not
    /// a recorded one.
    var canChange: Bool {
        guard let shown, shown.running == nil, recordedSource == nil else { return false }
        return shown.whole.document != nil
    }

    /// The proven change that lets the document pass and keeps its meaning, whether or not its failure is on the
    /// screen.
    fileprivate var repair: DocumentEdit? { shown?.whole.failure?.culprit?.proof?.repair }

    /// Whether the document is known to get past its failure with other values, none of which is a repair.
    fileprivate var hasPassingValues: Bool { repair == nil && shown?.whole.failure?.culprit?.proof?.change != nil }

    /// Makes a change and runs the migration again.
    ///
    /// - Returns: Why the change is not possible, or nil.
    @discardableResult
    mutating func change(_ edit: DocumentEdit) -> String? {
        guard let shown, let document = shown.whole.document else { return nil }
        do throws(DocumentEditError) { try edit.check(in: document) } catch {
            message = Message(Notice("\(error)"))
            return "\(error)"
        }
        suppose(WhatIf.Change(edits: [edit]), of: shown.document, document)
        return nil
    }

    /// Adds to the supposition about the document on the screen, and runs the migration again.
    mutating func suppose(_ change: WhatIf.Change, of id: FoundDocument.ID, _ document: Document) {
        whatIfs[id, default: WhatIf(original: document)].make(change)
        traceAgain()
    }

    /// Stops the search for a smaller document.
    mutating func stopShrinking() {
        guard let shown else { return }
        self.shown?.experiments = nil
        self.shown?.isShrinking = false
        effects.append(.cancelTrace(shown.document))
        if shown.whole.failure?.culprit?.proof == nil {
            // Shrinking may have started before experiments could prove anything.
            effects.append(.prove(shown.document, shown.whole, among: documents.lenders(to: shown.whole)))
        } else {
            self.shown?.isLeftAlone = true
        }
        message = Message(.stoppedShrinking)
    }

    /// Replaces the failing document by the smallest one, as a single change of the whole document.
    mutating func show(smallest: Document?, runs: Int) {
        guard shown?.isShrinking == true else { return }
        shown?.experiments = nil
        shown?.isShrinking = false
        guard let smallest else {
            message = Message(.notShrunk)
            return
        }
        change(.set(.root, smallest))
        message = Message(.shrunk(runs))
    }

    // MARK: The menu

    /// Opens the menu of changes to the value under the cursor.
    fileprivate mutating func openChangeMenu() {
        guard let shown, let document = shown.whole.document else { return }
        guard let path = pathToChange, let node = document.value(at: path) else {
            message = Message(.madeByMigration)
            return
        }
        let repairs = repairItems
        let values = repairs + valueItems(node, path, besides: repairs) + structureItems(node, path)
        // A document that no chain claims needs a chain first.
        overlay = MenuView(
            MenuWords.whatIf(path), isUnrecognized ? chainItems + values : values + versionItems + chainItems)
    }

    /// The path of the value under the cursor, in the document as it was read.
    private var pathToChange: DocumentPath? {
        guard let shown else { return nil }
        if focus == .source {
            if let tree = shown.source.tree {
                return tree.original.identity == shown.whole.document?.identity ? tree.selectedPath : nil
            }
            return shown.source.selectedNode?.path
        }
        if shown.value == nil, let row = shown.step.selectedRow, row.isCulprit, row.node != nil,
            let path = shown.whole.failure?.culprit?.path
        {
            return path
        }
        if let part = shown.selectedPart, let path = shown.trace.parts[part].path {
            return shown.pathOfPart.appending(path)
        }
        if let value = shown.selectedValue { return shown.pathOfPart.appending(value.path) }
        // No row is selected, or the selected row shows no existing value.
        guard let row = shown.value == nil ? shown.step.selectedRow : nil else { return shown.pathOfPart }
        if let node = row.node {
            // A value that was carried forward unchanged has the same path as before.
            let path = shown.pathOfPart.appending(node.path)
            return shown.whole.document?.value(at: path)?.isEqual(to: node) == true ? path : nil
        }
        return row.isCulprit ? shown.whole.failure?.culprit?.path.parent ?? shown.pathOfPart : shown.pathOfPart
    }

    /// The changes that get the document past its failure, no matter where the cursor is.
    private var repairItems: [MenuView.Item] {
        var items: [MenuView.Item] = []
        if let repair { items.append(.init("a", MenuWords.repair(repair)) { $0.change(repair) }) }
        guard let culprit = shown?.whole.failure?.culprit, let proof = culprit.proof else { return items }
        // The nearest value comes first. It is also the first one that passed.
        let nearest = repair == nil ? proof.change.map { [$0] } ?? [] : []
        let isThere = shown?.whole.document?.value(at: culprit.path) != nil
        let passing = isThere ? proof.passing.map { DocumentEdit.set(culprit.path, $0) } : []
        let others = nearest + passing.filter { edit in edit != repair && !nearest.contains(edit) }
        items += zip(1...9, others).map { number, edit in
            // Of other values it is only known that the document gets past this failure.
            let isOpening = edit == nearest.first && proof.ending == .opens
            return .init(Character("\(number)"), MenuWords.passing(edit, opens: isOpening)) { $0.change(edit) }
        }
        return items
    }

    private func valueItems(
        _ node: DocumentNode, _ path: DocumentPath, besides repairs: [MenuView.Item]
    ) -> [MenuView.Item] {
        if let boolean = node.boolean {
            guard let other = try? Document(json: "\(!boolean)") else { return [] }
            let edit = DocumentEdit.set(path, other)
            return [.init("e", edit.words) { $0.change(edit) }]
        }
        guard let text = node.editableText else { return [] }
        return choices(node, path, besides: repairs) + [
            .init("e", MenuWords.edit(node)) { inspector in
                inspector.ask("\(path)", text: text) { inspector, typed in
                    switch Self.value(typed) {
                    case .success(let value): inspector.change(.set(path, value))
                    case .failure(let problem): problem.words
                    }
                }
            }
        ]
    }

    /// Returns items for the other cases of the field's type, if that is an enum with raw values. The number of items
    /// is limited by the digit keys that are still free.
    private func choices(
        _ node: DocumentNode, _ path: DocumentPath, besides repairs: [MenuView.Item]
    ) -> [MenuView.Item] {
        guard let trace = shown?.whole, let version = trace.detection.version,
            let index = trace.versions.firstIndex(where: { $0.version == version }),
            let known = trace.chain.flatMap({ chains[$0]?.versions }), known.indices.contains(index),
            let choices = known[index]?.spelled(in: trace.format)[path]?.choices, !choices.isEmpty
        else { return [] }
        let culprit = trace.failure?.culprit
        // The values that were proven to pass are already in the menu.
        let offered = culprit?.path == path ? culprit?.proof?.passing ?? [] : []
        let others = choices.filter { value in
            !value.root.isEqual(to: node) && !offered.contains { $0.root.isEqual(to: value.root) }
        }
        let keys = "123456789".filter { key in !repairs.contains { $0.key == key } }
        return zip(keys, others).map { key, value in
            let edit = DocumentEdit.set(path, value)
            return .init(key, edit.words) { $0.change(edit) }
        }
    }

    private func structureItems(_ node: DocumentNode, _ path: DocumentPath) -> [MenuView.Item] {
        var items: [MenuView.Item] = []
        if !path.isRoot { items.append(.init("d", MenuWords.remove) { $0.change(.remove(path)) }) }
        if let name = path.lastKey {
            items.append(
                .init("n", MenuWords.rename) { inspector in
                    inspector.ask(PromptWords.newName(of: path), text: name) { $0.change(.rename(path, to: $1)) }
                })
        }
        let container = node.kind.isContainer ? node : path.parent.flatMap { node.document.root.descendant(at: $0) }
        guard let container else { return items }
        let parent = container.path
        if container.kind == .array {
            let position = node.kind.isContainer ? container.count : (path.lastPosition ?? container.count - 1) + 1
            items.append(
                .init("i", MenuWords.addElement(to: parent)) { inspector in
                    inspector.ask(PromptWords.newElement(of: parent)) { inspector, typed in
                        switch Self.value(typed) {
                        case .success(let value): inspector.change(.add(parent.appending(index: position), value))
                        case .failure(let problem): problem.words
                        }
                    }
                })
        } else {
            items.append(
                .init("i", MenuWords.addField(to: parent)) { inspector in
                    inspector.ask(PromptWords.newField(of: parent)) { inspector, typed in
                        switch Self.field(typed) {
                        case .success(let (name, value)):
                            inspector.change(.add(parent.appending(key: name), value))
                        case .failure(let problem): problem.words
                        }
                    }
                })
        }
        return items
    }

    // MARK: Asking

    private struct NoValue: Error { let words: String }

    /// Parses a value that the user typed as JSON.
    private static func value(_ typed: String) -> Result<Document, NoValue> {
        do { return .success(try Document(json: typed)) } catch {
            return .failure(NoValue(words: PromptWords.noValue(error)))
        }
    }

    /// Parses a name and a value that the user typed, separated by a colon. Quotes around the name are optional.
    private static func field(_ typed: String) -> Result<(String, Document), NoValue> {
        if let member = try? Document(json: "{\(typed)}").root.members.first(where: { _ in true }) {
            return .success((member.name, Document(copying: member.value)))
        }
        guard let sign = typed.unicodeScalars.firstIndex(of: ":") else {
            return .failure(NoValue(words: PromptWords.noField))
        }
        return value(String(typed.unicodeScalars[sign...].dropFirst())).map {
            (String(typed.unicodeScalars[..<sign].drop { $0 == " " }), $0)
        }
    }
}

extension DocumentNode {
    /// The value as one line of JSON that the user can edit; nil if it is too long.
    fileprivate var editableText: String? {
        guard nodes.count <= 200 else { return nil }
        let text = JSONWriter(layout: .compact).string(self)
        return text.utf8.count <= 2000 ? text : nil
    }
}

extension DocumentPath {
    /// The array position at the end of the path, if any.
    fileprivate var lastPosition: Int? { if case .index(let position)? = components.last { position } else { nil } }
}
