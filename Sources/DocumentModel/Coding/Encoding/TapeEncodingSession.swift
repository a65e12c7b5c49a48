/// Encodes a value straight onto a tape, as types do it nearly always: one value after the other, each container filled
/// before its own container goes on.
///
/// A type may do otherwise: go on filling a container that it began earlier, encode a key twice, ask for a super
/// encoder, or for the path to where it is. Then what the session has written is of no use, and the value is to be
/// encoded once more by a ``ValueEncoder``, which keeps all containers until the end. So is a value that cannot be
/// encoded, so that errors are found in one place.
final class TapeEncodingSession {
    /// The place of a value that is being encoded, and of the container that it is. Places that are left for good are no
    /// places any more.
    struct Place {
        fileprivate let level: Int
        fileprivate let serial: Int

        /// Nothing can be written here.
        static let none = Place(level: -1, serial: -1)
    }

    /// What a value is so far.
    fileprivate enum State { case nothing, scalar, object, array }

    /// A value that is being encoded.
    struct Frame {
        fileprivate let serial: Int
        /// The first node of the value, which is that of the container. In an object it comes behind that of its name.
        fileprivate let start: Int
        fileprivate var state = State.nothing
        /// The number of members or elements.
        fileprivate var count = 0
        /// A bit for each hash of a member's name.
        fileprivate var nameBits: UInt64 = 0
    }

    /// The names in an object that has many, or some outside ASCII.
    private final class NameSet {
        private var hashes: Set<UInt64>?
        /// Those outside ASCII, which may be spelled in several ways.
        var others: Set<String> = []

        /// Whether no name so far has the hash.
        ///
        /// - Parameter fill: Puts in the hashes of all names so far.
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
    /// What is known of names that are many, or not in ASCII, by the serial of their object.
    @exclusivity(unchecked) private var names: [Int: NameSet] = [:]
    /// Whether a type did what cannot be done on a tape.
    @exclusivity(unchecked) private(set) var isDisturbed = false
    /// Whether a type asked for a path, and is to be given its own keys.
    @exclusivity(unchecked) private var isPathAsked = false
    let hasDefaultKeys: Bool
    @exclusivity(unchecked) private var pools = UsedPools<TapeCursor>()
    /// Whether the value is written, or cannot be.
    @exclusivity(unchecked) private var isOver = false

    /// How many names are compared each with each.
    private static let mostComparedNames = 64

    /// What is thrown to end an encoding that is of no use any more.
    struct Disturbed: Error {}

    private init(_ rules: EncodingSession) {
        self.rules = rules
        knownTypes = rules.knownTypes
        hasDefaultKeys = rules.hasDefaultKeys
        builder = DocumentBuilder(nodeCapacity: 64)
        swap(&frames, &knownTypes.frames)
    }

    /// The document for a value; nil where a ``ValueEncoder`` has to make it.
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

    /// The path to a place, of keys that have the names and positions of the type's own. The type gets those when the
    /// value is encoded once more.
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

    /// Makes a place that is open the innermost one: what is inside it is finished.
    @inline(__always)
    private func returnTo(_ place: Place) -> Bool {
        guard !isDisturbed, isCurrent(place) else {
            isDisturbed = true
            return false
        }
        if frames.count > place.level + 1 { return abandon(downTo: place.level + 1) }
        return true
    }

    /// Finishes what is inside a place. A value that has not begun cannot be finished: its name would have none.
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

    /// Makes the value at a place an object, or goes on with it.
    func beginObject(at place: Place) -> Place { begin(.object, at: place) }

    /// Makes the value at a place an array, or goes on with it.
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

    /// Begins a container in another one, behind its name if it has one; it is finished when the other goes on.
    func beginNested(_ isObject: Bool) -> Place {
        guard !isDisturbed else { return .none }
        return begin(isObject ? .object : .array, at: push())
    }

    /// A container that fills the object at a place.
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

    /// An encoder that can be asked for, and is of no use: what it is for is not done on a tape.
    func superEncoder() -> any Encoder {
        isDisturbed = true
        let cursor = TapeCursor(at: .none, in: self)
        cursor.keep()
        return TapeEncoder(cursor)
    }

    /// Ends the session: the containers and encoders are for others.
    private func end() {
        isOver = true
        pools.rest()
        knownTypes.encoders.trim()
        frames.removeAll()
        swap(&frames, &knownTypes.frames)
    }

    /// The number of elements of an array.
    func count(of place: Place) -> Int {
        guard isCurrent(place) else {
            isDisturbed = true
            return 0
        }
        return frames[place.level].count
    }

    /// Begins a member of an object, whose value comes next.
    ///
    /// - Returns: Whether that can be.
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

    /// Begins an element of an array, which comes next.
    ///
    /// - Returns: Whether that can be.
    func beginElement(of place: Place) -> Bool {
        guard returnTo(place) else { return false }
        frames[place.level].count += 1
        return true
    }

    /// Whether the object at `level` has no member of that name, nor of one that is equivalent.
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

    /// The same for a name outside ASCII, and for an object with many members.
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

    /// Writes a scalar as the value that comes next.
    @inline(__always)
    func write(scalar value: EncodedValue) { value.append(to: &builder, session: rules) }

    /// Writes a string as the value that comes next.
    @inline(__always)
    func write(string value: String) { builder.string(value) }

    /// Writes an integer as the value that comes next.
    @inline(__always)
    func write(integer value: some FixedWidthInteger) { builder.number(value) }

    /// Writes a value of any type as that which comes next.
    ///
    /// - Returns: Whether it encoded anything; nothing else is written where it did not.
    @discardableResult
    func write<T: Encodable>(_ value: T) throws -> Bool {
        if let scalar = try scalar(value) {
            write(scalar: scalar)
            return true
        }
        let isDictionary = rules.isDictionary(T.self)
        // The keys of a dictionary are data, which no key strategy may touch.
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

    /// What a value becomes that is a scalar in any document; nil for all others.
    @inline(__always)
    private func scalar<T: Encodable>(_ value: T) throws -> EncodedValue? {
        do {
            return try rules.scalar(value, path: [])
        } catch {
            // The type may catch this and go on, behind a name that has no value.
            isDisturbed = true
            throw error
        }
    }

    /// Has a value encode itself at a place.
    @inline(__always)
    private func encode<T: Encodable>(_ value: T, at place: Place) throws {
        let encoder = knownTypes.encoders.take(at: place, in: self)
        defer { knownTypes.encoders.takeBack() }
        do {
            try encoder._withUnsafeGuaranteedRef { try $0.encode(value, by: rules) }
        } catch {
            // The type around it may catch this and go on, behind half of a value.
            isDisturbed = true
            throw error
        }
    }

    /// Writes an object without members as the value that comes next.
    func writeEmptyObject() {
        builder.beginObject()
        builder.end()
    }

    /// Notes that what was written is of no use.
    func disturbed() -> Disturbed {
        isDisturbed = true
        return Disturbed()
    }
}
