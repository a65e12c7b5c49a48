import DocumentModel

/// Makes a document smaller as long as it fails in the same way. Members and elements are removed first, then parts of
/// strings and numbers. The remaining letters become x and the remaining digits 0, if the failure stays the same. In
/// the result, no single member or element can be removed, not even in embedded documents.
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

    /// Makes changes to the smallest document so far, if the result fails in the same way.
    private mutating func accept(_ edits: [DocumentEdit]) throws -> Bool {
        guard !budget.isSpent, let changed = try? document.applying(edits) else { return false }
        budget.spend(changed.byteCount, on: nil)
        guard try fails(changed) else { return false }
        document = changed
        return true
    }

    /// Removes the unnecessary members or elements of a container, and of those inside it: first all at once, then
    /// halves, quarters, and so on down to single ones. The container can also be an embedded document or inside one.
    ///
    /// - Returns: Whether anything was removed.
    private mutating func removeChildren(at path: DocumentPath) throws -> Bool {
        guard var container = container(at: path) else { return false }
        var hasChanged = false
        var size = container.components.count
        while size > 0 {
            var start = 0
            while start < container.components.count {
                let removed = start..<min(start + size, container.components.count)
                if try accept(container.removing(removed)) {
                    guard let left = self.container(at: path) else { return true }
                    (container, hasChanged) = (left, true)
                } else {
                    start += size
                }
            }
            size /= 2
        }
        for component in container.components {
            if try removeChildren(at: path.appending(component)) { hasChanged = true }
        }
        return hasChanged
    }

    /// A container at a path, or the root of the document that is embedded in the value there.
    private struct Container {
        let path: DocumentPath
        let node: DocumentNode
        /// Whether it is an embedded document, or inside one.
        let isHeld: Bool
        /// The components that lead to the members or elements. Members with the same name have different ones.
        private(set) var components: [DocumentPath.Component] = []

        init(_ path: DocumentPath, _ node: DocumentNode, isHeld: Bool) {
            (self.path, self.node, self.isHeld) = (path, node, isHeld)
            var components: [DocumentPath.Component] = []
            node.forEachStep { component, _ in components.append(component) }
            self.components = components
        }

        /// Returns the edits that remove some of the members or elements.
        func removing(_ positions: Range<Int>) -> [DocumentEdit] {
            // Removing from the end keeps the positions of the others.
            if isHeld { return components[positions].reversed().map { .remove(path.appending($0)) } }
            var left = Array(node.children)
            left.removeSubrange(positions)
            return [.set(path, Document(container: node, children: left))]
        }
    }

    private func container(at path: DocumentPath) -> Container? {
        if let node = document.root.descendant(at: path), node.kind.isContainer {
            return Container(path, node, isHeld: false)
        }
        guard let node = document.value(at: path) else { return nil }
        let held = node.kind.isContainer ? node : node.held?.document.root
        return held.map { Container(path, $0, isHeld: true) }
    }

    /// Shortens every string and every number, then masks the rest.
    private mutating func shortenValues() throws {
        var paths: [DocumentPath] = []
        func visit(_ path: DocumentPath, _ node: DocumentNode) {
            if !node.kind.isContainer { paths.append(path) }
            (node.held?.document.root ?? node).forEachStep { visit(path.appending($0), $1) }
        }
        visit(.root, document.root)
        for path in paths {
            guard let node = document.value(at: path) else { continue }
            switch node.kind {
            case .string where node.held != nil:
                // What is inside is shortened value by value.
                _ = try accept([.set(path, Document(text: ""))])
            case .string: try shorten(node.string ?? "", at: path, Document.init(text:))
            case .number:
                // As few digits as possible, preferably zeros.
                guard let text = node.numberText, text != "0" else { continue }
                if let zero = TrialValues.document("0"), try accept([.set(path, zero)]) { continue }
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
                if let value = value(String(left)), try accept([.set(path, value)]) {
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
                if hidden != characters, let value = value(String(hidden)), try accept([.set(path, value)]) {
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
            guard crash.isSame(as: otherCrash) else { return false }
        }
        if failure.kind == .timedOut { return true }
        let (message, otherMessage) = (failure.message.withoutQuotedValues, other.message.withoutQuotedValues)
        if message == otherMessage { return true }
        let (texts, otherTexts) = (document.shortTexts, original.shortTexts)
        let (words, otherWords) = (message.wordsOfMessage, otherMessage.wordsOfMessage)
        return words.count == otherWords.count
            && zip(words, otherWords).allSatisfy { word, other in
                // A word may quote a value without quotation marks.
                word == other
                    || texts.contains(word.trimmingPunctuation) && otherTexts.contains(other.trimmingPunctuation)
            }
    }
}

extension Document {
    /// The strings that a message may quote without quotation marks.
    fileprivate var shortTexts: Set<Substring> {
        guard nodeCount < 100_000 else { return [] }
        var texts: Set<Substring> = []
        for node in root.nodes where node.kind == .string {
            if let text = node.string, !text.isEmpty, text.utf8.count < 100 { texts.insert(text[...]) }
        }
        return texts
    }
}

extension Crash {
    /// Returns whether both crashes have the same cause and happened in the same place.
    func isSame(as other: Crash) -> Bool { cause == other.cause && place == other.place && line == other.line }

    /// The file and line of the code that ended the process, if the runtime's message names it: `App/Leg.swift:7`.
    fileprivate var line: Substring? {
        isVerdict ? lastWords?.firstMatch(of: /^[^\n]*?\.swift:[0-9]+/)?.output : nil
    }
}

extension String {
    /// The words of a message, separated by spaces.
    fileprivate var wordsOfMessage: [Substring] { split(separator: " ", omittingEmptySubsequences: false) }
}

extension Substring {
    fileprivate var trimmingPunctuation: Substring {
        var trimmed = drop { $0.isPunctuation }
        while let last = trimmed.last, last.isPunctuation { trimmed.removeLast() }
        return trimmed
    }
}
