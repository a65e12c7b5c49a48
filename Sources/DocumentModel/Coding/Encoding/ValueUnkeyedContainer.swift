/// A container for the elements of an array.
struct ValueUnkeyedContainer: UnkeyedEncodingContainer {
    private let encoder: ValueEncoder
    private let session: EncodingSession
    private let array: Int
    /// The place of the encoder's value.
    private let place: CodingPlace
    /// The path to the encoder's value, once it was needed.
    private var knownPath: CodingPathNode??
    /// The path of a container inside the encoder's own, or nil for the encoder's own.
    private let nestedPath: CodingPathNode?

    init(encoder: ValueEncoder, array: Int, place: CodingPlace, nestedPath: CodingPathNode?) {
        self.encoder = encoder
        session = encoder.session
        self.array = array
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
        let node = try encoder.node(of: value, in: encoderPath(), step: step) ?? session.tree.add(.object)
        session.tree.append(node, to: array)
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> {
        let (nestedPath, nested) = (pathToNext(), session.tree.add(.object))
        session.tree.append(nested, to: array)
        return KeyedEncodingContainer(
            ValueKeyedContainer<NestedKey>(encoder: encoder, object: nested, place: place, nestedPath: nestedPath))
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        let (nestedPath, nested) = (pathToNext(), session.tree.add(.array))
        session.tree.append(nested, to: array)
        return ValueUnkeyedContainer(encoder: encoder, array: nested, place: place, nestedPath: nestedPath)
    }

    mutating func superEncoder() -> any Encoder {
        SuperEncoder(session, place: CodingPlace(encoderPath(), step), target: .element(count, array: array))
    }

    // MARK: - Elements

    private func append(_ value: EncodedTree.Value) {
        let node = session.tree.add(value)
        session.tree.append(node, to: array)
    }

    /// The path component for the next element.
    private var step: CodingPathNode.Step { .index(count) }

    private mutating func pathToNext() -> CodingPathNode { (nestedPath ?? encoderPath()).appending(step) }

    /// The path for errors, which is relative to the encoder.
    private var keys: [any CodingKey] { place.path.keys(appending: step) }
}
