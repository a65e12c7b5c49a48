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
    /// A bit for every node.
    private var words: [UInt64] = []

    /// The errors of the decoder's own, in their order, each kind of place once (elements of arrays fold): all but the
    /// one that ends the decoding were caught by the decoded types.
    public private(set) var errors: [DecodingErrorDetail] = []
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

    /// A record of nothing.
    public init() {}

    /// Whether `node` was read.
    public func contains(_ node: DocumentNode) -> Bool { contains(node.index) }

    /// Keeps an error.
    func note(_ error: DecodingErrorDetail) {
        lastError = error
        if errorPlaces.insert(ErrorPlace(error)).inserted { errors.append(error) }
    }

    func insert(_ index: Int) {
        let word = index >> 6
        if word >= words.count { words.append(contentsOf: repeatElement(0, count: word + 1 - words.count)) }
        words[word] |= 1 << UInt64(index & 63)
    }

    /// Notes that the values on the way along `path` from `root` were read, as far as they exist.
    public func insert(_ path: DocumentPath, in root: DocumentNode) {
        for length in 0...path.components.count {
            let node = root.descendant(at: DocumentPath(Array(path.components.prefix(length))))
            if let node { insert(node.index) }
        }
    }

    /// Notes that a value was read with everything inside it.
    public func insert(allOf node: DocumentNode) {
        for index in node.index..<node.endIndex { insert(index) }
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

    /// Forgets what was read of the marked value since then: by an attempt to decode it that came to nothing, say.
    /// Nothing else may have been read in between.
    public func forget(since mark: Mark) {
        errorPlaces.subtract(errors[mark.errorCount...].map(ErrorPlace.init))
        errors.removeSubrange(mark.errorCount...)
        for (index, word) in zip(mark.firstWord..., mark.words) where index < words.count { words[index] = word }
    }

    private func contains(_ index: Int) -> Bool {
        let word = index >> 6
        return word < words.count && words[word] & 1 << UInt64(index & 63) != 0
    }

    /// The values from `root` inwards that were not read, in document order, without those inside one another.
    func droppedNodes(in root: DocumentNode) -> [DocumentNode] {
        var dropped: [DocumentNode] = []
        var index = root.index
        let end = root.endIndex
        while index < end {
            let node = DocumentNode(document: root.document, index: index)
            // Names are neither read nor dropped, only their values are.
            if node.kind == .key || contains(index) {
                index += 1
            } else {
                dropped.append(node)
                index = node.endIndex
            }
        }
        return dropped
    }

    /// The paths, from `root`, of the values that were not read: with `*` for every position, each path once, in
    /// document order.
    public func droppedPaths(in root: DocumentNode) -> [DocumentPath] {
        let dropped = droppedNodes(in: root).map(\.index)
        guard !dropped.isEmpty else { return [] }
        var paths: [DocumentPath] = []
        var seen: Set<DocumentPath> = []
        var components: [DocumentPath.Component] = []
        var rest = dropped[...]
        appendPaths(of: &rest, in: root, components: &components) { path in
            if seen.insert(path).inserted { paths.append(path) }
        }
        return paths
    }

    /// Goes down only to where the next dropped value is, so that every container is looked through at most once.
    private func appendPaths(
        of dropped: inout ArraySlice<Int>, in node: DocumentNode, components: inout [DocumentPath.Component],
        _ append: (DocumentPath) -> Void
    ) {
        if dropped.first == node.index {
            append(DocumentPath(components))
            dropped.removeFirst()
            return
        }
        switch node.kind {
        case .object:
            for member in node.members {
                guard let next = dropped.first, next < node.endIndex else { return }
                guard next < member.value.endIndex else { continue }
                components.append(.key(member.name))
                appendPaths(of: &dropped, in: member.value, components: &components, append)
                components.removeLast()
            }
        case .array:
            components.append(.everyElement)
            for element in node.elements {
                guard let next = dropped.first, next < node.endIndex else { break }
                guard next < element.endIndex else { continue }
                appendPaths(of: &dropped, in: element, components: &components, append)
            }
            components.removeLast()
        default: return
        }
    }
}
