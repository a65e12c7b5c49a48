/// A place in a ``DocumentDifference``: what stood there in the old document, and what stands there in the new one.
///
/// A cursor, cheap to make and to pass on, like ``DocumentNode``.
public struct DifferenceNode: Sendable, Identifiable {
    /// What happened at a place.
    public enum Kind: UInt8, Sendable, Hashable, CaseIterable, BitwiseCopyable {
        /// Equal values on both sides; never has children.
        case unchanged
        /// Only in the new document. Has children only where something inside was moved here from elsewhere: then the
        /// children are all that is inside.
        case added
        /// Only in the old document. Has children only where something inside was moved elsewhere: then the children
        /// are all that was inside.
        case removed
        /// Two values that have nothing to compare inside: scalars, or values of different kinds. Never has children.
        case changed
        /// Two objects or two arrays that differ; the children say in what.
        case inside
        /// The new place of a value whose old one is ``DifferenceNode/counterpart``. Has children where the value also
        /// changed inside.
        case movedHere
        /// The old place of a value whose new one is ``DifferenceNode/counterpart``; never has children.
        case movedAway
    }

    /// What a place is called in its container.
    public enum Label: Sendable, Hashable {
        /// The whole document.
        case root
        /// The member of that name; of several, the first.
        case key(String)
        /// A member of that name that is not the first: the second is of occurrence 2.
        case laterKey(String, occurrence: Int)
        /// The element at these positions of the old and the new array; nil where it is not in that array.
        case index(old: Int?, new: Int?)
    }

    let storage: DocumentDifference.Storage
    /// The place in the difference's list: places that come later in reading order have greater numbers.
    public let id: Int

    var entry: DifferenceEntry { storage.entries[id] }

    /// What happened here.
    public var kind: Kind { entry.kind }

    /// The value in the old document; nil if there is none. For ``Kind/movedHere``, the value at the old place.
    public var old: DocumentNode? { entry.old.position.map { storage.old.document.node(at: $0) } }

    /// The value in the new document; nil if there is none. For ``Kind/movedAway``, the value at the new place.
    public var new: DocumentNode? { entry.new.position.map { storage.new.document.node(at: $0) } }

    /// What the place is called in its container.
    public var label: Label {
        let entry = entry
        if entry.parent == DifferenceEntry.none { return .root }
        guard entry.isElement else {
            if case .laterKey(let name, let occurrence) = storage.component(of: id) {
                return .laterKey(name, occurrence: occurrence)
            }
            return .key(storage.name(of: id))
        }
        return .index(old: entry.oldPosition.position, new: entry.newPosition.position)
    }

    /// For a moved value, the other end of the move.
    public var counterpart: DifferenceNode? {
        entry.counterpart.position.map { DifferenceNode(storage: storage, id: $0) }
    }

    /// The path in the old document of the value that is ``old`` here; nil if there is none.
    public var oldPath: DocumentPath? { storage.path(of: id, inNew: false) }

    /// The path in the new document of the value that is ``new`` here; nil if there is none.
    public var newPath: DocumentPath? { storage.path(of: id, inNew: true) }

    /// The container; nil for the whole document.
    public var parent: DifferenceNode? { entry.parent.position.map { DifferenceNode(storage: storage, id: $0) } }

    /// The place in the list after this one and everything inside it.
    var endID: Int { Int(entry.end) }

    /// Whether there are children.
    public var hasChildren: Bool { endID > id + 1 }

    /// What is inside, in reading order: that of the new document, with what is gone where it stood in the old one.
    public var children: Children { Children(storage: storage, index: id + 1, end: endID) }

    /// The children of a place.
    public struct Children: Sequence, IteratorProtocol, Sendable {
        private let storage: DocumentDifference.Storage
        private var index: Int
        private let end: Int

        init(storage: DocumentDifference.Storage, index: Int, end: Int) {
            self.storage = storage
            self.index = index
            self.end = end
        }

        /// The next child, or nil behind the last.
        public mutating func next() -> DifferenceNode? {
            guard index < end else { return nil }
            let node = DifferenceNode(storage: storage, id: index)
            index = node.endID
            return node
        }
    }
}
