import DocumentModel

/// The differences between the result of a step for a document and its result for the changed document.
///
/// The two results are aligned by ``DocumentDifference``. An element that was only inserted, removed, or moved changes
/// its array, but none of its values. Elements without a counterpart are compared by index if the arrays are equally
/// long.
struct ResultChanges {
    /// The scalar values of the first result that are different or missing in the second, with the new value, if any.
    private(set) var values: [DocumentNode.ID: DocumentNode?] = [:]
    /// The elements of the first result that are missing from the second.
    private(set) var removed: Set<DocumentNode.ID> = []
    /// The arrays and objects of the first result with other elements or members, or the same ones in another order.
    private(set) var containers: Set<DocumentNode.ID> = []
    /// Whether an array has additional elements, and none has lost or replaced any.
    var onlyAddsElements: Bool { addsElements && !takesElements }
    /// Whether an array has other elements, or the same ones in another order.
    var changesLists: Bool { addsElements || takesElements }

    private var addsElements = false
    private var takesElements = false

    /// The values and elements of the first result that are different or missing.
    var affected: Set<DocumentNode.ID> { removed.union(values.keys) }

    var isEmpty: Bool { values.isEmpty && containers.isEmpty }

    /// Whether the results have nothing in common.
    private(set) var areOther = false

    /// Creates a value without differences.
    init() {}

    /// Creates the differences between two results.
    ///
    /// - Parameter excluded: The differences between identical runs, to leave out.
    init(_ first: Document, _ second: Document, except excluded: ResultChanges? = nil) {
        let difference = DocumentDifference(old: first.root, new: second.root)
        guard !difference.isEmpty else { return }
        areOther = difference.root.kind == .changed
        visit(difference.root)
        if let excluded {
            values = values.filter { excluded.values[$0.key] == nil }
            removed.subtract(excluded.removed)
            containers.subtract(excluded.containers)
        }
    }

    /// Adds the differences between other results.
    mutating func formUnion(_ other: ResultChanges) {
        areOther = areOther || other.areOther
        values.merge(other.values) { old, _ in old }
        removed.formUnion(other.removed)
        containers.formUnion(other.containers)
        addsElements = addsElements || other.addsElements
        takesElements = takesElements || other.takesElements
    }

    private mutating func visit(_ place: DifferenceNode) {
        switch place.kind {
        case .unchanged: break
        case .changed: change(place.old, to: place.new)
        case .inside, .movedHere:
            if place.old?.kind == .array { return visit(list: place) }
            if place.kind == .movedHere, !place.hasChildren { return }
            for child in place.children {
                switch child.kind {
                case .added, .movedHere: gain(place.old)
                case .removed, .movedAway:
                    if let list = child.old, list.kind == .array, !list.isEmpty {
                        remove(list)
                    } else {
                        change(child.old, to: nil)
                    }
                case .unchanged, .changed, .inside: break
                }
                visit(child)
            }
        case .added, .removed, .movedAway: break
        }
    }

    /// A list is gone: its elements are in no list any more, or in another one, with the values that they had.
    private mutating func remove(_ list: DocumentNode) {
        containers.insert(list.id)
        takesElements = true
        removed.formUnion(list.elements.map(\.id))
    }

    private mutating func visit(list place: DifferenceNode) {
        var (gone, come): ([Int: DocumentNode], [Int: DocumentNode]) = ([:], [:])
        for child in place.children {
            guard case .index(let old, let new) = child.label else { continue }
            switch child.kind {
            case .removed: if let old { gone[old] = child.old }
            case .added: if let new { come[new] = child.new }
            case .movedAway, .movedHere:
                takesElements = true
                if let list = place.old { containers.insert(list.id) }
                if child.kind == .movedHere { visit(child) }
            case .unchanged, .changed, .inside: visit(child)
            }
        }
        if gone.isEmpty, come.isEmpty { return }
        if gone.count == come.count, gone.keys.allSatisfy({ come[$0] != nil }) {
            for (position, element) in gone { compare(element, come[position]) }
            return
        }
        if let list = place.old { containers.insert(list.id) }
        if !gone.isEmpty { takesElements = true }
        if !come.isEmpty { addsElements = true }
        removed.formUnion(gone.values.map(\.id))
    }

    /// Compares two values at the same path.
    private mutating func compare(_ old: DocumentNode, _ new: DocumentNode?) {
        guard let new, old.kind == new.kind, old.kind.isContainer else { return change(old, to: new) }
        if old.isEqual(to: new) { return }
        if old.kind == .object {
            for member in old.members { compare(member.value, new[member.name]) }
            if new.members.contains(where: { old[$0.name] == nil }) { gain(old) }
        } else if old.count == new.count {
            for (left, right) in zip(old.elements, new.elements) { compare(left, right) }
        } else {
            containers.insert(old.id)
            if old.count < new.count { addsElements = true } else { takesElements = true }
            var rest = Array(old.elements)[...]
            let others = new.elements.filter { element in
                guard rest.first?.isEqual(to: element) == true else { return true }
                rest = rest.dropFirst()
                return false
            }
            // Elements of the shorter array that the longer one has in the same order are unchanged.
            if rest.isEmpty { return }
            takesElements = true
            removed.formUnion(rest.dropFirst(others.count).map(\.id))
            for (left, right) in zip(rest, others) { compare(left, right) }
        }
    }

    /// Records that members were added to a container.
    private mutating func gain(_ container: DocumentNode?) {
        if let container { containers.insert(container.id) }
    }

    private mutating func change(_ old: DocumentNode?, to new: DocumentNode?) {
        guard let old else { return }
        if !old.kind.isContainer {
            values[old.id] = new
            return
        }
        containers.insert(old.id)
        for child in old.children { change(child.value, to: nil) }
    }

    /// Returns the paths of the differences in the first result, with indices folded.
    func places(in document: Document) -> [DocumentPath] {
        let ids = Set(values.keys).union(containers).union(removed)
        return Set(ids.map { document.root.nodes[$0].path.foldingIndices }).sorted { "\($0)" < "\($1)" }
    }
}
