/// A container for the members of an object.
struct ValueKeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    private let encoder: ValueEncoder
    private let session: EncodingSession
    private let object: Int
    /// The place of the encoder's value.
    private let place: CodingPlace
    /// The path to the encoder's value, once it was needed.
    private var knownPath: CodingPathNode??
    /// The path of a container inside the encoder's own, or nil for the encoder's own.
    private let nestedPath: CodingPathNode?

    init(encoder: ValueEncoder, object: Int, place: CodingPlace, nestedPath: CodingPathNode?) {
        self.encoder = encoder
        session = encoder.session
        self.object = object
        self.place = place
        self.nestedPath = nestedPath
    }

    var codingPath: [any CodingKey] { nestedPath?.keys ?? place.keys }

    /// The path to the encoder's value. Like Foundation's encoders, errors omit the keys of nested containers.
    private mutating func encoderPath() -> CodingPathNode? {
        if let path = knownPath { return path }
        let path = place.path
        knownPath = path
        return path
    }

    // MARK: - Scalars

    mutating func encodeNil(forKey key: Key) { set(.null, key) }
    mutating func encode(_ value: Bool, forKey key: Key) { set(.boolean(value), key) }
    mutating func encode(_ value: String, forKey key: Key) { set(.string(value), key) }
    mutating func encode(_ value: Double, forKey key: Key) throws {
        set(try session.real(value, path: keys(to: key)), key)
    }
    mutating func encode(_ value: Float, forKey key: Key) throws {
        set(try session.real(value, path: keys(to: key)), key)
    }
    mutating func encode<T: FixedWidthInteger & Encodable>(_ value: T, forKey key: Key) {
        set(session.integer(value), key)
    }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    mutating func encode(_ value: Int128, forKey key: Key) throws {
        set(try session.wideInteger(value, path: keys(to: key)), key)
    }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    mutating func encode(_ value: UInt128, forKey key: Key) throws {
        set(try session.wideInteger(value, path: keys(to: key)), key)
    }

    // MARK: - Other values

    mutating func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
        let node = try encoder.node(of: value, in: encoderPath(), step: .key(key)) ?? session.tree.add(.object)
        session.tree.setMember(name(of: key), of: object, to: node)
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        let name = name(of: key)
        let nested = session.tree.member(name, of: object) ?? session.tree.add(.object)
        precondition(
            session.tree.isObject(nested),
            """
            Attempt to re-encode into nested KeyedEncodingContainer<\(Key.self)> for key "\(name)" is invalid: \
            non-keyed container already encoded for this key
            """)
        session.tree.setMember(name, of: object, to: nested)
        return KeyedEncodingContainer(
            ValueKeyedContainer<NestedKey>(encoder: encoder, object: nested, place: place, nestedPath: path(to: key)))
    }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        let name = name(of: key)
        let nested = session.tree.member(name, of: object) ?? session.tree.add(.array)
        precondition(
            session.tree.isArray(nested),
            """
            Attempt to re-encode into nested UnkeyedEncodingContainer for key "\(name)" is invalid: keyed \
            container/single value already encoded for this key
            """)
        session.tree.setMember(name, of: object, to: nested)
        return ValueUnkeyedContainer(encoder: encoder, array: nested, place: place, nestedPath: path(to: key))
    }

    mutating func superEncoder() -> any Encoder { superEncoder(at: PathCodingKey.super) }

    mutating func superEncoder(forKey key: Key) -> any Encoder { superEncoder(at: key) }

    private mutating func superEncoder(at key: some CodingKey) -> any Encoder {
        SuperEncoder(
            session, place: CodingPlace(encoderPath(), .key(key)), target: .member(name(of: key), object: object))
    }

    // MARK: - Members

    private func set(_ value: EncodedTree.Value, _ key: Key) {
        session.tree.setMember(name(of: key), of: object, to: value)
    }

    private func name(of key: some CodingKey) -> String { session.name(of: key, in: codingPath) }

    private mutating func path(to key: Key) -> CodingPathNode { (nestedPath ?? encoderPath()).appending(.key(key)) }

    /// The path for errors, which is relative to the encoder.
    private func keys(to key: Key) -> [any CodingKey] { place.path.keys(appending: .key(key)) }
}
