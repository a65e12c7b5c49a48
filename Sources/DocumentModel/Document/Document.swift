/// A document that was read: an immutable value that is parsed once and never copied.
///
/// A document consists of its text and a flat tape of nodes that refer to the text. A value inside it is a
/// ``DocumentNode``, which is the document and an index. This preserves the source position of every field, the
/// original order of keys, the original spelling of numbers, and duplicate keys.
///
/// ### Creating a document
/// - ``init(parsing:progress:)`` reads JSON or a property list.
/// - ``DocumentBuilder`` creates one node by node; ``DocumentEncoder`` creates one from an `Encodable` value.
///
/// ### Accessing values
/// - ``root``, and from there ``DocumentNode/subscript(_:)-(String)``, ``DocumentNode/members``,
///   ``DocumentNode/elements``
/// - ``DocumentNode/descendant(at:)`` for a ``DocumentPath``
public struct Document: Sendable {
    let storage: Storage

    /// The maximum length of a source, because tape nodes store byte offsets in 32 bits.
    public static let largestSourceLength = SourceBytes.limit

    /// The maximum depth of nested values. It is the same as in Foundation's JSONDecoder and JSONSerialization, so that
    /// a document that opens here also opens in the app.
    package static let deepestNesting = 512

    /// Whether values are nested more deeply than that, which is possible in a document that wasn't parsed.
    package var isTooDeep: Bool { root.depth > Self.deepestNesting }

    /// The format in which the document is stored.
    public var format: DocumentFormat { storage.format }

    /// The outermost value.
    public var root: DocumentNode { DocumentNode(document: self, index: 0) }

    /// Returns the node at `index` of the tape.
    func node(at index: Int) -> DocumentNode { DocumentNode(document: self, index: index) }

    /// The number of nodes, including keys.
    public var nodeCount: Int { storage.tape.count }

    /// The approximate number of bytes of memory that the document uses.
    package var memorySize: Int { storage.text.count + storage.tape.bytes.count }

    /// The bytes that were read (transcoded to UTF-8 if necessary), or nil if the document wasn't parsed.
    public var source: SourceBytes? { storage.source }

    /// The original encoding of the text.
    public var encoding: TextEncoding { storage.encoding }

    /// Whether the original text began with a byte order mark.
    public var hasByteOrderMark: Bool { storage.markLength > 0 }

    /// The nodes and the text that they refer to.
    ///
    /// For JSON, the text is the source itself. If the source represents values differently (XML entities, a binary
    /// property list), the text contains the values, and `sourceRanges`, if it isn't nil, contains the position of each
    /// node in the source.
    final class Storage: Sendable {
        let format: DocumentFormat
        let text: SourceBytes
        let tape: Tape
        let source: SourceBytes?
        let sourceRanges: [Range<UInt32>]?
        let encoding: TextEncoding
        /// The length of the byte order mark that was removed from the source when it was transcoded.
        let markLength: Int
        /// The offsets of extra commas that the parser accepted.
        let extraCommas: [Int]
        /// The comments in a JSON5 source; nil if it has none.
        let comments: Comments?
        /// The formats of documents that replace values in which they were embedded, by the index of their nodes; see
        /// ``Document/unfolding(along:)``.
        let heldForms: [Int: EmbeddedForm]

        init(
            format: DocumentFormat, text: SourceBytes, tape: consuming Tape, source: SourceBytes?,
            sourceRanges: [Range<UInt32>]? = nil, encoding: TextEncoding = .utf8, markLength: Int = 0,
            extraCommas: [Int] = [], comments: Comments? = nil, heldForms: [Int: EmbeddedForm] = [:]
        ) {
            self.format = format
            self.text = text
            self.tape = tape
            self.source = source
            self.sourceRanges = sourceRanges
            self.encoding = encoding
            self.markLength = markLength
            self.extraCommas = extraCommas
            self.comments = comments
            self.heldForms = heldForms
        }
    }

    init(storage: Storage) { self.storage = storage }

    /// The positions where the text violates the JSON grammar but is accepted by Foundation's JSONDecoder, and so is
    /// accepted here too; the first ``mostLeniencies`` of them, in order.
    public var leniencies: [Leniency] {
        storage.extraCommas.compactMap { offset in
            location(ofSourceByte: offset).map { Leniency(kind: .commaBeforeClosingBracket, location: $0) }
        }
    }

    /// The maximum number of ``leniencies`` that a document lists.
    public static let mostLeniencies = 100

    /// A violation of the JSON grammar that decoders accept.
    public struct Leniency: Hashable, Sendable {
        /// A kind of violation.
        public enum Kind: Hashable, Sendable {
            /// A comma that isn't followed by an element or member.
            case commaBeforeClosingBracket
        }

        /// The kind of violation.
        public var kind: Kind
        /// The position of the violation.
        public var location: SourceLocation
    }

    /// The comments of a text in JSON5. A document has no place for them, so they are lost when it is written.
    struct Comments: Hashable, Codable {
        /// The offset of the first comment in the source, in bytes.
        let first: Int
        /// The number of comments, at least 1.
        var count = 1
    }

    /// The number of comments in a text in JSON5, and the location of the first one; nil if there are none.
    package var comments: (count: Int, first: SourceLocation)? {
        guard let comments = storage.comments, let first = location(ofSourceByte: comments.first) else { return nil }
        return (comments.count, first)
    }

    /// Returns the location of a byte of ``source``, as seen by a person who opens the file: in a transcoded text, the
    /// offset counts bytes of the file instead of bytes of the transcoded UTF-8.
    public func location(ofSourceByte offset: Int) -> SourceLocation? {
        guard let source else { return nil }
        return encoding.location(at: offset, in: source, markLength: storage.markLength)
    }
}

extension Document: Equatable {
    /// Returns whether two documents have equal values, with members in any order and numbers compared by value.
    public static func == (left: Document, right: Document) -> Bool { left.root.isEqual(to: right.root) }
}
