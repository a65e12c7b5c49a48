/// The members of one object by name. For each name, it finds the member that Foundation's decoder would find.
///
/// If several members have the same name, JSONDecoder uses the first and PropertyListDecoder the last; both compare
/// names like Swift strings, by canonical equivalence. (If a binary property list stores each of these names as a
/// separate object, PropertyListDecoder may choose a different one in each run.) Members that are skipped count as not
/// read, so that their loss is reported. Nearly all objects have plain names and need no strings: their names are
/// compared byte by byte, and if there are many, first by a hash of their bytes.
struct MemberTable {
    private enum Members {
        case few
        case plain(PlainMembers)
        /// The nodes of the values by name, and the names in document order.
        case named([String: Int], [String])
    }

    private let members: Members
    /// The members, if there are few. They are stored outside the enum, so that no references are counted when they
    /// remember the last member found.
    private var few: FewMembers?

    /// Creates an empty table.
    init() { members = .few }

    /// Creates the table for the object at `index`, whose position is `place`.
    init(_ session: DecodingSession, object index: Int, at place: CodingPlace) {
        switch session.hasDefaultKeys ? session.view.names(ofObject: index) : .any {
        case .fewAndDistinct:
            members = .few
            few = FewMembers(session.view, object: index)
        case .plain: members = .plain(PlainMembers(session, object: index))
        case .any: members = Self.named(session, index, place)
        }
    }

    /// Returns the node of the value of the member with that name.
    mutating func value(named name: String, in session: DecodingSession) -> Int? {
        if let value = few?.value(named: name) { return value }
        switch members {
        case .few: return nil
        case .named(let values, _): return values[name]
        case .plain(let members): return members.value(named: name, in: session)
        }
    }

    /// Returns the node of the value of the member with that name, for a single lookup.
    func onlyValue(named name: String, in session: DecodingSession) -> Int? {
        var table = self
        return table.value(named: name, in: session)
    }

    /// Returns each name once, in document order.
    func names(in session: DecodingSession) -> [String] {
        switch members {
        case .few: few?.keys.compactMap { session.node($0).string } ?? []
        case .named(_, let names): names
        case .plain(let members): members.names(in: session)
        }
    }

    private static func named(_ session: DecodingSession, _ index: Int, _ place: CodingPlace) -> Members {
        let convert = session.keyConversion(at: place)
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

/// The members of an object with few names, which are all different and are ASCII without escapes.
///
/// A type usually requests names in document order, so each search starts after the member found last.
private struct FewMembers {
    private let view: TapeView
    /// The node of the first name, and the end of the object.
    private let first: Int
    private let end: Int
    /// The node of the name after the member found last.
    private var next: Int

    init(_ view: TapeView, object index: Int) {
        self.view = view
        (first, end, next) = (index + 1, view.next(after: index), index + 1)
    }

    /// The nodes of the names.
    var keys: some Sequence<Int> {
        sequence(state: first) { [view, end] key in
            guard key < end else { return nil }
            defer { key = view.next(after: key + 1) }
            return key
        }
    }

    mutating func value(named name: String) -> Int? {
        let found = name.withBytes { key(named: $0) }
        guard let key = found ?? equivalentKey(named: name) else { return nil }
        next = view.next(after: key + 1)
        return key + 1
    }

    private func equivalentKey(named name: String) -> Int? {
        name.utf8.allSatisfy { $0 < 0x80 } ? nil : ASCIIEquivalents.first(of: name, in: keys, view)
    }

    private func key(named name: UnsafeRawBufferPointer) -> Int? {
        self.key(named: name, in: next..<end) ?? self.key(named: name, in: first..<next)
    }

    private func key(named name: UnsafeRawBufferPointer, in keys: Range<Int>) -> Int? {
        var key = keys.lowerBound
        while key < keys.upperBound {
            if view.hasPlainText(name, at: key) { return key }
            key = view.next(after: key + 1)
        }
        return nil
    }
}

/// The characters outside ASCII that are equivalent to an ASCII character, such as the Kelvin sign and the letter K.
enum ASCIIEquivalents {
    private static let characters: Set<Unicode.Scalar> = ["\u{37E}", "\u{1FEF}", "\u{212A}"]

    /// Returns whether a name with characters outside ASCII may be equivalent to an ASCII name.
    static func occur(in name: String) -> Bool { name.unicodeScalars.contains(where: characters.contains) }

    /// Returns the first of some plain names that is equivalent to a name with characters outside ASCII.
    static func first(of name: String, in keys: some Sequence<Int>, _ view: TapeView) -> Int? {
        guard occur(in: name) else { return nil }
        return keys.first { String(decoding: view.unquotedText(of: view[$0]), as: UTF8.self) == name }
    }
}

/// The members of an object whose names are ASCII without escapes, and are many or repeated. Used by one thread at a
/// time.
///
/// A type requests a few names; searching all entries for them costs less than any index. A dictionary requests all of
/// them in document order, so each one is right after the last.
private final class PlainMembers {
    private struct Entry {
        var name: NameHash
        /// The node of the key, which is followed by the node of its value.
        var key: UInt32
        /// The position among the entries.
        var position: UInt32
    }

    /// The entries in document order.
    private var entries: [Entry] = []
    /// The entries sorted by hash, or in document order if the hashes are equal.
    private lazy var index = entries.sorted { ($0.name.bits, $0.key) < ($1.name.bits, $1.key) }
    /// Whether a name may occur more than once.
    private lazy var mayRepeat = zip(index, index.dropFirst()).contains { $0.name == $1.name }
    /// The number of searches through all entries so far.
    private var scanCount = 0
    /// The position after the member found last.
    private var next = 0

    /// Up to this number of entries, they are always searched linearly.
    private static let largestScanned = 64
    /// The number of linear searches through more entries before an index is built.
    private static let mostScans = 64

    init(_ session: DecodingSession, object index: Int) {
        let view = session.view
        let end = view.next(after: index)
        var key = index + 1
        while key < end {
            entries.append(
                Entry(
                    name: NameHash(view.unquotedText(of: view[key])), key: UInt32(truncatingIfNeeded: key),
                    position: UInt32(entries.count)))
            key = view.next(after: key + 1)
        }
    }

    func value(named name: String, in session: DecodingSession) -> Int? {
        let (found, isASCII) = name.withBytes { bytes in
            let hash = NameHash(bytes)
            return (entry(named: hash, bytes, in: session), hash.isASCII)
        }
        if let found {
            next = Int(found.position) + 1
            return Int(found.key) + 1
        }
        guard !isASCII else { return nil }
        let keys = entries.map { Int($0.key) }
        let key =
            session.isPropertyList
            ? ASCIIEquivalents.first(of: name, in: keys.reversed(), session.view)
            : ASCIIEquivalents.first(of: name, in: keys, session.view)
        return key.map { $0 + 1 }
    }

    private func entry(named name: NameHash, _ bytes: UnsafeRawBufferPointer, in session: DecodingSession) -> Entry? {
        func isMatch(_ entry: Entry) -> Bool {
            entry.name == name
                && session.view.hasPlainText(bytes, at: Int(entry.key))
        }
        if entries.count <= Self.largestScanned || scanCount < Self.mostScans {
            scanCount += 1
            return first(in: entries, session, where: isMatch)
        }
        if next < entries.count, !mayRepeat, isMatch(entries[next]) { return entries[next] }
        let start = index.partitioningIndex { $0.name.bits >= name.bits }
        let end = index[start...].firstIndex { $0.name != name } ?? index.count
        return first(in: index[start..<end], session, where: isMatch)
    }

    /// Returns the first matching entry in the search order of Foundation's decoder.
    private func first(
        in entries: some BidirectionalCollection<Entry>, _ session: DecodingSession, where isMatch: (Entry) -> Bool
    ) -> Entry? {
        session.isPropertyList ? entries.last(where: isMatch) : entries.first(where: isMatch)
    }

    /// Returns each name once, in document order.
    func names(in session: DecodingSession) -> [String] {
        let names = entries.compactMap { session.node(Int($0.key)).string }
        guard mayRepeat else { return names }
        var seen: Set<String> = []
        func firsts(_ names: some Sequence<String>) -> [String] { names.filter { seen.insert($0).inserted } }
        return session.isPropertyList ? firsts(names.reversed()).reversed() : firsts(names)
    }
}

/// A hash of a name's bytes, and whether they are all ASCII.
private struct NameHash: Equatable {
    let bits: UInt64

    init(_ bytes: UnsafeRawBufferPointer) {
        var hash = UInt64(truncatingIfNeeded: bytes.count) &* 0x9E37_79B9_7F4A_7C15
        var highBits: UInt64 = 0
        FastHash.forEachWord(of: bytes) { word in
            highBits |= word
            hash = (hash ^ word) &* 0xD6E8_FEB8_6659_FD93
            hash ^= hash >> 32
        }
        let isOutsideASCII = highBits & 0x8080_8080_8080_8080 != 0
        bits = hash & ~1 | (isOutsideASCII ? 1 : 0)
    }

    var isASCII: Bool { bits & 1 == 0 }
}
