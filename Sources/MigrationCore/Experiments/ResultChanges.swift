import DocumentModel

/// What differs between what a step makes of a document and what it makes of the changed document.
///
/// The two results are aligned as ``DocumentDifference`` aligns them. An element that is only inserted, removed or moved
/// changes its list, and none of its values. Elements that nothing pairs are compared by position where the lists are
/// equally long.
struct ResultChanges {
    /// The scalar values of the first result that are others in the second one or not there, with what they are there.
    private(set) var values: [DocumentNode.ID: DocumentNode?] = [:]
    /// The elements of the first result that are not in the second one.
    private(set) var removed: Set<DocumentNode.ID> = []
    /// The lists and objects of the first result that have other elements or members, or the same in another order.
    private(set) var containers: Set<DocumentNode.ID> = []
    /// Whether a list has more elements, and none has fewer or others.
    var onlyAddsElements: Bool { addsElements && !takesElements }
    /// Whether a list has other elements, or the same in another order.
    var changesLists: Bool { addsElements || takesElements }

    private var addsElements = false
    private var takesElements = false

    var isEmpty: Bool { values.isEmpty && containers.isEmpty }

    /// Whether the results have nothing in common.
    private(set) var areOther = false

    /// No differences.
    init() {}

    /// Compares two results.
    ///
    /// - Parameter excluded: What differs from run to run.
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

    /// Adds what differs between other results.
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

    /// Compares two values that are at the same place.
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
            // Elements of the shorter list that the longer one has too, in their order, are no others.
            if rest.isEmpty { return }
            takesElements = true
            removed.formUnion(rest.dropFirst(others.count).map(\.id))
            for (left, right) in zip(rest, others) { compare(left, right) }
        }
    }

    /// Members came.
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

    /// Where the differences are in the first result, positions folded.
    func places(in document: Document) -> [DocumentPath] {
        let ids = Set(values.keys).union(containers).union(removed)
        return Set(ids.map { document.root.nodes[$0].path.foldingIndices }).sorted { "\($0)" < "\($1)" }
    }
}
