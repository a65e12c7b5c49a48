/// What every value of a decoding is read through: the nodes, and the record of what was read. Like a ``TapeView`` it
/// counts no references; the ``DecodingSession`` keeps what it refers to.
struct NodeReader {
    let view: TapeView
    /// Where the index of the node is noted that is read; nil where no one watches.
    private let place: UnsafeMutablePointer<Int64>?
    /// The bits of the record; nil where nothing is recorded.
    private let bits: UnsafeMutablePointer<UInt64>?
    /// Whose rules the values follow: PropertyListDecoder's or JSONDecoder's.
    let isPropertyList: Bool

    /// The number of nodes.
    private let count: Int

    init(_ document: Document, recording record: ReadRecord?, isWatched: Bool) {
        place = isWatched ? DecodingPlace.current : nil
        view = TapeView(document)
        count = document.nodeCount
        bits = record?.bits(forNodes: count)
        isPropertyList = document.format.isPropertyList
    }

    /// Notes that the value at `index` is read.
    @inline(__always)
    func read(_ index: Int) {
        place?.pointee = Int64(index)
        guard let bits else { return }
        precondition(view.contains(index))
        bits[index >> 6] |= 1 << UInt64(index & 63)
    }

    /// Notes that something else is learned of the document than what is read, or is missing.
    func learn() { bits?[count >> 6] |= 1 << UInt64(count & 63) }
}

// MARK: - Quick ways

/// The values that are spelled in the commonest way; nil for all others, of which the session knows the rules.
extension NodeReader {
    @inline(__always)
    func boolean(at index: Int) -> Bool? {
        let node = view[index]
        return node.kind == .boolean ? node.flags.contains(.isTrue) : nil
    }

    /// A string without escapes, in JSON.
    @inline(__always)
    func string(at index: Int) -> String? {
        let node = view[index]
        guard node.kind == .string, !isPropertyList, !node.flags.contains(.escaped) else { return nil }
        return String(decoding: view.unquotedText(of: node), as: UTF8.self)
    }

    /// An integer written as one, in so few digits that no machine word overflows, where it fits the type.
    @inline(__always)
    func integer<T: FixedWidthInteger>(_ type: T.Type, at index: Int) -> T? {
        // PropertyListDecoder does not know integers of 128 bits.
        guard T.bitWidth <= 64 || !isPropertyList else { return nil }
        return view.smallInteger(at: index).flatMap { T(exactly: $0) }
    }

    /// A number of few digits, in JSON.
    @inline(__always)
    func double(at index: Int) -> Double? {
        let node = view[index]
        guard node.kind == .number, !isPropertyList else { return nil }
        return NumberText.double(view.text(of: node))
    }
}

extension TapeView {
    /// A number written as an integer, in so few digits that no machine word overflows; nil for any other value.
    @inline(__always)
    fileprivate func smallInteger(at index: Int) -> Int64? {
        let node = self[index]
        guard node.kind == .number, node.flags.contains(.integer) else { return nil }
        return NumberText.smallInteger(text(of: node))
    }
}

extension DocumentNode {
    /// What decoders read for an `Int` that is written in the commonest way; nil for any other value, of which they know
    /// the rules.
    package var plainInteger: Int? { TapeView(document).smallInteger(at: index).flatMap { Int(exactly: $0) } }
}
