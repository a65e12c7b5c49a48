/// Reads the nodes of a decoding, and records which ones were read. The ``DecodingSession`` keeps the document alive.
struct NodeReader {
    let view: TapeView
    /// The memory in which to store the index of the current node, or nil if no process watches.
    private let place: UnsafeMutablePointer<Int64>?
    private let record: ReadRecord?
    /// Whether to follow the rules of PropertyListDecoder rather than JSONDecoder.
    let isPropertyList: Bool

    init(_ document: Document, recording record: ReadRecord?, isWatched: Bool) {
        place = isWatched ? DecodingPlace.current : nil
        view = TapeView(document)
        self.record = record
        record?.reserve(nodeCount: document.nodeCount)
        isPropertyList = document.format.isPropertyList
    }

    /// Records that the value at `index` is read.
    @inline(__always)
    func read(_ index: Int) {
        place?.pointee = Int64(index)
        record?.insert(index)
    }

    /// Records that something else about the document was learned than the values that were read or are missing.
    func learn() { record?.insert(view.count) }
}

// MARK: - Fast paths

/// Values in their most common spelling. For all others, these functions return nil, and the session applies the full
/// rules.
extension NodeReader {
    @inline(__always)
    func boolean(at index: Int) -> Bool? {
        let node = view[index]
        return node.kind == .boolean ? node.flags.contains(.isTrue) : nil
    }

    /// Returns a string without escapes, in JSON.
    @inline(__always)
    func string(at index: Int) -> String? {
        let node = view[index]
        guard node.kind == .string, !isPropertyList, !node.flags.contains(.escaped) else { return nil }
        return String(decoding: view.unquotedText(of: node), as: UTF8.self)
    }

    /// Returns an integer that is written as one, fits the type, and has few enough digits not to overflow a machine
    /// word.
    @inline(__always)
    func integer<T: FixedWidthInteger>(_ type: T.Type, at index: Int) -> T? {
        // PropertyListDecoder doesn't support 128-bit integers.
        guard T.bitWidth <= 64 || !isPropertyList else { return nil }
        return view.smallInteger(at: index).flatMap { T(exactly: $0) }
    }

    /// Returns a number of few digits, in JSON.
    @inline(__always)
    func double(at index: Int) -> Double? {
        let node = view[index]
        guard node.kind == .number, !isPropertyList else { return nil }
        return NumberText.double(view.text(of: node))
    }
}

extension TapeView {
    /// Returns a number that is written as an integer with few enough digits not to overflow a machine word, or nil for
    /// any other value.
    @inline(__always)
    fileprivate func smallInteger(at index: Int) -> Int64? {
        let node = self[index]
        guard node.kind == .number, node.flags.contains(.integer) else { return nil }
        return NumberText.smallInteger(text(of: node))
    }
}

extension DocumentNode {
    /// The value that decoders read for an `Int` in its most common spelling; nil for any other value, for which they
    /// have more rules.
    package var plainInteger: Int? { TapeView(document).smallInteger(at: index).flatMap { Int(exactly: $0) } }
}
