import DisplayText
import DocumentModel
import MigrationCore

/// What changed inside an element, whatever its position and its values.
struct ChangePattern: Hashable, Sendable {
    /// A change, and where in the element, the positions of elements folded.
    struct Change: Hashable, Sendable {
        let kind: DifferenceNode.Kind
        let path: DocumentPath
    }

    /// What happened to the element as a whole.
    let kind: DifferenceNode.Kind
    let changes: [Change]
    /// A hash of the names of what was added or removed together with the element.
    private let parts: Int

    /// The pattern of an element, and how much changed in it; nil where too much differs to be told in a row, or nothing
    /// inside differs.
    static func of(_ element: DifferenceNode) -> (pattern: ChangePattern, summary: DifferenceRows.Summary)? {
        guard element.hasChildren, [.inside, .added, .removed].contains(element.kind) else { return nil }
        var reader = Reader()
        if element.parent?.kind != element.kind { reader.summary.count(element.kind) }
        guard reader.read(element, at: .root, isTold: true) else { return nil }
        let pattern = ChangePattern(kind: element.kind, changes: reader.changes, parts: reader.parts.finalize())
        return (pattern, reader.summary)
    }

    /// Looks through an element.
    private struct Reader {
        var changes: [Change] = []
        var parts = Hasher()
        var summary = DifferenceRows.Summary()
        private var placeCount = 0

        private static let mostChanges = 8
        /// How many places of what was added or removed are looked at.
        private static let mostPlaces = 256

        /// Notes what happened inside a value.
        ///
        /// - Parameter isTold: Whether it is part of the pattern; counted it is anyway.
        /// - Returns: False where it is too much.
        mutating func read(_ node: DifferenceNode, at path: DocumentPath, isTold: Bool) -> Bool {
            let isWhole = [.added, .removed].contains(node.kind)
            for child in node.children where child.kind != .unchanged {
                let place: DocumentPath
                switch child.label {
                case .key(let name): place = path.appending(key: name)
                case .laterKey(let name, let occurrence):
                    place = path.appending(.laterKey(name, occurrence: occurrence))
                case .index: place = path.appending(.everyElement)
                case .root: place = path
                }
                if isWhole { placeCount += 1 }
                if placeCount > Self.mostPlaces { return false }
                var tellsInside = isTold
                if isWhole, child.kind == node.kind {
                    // What is in a value that was added or removed is not added or removed once more.
                    if isTold { parts.combine(place) }
                } else if child.kind != .inside {
                    summary.count(child.kind)
                    let change = Change(kind: child.kind, path: place)
                    if isTold, !changes.contains(change) { changes.append(change) }
                    if changes.count > Self.mostChanges { return false }
                    // What was added or removed is told as a whole, and what moved into it or out of it at its other end.
                    if [.added, .removed].contains(child.kind) { tellsInside = false }
                }
                if child.hasChildren, !read(child, at: place, isTold: tellsInside) { return false }
            }
            return true
        }
    }

    /// The changes in a few words: `sets[*].pounds → kilograms`.
    func words(_ glyphs: Glyphs) -> String {
        if changes.count == 2, let old = changes.first(where: { [.removed, .movedAway].contains($0.kind) }),
            let new = changes.first(where: { [.added, .movedHere].contains($0.kind) }),
            old.path.parent == new.path.parent,
            let name = new.path.lastKey
        {
            return "\(old.path.shown.brief) \(glyphs.arrow) \(name)"
        }
        // Of a move one end is told: where it went, unless nothing but the other ends is here.
        let arrivals = changes.filter { $0.kind != .movedAway }
        let told = arrivals.isEmpty ? changes : arrivals
        let shown = told.prefix(3).map { change in
            let sign: StepRow.Sign =
                switch change.kind {
                case .added: .added
                case .removed: .removed
                case .movedHere, .movedAway: .moved
                case .changed, .inside, .unchanged: .changed
                }
            return "\(glyphs.sign(sign)) \(change.path.shown.brief)"
        }
        let more = told.count - shown.count
        return shown.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
    }
}

/// Neighbors in an array or a dictionary that changed in the same way, shown as a single row.
struct RepeatedChanges: Sendable {
    let pattern: ChangePattern
    private(set) var elements: ArraySlice<DifferenceNode>
    let depth: Int
    /// Makes the rows of one of them.
    let rows: @Sendable (DifferenceNode) -> [StepRow]

    /// Fewer are not worth folding.
    static let fewest = 3
    /// More than a person reads at once: opening goes on from there.
    private static let openedAtOnce = 100

    var row: StepRow { StepRow(sign: sign, depth: depth, body: .repeated(self)) }

    private var sign: StepRow.Sign {
        switch pattern.kind {
        case .added: .added
        case .removed: .removed
        case .inside, .changed, .movedHere, .movedAway, .unchanged: .changed
        }
    }

    /// The rows of the first elements, and a fold of those that are left.
    var begun: [StepRow] {
        var rest = self
        rest.elements = elements.dropFirst(Self.openedAtOnce)
        return elements.prefix(Self.openedAtOnce).flatMap(rows) + (rest.elements.isEmpty ? [] : [rest.row])
    }

    /// Which elements they are, and what is the same about them.
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
    /// Whether it has elements, or members whose names are data: those are told together where they changed alike.
    var isOfMany: Bool {
        guard let value = new ?? old else { return false }
        return value.kind == .array || value.looksLikeDictionary(of: PathFolds.mostSingle)
    }
}

extension DifferenceNode.Label {
    /// The position of an element in brackets, or the name of a member; nil of anything else.
    fileprivate var words: String? {
        if case .key(let name) = self { name.withoutMiddle(most: 40) } else { position.map { "[\($0)]" } }
    }

    /// The position of an element, in the new array if it is there; nil of anything else.
    var position: Int? { if case .index(let old, let new) = self { new ?? old } else { nil } }
}
