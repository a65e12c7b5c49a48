import DocumentModel

/// The search for the elements of arrays and dictionaries without which a document does not fail as it does: the shortest beginning of
/// each array that still fails ends with one. It halves, so of a million elements it looks at twenty beginnings.
struct ElementSearch: Sendable {
    /// The elements that were found.
    private(set) var located: [DocumentPath] = []
    private var pending: [DocumentPath]
    /// How many elements of the first pending array do not fail, and how many do.
    private var bounds: (passing: Int, failing: Int)?

    init(_ arrays: [DocumentPath]) { pending = arrays }

    /// The beginning of an array to try next: where, and how many elements; nil when there is none left.
    func next(in document: Document) -> (path: DocumentPath, count: Int)? {
        guard let path = pending.first else { return nil }
        return (path, bounds.map { ($0.passing + $0.failing) / 2 } ?? 0)
    }

    /// Notes whether the document still fails as it does.
    ///
    /// - Parameter arrays: Finds the arrays inside an element that was found.
    mutating func take(_ fails: Bool, in document: Document, arrays: (DocumentPath) -> [DocumentPath]) {
        guard let path = pending.first, let array = document.root.descendant(at: path) else { return }
        guard let (passing, failing) = bounds else {
            // An array that does not matter fails also when it is empty.
            if fails { pending.removeFirst() } else { bounds = (0, array.count) }
            return
        }
        let middle = (passing + failing) / 2
        let now = fails ? (passing, middle) : (middle, failing)
        bounds = now
        guard now.1 - now.0 <= 1 else { return }
        guard let last = array.children.dropFirst(now.1 - 1).first(where: { _ in true }) else { return }
        let element = path.appending(last.component)
        located.append(element)
        pending.removeFirst()
        pending.insert(contentsOf: arrays(element), at: 0)
        bounds = nil
    }
}
