import DocumentModel

/// A document with only a few elements of each array (the first and the last, one of each shape, and those to keep) and
/// with the beginnings of long strings. Experiments with it are much cheaper than those with the whole document.
///
/// An object with many similar members is treated as a dictionary and cut like an array. If the migration needs all the
/// members, a sample without such cuts is used instead.
struct SampledDocument: Sendable {
    /// The smaller document.
    let document: Document
    /// The original indices of the remaining elements, by the path of the array in the smaller document.
    private let positions: [DocumentPath: [Int]]
    /// Whether dictionaries are cut.
    let cutsDictionaries: Bool

    /// Creates a sample. Returns nil if it would be the whole document.
    ///
    /// - Parameters:
    ///   - kept: The values to keep. Strings among them are not cut.
    ///   - cutsDictionaries: Whether to cut objects with many similar members.
    init?(_ document: Document, keeping kept: [DocumentPath] = [], cutsDictionaries: Bool = true) {
        var cutter = Cutter(kept: kept, cutsDictionaries: cutsDictionaries)
        cutter.visit(document.root, at: .root, in: .root)
        guard !cutter.edits.isEmpty, let smaller = try? document.applying(cutter.edits) else { return nil }
        self.document = smaller
        positions = cutter.positions
        self.cutsDictionaries = cutter.hasCutDictionary
    }

    /// Returns the path in the whole document.
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

    /// Returns the path in the sample, or nil if it leads through an element that is not in the sample.
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
        /// The edits, outermost first, so that each applies to the result of those before it.
        var edits: [DocumentEdit] = []
        var positions: [DocumentPath: [Int]] = [:]

        init(kept: [DocumentPath], cutsDictionaries: Bool) {
            self.kept = kept
            self.cutsDictionaries = cutsDictionaries
        }

        /// The number of bytes to keep of a long string: several paragraphs.
        private static let longestText = 2000

        mutating func visit(_ node: DocumentNode, at path: DocumentPath, in smaller: DocumentPath) {
            switch node.kind {
            case .array, .object:
                let isCut = node.kind == .array || cutsDictionaries && node.isDictionary
                let children = isCut ? chosen(of: node, at: path) : Array(node.children)
                if children.count < node.count {
                    edits.append(.set(smaller, Document(container: node, children: children)))
                    if node.kind == .array { positions[smaller] = children.map(\.ordinal) }
                    hasCutDictionary = hasCutDictionary || node.kind == .object
                }
                for (index, child) in children.enumerated() {
                    let component = node.kind == .array ? .index(index) : child.component
                    visit(child.value, at: path.appending(child.component), in: smaller.appending(component))
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

        private func chosen(of container: DocumentNode, at path: DocumentPath) -> [DocumentNode.Child] {
            let kept = kept.filter { $0.hasPrefix(path) }
            return container.sample { child in
                let place = path.appending(child.component)
                return kept.contains { $0.hasPrefix(place) }
            }
        }
    }
}

extension DocumentNode {
    /// Returns elements that represent all of an array or dictionary: the first and the last, one of each shape, and
    /// those to keep.
    ///
    /// - Parameter few: The number of elements up to which all are returned.
    func sample(few: Int = 3, keeping isKept: (Child) -> Bool) -> [Child] {
        let count = count
        if count <= few { return Array(children) }
        var shapes: Set<String> = []
        return children.filter { child in
            shapes.insert(child.value.shape).inserted || child.ordinal == 0 || child.ordinal == count - 1
                || isKept(child)
        }
    }

    /// Whether the object looks like a dictionary rather than the fields of a type.
    var isDictionary: Bool { looksLikeDictionary(of: Self.fewMembers) }

    /// Types rarely have more fields of one kind, and a dictionary with fewer members costs little.
    private static let fewMembers = 64

    /// Returns the container with only its first `count` elements or members.
    func beginning(of count: Int) -> Document {
        Document(container: self, children: children.prefix(count))
    }

    /// A key that distinguishes records with different fields: the kind of the value or, for an object, its names with
    /// their kinds.
    private var shape: String {
        kind == .object ? members.map { "\($0.name):\($0.value.kind)" }.sorted().joined(separator: ",") : "\(kind)"
    }
}
