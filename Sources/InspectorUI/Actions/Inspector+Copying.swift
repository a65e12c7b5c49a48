import DisplayText
import DocumentModel
import MigrationCore

/// Copying what is looked at, and opening it in an editor.
extension Inspector {
    /// Opens the menu of what can be copied.
    mutating func openCopyMenu() {
        guard let shown, let found = documents[shown.document] else { return }
        var items: [MenuView.Item] = []
        // Copied text is pasted into terminals, so it must not contain invisible characters.
        func offer(_ key: Character, _ label: String, _ text: String) {
            items.append(
                .init(key, "\(label)  \(TextWidth.truncate(String(text.prefix(61)), to: 60, glyphs: glyphs))") {
                    inspector in
                    inspector.effects.append(.copy(text))
                    inspector.showCopied(text)
                })
        }
        let place = placeHere
        if let place { offer("l", "place", DisplayText(found.place(place)).string) }
        if let node = nodeHere {
            offer("p", "path", DisplayText("\(shown.partPlace.appending(node.path))").string)
            if node.nodes.count <= Self.mostCopied {
                offer("v", "value", JSONWriter(layout: .compact).string(node).escaping(\.escapeInJSON))
            }
        }
        let (trace, supposition) = (shown.whole, supposition)
        if let difference = shown.step.difference, difference.nodeCount <= Self.mostCopied,
            let patch = try? difference.writtenPatch()
        {
            offer(
                "d", "patch of the step", JSONWriter(layout: .compact).string(patch.root).escaping(\.escapeInJSON))
        }
        items.append(
            .init("s", "the story of the migration, in Markdown") {
                $0.effects.append(.copyStory(found.id, trace, supposing: supposition))
            })
        // No option reads a document as another version of a chain.
        if supposition.chain?.version == nil {
            offer("c", "command line", found.commandLine(of: program, supposition, document: trace.document))
        }
        menu = MenuView("Copy", items)
    }

    /// More than anybody reads of it, in bytes.
    private static var mostShown: Int { 200_000 }

    /// More values than anybody pastes.
    private static var mostCopied: Int { 20_000 }

    /// Shows what was copied: no terminal says whether it took the text.
    mutating func showCopied(_ text: String) {
        let lines = text.withoutMiddle(most: Self.mostShown).split(separator: "\n", omittingEmptySubsequences: false)
            .prefix(1000).flatMap { line in
                TextWidth.wrap(String(line), to: 76, repertoire: repertoire).map { PageView.Line.text(String($0)) }
            }
        page = PageView("Sent to the terminal", lines)
    }

    /// The value under the cursor.
    private var nodeHere: DocumentNode? {
        if focus == .source {
            if let tree = shown?.source.tree { return tree.selectedNode }
            guard let text = shown?.source.text, let document = text.document,
                let line = text.line(atRow: shown?.source.position.selected ?? 0) ?? text.mark?.line
            else { return nil }
            return document.root.value(onLine: text.lines.range(ofLine: line))
        }
        return shown?.value?.selectedNode ?? shown?.step.selectedRow?.node
    }

    /// Where the cursor is in the file, as far as that is known.
    var placeHere: SourceLocation? {
        guard let shown else { return nil }
        if let edits = whatIf?.edits, !edits.isEmpty {
            // The lines of a changed document are not those of its file.
            return nodeHere.flatMap { whatIf?.original?.root.deepestDescendant(along: $0.path).node.location }
        }
        return placeInText.map(shown.placeInFile)
    }

    /// Where the cursor is in the text that is shown.
    private var placeInText: SourceLocation? {
        guard let shown else { return nil }
        if focus == .source, let text = shown.source.text, text.document != nil {
            if let node = nodeHere?.location, let line = text.line(atRow: shown.source.position.selected),
                node.line == line + 1
            {
                return node
            }
            let line = text.line(atRow: shown.source.position.selected) ?? text.mark?.line ?? 0
            return SourceLocation(line: line + 1, column: 1, offset: text.lines.range(ofLine: line).lowerBound)
        }
        return shown.selectedValue?.location ?? (shown.failureHere ?? shown.whole.failure)?.location
    }
}

extension ShownDocument {
    /// Where a place of the shown text is in the file: one inside a string is where that string is.
    fileprivate func placeInFile(_ place: SourceLocation) -> SourceLocation {
        let hasOwnText = !partPath.isEmpty && trace.earliestDocument?.source != nil
        let string = place.within ?? (hasOwnText ? partPlace : nil)
        return string.flatMap { whole.document?.root.descendant(at: $0)?.location } ?? place
    }
}

extension FoundDocument {
    /// The file, the line and the column, where editors jump to. Of a line of a file of several documents, in that.
    fileprivate func place(_ location: SourceLocation) -> String {
        let part = "#L\(firstLine ?? 0)".utf8
        let file =
            name.utf8.suffix(part.count).elementsEqual(part) ? Substring(name.utf8.dropLast(part.count)) : name[...]
        return "\(file):\((firstLine ?? 1) + location.line - 1):\(location.column)"
    }

    /// What shows the document on the command line.
    ///
    /// - Parameter document: The document as it is with the changes.
    fileprivate func commandLine(of program: String, _ supposition: Supposition, document: Document?) -> String {
        // A name that begins with a hyphen would be read as an option.
        let isOption = name.utf8.first == UInt8(ascii: "-") && !name.isExactly("-")
        var words = [program, "trace", (isOption ? "./" : "") + name]
        if let chain = supposition.chain { words += ["--chain", chain.name] }
        for edit in supposition.edits {
            switch edit {
            case .set(let path, let value), .add(let path, let value):
                words += ["--set", "\(path)=\(JSONWriter(layout: .compact).string(value.root))"]
            case .remove(let path): words += ["--unset", "\(path)"]
            // There is no option for a new name: the value is taken away and put there.
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
