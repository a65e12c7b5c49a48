/// Copies the places of a difference with the ends of moves among them: removed and added values that moved, or from
/// which or into which something moved, show it.
struct MoveWriter {
    private let old: DifferenceBuilder.Side
    private let new: DifferenceBuilder.Side
    private(set) var entries: [DifferenceEntry] = []
    /// The tape indices of the moved values, sorted, and the index of the value on the other side.
    private let goneIndices: [Int]
    private let comeIndices: [Int]
    private let newIndices: [Int: Int]
    private let oldIndices: [Int: Int]
    /// The entries of ends that were written, by the value's tape index.
    private var away: [Int: Int] = [:]
    private var here: [Int: Int] = [:]

    init(_ moves: [MoveFinder.Move], old: DifferenceBuilder.Side, new: DifferenceBuilder.Side) {
        self.old = old
        self.new = new
        goneIndices = moves.map(\.old).sorted()
        comeIndices = moves.map(\.new).sorted()
        newIndices = Dictionary(moves.map { ($0.old, $0.new) }) { first, _ in first }
        oldIndices = Dictionary(moves.map { ($0.new, $0.old) }) { first, _ in first }
    }

    mutating func write(_ source: [DifferenceEntry]) {
        var ids: [UInt32] = []
        ids.reserveCapacity(source.count)
        var open: [(end: Int, id: Int)] = []
        for (id, var entry) in source.enumerated() {
            while let last = open.last, last.end == id {
                entries[last.id].end = UInt32(entries.count)
                open.removeLast()
            }
            ids.append(UInt32(entries.count))
            if entry.parent != DifferenceEntry.none { entry.parent = ids[Int(entry.parent)] }
            switch entry.kind {
            case .removed, .added: writeOneSided(entry)
            default:
                open.append((Int(entry.end), entries.count))
                entries.append(entry)
            }
        }
        for last in open { entries[last.id].end = UInt32(entries.count) }
        for id in entries.indices where entries[id].counterpart != DifferenceEntry.none {
            entries[id].counterpart = ids[Int(entries[id].counterpart)]
        }
        for (newIndex, id) in here {
            guard let oldIndex = oldIndices[newIndex], let other = away[oldIndex] else { continue }
            entries[id].counterpart = UInt32(other)
            entries[other].counterpart = UInt32(id)
        }
    }

    /// Writes a value that is on one side only: as the end of a move, with its children if one of them is, or as it is.
    private mutating func writeOneSided(_ source: DifferenceEntry) {
        let isRemoved = source.kind == .removed
        let tape = isRemoved ? old.tape : new.tape
        let index = Int(isRemoved ? source.old : source.new)
        let id = entries.count
        entries.append(source)
        if isRemoved, let other = newIndices[index] {
            entries[id].kind = .movedAway
            entries[id].new = UInt32(other)
            away[index] = id
        } else if !isRemoved, let other = oldIndices[index] {
            entries[id].kind = .movedHere
            entries[id].old = UInt32(other)
            here[index] = id
        } else if hasMoves(index..<tape.next(after: index), in: isRemoved ? goneIndices : comeIndices) {
            let isObject = tape[index].kind == .object
            var child = isObject ? index + 2 : index + 1
            var position: UInt32 = 0
            while child < tape.next(after: index) {
                var entry = DifferenceEntry(kind: source.kind, isElement: !isObject, parent: UInt32(id))
                if isRemoved { entry.old = UInt32(child) } else { entry.new = UInt32(child) }
                if !isObject {
                    if isRemoved { entry.oldPosition = position } else { entry.newPosition = position }
                }
                writeOneSided(entry)
                position += 1
                child = tape.next(after: child) + (isObject ? 1 : 0)
            }
        }
        entries[id].end = UInt32(entries.count)
    }

    private func hasMoves(_ range: Range<Int>, in indices: [Int]) -> Bool {
        let first = indices.partitioningIndex { $0 >= range.lowerBound }
        return first < indices.count && indices[first] < range.upperBound
    }
}
