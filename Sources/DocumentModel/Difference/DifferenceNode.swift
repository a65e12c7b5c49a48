/// A place in a ``DocumentDifference``, with the values there in the old and the new document.
///
/// Like ``DocumentNode``, it is a cursor that is cheap to create and to pass around.
public struct DifferenceNode: Sendable, Identifiable {
    /// The kind of difference at a place.
    public enum Kind: UInt8, Sendable, Hashable, CaseIterable, BitwiseCopyable {
        /// Equal values on both sides; never has children.
        case unchanged
        /// A value only in the new document. It has children only if something inside was moved there; then the
        /// children are all of its contents.
        case added
        /// A value only in the old document. It has children only if something inside was moved elsewhere; then the
        /// children are all of its contents.
        case removed
        /// Two values without contents to compare: scalars, or values of different kinds. Never has children.
        case changed
        /// Two objects or two arrays that differ in their children.
        case inside
        /// The new place of a value whose old place is ``DifferenceNode/counterpart``. It has children if the value
        /// also changed inside.
        case movedHere
        /// The old place of a value whose new place is ``DifferenceNode/counterpart``; never has children.
        case movedAway
    }

    /// The label of a place in its container.
    public enum Label: Sendable, Hashable {
        /// The whole document.
        case root
        /// The member with that name; the first one if there are several.
        case key(String)
        /// A later member with that name: the second one has occurrence 2.
        case laterKey(String, occurrence: Int)
        /// The element at these positions in the old and the new array; nil if it isn't in that array.
        case index(old: Int?, new: Int?)
    }

    let storage: DocumentDifference.Storage
    /// The position in the difference's list. Places that come later in reading order have greater numbers.
    public let id: Int

    var entry: DifferenceEntry { storage.entries[id] }

    /// The kind of difference.
    public var kind: Kind { entry.kind }

    /// The value in the old document, or nil if there is none. For ``Kind/movedHere``, the value at the old place.
    public var old: DocumentNode? { entry.old.position.map { storage.old.document.node(at: $0) } }

    /// The value in the new document, or nil if there is none. For ``Kind/movedAway``, the value at the new place.
    public var new: DocumentNode? { entry.new.position.map { storage.new.document.node(at: $0) } }

    /// The label of the place in its container.
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

    /// The other end of the move, for a moved value.
    public var counterpart: DifferenceNode? {
        entry.counterpart.position.map { DifferenceNode(storage: storage, id: $0) }
    }

    /// The path of ``old`` in the old document, or nil if there is none.
    public var oldPath: DocumentPath? { storage.path(of: id, inNew: false) }

    /// The path of ``new`` in the new document, or nil if there is none.
    public var newPath: DocumentPath? { storage.path(of: id, inNew: true) }

    /// The container, or nil for the whole document.
    public var parent: DifferenceNode? { entry.parent.position.map { DifferenceNode(storage: storage, id: $0) } }

    /// The position in the list after this place and everything inside it.
    var endID: Int { Int(entry.end) }

    /// Whether there are children.
    public var hasChildren: Bool { endID > id + 1 }

    /// The children, in reading order: that of the new document, with removed values at their positions in the old one.
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

        /// Returns the next child, or nil after the last one.
        public mutating func next() -> DifferenceNode? {
            guard index < end else { return nil }
            let node = DifferenceNode(storage: storage, id: index)
            index = node.endID
            return node
        }
    }
}
