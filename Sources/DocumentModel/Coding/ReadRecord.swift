import Foundation

/// Which values of a document were read while it was decoded.
///
///     let record = ReadRecord()
///     let poem = try decoder.decode(Poem.self, from: document.root, recording: record)
///     print(record.droppedPaths(in: document.root))  // [$.mood]
///
/// To ask for a key in any way (to decode it, to look whether it is there or null, to open it as a container) is to
/// read its value. A container that is read is not read whole: what is inside it counts on its own.
///
/// - Warning: A record belongs to one document, and to one decoding at a time. Used again, it gathers what several
///   read.
public final class ReadRecord {
    /// A bit for every node, and at least one more behind them, for what is learned of the document without reading a
    /// value.
    private var words = UnsafeMutableBufferPointer<UInt64>(start: nil, count: 0)
    /// Room that had become too small. Whoever reads still writes there, so it stays until the record ends.
    private var outgrown: [UnsafeMutableBufferPointer<UInt64>] = []

    /// The errors of the decoder's own, in their order, each kind of place once (elements of arrays fold): all but the
    /// one that ends the decoding were caught by the decoded types.
    public private(set) var errors: [DecodingErrorDetail] = []
    /// The places of all of them, once there has been a second.
    private var errorPlaces: Set<ErrorPlace> = []
    /// The last of them, whatever its place.
    var lastError: DecodingErrorDetail?

    private struct ErrorPlace: Hashable {
        let path: DocumentPath
        let description: String

        init(_ error: DecodingErrorDetail) {
            path = DocumentPath(codingPath: error.codingPath).foldingIndices
            description = error.description
        }
    }

    /// The names that the decoding asked the root of the document for in vain; nil where that is not noted, or
    /// something was forgotten that had been read.
    private(set) var missedNames: [String]?

    /// A record of nothing.
    public init() {}

    /// A record of nothing, which notes as well what is asked for in vain; see ``namesMissedOnly``.
    package init(notesMissedNames: Bool) { missedNames = notesMissedNames ? [] : nil }

    deinit {
        free(words.baseAddress)
        for words in outgrown { free(words.baseAddress) }
    }

    /// Where the bits of a document with `count` nodes are, as long as the record exists.
    func bits(forNodes count: Int) -> UnsafeMutablePointer<UInt64> {
        let wordCount = count >> 6 + 1
        if let bits = words.baseAddress, words.count >= wordCount { return bits }
        let bits = UnsafeMutableRawPointer.zeroed(byteCount: wordCount * MemoryLayout<UInt64>.stride)
            .bindMemory(to: UInt64.self, capacity: wordCount)
        if let old = words.baseAddress {
            bits.update(from: old, count: words.count)
            outgrown.append(words)
        }
        words = UnsafeMutableBufferPointer(start: bits, count: wordCount)
        return bits
    }

    /// How many values were read.
    package var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

    /// Whether `node` was read.
    public func contains(_ node: DocumentNode) -> Bool { contains(node.index) }

    /// Keeps an error.
    func note(_ error: DecodingErrorDetail) {
        lastError = error
        if errors.isEmpty { return errors.append(error) }
        if errorPlaces.isEmpty { errorPlaces = Set(errors.map(ErrorPlace.init)) }
        if errorPlaces.insert(ErrorPlace(error)).inserted { errors.append(error) }
    }

    /// Notes that `node` was read.
    func insert(_ node: DocumentNode) {
        bits(forNodes: node.document.nodeCount)[node.index >> 6] |= 1 << UInt64(node.index & 63)
    }

    /// Notes that the values on the way along `path` from `root` were read, as far as they exist.
    ///
    /// - Returns: Whether there is a value at the end of the path, and it had been read before.
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

    /// Notes that a value was read with everything inside it.
    public func insert(allOf node: DocumentNode) {
        for node in node.nodes { insert(node) }
    }

    /// Notes that all was read that another record of the same document has.
    package func formUnion(_ other: ReadRecord) {
        if other.words.isEmpty { return }
        let bits = bits(forNodes: other.words.count << 6 - 1)
        for (index, word) in other.words.enumerated() { bits[index] |= word }
    }

    /// What had been read of a value at some time.
    public struct Mark {
        fileprivate let firstWord: Int
        fileprivate let words: [UInt64]
        fileprivate let errorCount: Int
    }

    /// What was read of `node` until now, to be gone back to with ``forget(since:)``. Costs a bit for every value
    /// inside.
    public func mark(in node: DocumentNode) -> Mark {
        let range = node.index >> 6..<(node.endIndex + 63) >> 6
        return Mark(
            firstWord: range.lowerBound, words: range.map { $0 < words.count ? words[$0] : 0 }, errorCount: errors.count
        )
    }

    /// The number of values inside the marked one that were read since then.
    package func count(since mark: Mark) -> Int {
        zip(mark.firstWord..., mark.words).reduce(0) { count, old in
            count + (old.0 < words.count ? (words[old.0] & ~old.1).nonzeroBitCount : 0)
        }
    }

    /// Forgets what was read of the marked value since then: by an attempt to decode it that came to nothing, say.
    /// Nothing else may have been read in between.
    public func forget(since mark: Mark) {
        missedNames = nil
        errorPlaces.subtract(errors[mark.errorCount...].map(ErrorPlace.init))
        errors.removeSubrange(mark.errorCount...)
        for (index, word) in zip(mark.firstWord..., mark.words) where index < words.count { words[index] = word }
    }

    /// Notes that the root was asked for a name that it does not have.
    func note(missing name: String) {
        // A container looks for one name more than once to say what is wrong.
        if missedNames?.last != name { missedNames?.append(name) }
    }

    /// The names that a document was asked for in vain, where that is all that its decoding learned of it but for what
    /// kind of value its root is; nil where it learned more, or where that was not noted.
    package var namesMissedOnly: [String]? {
        // All bits count, also the one behind the last node. The root's, which is the first, is always set.
        words.indices.allSatisfy { words[$0] == ($0 == 0 ? 1 : 0) } ? missedNames : nil
    }

    private func contains(_ index: Int) -> Bool {
        let word = index >> 6
        return word < words.count && words[word] & 1 << UInt64(index & 63) != 0
    }

    /// The paths, from `root`, of the values that were not read, without those inside one another, in document order: with
    /// `*` for a position where no element's value was read.
    public func droppedPaths(in root: DocumentNode) -> [DocumentPath] {
        let (tape, end) = (TapeView(root.document), root.endIndex)
        // Most documents are read whole.
        if (root.index..<end).allSatisfy({ contains($0) || tape[$0].kind == .key }) { return [] }
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
