import DisplayText
import DocumentModel
import MigrationCore

/// The changes inside an element, regardless of its position and values.
struct ChangePattern: Hashable, Sendable {
    /// The kind of a change and its path in the element, with array positions folded.
    struct Change: Hashable, Sendable {
        let kind: DifferenceNode.Kind
        let path: DocumentPath
    }

    /// The change of the element as a whole.
    let kind: DifferenceNode.Kind
    let changes: [Change]
    /// A hash of the names of everything that was added or removed together with the element.
    private let parts: Int

    /// Returns the pattern of an element and the number of its changes; nil if there are too many changes for one row
    /// or none inside the element.
    static func of(_ element: DifferenceNode) -> (pattern: ChangePattern, summary: DifferenceRows.Summary)? {
        guard element.hasChildren, [.inside, .added, .removed].contains(element.kind) else { return nil }
        var reader = Reader()
        if element.parent?.kind != element.kind { reader.summary.count(element.kind) }
        guard reader.read(element, at: .root, isShown: true) else { return nil }
        let pattern = ChangePattern(kind: element.kind, changes: reader.changes, parts: reader.parts.finalize())
        return (pattern, reader.summary)
    }

    /// Reads the changes of an element.
    private struct Reader {
        var changes: [Change] = []
        var parts = Hasher()
        var summary = DifferenceRows.Summary()
        private var wholeCount = 0

        private static let mostChanges = 8
        /// The number of added or removed values above which the element has no pattern.
        private static let mostWhole = 256

        /// Reads the changes inside a value.
        ///
        /// - Parameter isShown: Whether the changes are part of the pattern. They are counted in any case.
        /// - Returns: False if there are too many changes.
        mutating func read(_ node: DifferenceNode, at path: DocumentPath, isShown: Bool) -> Bool {
            let isWhole = [.added, .removed].contains(node.kind)
            for child in node.children where child.kind != .unchanged {
                let childPath: DocumentPath
                switch child.label {
                case .key(let name): childPath = path.appending(key: name)
                case .laterKey(let name, let occurrence):
                    childPath = path.appending(.laterKey(name, occurrence: occurrence))
                case .index: childPath = path.appending(.everyElement)
                case .root: childPath = path
                }
                if isWhole { wholeCount += 1 }
                if wholeCount > Self.mostWhole { return false }
                var showsInside = isShown
                if isWhole, child.kind == node.kind {
                    // The contents of an added or removed value are not counted as further additions or removals.
                    if isShown { parts.combine(childPath) }
                } else if child.kind != .inside {
                    summary.count(child.kind)
                    let change = Change(kind: child.kind, path: childPath)
                    if isShown, !changes.contains(change) { changes.append(change) }
                    if changes.count > Self.mostChanges { return false }
                    // Additions and removals are shown as a whole. A move into or out of them is shown at its other
                    // end.
                    if [.added, .removed].contains(child.kind) { showsInside = false }
                }
                if child.hasChildren, !read(child, at: childPath, isShown: showsInside) { return false }
            }
            return true
        }
    }

    /// Returns a short description of the changes, such as `sets[*].pounds → kilograms`.
    func words(_ glyphs: Glyphs) -> String {
        if changes.count == 2, let old = changes.first(where: { [.removed, .movedAway].contains($0.kind) }),
            let new = changes.first(where: { [.added, .movedHere].contains($0.kind) }),
            old.path.parent == new.path.parent,
            let name = new.path.lastKey
        {
            return "\(old.path.shown.brief) \(glyphs.arrow) \(name)"
        }
        // A move is shown at its destination, or at its origin if the pattern has no destinations at all.
        let arrivals = changes.filter { $0.kind != .movedAway }
        let reported = arrivals.isEmpty ? changes : arrivals
        let shown = reported.prefix(3).map { change in
            "\(StepRow.Sign(change.kind).drawn(glyphs).text) \(change.path.shown.brief)"
        }
        let more = reported.count - shown.count
        return shown.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
    }
}

/// Adjacent elements of an array or members of a dictionary that changed in the same way, shown as one row.
struct RepeatedChanges: Sendable {
    let pattern: ChangePattern
    private(set) var elements: ArraySlice<DifferenceNode>
    let depth: Int
    /// Creates the rows of one element.
    let rows: @Sendable (DifferenceNode) -> [StepRow]

    /// The smallest number of elements that are worth folding.
    static let fewest = 3
    /// The number of elements that are opened at once. The rest stay folded and can be opened next.
    private static let openedAtOnce = 100

    /// The row of a run. Its pattern is an addition, a removal, or changes inside.
    var row: StepRow { StepRow(sign: StepRow.Sign(pattern.kind), depth: depth, body: .repeated(self)) }

    /// The rows of the first elements, and a fold with the remaining ones.
    var begun: [StepRow] {
        var rest = self
        rest.elements = elements.dropFirst(Self.openedAtOnce)
        return elements.prefix(Self.openedAtOnce).flatMap(rows) + (rest.elements.isEmpty ? [] : [rest.row])
    }

    /// Returns a description of which elements these are and what they have in common.
    func words(_ glyphs: Glyphs) -> String {
        let count = NumberWords.grouped(elements.count)
        guard let first = elements.first?.label.words, let last = elements.last?.label.words else {
            return "\(pattern.words(glyphs)), in \(count) elements"
        }
        let noun = elements.first?.label.position == nil ? "members" : "elements"
        return "\(first) to \(last): \(pattern.words(glyphs)), in \(count) \(noun) alike"
    }
}

extension DifferenceNode {
    /// Whether the value has elements, or members whose names are data. Those with the same changes are shown
    /// together.
    var isOfMany: Bool {
        guard let value = new ?? old else { return false }
        return value.kind == .array || value.looksLikeDictionary(of: PathFolds.mostSingle)
    }
}

extension DifferenceNode.Label {
    /// The position of an element in brackets, or the name of a member; nil for any other label.
    fileprivate var words: String? {
        if case .key(let name) = self { name.withoutMiddle(most: 40) } else { position.map { "[\($0)]" } }
    }

    /// The position of an element, preferably in the new array; nil for any other label.
    var position: Int? { if case .index(let old, let new) = self { new ?? old } else { nil } }
}
