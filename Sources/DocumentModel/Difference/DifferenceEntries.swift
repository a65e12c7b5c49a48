/// One place of a difference, to which a ``DifferenceNode`` refers.
struct DifferenceEntry: Equatable {
    /// A missing index or position.
    static let none = UInt32.max

    var kind: DifferenceNode.Kind
    /// Whether the container is an array.
    var isElement = false
    /// Whether the values are elements that have nothing in common but their place between other elements.
    var isPositional = false
    /// Whether a JSON Patch can only replace the values as a whole, because they are objects with repeated names.
    var isPatchedWhole = false
    /// The indices of the values in their documents' tapes.
    var old = Self.none
    var new = Self.none
    /// The positions in the old and the new array.
    var oldPosition = Self.none
    var newPosition = Self.none
    /// The entry of the container.
    var parent = Self.none
    /// The entry after this one and everything inside it.
    var end = Self.none
    /// The entry of the other end, for a moved value.
    var counterpart = Self.none

    /// Whether the value is in only one document.
    var isOfOneSide: Bool { kind == .removed || kind == .added }

    /// Returns whether the entry, which is the one at `id`, has nothing inside.
    func isLeaf(at id: Int) -> Bool { Int(end) == id + 1 }
}

extension UInt32 {
    /// The index or position in an entry, or nil for ``DifferenceEntry/none``.
    var position: Int? { self == DifferenceEntry.none ? nil : Int(self) }
}
