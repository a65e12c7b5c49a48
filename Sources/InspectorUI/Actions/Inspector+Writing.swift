import DisplayText
import DocumentModel
import MigrationCore

/// Writing files that the user asks for, under a name that the user types.
extension KeyCommand {
    static let write = KeyCommand("write") {
        guard let shown = $0.shown, shown.running == nil, let found = $0.documents[shown.document] else {
            return .nothing()
        }
        return .change { $0.openWriteMenu(shown, found) }
    }
}

extension Inspector {
    fileprivate mutating func openWriteMenu(_ shown: ShownDocument, _ found: FoundDocument) {
        let (trace, edits) = (shown.whole, whatIf?.edits ?? [])
        var items: [MenuView.Item] = []
        func offer(_ key: Character, _ label: String, _ product: Writing.Product, _ ending: String) {
            let name = found.fileName(ending: ending)
            items.append(.init(key, label) { $0.askName(of: product, name) })
        }
        let ending = found.fileEnding(for: trace.document?.format ?? .json)
        if !edits.isEmpty, let document = trace.document {
            offer("m", MenuWords.mendedDocument, .document(document), "mended.\(ending)")
        }
        if shown.hasResult, trace.outcome != .current {
            offer(
                "n", MenuWords.migratedDocument(trace.target, losesComments: trace.document?.comments != nil),
                .migrated(trace), "migrated.\(ending)")
        }
        if let step = shown.shownStep, let difference = shown.step.difference {
            offer("p", MenuWords.patch(of: step), .patch(difference), "patch.json")
        }
        if !edits.isEmpty, let original = whatIf?.original, let document = trace.document {
            let difference = DocumentDifference(old: original.root, new: document.root)
            offer("e", MenuWords.patchOfChanges, .patch(difference), "mending.json")
        }
        if trace.document != nil, canChange {
            items.append(
                .init("r", MenuWords.redactedDocument) {
                    $0.message = Message(.redacting, stays: true)
                    $0.effects.append(.redact(shown.document, trace))
                })
        }
        offer("s", MenuWords.story, .story(trace), "md")
        offer("t", MenuWords.trace, .trace(trace), "trace.json")
        offer("i", MenuWords.picture, .picture(canvas(width: size.width, height: size.height, glyphs: glyphs)), "svg")
        overlay = MenuView(MenuWords.write, items)
    }

    /// Shows what is kept in the redacted copy of the document on the screen, and offers to write it; or says why there
    /// is none.
    mutating func offer(_ redaction: Result<Redaction, RedactionProblem>, outcome: MigrationOutcome) {
        message = nil
        switch redaction {
        case .success(let redaction):
            let name = Redaction.name(of: redaction.document.format)
            let write: @Sendable (inout Inspector) -> Void = { $0.askName(of: .document(redaction.document), name) }
            let lines = redaction.words(outcome: outcome).map { MenuView.Item(nil, DisplayText($0).string, write) }
            overlay = MenuView(MenuWords.redacted, [.init("w", MenuWords.writeCopy, write)] + lines)
        case .failure(let problem): message = Message(.notRedacted(because: problem), stays: true)
        }
    }

    private mutating func askName(
        of product: Writing.Product, _ name: String, problem: String? = nil, replaces replaced: String? = nil
    ) {
        guard let document = inspection?.document else { return }
        ask(PromptWords.writeTo, text: name, problem: problem) { inspector, typed in
            if typed.isEmpty { return PromptWords.noName }
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
            message = Message(.written(writing.name, note), stays: true)
        case .exists(let isDocument):
            askName(
                of: writing.product, writing.name, problem: PromptWords.exists(isDocument: isDocument),
                replaces: writing.name)
        case .failed(let reason): askName(of: writing.product, writing.name, problem: reason)
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
