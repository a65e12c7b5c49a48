/// A container for the members of an object.
struct ValueKeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    private let encoder: ValueEncoder
    private let session: EncodingSession
    private let object: Int
    /// The path of a container inside the encoder's own, or nil for the encoder's own.
    private let nestedPath: CodingPathNode?

    init(encoder: ValueEncoder, object: Int, nestedPath: CodingPathNode?) {
        self.encoder = encoder
        session = encoder.session
        self.object = object
        self.nestedPath = nestedPath
    }

    private var path: CodingPathNode? { nestedPath ?? encoder.path }

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
        let node = try encoder.node(of: value, step: .key(key)) ?? session.tree.addObject().node
        session.tree.setMember(name(of: key), of: object, to: node)
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        let name = name(of: key)
        let node = session.tree.member(name, of: object) ?? session.tree.addObject().node
        guard let nested = session.tree.object(at: node) else {
            preconditionFailure(
                """
                Attempt to re-encode into nested KeyedEncodingContainer<\(Key.self)> for key "\(name)" is invalid: \
                non-keyed container already encoded for this key
                """)
        }
        session.tree.setMember(name, of: object, to: node)
        return KeyedEncodingContainer(
            ValueKeyedContainer<NestedKey>(encoder: encoder, object: nested, nestedPath: path.appending(.key(key))))
    }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        let name = name(of: key)
        let node = session.tree.member(name, of: object) ?? session.tree.addArray().node
        guard let nested = session.tree.array(at: node) else {
            preconditionFailure(
                """
                Attempt to re-encode into nested UnkeyedEncodingContainer for key "\(name)" is invalid: keyed \
                container/single value already encoded for this key
                """)
        }
        session.tree.setMember(name, of: object, to: node)
        return ValueUnkeyedContainer(encoder: encoder, array: nested, nestedPath: path.appending(.key(key)))
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
