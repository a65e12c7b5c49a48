/// The nodes of a document and their text, without the objects that own them, so that accessing a node needs no
/// reference counting. The caller must keep the document alive as long as the view.
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

    /// Returns the node at `index`, which keeps the document alive.
    func node(at index: Int) -> DocumentNode {
        DocumentNode(document: Document(storage: storage.takeUnretainedValue()), index: index)
    }

    /// Returns whether there is a node at `index`.
    @inline(__always)
    func contains(_ index: Int) -> Bool { UInt(bitPattern: index) < UInt(bitPattern: count) }

    @inline(__always)
    subscript(index: Int) -> TapeNode {
        precondition(contains(index))
        return nodes[index]
    }

    /// Returns the index of the node after the one at `index` and everything inside it.
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

    /// Returns the text of a node without its quotation marks.
    @inline(__always)
    func unquotedText(of node: TapeNode) -> UnsafeRawBufferPointer { text(in: node.unquotedRange) }

    /// Returns the text of a node.
    @inline(__always)
    func text(of node: TapeNode) -> UnsafeRawBufferPointer { text(in: node.range) }

    @inline(__always)
    private func text(in range: Range<Int>) -> UnsafeRawBufferPointer {
        precondition(range.upperBound <= textCount)
        return UnsafeRawBufferPointer(start: text + range.lowerBound, count: range.count)
    }

    /// Returns whether the text of the node at `index`, which has no escapes, equals `bytes`.
    @inline(__always)
    func hasPlainText(_ bytes: UnsafeRawBufferPointer, at index: Int) -> Bool {
        FastHash.haveSameBytes(unquotedText(of: self[index]), bytes)
    }
}

// MARK: - Names

extension TapeView {
    /// Returns whether the names in the object at `object` are ASCII without escapes, and all different, as in most
    /// objects. May be false if two hashes are equal.
    ///
    /// - Parameter hashes: Memory for the hashes of the names, which is used again for the next object.
    func hasDistinctPlainNames(_ object: Int, _ hashes: inout [UInt64]) -> Bool {
        let end = next(after: object)
        hashes.removeAll(keepingCapacity: true)
        var key = object + 1
        while key < end {
            let node = self[key]
            guard !node.flags.contains(.escaped), let hash = FastHash.hash(ofASCII: unquotedText(of: node)) else {
                return false
            }
            hashes.append(hash)
            key = next(after: key + 1)
        }
        return FastHash.areDistinct(hashes)
    }
}
