/// The value that a value of one document is compared with in the other one.
package struct ValueCounterpart: Sendable, Hashable {
    /// Its path in the other document.
    package var path: DocumentPath
    /// What connects the two, from the outside in. Empty if each value on the way has the same name.
    package var grounds: [PairingGround]

    /// Creates a counterpart.
    package init(path: DocumentPath, grounds: [PairingGround]) { (self.path, self.grounds) = (path, grounds) }
}

/// The reason why a value of one document counts as that of another.
package enum PairingGround: Sendable, Hashable {
    /// The elements have the same value of this member, which no other element has.
    case identity(member: String)
    /// The elements are equal, or most of what they hold is, and no other element is equal or has all of that.
    case alignment
    /// The elements resemble each other more than any others, which makes it likely that they are the same.
    case resemblance
    /// Nothing but the order of the elements: others are equal, or the two have little in common.
    case position
    /// The member had another name in the same object.
    case renamed(from: String, to: String)
    /// The value was in another container.
    case moved(from: DocumentPath, to: DocumentPath)
}

extension DocumentDifference {
    /// Returns the value of the old document that a value of the new one is compared with; nil if there is none.
    package func counterpart(ofNew value: DocumentNode) -> ValueCounterpart? { counterpart(of: value, inNew: true) }

    /// Returns the value of the new document that a value of the old one is compared with; nil if there is none.
    package func counterpart(ofOld value: DocumentNode) -> ValueCounterpart? { counterpart(of: value, inNew: false) }

    /// Calls `body` with each value of the old document and the one that it is followed to in the new document.
    package func forEachCounterpart(_ body: (DocumentNode, DocumentNode) -> Void) {
        forEachPair(
            where: { place in
                guard place.entry.isElement, place.kind == .inside || place.kind == .movedHere else { return true }
                return ElementPair(place).map { $0.ground != nil } ?? true
            }, body)
    }

    private func counterpart(of value: DocumentNode, inNew: Bool) -> ValueCounterpart? {
        var place = root
        var grounds: [PairingGround] = []
        while place.node(inNew: inNew)?.index != value.index, place.hasChildren {
            var child = place.children.first { child in
                guard child.isPlace(inNew: inNew), let node = child.node(inNew: inNew) else { return false }
                return (node.index..<node.endIndex).contains(value.index)
            }
            if child?.kind == .movedAway { child = child?.counterpart }
            guard let child else { return nil }
            if child.entry.isElement, let pair = ElementPair(child) {
                guard let ground = pair.ground else { return nil }
                grounds.append(ground)
            } else if let ground = groundOfMove(to: child) {
                grounds.append(ground)
            }
            place = child
        }
        guard let own = inNew ? place.newPath : place.oldPath, var other = inNew ? place.oldPath : place.newPath else {
            return nil
        }
        if place.node(inNew: inNew)?.index != value.index {
            // Equal values have the same contents at the same places.
            guard place.kind == .unchanged || place.kind == .movedHere else { return nil }
            other = other.appending(DocumentPath(Array(value.path.components.dropFirst(own.components.count))))
        }
        return ValueCounterpart(path: other, grounds: grounds)
    }

    /// Returns how a member moved to a place, or an element into another array; nil if neither is true.
    private func groundOfMove(to place: DifferenceNode) -> PairingGround? {
        guard place.kind == .movedHere, let away = place.counterpart, let from = place.oldPath,
            let path = place.newPath
        else { return nil }
        if place.entry.parent == away.entry.parent, let old = from.lastKey, let new = path.lastKey {
            return .renamed(from: old, to: new)
        }
        return .moved(from: from, to: path)
    }
}

/// Two elements of an array before and after that are compared with each other.
private struct ElementPair {
    let old: DocumentNode
    let new: DocumentNode
    let olds: DocumentNode
    let news: DocumentNode
    let areEqual: Bool
    let isPositional: Bool

    /// Returns nil if the place has no two values, or they are in different arrays.
    init?(_ place: DifferenceNode) {
        guard let old = place.old, let new = place.new, let olds = place.parent?.old, let news = place.parent?.new,
            place.kind != .movedHere || place.counterpart?.entry.parent == place.entry.parent
        else { return nil }
        (self.old, self.new, self.olds, self.news) = (old, new, olds, news)
        areEqual = place.kind == .unchanged || place.kind == .movedHere && !place.hasChildren
        isPositional = place.entry.isPositional
    }

    /// The reason why the two are the same; nil if the elements have different identities, and nothing else shows that
    /// they are the same.
    var ground: PairingGround? {
        var haveOtherIdentities = false
        if let member = news.identifyingMember, olds.identifyingMember == member, let identity = new[member] {
            if old[member]?.isEqual(to: identity) == true { return .identity(member: member) }
            haveOtherIdentities = true
        }
        if isPositional { return .position }
        if areEqual {
            let isOnly = [olds, news].allSatisfy { $0.elements.count { $0.isEqual(to: new) } == 1 }
            return isOnly ? .alignment : .position
        }
        if old.kind == .string { return .resemblance }
        let (share, haveOnlyValue) = common
        guard share >= 0.5 else { return haveOtherIdentities ? nil : .position }
        return haveOnlyValue && !haveOtherIdentities ? .alignment : .resemblance
    }

    /// How much of the text of distinctive scalars the elements have in common, from 0 to 1, and whether one of these
    /// scalars occurs nowhere else in both arrays.
    private var common: (share: Double, haveOnlyValue: Bool) {
        let (olds, news) = (Self.scalars(of: old, in: olds), Self.scalars(of: new, in: news))
        let shared = Set(olds.keys).intersection(news.keys)
        let all = Set(olds.keys).union(news.keys)
        let size = { (hashes: Set<UInt64>) in hashes.reduce(0) { $0 + max(olds[$1]?.size ?? 0, news[$1]?.size ?? 0) } }
        return (
            all.isEmpty ? 0 : Double(size(shared)) / Double(size(all)),
            shared.contains { olds[$0]?.count == 1 && news[$0]?.count == 1 }
        )
    }

    /// Returns the distinctive scalars in an element by their hashes: their sizes in bytes, and how often they occur in
    /// its array.
    private static func scalars(
        of element: DocumentNode, in array: DocumentNode
    ) -> [UInt64: (size: Int, count: Int)] {
        withExtendedLifetime(array) {
            let (hashes, tape) = (ValueHashes(array, checkpoint: {}), TapeView(array.document))
            func isCounted(_ index: Int) -> Bool {
                !tape[index].kind.isContainer && tape[index].kind != .key && tape.isDistinctive(index)
            }
            var scalars: [UInt64: (size: Int, count: Int)] = [:]
            for index in element.index..<element.endIndex where isCounted(index) {
                scalars[hashes[index]] = (Int(tape[index].end - tape[index].start), 0)
            }
            for index in array.index..<array.endIndex where isCounted(index) { scalars[hashes[index]]?.count += 1 }
            return scalars
        }
    }
}

extension DifferenceNode {
    fileprivate func node(inNew: Bool) -> DocumentNode? { inNew ? new : old }

    /// Returns whether this is the place of its value in the new or the old document, and not the other end of a move.
    fileprivate func isPlace(inNew: Bool) -> Bool {
        inNew ? kind != .movedAway && kind != .removed : kind != .movedHere && kind != .added
    }
}
