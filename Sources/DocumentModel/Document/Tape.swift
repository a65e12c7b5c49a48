import Foundation

/// The kind of a document's node.
public enum NodeKind: UInt8, Sendable, Hashable, BitwiseCopyable {
    /// An unordered collection of named values, kept in its original order.
    case object
    /// An ordered list of values.
    case array
    /// Text.
    case string
    /// A number, kept in its original spelling.
    case number
    /// `true` or `false`.
    case boolean
    /// The absence of a value.
    case null
    /// A point in time; property lists only.
    case date
    /// Bytes; property lists only.
    case data
    /// The name of a member. The next node is its value.
    case key

    /// Whether nodes of this kind contain other nodes.
    public var isContainer: Bool { self == .object || self == .array }
}

/// One node: sixteen bytes of the tape.
struct TapeNode {
    /// The start and end of the node's text, as byte offsets in the document's text.
    var start: UInt32
    var end: UInt32
    /// The index of the node after this one and everything inside it.
    var next: UInt32
    var kind: NodeKind
    var flags: Flags

    /// The range of the node's text.
    @inline(__always)
    var range: Range<Int> { Int(start)..<Int(end) }

    /// The range of the node's text without its quotation marks.
    @inline(__always)
    var unquotedRange: Range<Int> { flags.contains(.quoted) ? Int(start) + 1..<Int(end) - 1 : range }

    struct Flags: OptionSet {
        let rawValue: UInt8
        /// The text of a string or key is in quotation marks, as in JSON's source.
        static let quoted = Flags(rawValue: 1)
        /// The text of a quoted string contains escapes.
        static let escaped = Flags(rawValue: 2)
        /// A number without a fraction or an exponent.
        static let integer = Flags(rawValue: 4)
        /// A boolean that is true.
        static let isTrue = Flags(rawValue: 8)
        /// An object that was read as a property list's unique identifier.
        static let identifier = Flags(rawValue: 16)
    }
}

/// The nodes of a document in the order of its text: a container before its contents, a key before its value.
///
/// ## Invariant
/// `count` nodes from `nodes` are initialized before `init` returns and never written again, which makes the type
/// `Sendable`. Every `next` is greater than the node's own index and at most `count`. Every node inside a container is
/// between the container and its `next`; its text is inside the container's, after that of the previous node; and
/// `start <= end <=` the length of the document's text. An object's nodes are keys, each followed by its value. Strings
/// are well-formed, numbers can be read (those flagged as integers consist of digits with or without a minus sign), and
/// dates have 8 bytes.
struct Tape: ~Copyable, @unchecked Sendable {
    private let nodes: UnsafeMutablePointer<TapeNode>
    let count: Int
    /// The owner of the memory, or nil if the tape owns it.
    private let owner: AnyObject?

    /// Takes over the memory of `writer`.
    init(_ writer: consuming TapeWriter) {
        (nodes, count) = writer.released()
        owner = nil
    }

    /// Creates a tape from nodes in the memory of `owner`, which another process wrote. Returns nil if they violate the
    /// invariant.
    ///
    /// - Parameters:
    ///   - text: The text that the nodes refer to, followed by ``SourceBytes/padding`` readable bytes.
    ///   - isSource: Whether the text is the JSON source.
    ///   - places: The position of each node in the source, or nil if it isn't known.
    init?(
        _ nodes: UnsafeMutablePointer<TapeNode>, count: Int, text: UnsafeRawBufferPointer, isSource: Bool,
        places: [Range<UInt32>]?, of owner: AnyObject
    ) {
        let check = TapeCheck(
            nodes: UnsafeBufferPointer(start: nodes, count: count), text: text, isSource: isSource, places: places)
        guard check.isSound else { return nil }
        self.nodes = nodes
        self.count = count
        self.owner = owner
    }

    deinit { if owner == nil { free(nodes) } }

    /// The memory of the nodes. The caller must keep the tape alive.
    var memory: (UnsafePointer<TapeNode>, count: Int) { (UnsafePointer(nodes), count) }

    /// The bytes of all nodes.
    var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: nodes, count: count * MemoryLayout<TapeNode>.stride)
    }

    subscript(index: Int) -> TapeNode {
        precondition(index >= 0 && index < count)
        return nodes[index]
    }
}

/// A tape that is being written.
///
/// ## Invariant
/// `count` nodes from `nodes` are initialized, and `capacity`, which is at least 1, are allocated with `malloc`.
struct TapeWriter: ~Copyable {
    private var nodes: UnsafeMutablePointer<TapeNode>
    private(set) var count = 0
    private var capacity: Int

    /// Creates an empty tape with some capacity.
    init(capacity: Int = 16) {
        self.capacity = max(1, capacity)
        nodes = .allocated(count: self.capacity)
    }

    deinit { free(nodes) }

    @inline(__always)
    mutating func append(_ kind: NodeKind, start: Int, end: Int, flags: TapeNode.Flags = []) {
        append(
            TapeNode(
                start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: end),
                next: UInt32(truncatingIfNeeded: count + 1), kind: kind, flags: flags))
    }

    @inline(__always)
    mutating func append(_ node: TapeNode) {
        // Grow by half, so that the blocks that are left behind are smaller.
        if count == capacity { resize(to: capacity + max(16, capacity / 2)) }
        (nodes + count).initialize(to: node)
        count += 1
    }

    @inline(never)
    private mutating func resize(to capacity: Int) {
        nodes = nodes.reallocated(count: capacity)
        self.capacity = capacity
    }

    @inline(__always)
    subscript(index: Int) -> TapeNode {
        get {
            precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
            return nodes[index]
        }
        _modify {
            precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
            yield &nodes[index]
        }
    }

    /// Ends the container at `index`. Its text ends at `end`, and the next node to be written is the one after it.
    @inline(__always)
    mutating func close(_ index: Int, end: Int) {
        let next = UInt32(truncatingIfNeeded: count)
        self[index].end = UInt32(truncatingIfNeeded: end)
        self[index].next = next
    }

    /// Returns the container around an open one, as stored by ``setOuter(_:of:)``; -1 if there is none.
    @inline(__always)
    func outer(of index: Int) -> Int { Int(self[index].next) - 1 }

    /// Stores in a container, until it is closed, the index of the one around it; -1 for none.
    @inline(__always)
    mutating func setOuter(_ outer: Int, of index: Int) { self[index].next = UInt32(truncatingIfNeeded: outer + 1) }

    /// Returns the nodes, with little unused capacity. The caller must free the memory.
    consuming func released() -> (memory: UnsafeMutablePointer<TapeNode>, count: Int) {
        if (capacity - count) * MemoryLayout<TapeNode>.stride > MallocedMemory.mostSlack { resize(to: max(1, count)) }
        let released = (nodes, count)
        discard self
        return released
    }
}
