/// Encodes a value directly onto a tape, which works for nearly all types: they encode one value after another, and
/// fill each container before they continue with the outer one.
///
/// A type may do otherwise: return to an earlier container, encode a key twice, or request a super encoder or its
/// coding path. Then the written data is discarded, and the value is encoded again by a ``ValueEncoder``, which keeps
/// all containers until the end. The same applies to a value that cannot be encoded, so that errors are detected in
/// only one place.
final class TapeEncodingSession {
    /// The place of a value that is being encoded, and of its container. It becomes invalid when the value is complete.
    struct Place {
        fileprivate let level: Int
        fileprivate let serial: Int

        /// A place at which nothing can be written.
        static let none = Place(level: -1, serial: -1)
    }

    /// The kind of a value, as far as it is known.
    fileprivate enum State { case nothing, scalar, object, array }

    /// A value that is being encoded.
    struct Frame {
        fileprivate let serial: Int
        /// The first node of the value, which is that of the container. In an object, it follows the node of the name.
        fileprivate let start: Int
        fileprivate var state = State.nothing
        /// The number of members or elements.
        fileprivate var count = 0
        /// One bit for each hash of a member's name.
        fileprivate var nameBits: UInt64 = 0
    }

    /// The names in an object that has many of them, or some outside ASCII.
    private final class NameSet {
        private var hashes: Set<UInt64>?
        /// The names outside ASCII, which may have equivalent spellings.
        var others: Set<String> = []

        /// Inserts a hash, and returns whether no earlier name has it.
        ///
        /// - Parameter fill: Inserts the hashes of all earlier names.
        func insert(_ hash: UInt64, _ fill: (inout Set<UInt64>) -> Void) -> Bool {
            var known =
                hashes.take()
                ?? {
                    var known: Set<UInt64> = []
                    fill(&known)
                    return known
                }()
            defer { hashes = known }
            return known.insert(hash).inserted
        }
    }

    /// The rules for names and scalars.
    let rules: EncodingSession
    private let knownTypes: KnownTypes
    @exclusivity(unchecked) private var builder: DocumentBuilder
    @exclusivity(unchecked) private var frames = OwnedList<Frame>()
    @exclusivity(unchecked) private var serial = 0
    /// The names of objects that have many of them, or some outside ASCII, by the serial of the object.
    @exclusivity(unchecked) private var names: [Int: NameSet] = [:]
    /// Whether a type did something that isn't possible on a tape.
    @exclusivity(unchecked) private(set) var isDisturbed = false
    /// Whether a type requested a path, and needs its own keys.
    @exclusivity(unchecked) private var isPathAsked = false
    let hasDefaultKeys: Bool
    @exclusivity(unchecked) private var pools = UsedPools<TapeCursor>()
    /// Whether the encoding has ended.
    @exclusivity(unchecked) private var isOver = false

    /// The maximum number of names that are compared pairwise.
    private static let mostComparedNames = 64

    /// The error that ends an encoding whose result can no longer be used.
    struct Disturbed: Error {}

    private init(_ rules: EncodingSession) {
        self.rules = rules
        knownTypes = rules.knownTypes
        hasDefaultKeys = rules.hasDefaultKeys
        builder = DocumentBuilder(nodeCapacity: 64)
        swap(&frames, &knownTypes.frames)
    }

    /// Returns the document for a value, or nil if a ``ValueEncoder`` has to create it.
    static func document<T: Encodable>(of value: T, as format: DocumentFormat, _ rules: EncodingSession) -> Document? {
        guard !rules.strategies.sortsKeys, !rules.hasKeysOfPaths else { return nil }
        let session = TapeEncodingSession(rules)
        defer { session.end() }
        guard (try? session.write(value)) == true, !session.isDisturbed, !session.isPathAsked else {
            return nil
        }
        var builder = DocumentBuilder(nodeCapacity: 0)
        swap(&builder, &session.builder)
        return builder.finish(format: format)
    }

    // MARK: - Places

    /// Returns the path to a place, with keys that have the names and positions of the type's own keys. The type gets
    /// its own keys when the value is encoded again.
    func path(to place: Place) -> [any CodingKey] {
        guard isCurrent(place) else {
            isDisturbed = true
            return []
        }
        if place.level > 0 { isPathAsked = true }
        return (0..<place.level).map { level in
            frames[level].state == .object
                ? PathCodingKey(builder.name(at: frames[level + 1].start - 1))
                : PathCodingKey(index: frames[level].count - 1)
        }
    }

    @inline(__always)
    private func isCurrent(_ place: Place) -> Bool {
        place.level < frames.count && place.level >= 0 && frames[place.level].serial == place.serial
    }

    /// Makes an open place the innermost one by completing everything inside it.
    @inline(__always)
    private func returnTo(_ place: Place) -> Bool {
        guard !isDisturbed, isCurrent(place) else {
            isDisturbed = true
            return false
        }
        if frames.count > place.level + 1 { return abandon(downTo: place.level + 1) }
        return true
    }

    /// Completes everything inside a place. This isn't possible for a value that hasn't begun, because its name would
    /// have no value.
    @inline(never)
    private func abandon(downTo level: Int) -> Bool {
        if (level..<frames.count).contains(where: { frames[$0].state == .nothing }) { isDisturbed = true }
        close(downTo: level)
        return !isDisturbed
    }

    @inline(never)
    private func close(downTo level: Int) {
        while frames.count > level {
            let frame = frames.removeLast()
            if !names.isEmpty { names[frame.serial] = nil }
            if frame.state == .object || frame.state == .array { builder.end() }
        }
    }

    private func push() -> Place {
        serial += 1
        frames.append(Frame(serial: serial, start: builder.nodeCount))
        return Place(level: frames.count - 1, serial: serial)
    }

    // MARK: - Containers

    /// Makes the value at a place an object, or continues the object.
    func beginObject(at place: Place) -> Place { begin(.object, at: place) }

    /// Makes the value at a place an array, or continues the array.
    func beginArray(at place: Place) -> Place { begin(.array, at: place) }

    private func begin(_ state: State, at place: Place) -> Place {
        guard returnTo(place) else { return .none }
        if frames[place.level].state == state { return place }
        guard frames[place.level].state == .nothing else {
            isDisturbed = true
            return .none
        }
        frames[place.level].state = state
        if state == .object { builder.beginObject() } else { builder.beginArray() }
        return place
    }

    /// Begins a nested container, after its name if it has one. It is complete when the outer container continues.
    func beginNested(_ isObject: Bool) -> Place {
        guard !isDisturbed else { return .none }
        return begin(isObject ? .object : .array, at: push())
    }

    /// Returns a container for the object at a place.
    func keyedContainer<Key: CodingKey>(at place: Place) -> KeyedEncodingContainer<Key> {
        guard !isOver, let pool = knownTypes.tapeContainers(Key.self) else { return newKeyedContainer(at: place) }
        pool._withUnsafeGuaranteedRef { pool in
            pools.insert(pool)
            if let cursor = pool.takeFree() {
                cursor._withUnsafeGuaranteedRef { $0.stand(at: place, in: self) }
            } else {
                pool.add(TapeCursor(at: place, in: self))
            }
        }
        return pool._withUnsafeGuaranteedRef { unsafeDowncast($0, to: TapeContainerPool<Key>.self).container }
    }

    @inline(never)
    private func newKeyedContainer<Key: CodingKey>(at place: Place) -> KeyedEncodingContainer<Key> {
        let cursor = TapeCursor(at: place, in: self)
        cursor.keep()
        return KeyedEncodingContainer(TapeKeyedContainer<Key>(cursor))
    }

    /// Returns a dummy encoder, because super encoders aren't possible on a tape.
    func superEncoder() -> any Encoder {
        isDisturbed = true
        let cursor = TapeCursor(at: .none, in: self)
        cursor.keep()
        return TapeEncoder(cursor)
    }

    /// Ends the session, so that others can use its containers and encoders.
    private func end() {
        isOver = true
        pools.rest()
        knownTypes.encoders.trim()
        frames.removeAll()
        swap(&frames, &knownTypes.frames)
    }

    /// Returns the number of elements of an array.
    func count(of place: Place) -> Int {
        guard isCurrent(place) else {
            isDisturbed = true
            return 0
        }
        return frames[place.level].count
    }

    /// Begins a member of an object, whose value must follow.
    ///
    /// - Returns: Whether that is possible.
    func beginMember(_ name: String, of place: Place) -> Bool {
        guard returnTo(place) else { return false }
        return name.withBytes { utf8 in
            guard isNew(utf8, at: place.level) else {
                isDisturbed = true
                return false
            }
            frames[place.level].count += 1
            builder.key(utf8: utf8)
            return true
        }
    }

    /// Begins an element of an array, which must follow.
    ///
    /// - Returns: Whether that is possible.
    func beginElement(of place: Place) -> Bool {
        guard returnTo(place) else { return false }
        frames[place.level].count += 1
        return true
    }

    /// Returns whether the object at `level` has no member with that name or an equivalent one.
    @inline(__always)
    private func isNew(_ name: UnsafeRawBufferPointer, at level: Int) -> Bool {
        guard let hash = FastHash.hash(ofASCII: name), frames[level].count < Self.mostComparedNames else {
            return isNewAmongKnown(name, at: level)
        }
        let bit: UInt64 = 1 << (hash >> 58)
        let bits = frames[level].nameBits
        frames[level].nameBits = bits | bit
        return bits & bit == 0 || !builder.hasMember(named: name, inObject: frames[level].start)
    }

    /// Returns the same for a name outside ASCII, and for an object with many members.
    @inline(never)
    private func isNewAmongKnown(_ name: UnsafeRawBufferPointer, at level: Int) -> Bool {
        guard let hash = FastHash.hash(ofASCII: name) else {
            let name = String(decoding: name, as: UTF8.self)
            return !ASCIIEquivalents.occur(in: name) && names(at: level).others.insert(name).inserted
        }
        return names(at: level).insert(hash) { hashes in
            builder.forEachName(inObject: frames[level].start) { name in
                if let hash = FastHash.hash(ofASCII: name) { hashes.insert(hash) }
            }
        }
    }

    private func names(at level: Int) -> NameSet {
        let serial = frames[level].serial
        if let known = names[serial] { return known }
        let new = NameSet()
        names[serial] = new
        return new
    }

    // MARK: - Values

    /// Writes a scalar as the value at a place.
    func write(_ value: EncodedValue, at place: Place) throws {
        guard returnTo(place), frames[place.level].state == .nothing else {
            isDisturbed = true
            throw Disturbed()
        }
        frames[place.level].state = .scalar
        value.append(to: &builder, session: rules)
    }

    /// Writes a value of any type as the value at a place.
    func write<T: Encodable>(_ value: T, at place: Place) throws {
        if let scalar = try scalar(value) { return try write(scalar, at: place) }
        guard returnTo(place), frames[place.level].state == .nothing, !rules.isDictionary(T.self) else {
            throw disturbed()
        }
        try encode(value, at: place)
        guard returnTo(place) else { throw Disturbed() }
        if frames[place.level].state == .nothing { _ = begin(.object, at: place) }
    }

    /// Writes a scalar as the next value.
    @inline(__always)
    func write(scalar value: EncodedValue) { value.append(to: &builder, session: rules) }

    /// Writes a string as the next value.
    @inline(__always)
    func write(string value: String) { builder.string(value) }

    /// Writes an integer as the next value.
    @inline(__always)
    func write(integer value: some FixedWidthInteger) { builder.number(value) }

    /// Writes a value of any type as the next value.
    ///
    /// - Returns: Whether it encoded anything. If not, nothing is written.
    @discardableResult
    func write<T: Encodable>(_ value: T) throws -> Bool {
        if let scalar = try scalar(value) {
            write(scalar: scalar)
            return true
        }
        let isDictionary = rules.isDictionary(T.self)
        // The keys of a dictionary are data, so key strategies don't apply to them.
        if isDictionary, !hasDefaultKeys { throw disturbed() }
        let place = push()
        let node = builder.nodeCount
        try encode(value, at: place)
        guard returnTo(place) else { throw Disturbed() }
        let state = frames[place.level].state
        close(downTo: place.level)
        if isDictionary, state == .object { builder.sortMembers(ofObject: node) }
        return state != .nothing
    }

    /// Returns the encoded form of a value that is a scalar in any document, or nil for all others.
    @inline(__always)
    private func scalar<T: Encodable>(_ value: T) throws -> EncodedValue? {
        do {
            return try rules.scalar(value, path: [])
        } catch {
            // The type may catch this error and continue, leaving a name without a value.
            isDisturbed = true
            throw error
        }
    }

    /// Lets a value encode itself at a place.
    @inline(__always)
    private func encode<T: Encodable>(_ value: T, at place: Place) throws {
        let encoder = knownTypes.encoders.take(at: place, in: self)
        defer { knownTypes.encoders.takeBack() }
        do {
            try encoder._withUnsafeGuaranteedRef { try $0.encode(value, by: rules) }
        } catch {
            // The outer type may catch this error and continue, leaving an incomplete value.
            isDisturbed = true
            throw error
        }
    }

    /// Writes an object without members as the next value.
    func writeEmptyObject() {
        builder.beginObject()
        builder.end()
    }

    /// Marks the written data as unusable.
    func disturbed() -> Disturbed {
        isDisturbed = true
        return Disturbed()
    }
}
