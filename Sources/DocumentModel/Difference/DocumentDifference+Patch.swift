extension DocumentDifference {
    /// The operations that turn the old document into the new one. They are computed on each call.
    ///
    /// Applying them to the old document produces a document that equals the new one. An object with repeated names is
    /// replaced as a whole if it differs, because no JSON Pointer leads to the second member with a name.
    public var patch: JSONPatch {
        var writer = PatchWriter(storage: storage)
        return JSONPatch(writer.write())
    }
}

/// Writes a difference as a JSON Patch.
///
/// The entries of a container are in the order of both the old and the new document. So between two operations, in
/// whatever order they are applied, the position of an element is the number of entries before it that are present at
/// that point: at first those of the old document, and at the end those of the new one. Every operation adds or removes
/// one entry; a move removes one and then adds another.
///
/// The operations are in reading order, except that a container from which something is moved is removed at the end.
private struct PatchWriter {
    private let storage: DocumentDifference.Storage
    private var operations: [JSONPatch.Operation] = []
    /// Whether each entry is present after the operations so far.
    private var isPresent: [Bool]
    /// The present entries of the arrays that were accessed.
    private var counters: [Int: PresenceCounter] = [:]
    /// The ranks of those arrays' entries among their siblings.
    private var ranks: [Int: Int] = [:]

    init(storage: DocumentDifference.Storage) {
        self.storage = storage
        isPresent = storage.entries.map { $0.kind != .added && $0.kind != .movedHere }
    }

    mutating func write() -> [JSONPatch.Operation] {
        var emptied: [Int] = []
        var id = 0
        while id < storage.entries.count {
            let entry = storage.entries[id]
            let hasChildren = Int(entry.end) > id + 1
            let parentKind = entry.parent == DifferenceEntry.none ? .inside : storage.entries[Int(entry.parent)].kind
            let next: Int
            switch entry.kind {
            case .inside where entry.isPatchedWhole, .changed:
                operations.append(.replace(path: path(of: id), value: newValue(of: id)))
                next = Int(entry.end)
            case .added:
                if parentKind != .added {
                    // Get the path first, because it is that of the place before which the element is added.
                    let path = path(of: id)
                    operations.append(.add(path: path, value: hasChildren ? skeleton(of: id) : newValue(of: id)))
                    setPresent(true, id)
                }
                next = id + 1
            case .movedHere:
                let counterpart = Int(entry.counterpart)
                let from = path(of: counterpart)
                setPresent(false, counterpart)
                let path = path(of: id)
                if path.utf8.starts(with: (from + "/").utf8) {
                    // An element is moved into the next one, which has taken its position. RFC 6902 (section 4.4)
                    // compares the paths as text, according to which the element would move into itself.
                    operations += [.remove(path: from), .add(path: path, value: oldValue(of: id))]
                } else {
                    operations.append(.move(from: from, path: path))
                }
                setPresent(true, id)
                if entry.isPatchedWhole {
                    operations.append(.replace(path: path, value: newValue(of: id)))
                    next = Int(entry.end)
                } else {
                    next = id + 1
                }
            case .removed:
                if hasChildren { emptied.append(id) } else { remove(id) }
                next = Int(entry.end)
            case .inside, .unchanged, .movedAway: next = id + 1
            }
            id = next
        }
        for id in emptied { remove(id) }
        return operations
    }

    private func oldValue(of id: Int) -> DocumentNode { storage.old.document.node(at: Int(storage.entries[id].old)) }

    private func newValue(of id: Int) -> DocumentNode { storage.new.document.node(at: Int(storage.entries[id].new)) }

    private mutating func remove(_ id: Int) {
        operations.append(.remove(path: path(of: id)))
        setPresent(false, id)
    }

    /// Returns the added value at `id` without the values that are moved into it afterwards.
    private mutating func skeleton(of id: Int) -> DocumentNode {
        var builder = DocumentBuilder()
        appendSkeleton(of: id, to: &builder)
        return builder.finish().root
    }

    private mutating func appendSkeleton(of id: Int, to builder: inout DocumentBuilder) {
        let entry = storage.entries[id]
        guard Int(entry.end) > id + 1 else { return builder.append(newValue(of: id)) }
        if newValue(of: id).kind == .object { builder.beginObject() } else { builder.beginArray() }
        for child in DifferenceNode(storage: storage, id: id).children where child.kind == .added {
            if !child.entry.isElement { builder.key(storage.name(of: child.id)) }
            appendSkeleton(of: child.id, to: &builder)
            isPresent[child.id] = true
        }
        builder.end()
    }

    // MARK: - Paths

    private mutating func setPresent(_ value: Bool, _ id: Int) {
        isPresent[id] = value
        guard storage.entries[id].isElement, let rank = ranks[id] else { return }
        counters[Int(storage.entries[id].parent)]?.set(value, at: rank)
    }

    /// Returns the current JSON Pointer to the entry, or to the position at which it will be added.
    private mutating func path(of id: Int) -> String {
        var tokens: [String] = []
        var id = id
        while storage.entries[id].parent != DifferenceEntry.none {
            let entry = storage.entries[id]
            tokens.append(
                entry.isElement
                    ? String(position(of: id, in: Int(entry.parent)))
                    : DocumentPath.pointerToken(storage.name(of: id)))
            id = Int(entry.parent)
            // The contents of a value that is yet to be moved are still at its old place.
            if storage.entries[id].kind == .movedHere, !isPresent[id] { id = Int(storage.entries[id].counterpart) }
        }
        return tokens.reversed().reduce(into: "") { $0 += "/" + $1 }
    }

    private mutating func position(of id: Int, in array: Int) -> Int {
        if counters[array] == nil {
            let children = DifferenceNode(storage: storage, id: array).children.map(\.id)
            for (rank, child) in children.enumerated() { ranks[child] = rank }
            counters[array] = PresenceCounter(children.map { isPresent[$0] })
        }
        return counters[array]?.count(before: ranks[id] ?? 0) ?? 0
    }
}

/// Counts how many of the first n items are present, in logarithmic time (P. Fenwick, "A New Data Structure for
/// Cumulative Frequency Tables", 1994).
private struct PresenceCounter {
    /// For each index from 1, the sum of the items that end at it; their number is the index's lowest set bit.
    private var sums: [Int]

    init(_ isPresent: [Bool]) {
        sums = [0] + isPresent.map { $0 ? 1 : 0 }
        for index in sums.indices.dropFirst() {
            let next = index + index & -index
            if next < sums.count { sums[next] += sums[index] }
        }
    }

    func count(before rank: Int) -> Int {
        var (index, count) = (rank, 0)
        while index > 0 {
            count += sums[index]
            index -= index & -index
        }
        return count
    }

    /// Adds or removes an item, which must have been in the other state before.
    mutating func set(_ isPresent: Bool, at rank: Int) {
        var index = rank + 1
        while index < sums.count {
            sums[index] += isPresent ? 1 : -1
            index += index & -index
        }
    }
}
