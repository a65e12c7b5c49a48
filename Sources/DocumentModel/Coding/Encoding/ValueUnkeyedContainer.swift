/// A container for the elements of an array.
struct ValueUnkeyedContainer: UnkeyedEncodingContainer {
    private let encoder: ValueEncoder
    private let session: EncodingSession
    private let array: Int
    /// The path of a container inside the encoder's own, or nil for the encoder's own.
    private let nestedPath: CodingPathNode?

    init(encoder: ValueEncoder, array: Int, nestedPath: CodingPathNode?) {
        self.encoder = encoder
        session = encoder.session
        self.array = array
        self.nestedPath = nestedPath
    }

    private var path: CodingPathNode? { nestedPath ?? encoder.path }

    var codingPath: [any CodingKey] { path.keys }

    var count: Int { session.tree.count(of: array) }

    // MARK: - Scalars

    mutating func encodeNil() { append(.null) }
    mutating func encode(_ value: Bool) { append(.boolean(value)) }
    mutating func encode(_ value: String) { append(.string(value)) }
    mutating func encode(_ value: Double) throws { append(try session.real(value, path: keys)) }
    mutating func encode(_ value: Float) throws { append(try session.real(value, path: keys)) }
    mutating func encode<T: FixedWidthInteger & Encodable>(_ value: T) { append(session.integer(value)) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    mutating func encode(_ value: Int128) throws { append(try session.wideInteger(value, path: keys)) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    mutating func encode(_ value: UInt128) throws { append(try session.wideInteger(value, path: keys)) }

    // MARK: - Other values

    mutating func encode<T: Encodable>(_ value: T) throws {
        let node = try encoder.node(of: value, step: step) ?? session.tree.addObject().node
        session.tree.append(node, to: array)
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> {
        let (nestedPath, nested) = (path.appending(step), session.tree.addObject())
        session.tree.append(nested.node, to: array)
        return KeyedEncodingContainer(
            ValueKeyedContainer<NestedKey>(encoder: encoder, object: nested.contents, nestedPath: nestedPath))
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        let (nestedPath, nested) = (path.appending(step), session.tree.addArray())
        session.tree.append(nested.node, to: array)
        return ValueUnkeyedContainer(encoder: encoder, array: nested.contents, nestedPath: nestedPath)
    }

    mutating func superEncoder() -> any Encoder {
        SuperEncoder(of: encoder, step: step, target: .element(count, array: array))
    }

    // MARK: - Elements

    private func append(_ value: EncodedTree.Value) {
        let node = session.tree.add(value)
        session.tree.append(node, to: array)
    }

    /// The path component for the next element.
    private var step: CodingPathNode.Step { .index(count) }

    /// The path for errors. Like Foundation's encoders, it omits the keys of nested containers, because it is relative
    /// to the encoder.
    private var keys: [any CodingKey] { encoder.path.keys(appending: step) }
}
