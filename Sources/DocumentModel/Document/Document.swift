/// A document as it was read: an immutable value that is parsed once and never copied.
///
/// A document is its text and a flat tape of nodes over it. A value inside it is a ``DocumentNode``: the document and
/// an index. From this come, without further work, the place of any field in the source, the order of keys as it was
/// written, numbers as they were written, and duplicate keys seen rather than lost.
///
/// ### Making one
/// - ``init(parsing:progress:)`` reads JSON or a property list.
/// - ``DocumentBuilder`` makes one node by node; ``DocumentEncoder`` makes one from an `Encodable` value.
///
/// ### Looking inside
/// - ``root``, and from there ``DocumentNode/subscript(_:)-(String)``, ``DocumentNode/members``,
///   ``DocumentNode/elements``
/// - ``DocumentNode/descendant(at:)`` for a ``DocumentPath``
public struct Document: Sendable {
    let storage: Storage

    /// The largest source that can be read: a node of the tape counts bytes in 32 bits.
    public static let largestSourceLength = SourceBytes.limit

    /// How deeply values may be nested: as deeply as Foundation's JSONDecoder and JSONSerialization allow, so that what
    /// opens here also opens in the app.
    package static let deepestNesting = 512

    /// Whether values are nested more deeply than that, as those of a document may be that was made.
    package var isTooDeep: Bool { root.depth > Self.deepestNesting }

    /// The form in which the document is stored.
    public var format: DocumentFormat { storage.format }

    /// The outermost value.
    public var root: DocumentNode { DocumentNode(document: self, index: 0) }

    /// The node at `index` of the tape.
    func node(at index: Int) -> DocumentNode { DocumentNode(document: self, index: index) }

    /// The number of nodes, keys included.
    public var nodeCount: Int { storage.tape.count }

    /// About how many bytes of memory the document keeps.
    package var memorySize: Int { storage.text.count + storage.tape.bytes.count }

    /// The bytes as they were read (transcoded to UTF-8 if they were not); nil for a document that was made, not read.
    public var source: SourceBytes? { storage.source }

    /// The encoding of the text as it was read.
    public var encoding: TextEncoding { storage.encoding }

    /// Whether the text as it was read began with a byte order mark.
    public var hasByteOrderMark: Bool { storage.markLength > 0 }

    /// The nodes and the text that they stand for.
    ///
    /// For JSON the text is the source itself. Where the source spells values in another way (XML's entities, a binary
    /// property list) the text holds the values, and `sourceRanges`, if there is one, says where each node stands in
    /// the source.
    final class Storage: Sendable {
        let format: DocumentFormat
        let text: SourceBytes
        let tape: Tape
        let source: SourceBytes?
        let sourceRanges: [Range<UInt32>]?
        let encoding: TextEncoding
        /// The length of the byte order mark that was taken off the source when it was transcoded.
        let markLength: Int
        /// The offsets of commas that the parser read over.
        let extraCommas: [Int]
        /// How the documents are held that stand in place of values, by the index of their nodes; see
        /// ``Document/unfolding(along:)``.
        let heldForms: [Int: HeldDocument.Form]

        init(
            format: DocumentFormat, text: SourceBytes, tape: consuming Tape, source: SourceBytes?,
            sourceRanges: [Range<UInt32>]? = nil, encoding: TextEncoding = .utf8, markLength: Int = 0,
            extraCommas: [Int] = [], heldForms: [Int: HeldDocument.Form] = [:]
        ) {
            self.format = format
            self.text = text
            self.tape = tape
            self.source = source
            self.sourceRanges = sourceRanges
            self.encoding = encoding
            self.markLength = markLength
            self.extraCommas = extraCommas
            self.heldForms = heldForms
        }
    }

    init(storage: Storage) { self.storage = storage }

    /// Where the text is no JSON by its grammar, but is read by Foundation's JSONDecoder and so is read here; the first
    /// ``mostLeniencies`` of them, in their order.
    public var leniencies: [Leniency] {
        storage.extraCommas.compactMap { offset in
            location(ofSourceByte: offset).map { Leniency(kind: .commaBeforeClosingBracket, location: $0) }
        }
    }

    /// The largest number of ``leniencies`` that a document lists.
    public static let mostLeniencies = 100

    /// What the grammar of JSON does not allow and a decoder reads all the same.
    public struct Leniency: Hashable, Sendable {
        /// What it is.
        public enum Kind: Hashable, Sendable {
            /// A comma with no element or member behind it.
            case commaBeforeClosingBracket
        }

        /// What it is.
        public var kind: Kind
        /// Where it stands.
        public var location: SourceLocation
    }

    /// The location of a byte of ``source``, as a person who opens the file would count: in a text that was transcoded,
    /// the offset counts the bytes of the file, not those of the UTF-8 made from it.
    public func location(ofSourceByte offset: Int) -> SourceLocation? {
        guard let source else { return nil }
        return encoding.location(at: offset, in: source, markLength: storage.markLength)
    }
}

extension Document: Equatable {
    /// Whether two documents hold equal values: members in any order, and equal numbers however they are spelled.
    public static func == (left: Document, right: Document) -> Bool { left.root.isEqual(to: right.root) }
}
