import DocumentModel

/// A document with a few elements of each array (the first and the last, one of each shape, and those that are to be
/// kept) and with the beginnings of long texts. Experiments with it cost a fraction of those with the whole document.
///
/// An object with many members that are alike is taken for a dictionary, and cut like an array; if the migration wants
/// all of them after all, a sample without such cuts takes the place of this one.
struct SampledDocument: Sendable {
    /// The smaller document.
    let document: Document
    /// The positions that the elements had which are left, by the path of the array in the smaller document.
    private let positions: [DocumentPath: [Int]]
    /// Whether dictionaries are cut.
    let cutsDictionaries: Bool

    /// A sample; nil where it is all of the document.
    ///
    /// - Parameters:
    ///   - kept: Values that are to be in it, texts of any length among them.
    ///   - cutsDictionaries: Whether objects with many members that are alike are cut.
    init?(_ document: Document, keeping kept: [DocumentPath] = [], cutsDictionaries: Bool = true) {
        var cutter = Cutter(kept: kept, cutsDictionaries: cutsDictionaries)
        cutter.visit(document.root, at: .root, in: .root)
        guard !cutter.edits.isEmpty, let smaller = try? document.applying(cutter.edits) else { return nil }
        self.document = smaller
        positions = cutter.positions
        self.cutsDictionaries = cutter.hasCutDictionary
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
        let cutsDictionaries: Bool
        private(set) var hasCutDictionary = false
        /// From the outside in, so that each finds what the ones before left.
        var edits: [DocumentEdit] = []
        var positions: [DocumentPath: [Int]] = [:]

        init(kept: [DocumentPath], cutsDictionaries: Bool) {
            self.kept = kept
            self.cutsDictionaries = cutsDictionaries
        }

        /// How many bytes of a text are enough to stand for it: several paragraphs.
        private static let longestText = 2000

        mutating func visit(_ node: DocumentNode, at path: DocumentPath, in smaller: DocumentPath) {
            switch node.kind {
            case .array: visit(array: node, at: path, in: smaller)
            case .object:
                var members = Array(node.members)
                if cutsDictionaries, node.isDictionary {
                    hasCutDictionary = true
                    members = chosen(of: node, at: path).map { members[$0.position] }
                    edits.append(.set(smaller, Document(object: members.map { ($0.name, $0.value) })))
                }
                for member in members {
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

        private func chosen(
            of container: DocumentNode, at path: DocumentPath
        ) -> [(position: Int, element: DocumentNode)] {
            let kept = kept.filter { $0.hasPrefix(path) }
            return container.sample { position, child in
                if kept.isEmpty { return false }
                let place = path.appending(child.component)
                return kept.contains { $0.hasPrefix(place) }
            }
        }
    }
}

extension DocumentNode {
    /// Elements that stand for all of an array, or of a dictionary: the first and the last, one of each shape, and those
    /// that are to be kept.
    ///
    /// - Parameters:
    ///   - few: Up to how many elements the array is taken whole.
    ///   - isKept: Asked of the others, with their positions.
    func sample(
        few: Int = 3, keeping isKept: (Int, Child) -> Bool = { _, _ in false }
    ) -> [(position: Int, element: DocumentNode)] {
        let count = count
        var shapes: Set<String> = []
        return children.enumerated().filter { position, child in
            if count <= few { return true }
            let isNew = shapes.insert(child.value.shape).inserted
            return isNew || position == 0 || position == count - 1 || isKept(position, child)
        }.map { (position: $0.offset, element: $0.element.value) }
    }

    /// Whether the object looks like a dictionary, not like the fields of a type.
    var isDictionary: Bool { looksLikeDictionary(of: Self.fewMembers) }

    /// Types have hardly ever more fields of one kind, and a dictionary of fewer members costs little.
    private static let fewMembers = 64

    /// The container with its first `count` elements or members.
    func beginning(of count: Int) -> Document {
        kind == .object
            ? Document(object: members.prefix(count).map { ($0.name, $0.value) })
            : Document(array: elements.prefix(count))
    }

    /// What tells records of different fields apart: the kind of a value, and for an object its names with their kinds.
    private var shape: String {
        kind == .object ? members.map { "\($0.name):\($0.value.kind)" }.sorted().joined(separator: ",") : "\(kind)"
    }
}
