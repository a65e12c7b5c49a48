/// A record of the values that were read while a document was decoded.
///
///     let record = ReadRecord()
///     let poem = try decoder.decode(Poem.self, from: document.root, recording: record)
///     print(record.droppedPaths(in: document.root))  // [$.mood]
///
/// A value counts as read if its key is used in any way: to decode it, to check whether it exists or is null, or to
/// open it as a container. Reading a container doesn't count as reading the values inside it.
///
/// - Warning: A record is for a single document, and for one decoding at a time. If it is reused, it accumulates what
///   several decodings read.
public final class ReadRecord {
    /// The values that were read. The index after the last node records that something about the document was learned
    /// without reading a value.
    private var nodes = NodeSet()

    /// The errors of the decoder itself, in order, with only one for each kind of position (elements of arrays are
    /// combined). The decoded types caught all of them except the one that ended the decoding.
    public private(set) var errors: [DecodingErrorDetail] = []
    /// The positions of all errors, once there is more than one.
    private var errorPlaces: Set<ErrorPlace> = []
    /// The last error at any position.
    var lastError: DecodingErrorDetail?

    private struct ErrorPlace: Hashable {
        let path: DocumentPath
        let description: String

        init(_ error: DecodingErrorDetail) {
            path = DocumentPath(codingPath: error.codingPath).foldingIndices
            description = error.description
        }
    }

    /// The names that the decoding requested but the root of the document doesn't have; nil if they aren't recorded, or
    /// if values that were read have been forgotten.
    private(set) var missedNames: [String]?

    /// Creates an empty record.
    public init() {}

    /// Creates an empty record that can also record missing names; see ``namesMissedOnly``.
    package init(notesMissedNames: Bool) { missedNames = notesMissedNames ? [] : nil }

    /// Makes room for a document with `nodeCount` nodes.
    func reserve(nodeCount: Int) { nodes.reserve(nodeCount: nodeCount) }

    /// The number of values that were read.
    package var count: Int { nodes.count }

    /// Returns whether `node` was read.
    public func contains(_ node: DocumentNode) -> Bool { nodes.contains(node.index) }

    /// Records an error.
    func note(_ error: DecodingErrorDetail) {
        lastError = error
        if errors.isEmpty { return errors.append(error) }
        if errorPlaces.isEmpty { errorPlaces = Set(errors.map(ErrorPlace.init)) }
        if errorPlaces.insert(ErrorPlace(error)).inserted { errors.append(error) }
    }

    /// Records that `node` was read.
    func insert(_ node: DocumentNode) {
        nodes.reserve(nodeCount: node.document.nodeCount)
        nodes.insert(node.index)
    }

    /// Records that the node at `index` was read, for which there must be room.
    @inline(__always)
    func insert(_ index: Int) { nodes.insert(index) }

    /// Records that the existing values along `path` from `root` were read.
    ///
    /// - Returns: Whether there is a value at the end of the path, and it had already been read.
    @discardableResult
    public func insert(_ path: DocumentPath, in root: DocumentNode) -> Bool {
        var node = root
        var wasRead = contains(node)
        insert(node)
        for component in path.components {
            guard let child = node.child(at: component) else { return false }
            node = child
            wasRead = contains(node)
            insert(node)
        }
        return wasRead
    }

    /// Records that a value was read with everything inside it.
    public func insert(allOf node: DocumentNode) {
        nodes.reserve(nodeCount: node.document.nodeCount)
        nodes.insert(node.index..<node.endIndex)
    }

    /// Adds everything that another record of the same document contains.
    package func formUnion(_ other: ReadRecord) { nodes.formUnion(other.nodes) }

    /// The state of a value in the record at some time.
    public struct Mark {
        fileprivate let nodes: NodeSet.Part
        fileprivate let errorCount: Int
    }

    /// Returns the current state of `node` in the record, to restore with ``forget(since:)``. It takes one bit for
    /// every value inside.
    public func mark(in node: DocumentNode) -> Mark {
        Mark(nodes: nodes.part(node.index..<node.endIndex), errorCount: errors.count)
    }

    /// The number of values inside the marked one that were read since then.
    package func count(since mark: Mark) -> Int { nodes.count(since: mark.nodes) }

    /// Restores the state of the marked value, for example after a failed attempt to decode it. Nothing else may have
    /// been read in between.
    public func forget(since mark: Mark) {
        missedNames = nil
        errorPlaces.subtract(errors[mark.errorCount...].map(ErrorPlace.init))
        errors.removeSubrange(mark.errorCount...)
        nodes.restore(mark.nodes)
    }

    /// Records that the root doesn't have a requested name.
    func note(missing name: String) {
        // To describe an error, a container looks up the same name again.
        if missedNames?.last != name { missedNames?.append(name) }
    }

    /// The names that a document doesn't have, if its decoding learned nothing else about the document except the kind
    /// of its root. Nil if it learned more, or if missing names aren't recorded.
    package var namesMissedOnly: [String]? {
        // The root is always read.
        nodes.count == 1 ? missedNames : nil
    }

    /// Returns the paths from `root` of the outermost values that were not read, in document order. A path has `*` for
    /// a position if none of the elements' values was read.
    public func droppedPaths(in root: DocumentNode) -> [DocumentPath] {
        let (tape, end) = (TapeView(root.document), root.endIndex)
        // Most documents are read completely.
        if (root.index..<end).allSatisfy({ nodes.contains($0) || tape[$0].kind == .key }) { return [] }
        var paths: [DocumentPath] = []
        var seen: Set<DocumentPath> = []
        func visit(_ node: DocumentNode, _ path: DocumentPath) {
            guard contains(node) else {
                if seen.insert(path).inserted { paths.append(path) }
                return
            }
            node.forEachStep { visit($1, path.appending($0)) }
        }
        visit(root, .root)
        return root.folding(paths)
    }
}
