import DocumentModel
import MigrationCore

/// Writing files that the user asks for, under a name that the user types.
extension Inspector {
    mutating func openWriteMenu() {
        guard let shown, let found = documents[shown.document] else { return }
        let (trace, edits) = (shown.whole, whatIf?.edits ?? [])
        var items: [MenuView.Item] = []
        func offer(_ key: Character, _ label: String, _ product: Writing.Product, _ ending: String) {
            let name = found.fileName(ending: ending)
            items.append(.init(key, label) { $0.askName(of: product, name) })
        }
        let ending = found.fileEnding(for: trace.document?.format ?? .json)
        if !edits.isEmpty, let document = trace.document {
            offer("m", "the mended document, as it is now", .document(document), "mended.\(ending)")
        }
        if shown.hasResult, trace.outcome != .current {
            let comments = trace.document?.comments == nil ? "" : ", as JSON without its comments"
            offer(
                "n", "the document in version \(trace.target.map { "\($0)" } ?? "")\(comments)", .migrated(trace),
                "migrated.\(ending)")
        }
        if let step = shown.shownStep, let difference = shown.step.difference {
            offer(
                "p", "the changes of step \(step.from) to \(step.to), as a JSON Patch", .patch(difference), "patch.json"
            )
        }
        if !edits.isEmpty, let original = whatIf?.original, let document = trace.document {
            let difference = DocumentDifference(old: original.root, new: document.root)
            offer("e", "your changes, as a JSON Patch", .patch(difference), "mending.json")
        }
        offer("s", "the story of the migration, in Markdown", .story(trace), "md")
        offer("t", "the trace, in JSON", .trace(trace), "trace.json")
        menu = MenuView("Write", items)
    }

    private mutating func askName(of product: Writing.Product, _ name: String, replaces replaced: String? = nil) {
        guard let document = inspection?.document else { return }
        ask("Write to", text: name) { inspector, typed in
            if typed.isEmpty { return "a name is wanted" }
            inspector.effects.append(
                .write(
                    Writing(
                        document: document, supposition: inspector.supposition, product: product, name: typed,
                        replaces: typed == replaced)))
            return nil
        }
    }

    /// Reports that a file was written, or asks for another name.
    mutating func note(_ outcome: Writing.Outcome, of writing: Writing) {
        switch outcome {
        case .done(let note, let isDocument):
            if isDocument {
                // The file now contains the changes that were made in memory.
                whatIfs[writing.document] = nil
                if shown?.document == writing.document { traceAgain() }
            }
            message = Message("written: \(writing.name)" + (note.map { "; \($0)" } ?? ""), stays: true)
        case .exists(let isDocument):
            askName(of: writing.product, writing.name, replaces: writing.name)
            prompt?.problem =
                isDocument
                ? "that is the document itself; Enter replaces it (.bak):"
                : "that file exists; Enter replaces it, keeps .bak:"
        case .failed(let reason):
            askName(of: writing.product, writing.name)
            prompt?.problem = reason
        }
    }
}

extension FoundDocument {
    /// The components of the file's name, split at periods, and the part of the file that the document is, if any.
    private var nameParts: (file: [Substring], part: Substring?) {
        let parts = title.unicodeScalars.split(separator: "#", maxSplits: 1)
        let file = parts.first?.split(separator: "/").last?.split(separator: ".") ?? []
        return (file.map(Substring.init), parts.count > 1 ? Substring(parts[1]) : nil)
    }

    /// Returns the extension for a file that holds the document: its own, or the one for the format if the document
    /// is a part of a file.
    fileprivate func fileEnding(for format: DocumentFormat) -> String {
        let (file, part) = nameParts
        let usual = format.isPropertyList ? "plist" : "json"
        return part == nil ? file.dropFirst().last.map(String.init) ?? usual : usual
    }

    /// Returns a name for a file about the document, in the current directory: `books-ZBOOK-3.mended.json`.
    fileprivate func fileName(ending: String) -> String {
        let (file, part) = nameParts
        let words = [file.first ?? "document"] + (part?.split { !$0.isLetter && !$0.isNumber } ?? [])
        return "\(words.joined(separator: "-")).\(ending)"
    }
}
