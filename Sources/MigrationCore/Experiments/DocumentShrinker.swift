import DocumentModel

/// Makes a document smaller as long as it fails in the same way. Members and elements are removed first, then parts of
/// strings and numbers. The remaining letters become x and the remaining digits 0, if the failure stays the same. In
/// the result, no single member or element can be removed.
///
/// The shrinker runs nothing itself. A closure decides whether a smaller document fails in the same way.
///
/// This is delta debugging over the tree: Zeller and Hildebrandt, "Simplifying and isolating failure-inducing input"
/// (2002), and Misherghi and Su, "HDD: Hierarchical delta debugging" (2006).
package struct DocumentShrinker {
    /// Returns whether a document fails like the original.
    private let fails: (Document) throws -> Bool
    private var budget: ExperimentBudget
    /// The smallest document so far.
    private var document: Document

    /// The default budget of shrinking.
    package static var budget: ExperimentBudget {
        var budget = ExperimentBudget()
        (budget.runs, budget.bytes) = (20_000, 400_000_000)
        return budget
    }

    /// Returns the smallest document that was found.
    ///
    /// - Parameter fails: Returns whether a document fails like `document`.
    package static func shrink(
        _ document: Document, budget: ExperimentBudget = budget, fails: (Document) throws -> Bool
    ) throws -> Document {
        try withoutActuallyEscaping(fails) { fails in
            var shrinker = DocumentShrinker(fails: fails, budget: budget, document: document)
            while try shrinker.removeChildren(at: .root) {}
            try shrinker.shortenValues()
            // With a shorter string, a neighbor may have become unnecessary.
            while try shrinker.removeChildren(at: .root) {}
            return shrinker.document
        }
    }

    /// Makes a change to the smallest document so far, if the result fails in the same way.
    private mutating func accept(_ edit: DocumentEdit) throws -> Bool {
        guard !budget.isSpent, let changed = try? document.applying([edit]) else { return false }
        budget.spend(changed.byteCount, on: nil)
        guard try fails(changed) else { return false }
        document = changed
        return true
    }

    /// Removes the unnecessary members or elements of a container, and of those inside it: first all at once, then
    /// halves, quarters, and so on down to single ones.
    ///
    /// - Returns: Whether anything was removed.
    private mutating func removeChildren(at path: DocumentPath) throws -> Bool {
        guard let container = document.root.descendant(at: path), container.kind.isContainer else { return false }
        var children = Array(container.children)
        var hasChanged = false
        var size = children.count
        while size > 0 {
            var start = 0
            while start < children.count {
                var left = children
                left.removeSubrange(start..<min(start + size, children.count))
                if try accept(.set(path, Document(container: container, children: left))) {
                    (children, hasChanged) = (left, true)
                } else {
                    start += size
                }
            }
            size /= 2
        }
        guard let shrunk = document.root.descendant(at: path) else { return hasChanged }
        for component in shrunk.children.map(\.component) {
            if try removeChildren(at: path.appending(component)) { hasChanged = true }
        }
        return hasChanged
    }

    /// Shortens every string and every number, then masks the rest.
    private mutating func shortenValues() throws {
        var paths: [DocumentPath] = []
        func visit(_ path: DocumentPath, _ node: DocumentNode) {
            if !node.kind.isContainer { paths.append(path) }
            for child in node.children { visit(path.appending(child.component), child.value) }
        }
        visit(.root, document.root)
        for path in paths {
            guard let node = document.root.descendant(at: path) else { continue }
            switch node.kind {
            case .string: try shorten(node.string ?? "", at: path, Document.init(text:))
            case .number:
                // As few digits as possible, preferably zeros.
                guard let text = node.numberText, text != "0" else { continue }
                if let zero = TrialValues.document("0"), try accept(.set(path, zero)) { continue }
                try shorten(text, at: path, TrialValues.document)
            default: continue
            }
        }
    }

    /// Removes parts of a string, and masks the letters and digits that are left.
    private mutating func shorten(_ text: String, at path: DocumentPath, _ value: (String) -> Document?) throws {
        var characters = Array(text)
        var size = characters.count
        // Don't remove single characters from a long string: each would take a run.
        let smallest = max(1, characters.count / 256)
        while size >= smallest {
            var start = 0
            while start < characters.count {
                var left = characters
                left.removeSubrange(start..<min(start + size, characters.count))
                if let value = value(String(left)), try accept(.set(path, value)) {
                    characters = left
                } else {
                    start += size
                }
            }
            size /= 2
        }
        size = characters.count
        while size > 0 {
            for start in stride(from: 0, to: characters.count, by: size) {
                let range = start..<min(start + size, characters.count)
                var hidden = characters
                for index in range { hidden[index] = hidden[index].hidden }
                if hidden != characters, let value = value(String(hidden)), try accept(.set(path, value)) {
                    characters = hidden
                }
            }
            size /= 2
        }
    }
}

extension Character {
    /// x for a letter, 0 for a digit.
    fileprivate var hidden: Character { isNumber ? "0" : isLetter ? "x" : self }
}

extension Document {
    /// Creates a container like another one, with some of its members or elements.
    fileprivate init(container: DocumentNode, children: [DocumentNode.Child]) {
        guard container.kind == .object else {
            self.init(array: children.map(\.value))
            return
        }
        var builder = DocumentBuilder()
        builder.beginObject()
        for child in children {
            if let key = child.key?.string { builder.key(key) }
            builder.append(child.value)
        }
        builder.end()
        self = builder.finish()
    }
}

extension ExperimentOutcome {
    /// Returns whether a smaller document fails in the same way as a document that failed.
    ///
    /// - Parameters:
    ///   - document: The smaller document.
    ///   - first: The outcome for the original document.
    package func isSameFailure(
        of document: Document, as first: ExperimentOutcome, of original: Document
    ) -> Bool {
        guard let failure, let other = first.failure, version == first.version else { return false }
        guard failure.kind == other.kind, failure.step == other.step,
            failure.path?.foldingIndices == other.path?.foldingIndices
        else { return false }
        if case .crashed(let crash, _) = failure.reason, case .crashed(let otherCrash, _) = other.reason {
            guard crash.cause == otherCrash.cause, crash.place == otherCrash.place else { return false }
        }
        if failure.kind == .timedOut { return true }
        return failure.message.withoutValues(of: document) == other.message.withoutValues(of: original)
    }
}

extension String {
    /// Returns the message without numbers, quoted text, and strings of the document.
    fileprivate func withoutValues(of document: Document) -> String {
        let text = withoutQuotedValues
        guard document.nodeCount < 100_000 else { return text }
        var known: Set<Substring> = []
        for node in document.root.nodes where node.kind == .string {
            if let value = node.string, !value.isEmpty, value.utf8.count < 100 { known.insert(value[...]) }
        }
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        return words.map { known.contains($0.trimmingPunctuation) ? "''" : $0 }.joined(separator: " ")
    }
}

extension Substring {
    fileprivate var trimmingPunctuation: Substring {
        var trimmed = drop { $0.isPunctuation }
        while let last = trimmed.last, last.isPunctuation { trimmed.removeLast() }
        return trimmed
    }
}
