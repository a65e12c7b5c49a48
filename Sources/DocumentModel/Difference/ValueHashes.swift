/// A 64-bit hash of every value in a document. Equal values (``DocumentNode/isEqual(to:)``) have equal hashes.
///
/// The tape is processed once from its end to its beginning, so that the contents of a container are hashed before the
/// container. The order of members doesn't matter, except for those with the same name, and numbers are hashed by their
/// exact value. The hash function is fast and fixed, and not safe against deliberate collisions. A caller that needs
/// certainty compares the values; a collision costs only that comparison.
struct ValueHashes {
    private let tape: TapeView
    private let start: Int
    private var hashes: [UInt64]
    /// The tape indices of the objects with repeated names.
    private(set) var duplicates: Set<Int> = []
    /// The hashes of the names in one object. A property, so that its memory is used again.
    private var names: [UInt64] = []
    private static let nodesBetweenCheckpoints = 1 << 18

    /// Hashes everything in `node`, whose document the caller keeps alive until then.
    ///
    /// - Parameter checkpoint: Called now and then; an error that it throws ends the work.
    init(_ node: DocumentNode, checkpoint: () throws -> Void) rethrows {
        tape = TapeView(node.document)
        start = node.index
        hashes = [UInt64](repeating: 0, count: node.endIndex - node.index)
        for index in (start..<node.endIndex).reversed() {
            if index % Self.nodesBetweenCheckpoints == 0 { try checkpoint() }
            hashes[index - start] = hash(tape[index], at: index)
        }
        names = []
    }

    /// The hash of the value or name at `index` of the tape.
    @inline(__always)
    subscript(index: Int) -> UInt64 { hashes[index - start] }

    /// Returns the hash of the node at `index`, whose contents are already hashed.
    @inline(__always)
    private mutating func hash(_ node: TapeNode, at index: Int) -> UInt64 {
        let seed = Self.seed(of: node.kind)
        switch node.kind {
        case .null: return seed
        case .boolean: return node.flags.contains(.isTrue) ? ~seed : seed
        case .number:
            let text = tape.text(of: node)
            return FastHash.mix(
                seed, node.flags.contains(.integer) ? ExactNumber.hash(ofInteger: text) : ExactNumber.hash(text))
        case .string, .key, .date, .data:
            guard node.flags.contains(.escaped) else { return FastHash.hash(tape.unquotedText(of: node), seed: seed) }
            return (tape.node(at: index).string ?? "").withBytes { FastHash.hash($0, seed: seed) }
        case .array:
            var result = seed
            var child = index + 1
            while child < Int(node.next) {
                result = FastHash.mix(result, self[child])
                child = tape.next(after: child)
            }
            return FastHash.mix(result, 1)
        case .object: return FastHash.mix(seed, sumOfMembers(of: index))
        }
    }

    private static func seed(of kind: NodeKind) -> UInt64 { UInt64(kind.rawValue) &* 0x9E37_79B9_7F4A_7C15 }

    /// Returns the hash of a name, which is the same in every document.
    static func hash(ofName name: String) -> UInt64 {
        name.withBytes { FastHash.hash($0, seed: seed(of: .key)) }
    }

    // MARK: - Objects

    private mutating func sumOfMembers(of object: Int) -> UInt64 {
        names.removeAll(keepingCapacity: true)
        var sum: UInt64 = 0
        let end = tape.next(after: object)
        var key = object + 1
        while key < end {
            names.append(self[key])
            sum &+= FastHash.mix(self[key], self[key + 1])
            key = tape.next(after: key + 1)
        }
        return FastHash.areDistinct(names) ? sum : sumOfCountedMembers(of: object)
    }

    /// Returns the sum if names are repeated: the occurrence is included for every member with a repeated name except
    /// the first.
    private mutating func sumOfCountedMembers(of object: Int) -> UInt64 {
        var counts: [ExactText: UInt64] = [:]
        var sum: UInt64 = 0
        for member in tape.node(at: object).members {
            let before = counts[ExactText(member.name), default: 0]
            counts[ExactText(member.name)] = before + 1
            var name = self[member.key.index]
            if before > 0 {
                duplicates.insert(object)
                name = FastHash.mix(name, before)
            }
            sum &+= FastHash.mix(name, self[member.value.index])
        }
        return sum
    }
}

extension DocumentNode {
    /// A hash of the value. Equal values (``isEqual(to:)``) have equal hashes, in every run of every program.
    package var valueHash: UInt64 { withExtendedLifetime(self) { ValueHashes(self, checkpoint: {})[index] } }
}
