import DocumentModel

/// A document with a few elements of each array (the first and the last, one of each shape, and those that are to be
/// kept) and with the beginnings of long texts. Experiments with it cost a fraction of those with the whole document.
struct SampledDocument: Sendable {
    /// The smaller document.
    let document: Document
    /// The positions that the elements had which are left, by the path of the array in the smaller document.
    private let positions: [DocumentPath: [Int]]

    /// A sample; nil where it is all of the document.
    ///
    /// - Parameter kept: Values that are to be in it, texts of any length among them.
    init?(_ document: Document, keeping kept: [DocumentPath] = []) {
        var cutter = Cutter(kept: kept)
        cutter.visit(document.root, at: .root, in: .root)
        guard !cutter.edits.isEmpty, let smaller = try? document.applying(cutter.edits) else { return nil }
        self.document = smaller
        positions = cutter.positions
    }

    /// The path in the whole document.
    func original(of path: DocumentPath) -> DocumentPath {
        var here = DocumentPath.root
        var original: [DocumentPath.Component] = []
        for component in path.components {
            if case .index(let position) = component, let positions = positions[here], position < positions.count {
                original.append(.index(positions[position]))
            } else {
                original.append(component)
            }
            here = here.appending(component)
        }
        return DocumentPath(original)
    }

    /// The path in the sample; nil where that leads through an element that is not in it.
    func sampled(_ path: DocumentPath) -> DocumentPath? {
        var here = DocumentPath.root
        for component in path.components {
            if case .index(let position) = component, let positions = positions[here] {
                guard let index = positions.firstIndex(of: position) else { return nil }
                here = here.appending(index: index)
            } else {
                here = here.appending(component)
            }
        }
        return here
    }

    private struct Cutter {
        let kept: [DocumentPath]
        /// From the outside in, so that each finds what the ones before left.
        var edits: [DocumentEdit] = []
        var positions: [DocumentPath: [Int]] = [:]

        /// How many bytes of a text are enough to stand for it: several paragraphs.
        private static let longestText = 2000

        mutating func visit(_ node: DocumentNode, at path: DocumentPath, in smaller: DocumentPath) {
            switch node.kind {
            case .array: visit(array: node, at: path, in: smaller)
            case .object:
                for member in node.members {
                    visit(member.value, at: path.appending(key: member.name), in: smaller.appending(key: member.name))
                }
            case .string:
                guard let (text, isWhole) = node.beginning(limit: Self.longestText), !isWhole, !kept.contains(path)
                else { return }
                var builder = DocumentBuilder()
                builder.string(text)
                edits.append(.set(smaller, builder.finish()))
            default: break
            }
        }

        private mutating func visit(array node: DocumentNode, at path: DocumentPath, in smaller: DocumentPath) {
            let elements = chosen(of: node, at: path)
            if elements.count < node.count {
                edits.append(.set(smaller, Document(array: elements.map(\.element))))
                positions[smaller] = elements.map(\.position)
            }
            for (index, (position, element)) in elements.enumerated() {
                visit(element, at: path.appending(index: position), in: smaller.appending(index: index))
            }
        }

        private func chosen(of array: DocumentNode, at path: DocumentPath) -> [(position: Int, element: DocumentNode)] {
            let kept = kept.filter { $0.hasPrefix(path) }
            return array.sample { position, _ in
                let place = path.appending(index: position)
                return kept.contains { $0.hasPrefix(place) }
            }
        }
    }
}

extension DocumentNode {
    /// Elements that stand for all of an array: the first and the last, one of each shape, and those that are to be
    /// kept.
    ///
    /// - Parameters:
    ///   - few: Up to how many elements the array is taken whole.
    ///   - isKept: Asked of the others, with their positions.
    func sample(
        few: Int = 3, keeping isKept: (Int, DocumentNode) -> Bool = { _, _ in false }
    ) -> [(position: Int, element: DocumentNode)] {
        let all = elements.enumerated().map { (position: $0.offset, element: $0.element) }
        if all.count <= few { return all }
        var shapes: Set<String> = []
        return all.filter { position, element in
            let isNew = shapes.insert(element.shape).inserted
            return isNew || position == 0 || position == all.count - 1 || isKept(position, element)
        }
    }

    /// What tells records of different fields apart: the kind of a value, and for an object its names with their kinds.
    private var shape: String {
        kind == .object ? members.map { "\($0.name):\($0.value.kind)" }.sorted().joined(separator: ",") : "\(kind)"
    }
}
