/// One of the two documents that are being compared, with the hashes of its values.
final class ComparedSide {
    private let document: Document
    let tape: TapeView
    let hashes: ValueHashes

    init(_ node: DocumentNode, checkpoint: () throws -> Void) rethrows {
        document = node.document
        tape = TapeView(node.document)
        hashes = try ValueHashes(node, checkpoint: checkpoint)
    }

    func node(_ index: Int) -> DocumentNode { DocumentNode(document: document, index: index) }

    /// Returns whether the object at `index` has repeated names.
    func hasDuplicates(_ index: Int) -> Bool { !hashes.duplicates.isEmpty && hashes.duplicates.contains(index) }

    /// Returns whether an object in a range of nodes has repeated names.
    func hasDuplicates(in range: Range<Int>) -> Bool {
        !hashes.duplicates.isEmpty && range.contains(where: hashes.duplicates.contains)
    }

    /// Returns the tape indices of the elements of the array at `index`.
    func elements(of index: Int) -> [Int] {
        let end = tape.next(after: index)
        var elements: [Int] = []
        var child = index + 1
        while child < end {
            elements.append(child)
            child = tape.next(after: child)
        }
        return elements
    }
}
