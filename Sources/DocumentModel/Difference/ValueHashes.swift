import Foundation

/// A 64-bit hash of every value in a document. Equal values (``DocumentNode/isEqual(to:)``) have equal hashes.
///
/// The tape is processed once from its end to its beginning, so that the contents of a container are hashed before the
/// container. The order of members doesn't matter, except for those with the same name, and numbers are hashed by their
/// exact value. The hash function is fast and fixed, and not safe against deliberate collisions. A caller that needs
/// certainty compares the values; a collision costs only that comparison.
///
/// ## Invariant
/// `hashes` contains one hash for each node of the value. It is allocated at initialization and written only by
/// ``hashes(_:_:checkpoint:)`` and `init`, by one thread at a time. A ``view`` is valid as long as the instance that it
/// is a view of.
struct ValueHashes: ~Copyable {
    /// The hashes without their owner.
    struct View {
        private let hashes: UnsafePointer<UInt64>
        private let start: Int
        private let count: Int
        /// The bits of the objects with repeated names, or nil if there are none.
        private let duplicates: UnsafePointer<UInt64>?

        fileprivate init(_ hashes: borrowing ValueHashes) {
            self.hashes = UnsafePointer(hashes.hashes)
            (start, count) = (hashes.start, hashes.count)
            duplicates = hashes.duplicates.map { UnsafePointer($0) }
        }

        /// The hash of the value or name at `index` of the tape.
        @inline(__always)
        subscript(index: Int) -> UInt64 {
            let position = index &- start
            precondition(UInt(bitPattern: position) < UInt(bitPattern: count))
            return hashes[position]
        }

        /// Whether any object has repeated names.
        var haveDuplicates: Bool { duplicates != nil }

        /// Returns whether the object at `index` has repeated names.
        @inline(__always)
        func hasDuplicates(_ index: Int) -> Bool {
            guard let duplicates else { return false }
            let position = index - start
            precondition(UInt(bitPattern: position) < UInt(bitPattern: count))
            return duplicates[position >> 6] & 1 << UInt64(position & 63) != 0
        }
    }

    /// The caller must keep the value's document alive until everything is hashed.
    private let tape: TapeView
    private let start: Int
    private let count: Int
    private let hashes: UnsafeMutablePointer<UInt64>
    private var duplicates: UnsafeMutablePointer<UInt64>?
    /// The number of nodes, counted from the first one, that are not hashed yet.
    private var restCount: Int
    private static let nodesBetweenCheckpoints = 1 << 18
    /// Hashing fewer nodes takes less time than starting a thread.
    private static let fewestAtOnce = 1 << 13

    /// Hashes everything in two values, concurrently if both are large.
    ///
    /// - Parameter checkpoint: Called now and then; an error that it throws ends the work.
    static func hashes(
        _ old: DocumentNode, _ new: DocumentNode, checkpoint: () throws -> Void
    ) rethrows -> Pair {
        var oldHashes = ValueHashes(unfinished: old)
        var newHashes = ValueHashes(unfinished: new)
        while min(oldHashes.restCount, newHashes.restCount) > fewestAtOnce {
            try checkpoint()
            Parallel.forEach(2) { $0 == 0 ? oldHashes.hashMore() : newHashes.hashMore() }
        }
        try oldHashes.hashRest(checkpoint)
        try newHashes.hashRest(checkpoint)
        return Pair(old: oldHashes, new: newHashes)
    }

    /// The hashes of two values.
    struct Pair: ~Copyable {
        let old: ValueHashes
        let new: ValueHashes
    }

    /// Hashes everything in `node`.
    fileprivate init(_ node: DocumentNode) {
        self.init(unfinished: node)
        hashRest {}
    }

    private init(unfinished node: DocumentNode) {
        tape = TapeView(node.document)
        (start, count, restCount) = (node.index, node.endIndex - node.index, node.endIndex - node.index)
        hashes = .allocated(count: count)
    }

    private mutating func hashRest(_ checkpoint: () throws -> Void) rethrows {
        while restCount > 0 {
            try checkpoint()
            hashMore()
        }
    }

    /// Hashes the next values, moving towards the beginning.
    private mutating func hashMore() {
        let (tape, known) = (tape, Known(hashes: hashes, start: start))
        var index = start + restCount
        restCount = max(0, restCount - Self.nodesBetweenCheckpoints)
        let end = start + restCount
        while index > end {
            index -= 1
            known.hashes[index - known.start] = hash(tape[index], at: index, in: tape, known)
        }
    }

    /// The known hashes, by the indices of their nodes. This is a separate value so that the compiler doesn't have to
    /// reload it for each node.
    private struct Known {
        let hashes: UnsafeMutablePointer<UInt64>
        let start: Int

        @inline(__always)
        subscript(index: Int) -> UInt64 { hashes[index - start] }
    }

    deinit {
        free(hashes)
        free(duplicates)
    }

    /// A view of the hashes.
    var view: View { View(self) }

    /// Returns the hash of the node at `index`, whose contents are already hashed.
    @inline(__always)
    private mutating func hash(_ node: TapeNode, at index: Int, in tape: TapeView, _ known: Known) -> UInt64 {
        let seed = Self.seed(of: node.kind)
        switch node.kind {
        case .null: return seed
        case .boolean: return node.flags.contains(.isTrue) ? ~seed : seed
        case .number:
            let text = tape.text(of: node)
            return FastHash.mix(
                seed, node.flags.contains(.integer) ? ExactNumber.hash(ofInteger: text) : ExactNumber.hash(text))
        case .string, .key, .date, .data:
            let isPlain = !node.flags.contains(.escaped)
            return isPlain
                ? FastHash.hash(tape.unquotedText(of: node), seed: seed) : hashOfEscapedText(at: index, seed)
        case .array:
            var result = seed
            var child = index + 1
            while child < Int(node.next) {
                result = FastHash.mix(result, known[child])
                child = tape.next(after: child)
            }
            return FastHash.mix(result, 1)
        case .object: return FastHash.mix(seed, sumOfMembers(of: node, at: index, in: tape, known))
        }
    }

    private static func seed(of kind: NodeKind) -> UInt64 { UInt64(kind.rawValue) &* 0x9E37_79B9_7F4A_7C15 }

    /// Returns the hash of a name, which is the same in every document.
    static func hash(ofName name: String) -> UInt64 {
        name.withBytes { FastHash.hash($0, seed: seed(of: .key)) }
    }

    // MARK: - Objects

    @inline(__always)
    private mutating func sumOfMembers(of object: TapeNode, at index: Int, in tape: TapeView, _ known: Known) -> UInt64
    {
        var sum: UInt64 = 0
        var count = 0
        var areDistinct = true
        var bits: UInt64 = 0
        var key = index + 1
        while key < Int(object.next) {
            let name = known[key]
            sum &+= FastHash.mix(name, known[key + 1])
            // Hashes that differ in their first six bits are different. Only the others are compared, if there are few.
            if count < Self.mostComparedNames, areDistinct {
                let bit: UInt64 = 1 << (name >> 58)
                if bits & bit != 0 { areDistinct = !hasName(name, in: index + 1..<key, of: tape) }
                bits |= bit
            }
            count += 1
            key = tape.next(after: key + 1)
        }
        if areDistinct, count > Self.mostComparedNames { areDistinct = haveDistinctNames(object, at: index, in: tape) }
        return areDistinct ? sum : sumOfCountedMembers(of: index)
    }

    private static let mostComparedNames = TapeView.mostFewNames

    /// Returns whether one of the names in a range of keys has a hash.
    private func hasName(_ name: UInt64, in keys: Range<Int>, of tape: TapeView) -> Bool {
        var key = keys.lowerBound
        while key < keys.upperBound {
            if hashes[key - start] == name { return true }
            key = tape.next(after: key + 1)
        }
        return false
    }

    private func haveDistinctNames(_ object: TapeNode, at index: Int, in tape: TapeView) -> Bool {
        var names = OwnedList<UInt64>(capacity: Self.mostComparedNames * 2)
        var key = index + 1
        while key < Int(object.next) {
            names.append(hashes[key - start])
            key = tape.next(after: key + 1)
        }
        return names.withElements { FastHash.areDistinct($0) }
    }

    /// Returns the sum if names are repeated: the occurrence is included for every member with a repeated name except
    /// the first.
    private mutating func sumOfCountedMembers(of index: Int) -> UInt64 {
        var counts: [ExactText: UInt64] = [:]
        var sum: UInt64 = 0
        for member in tape.node(at: index).members {
            let before = counts[ExactText(member.name), default: 0]
            counts[ExactText(member.name)] = before + 1
            var name = hashes[member.key.index - start]
            if before > 0 {
                noteDuplicates(index)
                name = FastHash.mix(name, before)
            }
            sum &+= FastHash.mix(name, hashes[member.value.index - start])
        }
        return sum
    }

    private mutating func noteDuplicates(_ index: Int) {
        let bits =
            duplicates
            ?? UnsafeMutableRawPointer.zeroed(byteCount: (count >> 6 + 1) * MemoryLayout<UInt64>.stride)
            .bindMemory(to: UInt64.self, capacity: count >> 6 + 1)
        duplicates = bits
        bits[(index - start) >> 6] |= 1 << UInt64((index - start) & 63)
    }

    // MARK: - Scalars

    private func hashOfEscapedText(at index: Int, _ seed: UInt64) -> UInt64 {
        (tape.node(at: index).string ?? "").withBytes { FastHash.hash($0, seed: seed) }
    }
}

extension DocumentNode {
    /// A hash of the value. Equal values (``isEqual(to:)``) have equal hashes, in every run of every program.
    package var valueHash: UInt64 {
        withExtendedLifetime(self) {
            let hashes = ValueHashes(self)
            return withExtendedLifetime(hashes) { hashes.view[index] }
        }
    }
}
