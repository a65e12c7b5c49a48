/// What is different between two documents, made for reading.
///
///     let difference = DocumentDifference(old: before.root, new: after.root)
///     for change in difference.changes { print(change.kind, change.path) }
///
/// ### Three ways to look at it
/// - ``changes`` is a list: what was added, removed, changed and moved, and where.
/// - ``patch`` is a JSON Patch (RFC 6902). Applied to the old document it gives the new one, always.
/// - ``root`` is a tree, for showing both documents in one.
///
/// Values are equal as ``DocumentNode/isEqual(to:)`` has it: the order of members does not count, nor how a number is
/// spelled. Of several members of one name each is compared with the one of the same occurrence, and has a path of its own
/// (`$.price#2`). ``StringDifference`` marks the words that changed in a string.
///
/// ### How it is made
/// 1. Every value of both documents is hashed (``ValueHashes``), so that equal ones are told at a glance and never
///    looked into.
/// 2. From the root on, members are compared by name and elements as ``ElementAlignment`` pairs them
///    (``DifferenceBuilder``). Of the members that an object lost and got, an object or array that only left its place,
///    its wrapping or its name, and changed inside is compared with what it was (``ContainerPairs``).
/// 3. What was removed and what was added is searched for values that only went elsewhere (``MoveFinder``).
///
/// The result is a flat list of places, like a document's tape: what did not change is one place, however large.
///
/// ### What it costs
/// Time and memory that grow with the size of the documents, not with its square, also where all elements are equal, or
/// none. Large documents are hashed, and the elements of large arrays compared, on all cores. The result does not
/// depend on their number. Measured in an optimised build on two shared cores: two documents of 12 MB and 100,000
/// records take 0.02 s with one difference; two of 106 MB and 7 million values, in which each of 560,000 records lost
/// two members, got two others and had one renamed, 0.5 s.
public struct DocumentDifference: Sendable {
    let storage: Storage

    /// Compares two values, as a rule the roots of two documents.
    ///
    /// - Parameter excluded: Values that are equal but known not to have moved: they were removed and added.
    public init(old: DocumentNode, new: DocumentNode, except excluded: [ValueMove] = []) {
        self.init(old: old, new: new, except: excluded, checkpoint: {})
    }

    /// Compares two values, and can be cancelled.
    ///
    /// - Parameters:
    ///   - excluded: Values that are equal but known not to have moved: they were removed and added.
    ///   - checkpoint: Called now and then, on this thread; what it throws ends the comparison.
    /// - Throws: What `checkpoint` throws.
    public init(
        old: DocumentNode, new: DocumentNode, except excluded: [ValueMove] = [], checkpoint: () throws -> Void
    ) rethrows {
        let excluded = Set(excluded)
        let entries = try DifferenceBuilder.build(old: old, new: new, except: excluded, checkpoint: checkpoint)
        storage = Storage(old: old, new: new, excluded: excluded, entries: entries)
    }

    /// The old document.
    public var old: DocumentNode { storage.old }

    /// The new document.
    public var new: DocumentNode { storage.new }

    /// Whether nothing is different.
    public var isEmpty: Bool { root.kind == .unchanged }

    /// The whole, as a tree.
    public var root: DifferenceNode { DifferenceNode(storage: storage, id: 0) }

    /// The number of places in the tree. Their ``DifferenceNode/id``s are the numbers below it, in reading order.
    public var nodeCount: Int { storage.entries.count }

    /// The place whose ``DifferenceNode/id`` is `id`, which must be at least 0 and less than ``nodeCount``.
    public subscript(id: Int) -> DifferenceNode { DifferenceNode(storage: storage, id: id) }

    /// The two documents, and the places of the difference in reading order: a container before what is inside it.
    final class Storage: Sendable {
        let old: DocumentNode
        let new: DocumentNode
        /// The values that are known not to have moved.
        let excluded: Set<ValueMove>
        let entries: DifferenceEntries

        init(
            old: DocumentNode, new: DocumentNode, excluded: Set<ValueMove>, entries: consuming DifferenceEntries
        ) {
            self.old = old
            self.new = new
            self.excluded = excluded
            self.entries = entries
        }
    }
}

// MARK: - Changes

/// One thing that is different between two documents, as a trace reports it.
public struct DocumentChange: Sendable {
    /// What happened to a value.
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        /// It is only in the new document.
        case added
        /// It is only in the old document.
        case removed
        /// Another value stands in its place.
        case changed
        /// It stands at another place: it was renamed, or went elsewhere.
        case moved
    }

    /// What happened.
    public let kind: Kind
    /// Where: in the new document, for a removed value in the old one.
    public let path: DocumentPath
    /// Where a moved value was in the old document; nil for any other change.
    public let from: DocumentPath?
    /// The value in the old document; nil for an added one.
    public let old: DocumentNode?
    /// The value in the new document; nil for a removed one.
    public let new: DocumentNode?
}

extension DocumentDifference {
    /// What is different, in reading order; made anew by each call.
    ///
    /// A value that was added or removed is one change, whatever is inside it; what was moved into or out of it is a
    /// change of its own besides. So is every difference inside a value that was moved.
    public var changes: [DocumentChange] {
        var changes: [DocumentChange] = []
        func tell(
            _ kind: DocumentChange.Kind, _ node: DifferenceNode, _ path: DocumentPath?, from: DocumentPath? = nil
        ) {
            changes.append(DocumentChange(kind: kind, path: path ?? .root, from: from, old: node.old, new: node.new))
        }
        var id = 0
        while id < nodeCount {
            let node = self[id]
            id += 1
            switch node.kind {
            case .unchanged, .inside, .movedAway: continue
            case .added where node.parent?.kind == .added, .removed where node.parent?.kind == .removed: continue
            case .added: tell(.added, node, node.newPath)
            case .removed: tell(.removed, node, node.oldPath)
            case .changed: tell(.changed, node, node.newPath)
            case .movedHere: tell(.moved, node, node.newPath, from: node.oldPath)
            }
        }
        return changes
    }

    /// The difference of the two documents in which every value that changed, and held a document and holds one, is the
    /// document that it holds: a change inside has the path `$.shortcut.key`.
    ///
    /// Its patch is one of these two documents; ``patch`` of this difference is that of the documents as they are.
    ///
    /// - Throws: What `checkpoint` throws.
    package func unfolded(checkpoint: () throws -> Void) rethrows -> DocumentDifference {
        var difference = self
        while difference.old.index == 0, difference.new.index == 0 {
            var (old, new): ([DocumentNode.ID: HeldDocument], [DocumentNode.ID: HeldDocument]) = ([:], [:])
            for id in 0..<difference.nodeCount {
                let node = difference[id]
                guard node.kind == .changed, let before = node.old, let after = node.new, let was = before.held,
                    let held = after.held, was.form == held.form, was.document != held.document
                else { continue }
                (old[before.id], new[after.id]) = (was, held)
            }
            if old.isEmpty { break }
            difference = try DocumentDifference(
                old: difference.old.document.unfolding(old).root, new: difference.new.document.unfolding(new).root,
                except: Array(storage.excluded), checkpoint: checkpoint)
        }
        return difference
    }

    /// The same, which nothing ends.
    package func unfolded() -> DocumentDifference { unfolded {} }
}

// MARK: - Names and paths

extension DocumentDifference.Storage {
    /// The name of the member at `id`.
    func name(of id: Int) -> String { key(of: id).node.string ?? "" }

    /// The step to the member at `id`.
    func component(of id: Int) -> DocumentPath.Component {
        let (key, inNew) = key(of: id)
        let container = entries[Int(entries[id].parent)]
        let object = inNew ? container.new : container.old
        // Members that are the only ones of their names, which nearly all are, need not be counted.
        guard container.isPatchedWhole, object != DifferenceEntry.none else { return .key(key.string ?? "") }
        return .key(
            key.string ?? "", occurrence: TapeView(key.document).occurrence(ofKey: key.index, in: Int(object)))
    }

    private func key(of id: Int) -> (node: DocumentNode, inNew: Bool) {
        let entry = entries[id]
        // The name stands on the tape before its value. The value of an end of a move is named by the end's own side.
        let inNew = entry.new != DifferenceEntry.none && entry.kind != .movedAway
        let index = Int(inNew ? entry.new : entry.old) - 1
        return (DocumentNode(document: inNew ? new.document : old.document, index: index), inNew)
    }

    /// The path of the value at `id` in the new document or the old; nil where it has none there.
    func path(of id: Int, inNew: Bool) -> DocumentPath? {
        var components: [DocumentPath.Component] = []
        var id = id
        guard (inNew ? entries[id].new : entries[id].old) != DifferenceEntry.none else { return nil }
        while entries[id].parent != DifferenceEntry.none {
            if entries[id].kind == (inNew ? .movedAway : .movedHere) { id = Int(entries[id].counterpart) }
            let entry = entries[id]
            let position = inNew ? entry.newPosition : entry.oldPosition
            components.append(entry.isElement ? .index(Int(position)) : component(of: id))
            id = Int(entry.parent)
        }
        return DocumentPath(components.reversed())
    }
}

/// A value at one place of a document and an equal one at another place of another document.
public struct ValueMove: Sendable, Hashable, Codable {
    /// Where it was.
    public var from: DocumentPath
    /// Where it is.
    public var path: DocumentPath

    /// Makes a move from its parts.
    public init(from: DocumentPath, path: DocumentPath) {
        self.from = from
        self.path = path
    }
}
