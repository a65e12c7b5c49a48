/// The difference between two documents, in a form for readers.
///
///     let difference = DocumentDifference(old: before.root, new: after.root)
///     for change in difference.changes { print(change.kind, change.path) }
///
/// ### Three representations
/// - ``changes`` is a list of the values that were added, removed, changed and moved, with their paths.
/// - ``patch`` is a JSON Patch (RFC 6902). Applied to the old document, it always produces the new one.
/// - ``root`` is a tree, for showing both documents as one.
///
/// Values are equal as defined by ``DocumentNode/isEqual(to:)``: the order of members and the spelling of numbers don't
/// matter. If several members have the same name, each has a separate path (`$.price#2`). They are compared in order
/// or, if their number differs, those with equal values, and then the last ones. ``StringDifference`` marks the words
/// that changed in a string.
///
/// ### The algorithm
/// 1. Every value of both documents is hashed (``ValueHashes``), so that equal ones are recognized immediately and
///    never traversed.
/// 2. Starting at the root, members are compared by name, and elements as paired by ``ElementAlignment``
///    (``DifferenceBuilder``). Among the members that an object lost and gained, an object or array that was moved,
///    unwrapped or renamed, and that also changed, is compared with its old version (``ContainerPairs``).
/// 3. The removed and added values are searched for values that were only moved (``MoveFinder``).
///
/// The result is a flat list of places, like a document's tape. An unchanged value is a single place, no matter how
/// large it is.
///
/// ### Cost
/// Time and memory grow with the size of the documents, not with its square, even if all elements are equal, or none.
public struct DocumentDifference: Sendable {
    let storage: Storage

    /// Compares two values, usually the roots of two documents.
    ///
    /// - Parameter excluded: Values that are equal but known not to have moved: they were removed and added.
    public init(old: DocumentNode, new: DocumentNode, except excluded: [ValueMove] = []) {
        self.init(old: old, new: new, except: excluded, checkpoint: {})
    }

    /// Compares two values. The comparison can be cancelled.
    ///
    /// - Parameters:
    ///   - excluded: Values that are equal but known not to have moved: they were removed and added.
    ///   - checkpoint: Called now and then, on this thread; an error that it throws ends the comparison.
    /// - Throws: Any error that `checkpoint` throws.
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

    /// Whether there are no differences.
    public var isEmpty: Bool { root.kind == .unchanged }

    /// The whole difference as a tree.
    public var root: DifferenceNode { DifferenceNode(storage: storage, id: 0) }

    /// The number of places in the tree. Their ``DifferenceNode/id``s are the numbers below it, in reading order.
    public var nodeCount: Int { storage.entries.count }

    /// The place whose ``DifferenceNode/id`` is `id`, which must be at least 0 and less than ``nodeCount``.
    public subscript(id: Int) -> DifferenceNode { DifferenceNode(storage: storage, id: id) }

    /// The two documents, and the places of the difference in reading order: a container before its contents.
    final class Storage: Sendable {
        let old: DocumentNode
        let new: DocumentNode
        /// The values that are known not to have moved.
        let excluded: Set<ValueMove>
        let entries: [DifferenceEntry]

        init(old: DocumentNode, new: DocumentNode, excluded: Set<ValueMove>, entries: [DifferenceEntry]) {
            self.old = old
            self.new = new
            self.excluded = excluded
            self.entries = entries
        }
    }
}

// MARK: - Changes

/// A single difference between two documents, as a trace reports it.
public struct DocumentChange: Sendable {
    /// The kind of a change.
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        /// The value is only in the new document.
        case added
        /// The value is only in the old document.
        case removed
        /// The value was replaced by another.
        case changed
        /// The value was renamed or is at a different position.
        case moved
    }

    /// The kind of the change.
    public let kind: Kind
    /// The path in the new document or, for a removed value, in the old one.
    public let path: DocumentPath
    /// The path of a moved value in the old document; nil for any other change.
    public let from: DocumentPath?
    /// The value in the old document; nil for an added value.
    public let old: DocumentNode?
    /// The value in the new document; nil for a removed value.
    public let new: DocumentNode?
}

extension DocumentDifference {
    /// The changes, in reading order. They are computed on each call.
    ///
    /// A value that was added or removed is one change, regardless of its contents. Values that were moved into or out
    /// of it are separate changes, and so are differences inside a value that was moved.
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

    /// Returns the difference of the documents in which every changed value with an embedded document, both before and
    /// after, is replaced by that document. A change inside has a path such as `$.shortcut.key`.
    ///
    /// Its patch is for these two documents; ``patch`` of this difference is for the original ones.
    ///
    /// - Throws: Any error that `checkpoint` throws.
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

    /// Returns the same without being cancelled.
    package func unfolded() -> DocumentDifference { unfolded {} }
}

// MARK: - Names and paths

extension DocumentDifference.Storage {
    /// Returns the name of the member at `id`.
    func name(of id: Int) -> String { key(of: id, inNew: isShownInNew(id)).string ?? "" }

    /// Returns the path component of the member at `id`, in the document whose name is shown.
    func component(of id: Int) -> DocumentPath.Component { component(of: id, inNew: isShownInNew(id)) }

    /// Returns the path component of the member at `id` in the new or the old document, which must contain it.
    private func component(of id: Int, inNew: Bool) -> DocumentPath.Component {
        let key = key(of: id, inNew: inNew)
        let container = entries[Int(entries[id].parent)]
        let object = inNew ? container.new : container.old
        // Nearly all members have unique names and need not be counted.
        guard container.isPatchedWhole, object != DifferenceEntry.none else { return .key(key.string ?? "") }
        return .key(
            key.string ?? "", occurrence: TapeView(key.document).occurrence(ofKey: key.index, in: Int(object)))
    }

    /// Returns whether the name of the member at `id` is that in the new document. For the end of a move, it is the name
    /// in the document of that end.
    private func isShownInNew(_ id: Int) -> Bool {
        entries[id].new != DifferenceEntry.none && entries[id].kind != .movedAway
    }

    private func key(of id: Int, inNew: Bool) -> DocumentNode {
        // The name precedes its value on the tape.
        let index = Int(inNew ? entries[id].new : entries[id].old) - 1
        return DocumentNode(document: inNew ? new.document : old.document, index: index)
    }

    /// Returns the path of the value at `id` in the new or the old document, or nil if it has none there.
    func path(of id: Int, inNew: Bool) -> DocumentPath? {
        var components: [DocumentPath.Component] = []
        var id = id
        guard (inNew ? entries[id].new : entries[id].old) != DifferenceEntry.none else { return nil }
        while entries[id].parent != DifferenceEntry.none {
            if entries[id].kind == (inNew ? .movedAway : .movedHere) { id = Int(entries[id].counterpart) }
            let entry = entries[id]
            let position = inNew ? entry.newPosition : entry.oldPosition
            components.append(entry.isElement ? .index(Int(position)) : component(of: id, inNew: inNew))
            id = Int(entry.parent)
        }
        return DocumentPath(components.reversed())
    }
}

/// A value at one path of a document, and an equal one at a different path of another document.
public struct ValueMove: Sendable, Hashable, Codable {
    /// The old path.
    public var from: DocumentPath
    /// The new path.
    public var path: DocumentPath

    /// Creates a move.
    public init(from: DocumentPath, path: DocumentPath) {
        self.from = from
        self.path = path
    }
}
