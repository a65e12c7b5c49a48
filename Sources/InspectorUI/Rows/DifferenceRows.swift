import DisplayText
import DocumentModel
import MigrationCore

/// The arrangement of the two sides of a difference.
enum DifferenceStyle: Hashable, Sendable {
    /// One side below the other.
    case unified
    /// The document before on the left and the document after on the right.
    case sideBySide
}

/// A part of a document that failed in a step while the rest succeeded.
struct FailedPart: Sendable {
    /// The path of the part, which is the same before and after the step.
    let path: DocumentPath
    let failure: MigrationFailure
}

/// The changes of a step, in rows.
struct DifferenceRows: Sendable {
    /// The difference of the documents as they are. The rows also show differences inside documents that values hold.
    let difference: DocumentDifference
    let rows: [StepRow]
    let summary: Summary
    let style: DifferenceStyle
    /// The findings of experiments about the step, in words.
    let origins: OriginWords?

    /// The number of changes of each kind.
    struct Summary: Hashable, Sendable {
        private(set) var counts: [StepRow.Sign: Int] = [:]

        static func += (sum: inout Summary, other: Summary) { sum.counts.merge(other.counts, uniquingKeysWith: +) }

        mutating func count(sign: StepRow.Sign) { counts[sign, default: 0] += 1 }

        /// Counts a change of a value.
        mutating func count(_ kind: DifferenceNode.Kind) {
            if ![.movedAway, .inside, .unchanged].contains(kind) { count(sign: StepRow.Sign(kind)) }
        }

        /// A text such as `1 failed, 2 changed`, or `no change`.
        var text: String {
            let words = ordered.map { "\(NumberWords.grouped($0.count)) \($0.sign)" }
            return words.isEmpty ? "no change" : words.joined(separator: ", ")
        }

        /// Returns a shorter form of the text, such as `✗1 ~2`.
        func signs(_ glyphs: Glyphs) -> String {
            let signs = ordered.map { "\($0.sign.drawn(glyphs).text)\(NumberWords.grouped($0.count))" }
            return signs.isEmpty ? text : signs.joined(separator: " ")
        }

        private var ordered: [(sign: StepRow.Sign, count: Int)] {
            [StepRow.Sign.failed, .added, .removed, .changed, .moved].compactMap { sign in
                counts[sign].map { (sign, $0) }
            }
        }
    }

    /// Arranges a difference of possibly a million changes. Values near a change are shown; those further away are
    /// folded.
    ///
    /// - Parameters:
    ///   - finding: The findings of experiments about the step.
    ///   - dropped: The paths in the document before the step that the app does not read.
    ///   - isStep: Whether the documents are of two versions that are connected by a step.
    ///   - isCancelled: Called now and then. If it returns true, the result is nil.
    init?(
        _ difference: DocumentDifference, style: DifferenceStyle, failed: [FailedPart] = [],
        finding: StepFinding? = nil, dropped: [DocumentPath] = [], isStep: Bool = true,
        isCancelled: () -> Bool = { false }
    ) {
        let origins = OriginWords(finding, dropped: dropped)
        let unfolded = try? difference.unfolded { if isCancelled() { throw CancellationError() } }
        guard let unfolded else { return nil }
        let arranged = withoutActuallyEscaping(isCancelled) { isCancelled in
            var builder = Builder(
                style: style, failed: failed, origins: origins, root: unfolded.root, isCancelled: isCancelled)
            builder.appendRoot(unfolded.root, isStep: isStep)
            return builder.isGivenUp ? nil : (builder.rows, builder.summary)
        }
        guard let (rows, summary) = arranged else { return nil }
        self.difference = difference
        self.rows = rows
        self.summary = summary
        self.style = style
        self.origins = origins
    }

    private struct Builder {
        let style: DifferenceStyle
        let isCancelled: () -> Bool
        var rows: [StepRow] = []
        var summary = Summary()
        private var looks = 0
        private(set) var isGivenUp = false
        /// The values before the step of the parts that failed, by the ID of the same value after the step.
        private let failed: [DocumentNode.ID: (value: DocumentNode, failure: MigrationFailure)]
        private let origins: OriginWords?
        /// The losses in single elements of an array that do not occur in all of them.
        private let ownLosses: [DocumentPath]

        init(
            style: DifferenceStyle, failed: [FailedPart], origins: OriginWords?, root: DifferenceNode,
            isCancelled: @escaping () -> Bool
        ) {
            self.style = style
            self.isCancelled = isCancelled
            self.origins = origins
            ownLosses = origins.map { $0.finding.lost.filter { $0 != $0.foldingIndices } } ?? []
            let values = failed.compactMap { part in
                root.new?.descendant(at: part.path).flatMap { after in
                    root.old?.descendant(at: part.path).map { (after.id, (value: $0, failure: part.failure)) }
                }
            }
            self.failed = Dictionary(values) { first, _ in first }
        }

        /// Returns whether to give up. Called for every row, but only checks for cancellation now and then.
        private mutating func givesUp() -> Bool {
            looks += 1
            if looks % 1024 == 0, isCancelled() { isGivenUp = true }
            return isGivenUp
        }

        mutating func appendRoot(_ root: DifferenceNode, isStep: Bool) {
            if root.hasChildren {
                appendChildren(of: root, depth: 0)
            } else if root.kind == .unchanged {
                let words = isStep ? "Nothing changed but the version." : "Nothing differs."
                rows = [StepRow(body: .text([StyledText(words, .dim)]))]
            } else {
                append(root, depth: 0)
            }
        }

        private mutating func appendChildren(of container: DifferenceNode, depth: Int) {
            let first = rows.count
            var run: FoldedRun?
            var alike = Alike(depth: depth)
            let pairs = style == .sideBySide ? BecomingPairs(in: container, finding: origins?.finding) : nil
            let isOfMany = container.isOfMany
            // The next value of the new document. A run consists of adjacent values.
            var next = container.new?.firstChild
            for child in container.children {
                if givesUp() { return }
                if let pairs, pairs.isBeside(child) { continue }
                if child.kind == .unchanged, let node = child.new, failed[node.id] == nil, !isLost(child) {
                    append(&alike)
                    if run != nil, next?.value.id == node.id {
                        run?.count += 1
                    } else {
                        while let passed = next, passed.value.id != node.id { next = passed.next }
                        rows.end(&run, from: first, isLast: false)
                        run = FoldedRun(first: next, count: 1, depth: depth, noun: "unchanged")
                    }
                    next = next?.next
                    continue
                }
                rows.end(&run, from: first, isLast: false)
                if isOfMany, failed.isEmpty, !hasLossOfItsOwn(child),
                    let (pattern, found) = ChangePattern.of(child)
                {
                    if pattern == alike.pattern {
                        alike.elements.append(child)
                        alike.summary += found
                        continue
                    }
                    append(&alike)
                    alike.pattern = pattern
                } else {
                    append(&alike)
                }
                if let old = pairs?.old[child.id] {
                    append(child, madeOf: old, depth: depth)
                } else {
                    append(child, depth: depth)
                }
            }
            append(&alike)
            rows.end(&run, from: first, isLast: true)
            rows.alignLabels(in: first..<rows.count, depth: depth)
        }

        /// Returns whether a value that looks unchanged was made from scratch, with nothing depending on the old
        /// value.
        private func isLost(_ node: DifferenceNode) -> Bool {
            // Few values are lost, and most can be ruled out by name.
            guard let origins, case .key(let name) = node.label, origins.mayLose(name) else { return false }
            return node.oldPath.flatMap(origins.finding.isLossIntended) != nil
        }

        /// Returns whether something is lost in this element that is not lost in all elements.
        private func hasLossOfItsOwn(_ element: DifferenceNode) -> Bool {
            guard !ownLosses.isEmpty, let path = element.oldPath else { return false }
            return ownLosses.contains { $0.hasPrefix(path) }
        }

        /// Elements with the same changes as the element before them, which is shown.
        private struct Alike {
            let depth: Int
            var pattern: ChangePattern?
            var elements: [DifferenceNode] = []
            var summary = Summary()
        }

        /// Ends a run of elements with the same changes, and folds them into one row if there are enough of them.
        private mutating func append(_ alike: inout Alike) {
            defer { alike = Alike(depth: alike.depth) }
            guard let pattern = alike.pattern, alike.elements.count >= RepeatedChanges.fewest else {
                for element in alike.elements { append(element, depth: alike.depth) }
                return
            }
            summary += alike.summary
            let (style, origins, depth) = (style, origins, alike.depth)
            rows.append(
                RepeatedChanges(pattern: pattern, elements: alike.elements[...], depth: depth) { element in
                    var builder = Builder(
                        style: style, failed: [], origins: origins, root: element, isCancelled: { false })
                    builder.append(element, depth: depth)
                    return builder.rows
                }.row)
        }

        private mutating func append(_ node: DifferenceNode, depth: Int) {
            let row = rows.count
            defer { if let origins, rows.indices.contains(row) { note(origins, of: node, from: row) } }
            switch node.kind {
            case .unchanged:
                guard let value = node.new else { return }
                if let part = failed[value.id] {
                    summary.count(sign: .failed)
                    add(.failed, .culprit(part.value, part.failure), node, depth)
                } else {
                    add(.none, .value(value), node, depth)
                }
            case .added:
                if node.parent?.kind != .added { summary.count(.added) }
                if let value = node.new { addWhole(.added, value, node, depth) }
            case .removed:
                if node.parent?.kind != .removed { summary.count(.removed) }
                if let value = node.old { addWhole(.removed, value, node, depth) }
            case .changed:
                summary.count(.changed)
                if let old = node.old, let new = node.new { addChange(old, new, node, depth) }
            case .inside:
                guard let old = node.old, let new = node.new else { return }
                add(.none, .inside(old: old, new: new), node, depth, isOpen: true)
                appendChildren(of: node, depth: depth + 1)
            case .movedHere:
                summary.count(.movedHere)
                guard let value = node.new else { return }
                add(.moved, .movedHere(value, from: node.oldPath ?? .root), node, depth, isOpen: node.hasChildren)
                if node.hasChildren { appendChildren(of: node, depth: depth + 1) }
            case .movedAway:
                let path = node.counterpart?.newPath ?? .root
                if let value = node.old { add(.moved, .movedAway(value, to: path), node, depth) }
            }
        }

        /// Adds the findings about a value to its row, or to both rows if the value became another in two rows.
        private mutating func note(_ origins: OriginWords, of node: DifferenceNode, from row: Int) {
            rows[row].note(origins, of: node)
            guard node.kind == .changed, rows[row].sign == .removed,
                let new = rows[row...].firstIndex(where: { $0.depth == rows[row].depth && $0.sign == .added })
            else { return }
            // The origin belongs to the new value, the loss to the old one.
            switch rows[row].finding {
            case .origin(let origin):
                rows[row].finding = nil
                rows[new].finding = .origin(origin)
            case .loss(let words, let isIntended, let origin?):
                rows[row].finding = .loss(words, isIntended: isIntended, origin: nil)
                rows[new].finding = .origin(origin)
            case .loss, nil: break
            }
        }

        /// Appends a value together with the value that it was made from.
        private mutating func append(_ node: DifferenceNode, madeOf gone: DifferenceNode, depth: Int) {
            guard let old = gone.old, let new = node.new else { return }
            let row = rows.count
            let hasMoved = node.counterpart?.id == gone.id
            add(hasMoved ? .moved : .changed, .became(old: old, gone.rowLabel, new), node, depth)
            summary.count(node.kind == .movedHere ? .movedHere : .added)
            if gone.kind == .removed { summary.count(.removed) }
            if gone.hasChildren || node.hasChildren {
                rows[row].isOpen = true
                for side in [gone, node] where side.hasChildren { appendChildren(of: side, depth: depth + 1) }
            } else if !hasMoved, rows[row].isFoldable, old.nodes.count + new.nodes.count <= Self.shownOpen {
                openAll(at: row)
            }
            if let origins { rows[row].note(origins, of: node) }
        }

        private mutating func add(
            _ sign: StepRow.Sign, _ body: StepRow.Body, _ node: DifferenceNode, _ depth: Int, isOpen: Bool = false
        ) {
            rows.append(StepRow(sign: sign, depth: depth, label: node.rowLabel, body: body, isOpen: isOpen))
        }

        /// Appends a value that exists on one side only, and its contents unless there are too many.
        private mutating func addWhole(
            _ sign: StepRow.Sign, _ value: DocumentNode, _ node: DifferenceNode, _ depth: Int
        ) {
            add(sign, .value(value), node, depth)
            if node.hasChildren {
                rows[rows.count - 1].isOpen = true
                appendChildren(of: node, depth: depth + 1)
            } else if value.kind.isContainer, value.nodes.count <= Self.shownOpen {
                openAll(at: rows.count - 1)
            }
        }

        private mutating func openAll(at first: Int) {
            var row = first
            while row < rows.count {
                if rows[row].isFoldable, !rows[row].isOpen { rows.toggle(at: row) }
                row += 1
            }
            if let origins { rows.note(origins, in: (first + 1)..<rows.count) }
        }

        private mutating func addChange(
            _ old: DocumentNode, _ new: DocumentNode, _ node: DifferenceNode, _ depth: Int
        ) {
            if style == .sideBySide { return add(.changed, .change(old: old, new: new), node, depth) }
            if old.kind.isContainer || new.kind.isContainer {
                addWhole(.removed, old, node, depth)
                addWhole(.added, new, node, depth)
            } else if let words = ChangedWords.compare(old, new), old.textLength + new.textLength > Self.shownInOneRow {
                add(.removed, .changedString(old, changes: words.old, isOld: true), node, depth)
                add(.added, .changedString(new, changes: words.new, isOld: false), node, depth)
            } else {
                add(.changed, .change(old: old, new: new), node, depth)
            }
        }

        /// The number of nodes up to which an added or removed container is shown open.
        private static let shownOpen = 24
        /// The total number of characters up to which an old and a new scalar share a row.
        private static let shownInOneRow = 48
    }
}

extension StepRow {
    /// Adds the origin of a value that the step made, or the loss of a value that it removed.
    fileprivate mutating func note(_ origins: OriginWords, of node: DifferenceNode) {
        guard [.added, .changed, .removed, .unchanged].contains(node.kind) else { return }
        let origin = node.newPath.flatMap(origins.of)
        if let path = node.oldPath, let isIntended = origins.finding.isLossIntended(at: path) {
            let words = node.newPath == nil ? "lost" : "what was there is lost"
            finding = .loss(
                StepFinding.lossWords(words, of: path, isIntended: isIntended), isIntended: isIntended, origin: origin)
        } else if node.kind == .removed, let path = node.oldPath, origins.isDropped(path) {
            finding = .dropped
        } else {
            finding = node.kind == .unchanged ? nil : origin.map(Finding.origin)
        }
    }
}

extension StepRow.Finding {
    fileprivate static let dropped = Self.loss(StepFinding.droppedWords, isIntended: false, origin: nil)
}

extension [StepRow] {
    /// Adds the findings about values inside containers that were added or removed as a whole.
    mutating func note(_ origins: OriginWords, in range: Range<Int>) {
        for row in range where self[row].finding == nil {
            guard case .value(let value) = self[row].body else { continue }
            switch self[row].sign {
            case .added: self[row].finding = origins.of(value.path).map(StepRow.Finding.origin)
            case .removed:
                if let isIntended = origins.finding.isLossIntended(at: value.path) {
                    let words = StepFinding.lossWords(of: value.path, isIntended: isIntended)
                    self[row].finding = .loss(words, isIntended: isIntended, origin: nil)
                } else if origins.isDropped(value.path) {
                    self[row].finding = .dropped
                }
            default: break
            }
        }
    }
}

extension StepFinding {
    /// Returns whether a loss at the path is intended; nil if no loss is known there.
    fileprivate func isLossIntended(at path: DocumentPath) -> Bool? {
        let folded = path.foldingIndices
        if intended.contains(where: { $0 == path || $0 == folded }) { return true }
        return lost.contains { $0 == path || $0 == folded } ? false : nil
    }
}

extension DifferenceNode {
    fileprivate var rowLabel: StepRow.Label {
        switch label {
        case .root: .word("document")
        case .key(let name): .key(name)
        case .laterKey(let name, let occurrence): .key("\(name)#\(occurrence)")
        case .index(let old, let new): .index((kind == .removed || kind == .movedAway ? old ?? new : new ?? old) ?? 0)
        }
    }
}

extension DocumentNode {
    /// The approximate length of a scalar in characters, up to the limit that matters.
    fileprivate var textLength: Int {
        beginning(limit: 200)?.text.count ?? 8
    }
}
