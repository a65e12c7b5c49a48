import DisplayText
import DocumentModel
import MigrationCore

/// Copying the selected content, and opening it in an editor.
extension KeyCommand {
    static let copy = KeyCommand("copy") {
        guard let shown = $0.shown, let found = $0.documents[shown.document] else { return .nothing() }
        return .change { $0.openCopyMenu(shown, found) }
    }
    static let edit = KeyCommand("edit") {
        guard let document = $0.shown?.document else { return .nothing() }
        return .change { $0.effects.append(.edit(document, at: $0.locationHere)) }
    }
}

extension Inspector {
    /// Opens the menu of things to copy.
    fileprivate mutating func openCopyMenu(_ shown: ShownDocument, _ found: FoundDocument) {
        var items: [MenuView.Item] = []
        // Copied text is pasted into terminals, so it must not contain invisible characters.
        func offer(_ key: Character, _ label: String, _ text: String) {
            items.append(
                .init(key, "\(label)  \(TextWidth.truncate(String(text.prefix(61)), to: 60, glyphs: glyphs))") {
                    inspector in
                    inspector.effects.append(.copy(text))
                    // No terminal reports whether it accepted the text, so it is shown.
                    inspector.overlay = PageView(copied: text, inspector.repertoire)
                })
        }
        if let location = locationHere { offer("l", MenuWords.location, DisplayText(found.address(location)).string) }
        if let node = nodeHere {
            offer("p", MenuWords.path, DisplayText("\(shown.pathOfPart.appending(node.path))").string)
            if node.nodes.count <= Self.mostCopied {
                offer("v", MenuWords.value, JSONWriter(layout: .compact).string(node).escaping(\.escapeInJSON))
            }
        }
        let (trace, supposition) = (shown.whole, supposition)
        if let difference = shown.step.difference, difference.nodeCount <= Self.mostCopied,
            let patch = try? difference.writtenPatch()
        {
            offer(
                "d", MenuWords.patchOfStep, JSONWriter(layout: .compact).string(patch.root).escaping(\.escapeInJSON))
        }
        items.append(
            .init("s", MenuWords.story) {
                $0.effects.append(.copyStory(found.id, trace, supposing: supposition))
            })
        // There is no option to read a document as a particular version of a chain.
        if supposition.chain?.version == nil {
            offer("c", MenuWords.commandLine, found.commandLine(of: program, supposition, document: trace.document))
        }
        overlay = MenuView(MenuWords.copy, items)
    }

    /// More values than anyone pastes.
    private static var mostCopied: Int { 20_000 }

    /// The value under the cursor.
    private var nodeHere: DocumentNode? {
        if focus == .source { return shown?.source.selectedNode }
        return shown?.value?.selectedNode ?? shown?.step.selectedRow?.node
    }

    /// The location of the cursor in the file, as far as it is known.
    fileprivate var locationHere: SourceLocation? {
        guard let shown else { return nil }
        if let edits = whatIf?.edits, !edits.isEmpty {
            // The lines of an edited document differ from those in its file.
            return nodeHere.flatMap { whatIf?.original?.root.deepestDescendant(along: $0.path).node.location }
        }
        return locationInText.map(shown.locationInFile)
    }

    /// The location of the cursor in the text that is shown.
    private var locationInText: SourceLocation? {
        guard let shown else { return nil }
        if focus == .source, let text = shown.source.text, text.document != nil {
            let line = shown.source.selectedLine ?? 0
            if let node = nodeHere?.location, node.line == line + 1 { return node }
            return SourceLocation(line: line + 1, column: 1, offset: text.lines.range(ofLine: line).lowerBound)
        }
        return shown.selectedValue?.location ?? (shown.failureHere ?? shown.whole.failure)?.location
    }
}

extension ShownDocument {
    /// Returns the location in the file of a location in the shown text. If that is inside a string, returns the
    /// location of the string.
    fileprivate func locationInFile(_ location: SourceLocation) -> SourceLocation {
        let hasOwnText = !partPath.isEmpty && trace.earliestDocument?.source != nil
        let string = location.within ?? (hasOwnText ? pathOfPart : nil)
        return string.flatMap { whole.document?.root.descendant(at: $0)?.location } ?? location
    }
}

extension FoundDocument {
    /// Returns the file, line and column in the form that editors accept. A document that is a line of a larger file
    /// is given its location in that file.
    fileprivate func address(_ location: SourceLocation) -> String {
        let part = "#L\(firstLine ?? 0)".utf8
        let file =
            name.utf8.suffix(part.count).elementsEqual(part) ? Substring(name.utf8.dropLast(part.count)) : name[...]
        return "\(file):\((firstLine ?? 1) + location.line - 1):\(location.column)"
    }

    /// Returns the command line that shows the document.
    ///
    /// - Parameter document: The document with the changes applied.
    fileprivate func commandLine(of program: String, _ supposition: Supposition, document: Document?) -> String {
        // A name that starts with a hyphen would be taken for an option.
        let isOption = name.utf8.first == UInt8(ascii: "-") && !name.isExactly("-")
        var words = [program, "trace", (isOption ? "./" : "") + name]
        if let chain = supposition.chain { words += ["--chain", chain.name] }
        for edit in supposition.edits {
            switch edit {
            case .set(let path, let value), .add(let path, let value):
                words += ["--set", "\(path)=\(JSONWriter(layout: .compact).string(value.root))"]
            case .remove(let path): words += ["--unset", "\(path)"]
            // There is no option for renaming, so the value is removed and added under the new name.
            case .rename(let path, let name):
                let named = (path.parent ?? .root).appending(key: name)
                words += ["--unset", "\(path)"]
                if let value = document?.root.descendant(at: named) {
                    words += ["--set", "\(named)=\(JSONWriter(layout: .compact).string(value))"]
                }
            }
        }
        return words.map(\.quotedForShell).joined(separator: " ")
    }
}
