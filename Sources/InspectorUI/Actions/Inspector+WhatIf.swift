import DisplayText
import DocumentModel
import MigrationCore

/// Changing the document in memory to see the effect at once.
extension Inspector {
    /// The changes to the document on the screen; nil if there never were any.
    var whatIf: WhatIf? { inspection.flatMap { whatIfs[$0.document] } }

    /// Whether the document on the screen can be changed: it has parsed, its trace is complete, and the trace is not
    /// a recorded one.
    var canChange: Bool {
        guard let shown, shown.running == nil, recordedSource == nil else { return false }
        return shown.whole.document != nil
    }

    /// The proven change that lets the document pass and keeps its meaning, whether or not its failure is on the
    /// screen.
    var repair: DocumentEdit? { shown?.whole.failure?.culprit?.proof?.repair }

    /// Whether the document is known to get past its failure with other values, none of which is a repair.
    var hasPassingValues: Bool { repair == nil && shown?.whole.failure?.culprit?.proof?.change != nil }

    /// The supposition about the document on the screen.
    var supposition: Supposition { whatIf?.supposition ?? Supposition() }

    /// Makes a change and runs the migration again.
    ///
    /// - Returns: Why the change is not possible, or nil.
    @discardableResult
    mutating func change(_ edit: DocumentEdit) -> String? {
        guard let shown, let document = shown.whole.document else { return nil }
        do throws(DocumentEditError) { try edit.check(in: document) } catch {
            message = Message("\(error)")
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

    mutating func undoChange() {
        guard let document = inspection?.document else { return }
        whatIfs[document]?.undo()
        traceAgain()
    }

    mutating func redoChange() {
        guard let document = inspection?.document else { return }
        whatIfs[document]?.redo()
        traceAgain()
    }

    /// Whether there may be a smaller document that fails in the same way.
    var canShrink: Bool { canChange && shown?.whole.failure != nil && shown?.isShrinking == false }

    /// Starts the search for the smallest document that fails in the same way.
    mutating func shrink() {
        guard let shown else { return }
        self.shown?.experiments = 0
        self.shown?.isShrinking = true
        self.shown?.isLeftAlone = false
        effects.append(.shrink(shown.document, shown.whole))
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
        message = Message("stopped; the document is as it was")
    }

    /// Replaces the failing document by the smallest one, as a single change of the whole document.
    mutating func show(smallest: Document?, runs: Int) {
        guard shown?.isShrinking == true else { return }
        shown?.experiments = nil
        shown?.isShrinking = false
        guard let smallest else {
            message = Message("it fails in another way each time, or may not run again and again: nothing to shrink")
            return
        }
        change(.set(.root, smallest))
        message = Message("shrunk in \(NumberWords.grouped(runs)) runs; w writes it, u takes it back")
    }

    // MARK: The menu

    /// Opens the menu of changes to the value under the cursor.
    mutating func openChangeMenu() {
        guard let shown, let document = shown.whole.document else { return }
        guard let path = placeToChange, let node = document.value(at: path) else {
            message = Message(
                "the migration made this value: change the document as it was read, in its first step (s)")
            return
        }
        let repairs = repairItems
        let values = repairs + valueItems(node, path, besides: repairs) + structureItems(node, path)
        // A document that no chain claims needs a chain first.
        menu = MenuView("What if \(path)", isUnrecognized ? chainItems + values : values + versionItems + chainItems)
    }

    mutating func choose(_ item: MenuView.Item?) {
        guard let item else { return }
        menu = nil
        item.choose(&self)
    }

    /// The path of the value under the cursor, in the document as it was read.
    private var placeToChange: DocumentPath? {
        guard let shown else { return nil }
        if focus == .source {
            if let tree = shown.source.tree {
                return tree.original.identity == shown.whole.document?.identity ? tree.selectedPath : nil
            }
            guard let text = shown.source.text, let document = text.document,
                let line = text.line(atRow: shown.source.position.selected) ?? text.mark?.line
            else { return nil }
            return document.root.value(onLine: text.lines.range(ofLine: line)).path
        }
        if shown.value == nil, let row = shown.step.selectedRow, row.isCulprit, row.node != nil,
            let path = shown.whole.failure?.culprit?.path
        {
            return path
        }
        if let part = shown.selectedPart, let path = shown.trace.parts[part].path {
            return shown.partPlace.appending(path)
        }
        if let value = shown.selectedValue { return shown.partPlace.appending(value.path) }
        // No row is selected, or the selected row shows no existing value.
        guard let row = shown.value == nil ? shown.step.selectedRow : nil else { return shown.partPlace }
        if let node = row.node {
            // A value that was carried forward unchanged has the same path as before.
            let path = shown.partPlace.appending(node.path)
            return shown.whole.document?.value(at: path)?.isEqual(to: node) == true ? path : nil
        }
        return row.isCulprit ? shown.whole.failure?.culprit?.path.parent ?? shown.partPlace : shown.partPlace
    }

    /// The changes that get the document past its failure, no matter where the cursor is.
    private var repairItems: [MenuView.Item] {
        var items: [MenuView.Item] = []
        if let repair { items.append(.init("a", "\(repair.words)  (repair)") { $0.change(repair) }) }
        guard let culprit = shown?.whole.failure?.culprit, let proof = culprit.proof else { return items }
        // The nearest value comes first. It is also the first one that passed.
        let nearest = repair == nil ? proof.change.map { [$0] } ?? [] : []
        let isThere = shown?.whole.document?.value(at: culprit.path) != nil
        let passing = isThere ? proof.passing.map { DocumentEdit.set(culprit.path, $0) } : []
        let others = nearest + passing.filter { edit in edit != repair && !nearest.contains(edit) }
        items += zip(1...9, others).map { number, edit in
            // Of other values it is only known that the document gets past this failure.
            let isOpening = edit == nearest.first && proof.ending == .opens
            let words = isOpening ? "opens" : "gets past this"
            return .init(Character("\(number)"), "\(edit.words)  (\(words))") { $0.change(edit) }
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
            .init("e", "edit the value: \(node.briefText)") { inspector in
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
            let known = trace.chain.flatMap({ outlines[ExactText($0)]?.versions }), known.indices.contains(index),
            let choices = known[index]?[path]?.choices, !choices.isEmpty
        else { return [] }
        let culprit = trace.failure?.culprit
        // The values that were proven to pass are already in the menu.
        let offered = culprit?.path == path ? culprit?.proof?.passing ?? [] : []
        let others = choices.compactMap { choice in
            Int(choice) == nil || node.kind == .string ? Document(text: choice) : try? Document(json: choice)
        }
        .filter { value in !value.root.isEqual(to: node) && !offered.contains { $0.root.isEqual(to: value.root) } }
        let keys = "123456789".filter { key in !repairs.contains { $0.key == key } }
        return zip(keys, others).map { key, value in
            let edit = DocumentEdit.set(path, value)
            return .init(key, edit.words) { $0.change(edit) }
        }
    }

    private func structureItems(_ node: DocumentNode, _ path: DocumentPath) -> [MenuView.Item] {
        var items: [MenuView.Item] = []
        if !path.isRoot { items.append(.init("d", "remove it") { $0.change(.remove(path)) }) }
        if let name = path.lastKey {
            items.append(
                .init("n", "give it another name") { inspector in
                    inspector.ask("New name of \(path)", text: name) { $0.change(.rename(path, to: $1)) }
                })
        }
        let container = node.kind.isContainer ? node : path.parent.flatMap { node.document.root.descendant(at: $0) }
        guard let container else { return items }
        let place = container.path
        if container.kind == .array {
            let position = node.kind.isContainer ? container.count : (path.lastPosition ?? container.count - 1) + 1
            items.append(
                .init("i", "add an element to \(place)") { inspector in
                    inspector.ask("New element of \(place)") { inspector, typed in
                        switch Self.value(typed) {
                        case .success(let value): inspector.change(.add(place.appending(index: position), value))
                        case .failure(let problem): problem.words
                        }
                    }
                })
        } else {
            items.append(
                .init("i", "add a field to \(place)") { inspector in
                    inspector.ask("New field of \(place), as name: value") { inspector, typed in
                        switch Self.field(typed) {
                        case .success(let (name, value)):
                            inspector.change(.add(place.appending(key: name), value))
                        case .failure(let problem): problem.words
                        }
                    }
                })
        }
        return items
    }

    // MARK: Asking

    mutating func ask(
        _ label: String, text: String = "", take: @escaping @Sendable (inout Inspector, String) -> String?
    ) {
        prompt = Prompt(.entry(Prompt.Entry(label: label, take: take)), text: text)
    }

    private struct NoValue: Error { let words: String }

    /// Parses a value that the user typed as JSON.
    private static func value(_ typed: String) -> Result<Document, NoValue> {
        do { return .success(try Document(json: typed)) } catch {
            return .failure(NoValue(words: "\(MigrationFailure(parsing: error).message) (put texts in quotes)"))
        }
    }

    /// Parses a name and a value that the user typed, separated by a colon. Quotes around the name are optional.
    private static func field(_ typed: String) -> Result<(String, Document), NoValue> {
        if let member = try? Document(json: "{\(typed)}").root.members.first(where: { _ in true }) {
            return .success((member.name, Document(copying: member.value)))
        }
        guard let sign = typed.unicodeScalars.firstIndex(of: ":") else {
            return .failure(NoValue(words: "a name, a colon and a value are wanted"))
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

extension DocumentNode {
    /// Returns the outermost value inside this one that starts on a line of the source, or else the innermost value
    /// that spans the line.
    func value(onLine line: Range<Int>) -> DocumentNode {
        var node = self
        while true {
            var inner: DocumentNode?
            for child in node.children {
                guard let range = child.value.sourceRange else { continue }
                let start = child.key?.sourceRange?.lowerBound ?? range.lowerBound
                if start >= line.upperBound, start > line.lowerBound { break }
                if start >= line.lowerBound { return child.value }
                if range.upperBound > line.lowerBound { inner = child.value }
            }
            guard let inner, inner.kind.isContainer else { return inner ?? node }
            node = inner
        }
    }
}

extension DocumentPath {
    /// The array position at the end of the path, if any.
    fileprivate var lastPosition: Int? { if case .index(let position)? = components.last { position } else { nil } }
}
