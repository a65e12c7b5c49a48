/// The nodes of a document and the text that they stand for, without the objects that own them: to look at one of them
/// counts no references. Whoever has a view keeps the document as well.
struct TapeView {
    private let nodes: UnsafePointer<TapeNode>
    let count: Int
    private let text: UnsafeRawPointer
    private let textCount: Int
    private let storage: Unmanaged<Document.Storage>

    @inline(__always)
    init(_ document: borrowing Document) {
        let storage = document.storage
        self.storage = .passUnretained(storage)
        (nodes, count) = storage.tape.memory
        (text, textCount) = (UnsafeRawPointer(storage.text.base), storage.text.count)
    }

    /// The node at `index`, which keeps the document.
    func node(at index: Int) -> DocumentNode {
        DocumentNode(document: Document(storage: storage.takeUnretainedValue()), index: index)
    }

    /// Whether there is a node at `index`.
    @inline(__always)
    func contains(_ index: Int) -> Bool { UInt(bitPattern: index) < UInt(bitPattern: count) }

    @inline(__always)
    subscript(index: Int) -> TapeNode {
        precondition(contains(index))
        return nodes[index]
    }

    /// The index of the node after the one at `index` and everything inside it.
    @inline(__always)
    func next(after index: Int) -> Int { Int(self[index].next) }

    /// Calls `body` with the tape index and the position of each value in a container.
    func forEachChild(of index: Int, _ body: (_ child: Int, _ position: Int) -> Void) {
        let nameCount = self[index].kind == .object ? 1 : 0
        let end = next(after: index)
        var (child, position) = (index + 1 + nameCount, 0)
        while child < end {
            body(child, position)
            (child, position) = (next(after: child) + nameCount, position + 1)
        }
    }

    /// The text of a node, without its quotation marks.
    @inline(__always)
    func unquotedText(of node: TapeNode) -> UnsafeRawBufferPointer { text(in: node.unquotedRange) }

    /// The text of a node.
    @inline(__always)
    func text(of node: TapeNode) -> UnsafeRawBufferPointer { text(in: node.range) }

    @inline(__always)
    private func text(in range: Range<Int>) -> UnsafeRawBufferPointer {
        precondition(range.upperBound <= textCount)
        return UnsafeRawBufferPointer(start: text + range.lowerBound, count: range.count)
    }

    /// Whether the text of the node at `index`, which has no escapes, is `bytes`.
    @inline(__always)
    func hasPlainText(_ bytes: UnsafeRawBufferPointer, at index: Int) -> Bool {
        FastHash.haveSameBytes(unquotedText(of: self[index]), bytes)
    }
}

// MARK: - Names

extension TapeView {
    /// What the names in an object are like.
    enum Names {
        /// In ASCII without escapes, few, and all different: as in most objects.
        case fewAndDistinct
        /// In ASCII without escapes.
        case plain
        /// Some are outside ASCII or have escapes.
        case any
    }

    /// How many names are few.
    static let mostFewNames = 64

    /// What the names in the object at `object` are like, seen in one pass.
    ///
    /// Names whose hashes differ in six bits are different; only the others are compared, with those before them.
    func names(ofObject object: Int) -> Names {
        let end = next(after: object)
        var key = object + 1
        var count = 0
        var bits: UInt64 = 0
        var areDistinct = true
        while key < end {
            let node = self[key]
            guard !node.flags.contains(.escaped), let hash = FastHash.hash(ofASCII: unquotedText(of: node)) else {
                return .any
            }
            count += 1
            if count > Self.mostFewNames { areDistinct = false }
            if areDistinct {
                let bit: UInt64 = 1 << (hash >> 58)
                if bits & bit != 0, hasName(unquotedText(of: node), in: object + 1..<key) { areDistinct = false }
                bits |= bit
            }
            key = next(after: key + 1)
        }
        return areDistinct ? .fewAndDistinct : .plain
    }

    /// Whether one of the plain names from one key to another is `name`.
    private func hasName(_ name: UnsafeRawBufferPointer, in keys: Range<Int>) -> Bool {
        var key = keys.lowerBound
        while key < keys.upperBound {
            if hasPlainText(name, at: key) { return true }
            key = next(after: key + 1)
        }
        return false
    }
}
