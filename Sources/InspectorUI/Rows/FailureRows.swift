import DocumentModel
import MigrationCore

/// The document that a step could not carry forward, with the field that broke it highlighted.
enum FailureRows {
    /// Returns the rows of `document`, opened along the path to the culprit, with distant neighbors folded.
    static func rows(document: Document, failure: MigrationFailure) -> [StepRow] {
        let culprit = failure.culprit.map { [$0.path] + $0.others } ?? []
        // Paths may continue inside a document that a value holds.
        let document = document.unfolding(along: culprit + [failure.path].compactMap(\.self))
        var builder = Builder(document: document, failure: failure)
        builder.appendChildren(of: document.root, depth: 0)
        if document.root.kind.isContainer == false || builder.culpritIsRoot {
            builder.rows.insert(builder.row(for: document.root, label: .word("document"), depth: 0), at: 0)
        }
        return builder.rows
    }

    private struct Builder {
        let document: Document
        let failure: MigrationFailure
        /// The highlighted field; nil if the field named by the error does not exist.
        let culprit: DocumentNode?
        /// The fields that may be at fault instead, or that have to agree with the culprit. They are highlighted as
        /// well.
        let others: Set<DocumentNode.ID>
        /// The place where the missing field would be: its container and its name.
        let absent: (container: DocumentNode.ID, label: StepRow.Label)?
        var rows: [StepRow] = []

        init(document: Document, failure: MigrationFailure) {
            self.document = document
            self.failure = failure
            culprit =
                failure.culprit.flatMap { document.root.descendant(at: $0.path) }
                ?? failure.path.flatMap { document.root.descendant(at: $0) }
            others = Set((failure.culprit?.others ?? []).compactMap { document.root.descendant(at: $0)?.id })
            // A field that exists under the document's own spelling of its name is not missing.
            let isNamed =
                failure.culprit.map { culprit in
                    (culprit.certain || culprit.path == failure.path) && (culprit.proof == nil || failure.step == nil)
                } ?? true
            let isThere = culprit != nil && isNamed
            absent = failure.path.flatMap { path in
                guard !isThere else { return nil }
                let (node, rest) = document.root.deepestDescendant(along: path)
                guard let missing = rest.first else { return nil }
                switch missing {
                case .key(let name): return (node.id, .key(name))
                case .laterKey(let name, let occurrence): return (node.id, .key("\(name)#\(occurrence)"))
                case .index(let position): return (node.id, .index(position))
                case .everyElement, .everyMember: return nil
                }
            }
        }

        var culpritIsRoot: Bool { culprit?.id == document.root.id }

        private func isOnTheWay(_ node: DocumentNode) -> Bool {
            let inside = node.nodes.indices
            return culprit.map { inside.contains($0.id) } ?? false || others.contains(where: inside.contains)
                || absent.map { inside.contains($0.container) } ?? false
        }

        func row(for node: DocumentNode, label: StepRow.Label, depth: Int) -> StepRow {
            let isCulprit = culprit?.id == node.id
            return StepRow(
                sign: isCulprit || others.contains(node.id) ? .failed : .none, depth: depth, label: label,
                body: isCulprit ? .culprit(node, failure.shown) : .value(node))
        }

        mutating func appendChildren(of container: DocumentNode, depth: Int) {
            let first = rows.count
            var run: FoldedRun?
            for child in container.children {
                if isOnTheWay(child.value) {
                    rows.end(&run, from: first, isLast: false)
                    append(child, depth: depth)
                } else if run == nil {
                    run = FoldedRun(first: child, count: 1, depth: depth)
                } else {
                    run?.count += 1
                }
            }
            rows.end(&run, from: first, isLast: true)
            appendAbsent(in: container, depth: depth, first: first)
            rows.alignLabels(in: first..<rows.count, depth: depth)
        }

        private mutating func append(_ child: DocumentNode.Child, depth: Int) {
            var row = row(for: child.value, label: StepRow.Label(child), depth: depth)
            let opens = child.value.kind.isContainer && culprit?.id != child.value.id
            row.isOpen = opens
            rows.append(row)
            if opens { appendChildren(of: child.value, depth: depth + 1) }
        }

        /// Appends the row of the missing field that the error names, after the culprit or else at the end.
        private mutating func appendAbsent(in container: DocumentNode, depth: Int, first: Int) {
            guard let absent, absent.container == container.id else { return }
            let body: StepRow.Body =
                culprit == nil
                ? .culprit(nil, failure.shown) : .absent(failure.shown.absence)
            let row = StepRow(sign: culprit == nil ? .failed : .none, depth: depth, label: absent.label, body: body)
            let next = rows[first...].firstIndex { $0.depth == depth && $0.isCulprit }.map { $0 + 1 }
            rows.insert(row, at: next ?? rows.count)
        }
    }
}
