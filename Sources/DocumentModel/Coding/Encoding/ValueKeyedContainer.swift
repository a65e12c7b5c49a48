/// A container for the members of an object.
struct ValueKeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    private let encoder: ValueEncoder
    private let object: Int
    private let path: CodingPathNode?

    init(encoder: ValueEncoder, object: Int, path: CodingPathNode?) {
        self.encoder = encoder
        self.object = object
        self.path = path
    }

    private var session: EncodingSession { encoder.session }

    var codingPath: [any CodingKey] { path.keys }

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
        let node = try encoder.node(of: value, step: .key(key)) ?? session.tree.add(.object)
        session.tree.setMember(name(of: key), of: object, to: node)
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        let name = name(of: key)
        let nested = session.object(
            at: session.tree.member(name, of: object),
            orStop: """
                Attempt to re-encode into nested KeyedEncodingContainer<\(Key.self)> for key "\(name)" is invalid: \
                non-keyed container already encoded for this key
                """)
        session.tree.setMember(name, of: object, to: nested)
        return KeyedEncodingContainer(
            ValueKeyedContainer<NestedKey>(encoder: encoder, object: nested, path: path.appending(.key(key))))
    }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        let name = name(of: key)
        let nested = session.array(
            at: session.tree.member(name, of: object),
            orStop: """
                Attempt to re-encode into nested UnkeyedEncodingContainer for key "\(name)" is invalid: keyed \
                container/single value already encoded for this key
                """)
        session.tree.setMember(name, of: object, to: nested)
        return ValueUnkeyedContainer(encoder: encoder, array: nested, path: path.appending(.key(key)))
    }

    mutating func superEncoder() -> any Encoder { superEncoder(at: PathCodingKey.super) }

    mutating func superEncoder(forKey key: Key) -> any Encoder { superEncoder(at: key) }

    private func superEncoder(at key: some CodingKey) -> any Encoder {
        SuperEncoder(of: encoder, step: .key(key), target: .member(name(of: key), object: object))
    }

    // MARK: - Members

    private func set(_ value: EncodedTree.Value, _ key: Key) {
        let node = session.tree.add(value)
        session.tree.setMember(name(of: key), of: object, to: node)
    }

    private func name(of key: some CodingKey) -> String { session.name(of: key, in: path.keys) }

    /// The path for errors. Like Foundation's encoders, it omits the keys of nested containers, because it is relative
    /// to the encoder.
    private func keys(to key: Key) -> [any CodingKey] { encoder.path.keys(appending: .key(key)) }
}
