import Foundation

/// What a node of a document is.
public enum NodeKind: UInt8, Sendable, Hashable, BitwiseCopyable {
    /// An unordered collection of named values, kept in the order in which it was written.
    case object
    /// An ordered list of values.
    case array
    /// Text.
    case string
    /// A number, kept as it was written.
    case number
    /// `true` or `false`.
    case boolean
    /// The absence of a value.
    case null
    /// A point in time; property lists only.
    case date
    /// Bytes; property lists only.
    case data
    /// The name of a member. Its value is the node after it.
    case key

    /// Whether nodes of this kind have nodes inside.
    public var isContainer: Bool { self == .object || self == .array }
}

/// One node: sixteen bytes of the tape.
struct TapeNode {
    /// Where the node's text starts and ends, in bytes of the document's text.
    var start: UInt32
    var end: UInt32
    /// The index of the node after this one and everything inside it.
    var next: UInt32
    var kind: NodeKind
    var flags: Flags

    /// Where the node's text stands.
    @inline(__always)
    var range: Range<Int> { Int(start)..<Int(end) }

    /// Where the node's text stands without its quotation marks.
    @inline(__always)
    var unquotedRange: Range<Int> { flags.contains(.quoted) ? Int(start) + 1..<Int(end) - 1 : range }

    struct Flags: OptionSet {
        let rawValue: UInt8
        /// The text of a string or key stands in quotation marks, as in JSON's source.
        static let quoted = Flags(rawValue: 1)
        /// The text of a quoted string has escapes in it.
        static let escaped = Flags(rawValue: 2)
        /// A number without fraction and exponent.
        static let integer = Flags(rawValue: 4)
        /// A boolean that is true.
        static let isTrue = Flags(rawValue: 8)
        /// An object that was read as a property list's unique identifier.
        static let identifier = Flags(rawValue: 16)
    }
}

/// The nodes of a document in the order of its text: a container before what is inside it, a key before its value.
///
/// ## Invariant
/// `count` nodes from `nodes` are initialized before `init` returns and never written again, which makes the type
/// `Sendable`. Every `next` is greater than the node's own index and at most `count`; every node inside a container
/// lies between the container and its `next`, and its text within the container's, after that of the node before; and
/// `start <= end <=` the length of the document's text. An object's nodes are keys, each before its value. Strings are
/// well-formed, numbers can be read (those flagged as integers are digits behind a minus sign or not), and dates have 8
/// bytes.
struct Tape: ~Copyable, @unchecked Sendable {
    private let nodes: UnsafeMutablePointer<TapeNode>
    let count: Int
    /// What keeps the memory; nil where the memory is the tape's own.
    private let owner: AnyObject?

    /// Takes over the memory of `writer`.
    init(_ writer: consuming TapeWriter) {
        (nodes, count) = writer.released()
        owner = nil
    }

    /// The nodes in the memory of `owner`, which another process wrote; nil where they do not keep the invariant.
    ///
    /// - Parameters:
    ///   - text: The text that the nodes stand for, behind which ``SourceBytes/padding`` can be read.
    ///   - isSource: Whether that is JSON as it was read.
    ///   - places: Where each node stands in the source; nil where that is not said.
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

    /// Where the nodes are, for who keeps the tape meanwhile.
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
struct TapeWriter: ~Copyable {
    private var nodes: OwnedList<TapeNode>

    /// An empty tape with room for some nodes.
    init(capacity: Int = 16) { nodes = OwnedList(capacity: capacity) }

    var count: Int { nodes.count }

    @inline(__always)
    mutating func append(_ kind: NodeKind, start: Int, end: Int, flags: TapeNode.Flags = []) {
        append(
            TapeNode(
                start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: end),
                next: UInt32(truncatingIfNeeded: count + 1), kind: kind, flags: flags))
    }

    /// Ends the container at `index`: its text ends at `end`, and the next node to be written is the one after it.
    @inline(__always)
    mutating func close(_ index: Int, end: Int) {
        let next = UInt32(truncatingIfNeeded: count)
        nodes[index].end = UInt32(truncatingIfNeeded: end)
        nodes[index].next = next
    }

    /// The container around one that is not closed, which ``setOuter(_:of:)`` noted there; -1 for none.
    @inline(__always)
    func outer(of index: Int) -> Int { Int(nodes[index].next) - 1 }

    /// Notes in a container, until it is closed, which one is around it; -1 for none.
    @inline(__always)
    mutating func setOuter(_ outer: Int, of index: Int) { nodes[index].next = UInt32(truncatingIfNeeded: outer + 1) }

    @inline(__always)
    func kind(at index: Int) -> NodeKind { nodes[index].kind }

    @inline(__always)
    subscript(index: Int) -> TapeNode { nodes[index] }

    /// Puts another node in the place of one.
    mutating func replace(at index: Int, with node: TapeNode) { nodes[index] = node }

    mutating func setFlags(_ flags: TapeNode.Flags, at index: Int) { nodes[index].flags = flags }

    @inline(__always)
    mutating func append(_ node: TapeNode) { nodes.append(node) }

    /// The nodes. The memory is to be freed.
    consuming func released() -> (memory: UnsafeMutablePointer<TapeNode>, count: Int) { nodes.released() }
}
