/// The members of one object by name: for each name the one that Foundation's decoder would find.
///
/// JSONDecoder takes the first of several members of the same name, PropertyListDecoder the last; both compare names as
/// Swift compares strings, by canonical equivalence. (Where a binary property list has an object of its own for each of
/// such names, PropertyListDecoder takes any of them, another one in the next run.) What is passed over counts as not
/// read, so that it is not lost without a word. Small objects with plain names, which are nearly all, need no strings:
/// their names are compared by a hash of their bytes, then byte by byte.
struct MemberTable {
    private struct Entry {
        var name: NameHash
        /// The node of the key; the node of its value is the next.
        var key: UInt32
    }

    private enum Members {
        /// Names in ASCII without escapes, in the order in which they are looked through.
        case plain([Entry])
        /// The nodes of the values by name, and the names in document order.
        case named([String: Int], [String])
    }

    private let members: Members

    /// Beyond this a dictionary is faster than a look at every entry.
    private static let largestPlainCount = 64

    /// The members of the object at `index`, which stands at `path`.
    init(_ session: DecodingSession, object index: Int, path: CodingPathNode?) {
        let plain = session.hasDefaultKeys ? Self.plainEntries(session, index) : nil
        members = plain.map { .plain($0) } ?? Self.named(session, index, path)
    }

    /// The node of the value of the member of that name.
    func value(named name: String, in session: DecodingSession) -> Int? {
        switch members {
        case .named(let values, _): return values[name]
        case .plain(let entries):
            let found: (index: Int?, isSure: Bool)? = name.utf8.withContiguousStorageIfAvailable { bytes in
                let bytes = UnsafeRawBufferPointer(bytes)
                let hash = NameHash(bytes)
                for entry in entries where entry.name == hash {
                    let key = session.tape[Int(entry.key)]
                    guard session.text.areBytes(in: key.unquotedRange, equalTo: bytes) else { continue }
                    return (Int(entry.key) + 1, true)
                }
                return (nil, hash.isASCII)
            }
            if let found, found.isSure { return found.index }
            // A name outside ASCII can be equivalent to one inside: the Kelvin sign and the letter K are one character.
            return entries.first { session.node(Int($0.key)).string == name }.map { Int($0.key) + 1 }
        }
    }

    /// The names, each once, in document order.
    func names(in session: DecodingSession) -> [String] {
        switch members {
        case .named(_, let names): return names
        case .plain(let entries):
            var seen: Set<String> = []
            let names = entries.compactMap { entry in
                session.node(Int(entry.key)).string.flatMap { seen.insert($0).inserted ? $0 : nil }
            }
            return session.isPropertyList ? names.reversed() : names
        }
    }

    private static func plainEntries(_ session: DecodingSession, _ index: Int) -> [Entry]? {
        let tape = session.tape
        let end = Int(tape[index].next)
        var entries: [Entry] = []
        entries.reserveCapacity(min(largestPlainCount, (end - index) / 2))
        var key = index + 1
        while key < end {
            let node = tape[key]
            let name = session.text.withBytes(in: node.unquotedRange) { NameHash($0) }
            guard name.isASCII, !node.flags.contains(.escaped), entries.count < largestPlainCount else { return nil }
            entries.append(Entry(name: name, key: UInt32(truncatingIfNeeded: key)))
            key = Int(tape[key + 1].next)
        }
        if session.isPropertyList { entries.reverse() }
        return entries
    }

    private static func named(_ session: DecodingSession, _ index: Int, _ path: CodingPathNode?) -> Members {
        let convert = session.keyConversion(at: path)
        var values: [String: Int] = [:]
        var names: [String] = []
        for member in session.node(index).members {
            let name = convert(member.name)
            let isNew = values[name] == nil
            if isNew { names.append(name) }
            if isNew || session.isPropertyList { values[name] = member.value.index }
        }
        return .named(values, names)
    }
}

/// A hash of a name's bytes, and whether they are all ASCII.
private struct NameHash: Equatable {
    private let bits: UInt32

    init(_ bytes: UnsafeRawBufferPointer) {
        var hash = UInt64(truncatingIfNeeded: bytes.count) &* 0x9E37_79B9_7F4A_7C15
        var highBits: UInt64 = 0
        FastHash.forEachWord(of: bytes) { word in
            highBits |= word
            hash = (hash ^ word) &* 0xD6E8_FEB8_6659_FD93
            hash ^= hash >> 32
        }
        let isOutsideASCII = highBits & 0x8080_8080_8080_8080 != 0
        bits = UInt32(truncatingIfNeeded: hash) & ~1 | (isOutsideASCII ? 1 : 0)
    }

    var isASCII: Bool { bits & 1 == 0 }
}
