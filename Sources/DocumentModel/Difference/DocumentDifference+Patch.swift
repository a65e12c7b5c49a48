extension DocumentDifference {
    /// The operations that turn the old document into the new one; made anew by each call.
    ///
    /// Applying them to the old document gives a document that equals the new one. An object in which a name occurs
    /// more than once is replaced as a whole when it differs: no JSON Pointer leads to the second member of a name.
    public var patch: JSONPatch {
        var writer = PatchWriter(storage: storage)
        return JSONPatch(writer.write())
    }
}

/// Writes a difference as a JSON Patch.
///
/// The entries of a container in reading order are in the order of the old document as well as of the new one. So,
/// whatever the order of the operations, the position of an element between two operations is the number of entries
/// before it that are there by then: those of the old document at first, those of the new one at last. Every operation
/// makes one entry come or go; a move makes one go and then another come.
///
/// Operations come in reading order, except that a container from which something is moved elsewhere is removed at the
/// end.
private struct PatchWriter {
    private let storage: DocumentDifference.Storage
    private var operations: [JSONPatch.Operation] = []
    /// Whether an entry is in the document as the operations so far have made it.
    private var isPresent: [Bool]
    /// For the arrays that were looked into, which of their entries are present.
    private var counters: [Int: PresenceCounter] = [:]
    /// For the entries of those arrays, their rank among their siblings.
    private var ranks: [Int: Int] = [:]

    init(storage: DocumentDifference.Storage) {
        self.storage = storage
        isPresent = storage.entries.withElements { entries in
            entries.map { $0.kind != .added && $0.kind != .movedHere }
        }
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
                    // The path first: it is that of the place before which the element comes.
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
                    // An element that went into the one behind it, which has its position by now. RFC 6902 (section
                    // 4.4) goes by the letters of the paths, and by them the element would move into itself.
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

    /// The added value at `id` without what is moved there afterwards.
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

    /// The JSON Pointer to the entry as things are, or to where it comes if it is not there yet.
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
            // What is inside a value that has yet to move is still at the old place.
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

/// How many of the first n things are present, found and kept in logarithmic time (P. Fenwick, "A New Data Structure
/// for Cumulative Frequency Tables", 1994).
private struct PresenceCounter {
    /// The sum of the things that end at each index and are as many as the index's lowest set bit says; from 1.
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

    /// Notes that a thing came or went; it must have been the other way before.
    mutating func set(_ isPresent: Bool, at rank: Int) {
        var index = rank + 1
        while index < sums.count {
            sums[index] += isPresent ? 1 : -1
            index += index & -index
        }
    }
}
