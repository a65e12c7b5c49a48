import Foundation

/// Creates a document node by node, in the order in which it will be read.
///
///     var builder = DocumentBuilder()
///     builder.beginObject()
///     builder.key("author")
///     builder.string("Anonymous")
///     builder.end()
///     let document = builder.finish()
///
/// The caller must build exactly one complete value, with a key before every value of an object and nowhere else, and
/// an ``end()`` for every beginning. Otherwise, ``finish(format:)`` traps.
public struct DocumentBuilder: ~Copyable {
    private var tape: TapeWriter
    private var text: ByteWriter
    /// The innermost open container, or -1 if there is none. The node of an open container stores the index of the one
    /// around it.
    private var open = -1

    /// Creates an empty builder.
    public init() { self.init(nodeCapacity: 16) }

    /// Creates an empty builder with capacity for `nodeCapacity` nodes.
    init(nodeCapacity: Int) {
        tape = TapeWriter(capacity: nodeCapacity)
        text = ByteWriter(capacity: nodeCapacity * Self.bytesOfNode)
    }

    /// The estimated length of a node's text.
    private static let bytesOfNode = 8

    /// Begins an object.
    public mutating func beginObject() { begin(.object) }

    /// Begins an array.
    public mutating func beginArray() { begin(.array) }

    /// Ends the innermost object or array.
    public mutating func end() {
        let container = open
        precondition(container >= 0, "nothing to end")
        open = tape.outer(of: container)
        tape.close(container, end: text.count)
    }

    /// Appends the name of the next value.
    public mutating func key(_ name: String) { append(.key, name) }

    /// Appends a string.
    public mutating func string(_ value: String) { append(.string, value) }

    /// Appends a number with the given spelling. `text` must be a JSON number, or `nan`, `inf` or `-inf`.
    public mutating func number(_ text: String) {
        let isInteger = text.utf8.allSatisfy { $0 == UInt8(ascii: "-") || $0.isDigit }
        append(.number, text, flags: isInteger ? .integer : [])
    }

    /// Appends an integer.
    public mutating func number(_ value: some BinaryInteger) { append(.number, String(value), flags: .integer) }

    /// Appends a boolean.
    public mutating func boolean(_ value: Bool) { append(.boolean, flags: value ? .isTrue : []) }

    /// Appends null.
    public mutating func null() { append(.null) }

    /// Appends a date, for a property list.
    public mutating func date(_ value: Date) {
        withUnsafeBytes(of: value.timeIntervalSinceReferenceDate) { append(.date, $0) }
    }

    /// Appends data, for a property list.
    public mutating func data(_ value: Data) { value.withUnsafeBytes { append(.data, $0) } }

    /// Appends the unique identifier of a keyed archive, for a property list.
    mutating func identifier(_ value: UInt32) {
        beginObject()
        key(KeyedArchiveIdentifier.name)
        number(value)
        endIdentifier()
    }

    /// Ends the innermost object, which represents a unique identifier.
    mutating func endIdentifier() {
        if open >= 0 { tape[open].flags = .identifier }
        end()
    }

    /// Ends the innermost object, and marks it as an identifier if its only member is that of one.
    mutating func endDictionary() {
        guard open >= 0, tape.count == open + 3 else { return end() }
        let (key, value) = (tape[open + 1], tape[open + 2])
        let number = KeyedArchiveIdentifier.value(
            named: bytes(key), String(decoding: bytes(value), as: UTF8.self),
            isInteger: value.flags.contains(.integer))
        if number == nil { end() } else { endIdentifier() }
    }

    /// Appends a value of another document with everything inside it, in its original spelling.
    public mutating func append(_ node: DocumentNode) {
        let storage = node.document.storage
        let first = node.tapeNode
        let textShift = text.count - Int(first.start)
        let indexShift = tape.count - node.index
        storage.text.withBytes(in: first.range) { text.append($0) }
        for index in node.index..<node.endIndex {
            var copy = storage.tape[index]
            copy.start = UInt32(truncatingIfNeeded: Int(copy.start) + textShift)
            copy.end = UInt32(truncatingIfNeeded: Int(copy.end) + textShift)
            copy.next = UInt32(truncatingIfNeeded: Int(copy.next) + indexShift)
            tape.append(copy)
        }
    }

    /// Returns the finished document.
    public consuming func finish(format: DocumentFormat = .json) -> Document {
        finish(format: format, source: nil, sourceRanges: nil)
    }

    /// Appends the name of the next value, in well-formed UTF-8.
    @inline(__always)
    mutating func key(utf8: UnsafeRawBufferPointer) { append(.key, utf8) }

    /// Appends the name of the next value, in well-formed UTF-8.
    mutating func key(utf8: [UInt8]) { utf8.withUnsafeBytes { key(utf8: $0) } }

    /// Appends a string, in well-formed UTF-8.
    mutating func string(utf8: [UInt8]) { utf8.withUnsafeBytes { append(.string, $0) } }

    /// Appends a string that is valid UTF-8.
    mutating func string(utf8: UnsafeRawBufferPointer) { append(.string, utf8) }

    /// Appends an integer with the given decimal digits.
    mutating func integer(utf8: UnsafeRawBufferPointer) { append(.number, utf8, flags: .integer) }

    /// The number of nodes so far, which is the index of the next one.
    var nodeCount: Int { tape.count }

    /// Returns the finished document, which was built from `source`. Node `i` is located at `sourceRanges[i]`.
    consuming func finish(
        format: DocumentFormat, source: SourceBytes?, sourceRanges: [Range<UInt32>]?, encoding: TextEncoding = .utf8,
        markLength: Int = 0, comments: Document.Comments? = nil, heldForms: [Int: EmbeddedForm] = [:]
    ) -> Document {
        precondition(open < 0 && tape.count > 0, "a document is one whole value")
        return Document(
            storage: .init(
                format: format, text: SourceBytes(text), tape: Tape(tape), source: source, sourceRanges: sourceRanges,
                encoding: encoding, markLength: markLength, comments: comments, heldForms: heldForms))
    }

    private mutating func begin(_ kind: NodeKind) {
        let container = tape.count
        tape.append(kind, start: text.count, end: text.count)
        tape.setOuter(open, of: container)
        open = container
    }

    private mutating func append(_ kind: NodeKind, flags: TapeNode.Flags = []) {
        tape.append(kind, start: text.count, end: text.count, flags: flags)
    }

    @inline(__always)
    private mutating func append(_ kind: NodeKind, _ bytes: UnsafeRawBufferPointer, flags: TapeNode.Flags = []) {
        let start = text.count
        text.append(bytes)
        tape.append(kind, start: start, end: text.count, flags: flags)
    }

    private mutating func append(_ kind: NodeKind, _ string: String, flags: TapeNode.Flags = []) {
        let start = text.count
        text.append(string)
        tape.append(kind, start: start, end: text.count, flags: flags)
    }

    /// Returns the text of a node.
    private func bytes(_ node: TapeNode) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: text.bytes[node.range])
    }
}

extension Document {
    /// Creates a separate document with the value of `node`, in its original spelling.
    public init(copying node: DocumentNode) {
        var builder = DocumentBuilder()
        builder.append(node)
        self = builder.finish(format: node.document.format)
    }

    /// Creates a separate document with the value of `node`, in another format with the same spelling of values.
    package init(copying node: DocumentNode, as format: DocumentFormat) {
        var builder = DocumentBuilder()
        builder.append(node)
        self = builder.finish(format: format)
    }
}
