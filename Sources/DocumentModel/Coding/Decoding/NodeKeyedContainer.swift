/// A container for the members of an object.
struct NodeKeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    /// A single reference, because the container is copied for every method call.
    private let object: OpenObject

    init(_ object: OpenObject) { self.object = object }

    private var session: DecodingSession { object.session }

    var codingPath: [any CodingKey] { object.place.keys }

    /// In document order, so that types that iterate over them preserve it.
    var allKeys: [Key] { object.names.compactMap(Key.init(stringValue:)) }

    func contains(_ key: Key) -> Bool { object.index(named: key.stringValue) != nil }

    func decodeNil(forKey key: Key) throws -> Bool { session.isNull(try requiredIndex(of: key)) }

    // MARK: - Scalars

    // Try the fast path first. It reports no errors, so use the slow path if it fails.

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
        if let value = object.boolean(named: key.stringValue) { return value }
        return try session.boolean(at: requiredIndex(of: key), path: keys(to: key))
    }
    func decode(_ type: String.Type, forKey key: Key) throws -> String {
        if let value = object.string(named: key.stringValue) { return value }
        return try session.string(at: requiredIndex(of: key), path: keys(to: key))
    }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
        if let value = object.double(named: key.stringValue) { return value }
        return try session.double(at: requiredIndex(of: key), path: keys(to: key))
    }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
        try session.real(type, at: requiredIndex(of: key), path: keys(to: key))
    }
    @inline(__always)
    func decode<T: FixedWidthInteger & Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        if let value = object.integer(type, named: key.stringValue) { return value }
        return try session.integer(type, at: requiredIndex(of: key), path: keys(to: key))
    }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
        try session.integer(type, at: requiredIndex(of: key), path: keys(to: key))
    }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
        try session.integer(type, at: requiredIndex(of: key), path: keys(to: key))
    }

    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
        if let value = object.boolean(named: key.stringValue) { return value }
        return try presentIndex(of: key).map { try session.boolean(at: $0, path: keys(to: key)) }
    }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        if let value = object.string(named: key.stringValue) { return value }
        return try presentIndex(of: key).map { try session.string(at: $0, path: keys(to: key)) }
    }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
        if let value = object.double(named: key.stringValue) { return value }
        return try presentIndex(of: key).map { try session.double(at: $0, path: keys(to: key)) }
    }
    func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
        try presentIndex(of: key).map { try session.real(type, at: $0, path: keys(to: key)) }
    }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try integerIfPresent(type, key) }
    func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? { try integerIfPresent(type, key) }
    func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? { try integerIfPresent(type, key) }
    func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? { try integerIfPresent(type, key) }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { try integerIfPresent(type, key) }
    func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? { try integerIfPresent(type, key) }
    func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? { try integerIfPresent(type, key) }
    func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? { try integerIfPresent(type, key) }
    func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? { try integerIfPresent(type, key) }
    func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? { try integerIfPresent(type, key) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    func decodeIfPresent(_ type: Int128.Type, forKey key: Key) throws -> Int128? { try integerIfPresent(type, key) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    func decodeIfPresent(_ type: UInt128.Type, forKey key: Key) throws -> UInt128? {
        try integerIfPresent(type, key)
    }

    @inline(__always)
    private func integerIfPresent<T: FixedWidthInteger>(_ type: T.Type, _ key: Key) throws -> T? {
        if let value = object.integer(type, named: key.stringValue) { return value }
        return try presentIndex(of: key).map { try session.integer(type, at: $0, path: keys(to: key)) }
    }

    // MARK: - Other values

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        try object.decoder.value(type, at: requiredIndex(of: key), place(of: key))
    }

    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
        try presentIndex(of: key).map { try object.decoder.value(type, at: $0, place(of: key)) }
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try object.decoder.standing(at: requiredIndex(of: key), place(of: key)) { try $0.container(keyedBy: type) }
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try object.decoder.standing(at: requiredIndex(of: key), place(of: key)) { try $0.unkeyedContainer() }
    }

    func superDecoder() throws -> any Decoder { superDecoder(at: PathCodingKey.super) }

    func superDecoder(forKey key: Key) throws -> any Decoder { superDecoder(at: key) }

    /// Returns a decoder for a member that may be missing, in which case the decoder behaves as if it were positioned
    /// at null.
    private func superDecoder(at key: some CodingKey) -> NodeDecoder {
        NodeDecoder(
            session: session, index: object.index(named: key.stringValue), place: CodingPlace(object.path, .key(key)))
    }

    // MARK: - Members

    private func presentIndex(of key: Key) -> Int? {
        object.index(named: key.stringValue).flatMap { session.isNull($0) ? nil : $0 }
    }

    private func requiredIndex(of key: Key) throws -> Int {
        if let index = object.index(named: key.stringValue) { return index }
        throw DecodingError.keyNotFound(
            key,
            session.context(
                codingPath, "No value associated with key " + key.description + " (\"" + key.stringValue + "\").",
                .missingKey(key.stringValue)))
    }

    private func place(of key: Key) -> CodingPlace { CodingPlace(object.path, .key(key)) }

    private func keys(to key: Key) -> [any CodingKey] { place(of: key).keys }
}

/// An object that is being decoded, to which a keyed container refers.
final class OpenObject {
    let decoder: NodeDecoder
    let session: DecodingSession
    let place: CodingPlace
    private let node: Int
    private let reader: NodeReader
    /// Used only on the decoding's thread, like ``knownPath``.
    private var members: MemberTable
    private lazy var knownPath = place.path

    /// Creates the state for the object at `index`, at which the decoder is positioned.
    init(_ decoder: NodeDecoder, at index: Int) {
        (self.decoder, session, place, node) = (decoder, decoder.session, decoder.place, index)
        reader = session.reader
        members = MemberTable(session, object: index, at: place)
    }

    /// The path to the object. It is created when something inside it is decoded that needs a path.
    var path: CodingPathNode? { session.isOnOwnThread ? knownPath : place.path }

    /// Returns the node of the value with that name, and records it as read.
    @inline(__always)
    func index(named name: String) -> Int? {
        var found: Int?
        if session.isOnOwnThread {
            found = members.value(named: name, in: session)
        } else {
            var members = MemberTable(session, object: node, at: place)
            found = members.value(named: name, in: session)
        }
        guard let found else {
            miss(name)
            return nil
        }
        reader.read(found)
        return found
    }

    /// Records that a name was requested that the document's root doesn't have. On another thread than the decoding's,
    /// it only records that something was learned.
    private func miss(_ name: String) {
        guard node == 0, let record = session.record else { return }
        if session.isOnOwnThread { record.note(missing: name) } else { reader.learn() }
    }

    /// The names, each listed once, in document order.
    var names: [String] {
        reader.learn()
        return session.isOnOwnThread
            ? members.names(in: session) : MemberTable(session, object: node, at: place).names(in: session)
    }

    // Values in their most common spelling.

    func boolean(named name: String) -> Bool? { index(named: name).flatMap(reader.boolean) }

    func string(named name: String) -> String? { index(named: name).flatMap(reader.string) }

    func double(named name: String) -> Double? { index(named: name).flatMap(reader.double) }

    func integer<T: FixedWidthInteger>(_ type: T.Type, named name: String) -> T? {
        index(named: name).flatMap { reader.integer(type, at: $0) }
    }
}
