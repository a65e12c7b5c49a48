/// A container for the elements of an array.
struct ValueUnkeyedContainer: UnkeyedEncodingContainer {
    private let encoder: ValueEncoder
    private let array: EncodedArray
    private let path: CodingPathNode?

    init(encoder: ValueEncoder, array: EncodedArray, path: CodingPathNode?) {
        self.encoder = encoder
        self.array = array
        self.path = path
    }

    private var session: EncodingSession { encoder.session }

    var codingPath: [any CodingKey] { path.keys }

    var count: Int { array.elements.count }

    // MARK: - Scalars

    mutating func encodeNil() { append(.null) }
    mutating func encode(_ value: Bool) { append(.boolean(value)) }
    mutating func encode(_ value: String) { append(.string(value)) }
    mutating func encode(_ value: Double) throws { append(try session.real(value, path: keys)) }
    mutating func encode(_ value: Float) throws { append(try session.real(value, path: keys)) }
    mutating func encode<T: FixedWidthInteger & Encodable>(_ value: T) { append(.number(String(value))) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    mutating func encode(_ value: Int128) throws { append(try session.wideInteger(value, path: keys)) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    mutating func encode(_ value: UInt128) throws { append(try session.wideInteger(value, path: keys)) }

    // MARK: - Other values

    mutating func encode<T: Encodable>(_ value: T) throws {
        append(try encoder.encodedValue(value, step: step) ?? .object(EncodedObject()))
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> {
        let (nested, nestedPath) = (EncodedObject(), path.appending(step))
        append(.object(nested))
        return KeyedEncodingContainer(
            ValueKeyedContainer<NestedKey>(encoder: encoder, object: nested, path: nestedPath))
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        let (nested, nestedPath) = (EncodedArray(), path.appending(step))
        append(.array(nested))
        return ValueUnkeyedContainer(encoder: encoder, array: nested, path: nestedPath)
    }

    mutating func superEncoder() -> any Encoder {
        SuperEncoder(of: encoder, step: step, target: .element(array, count))
    }

    // MARK: - Elements

    private func append(_ value: EncodedValue) { array.elements.append(value) }

    /// The path component for the next element.
    private var step: CodingPathNode.Step { .index(count) }

    /// The path for errors. Like Foundation's encoders, it omits the keys of nested containers, because it is relative
    /// to the encoder.
    private var keys: [any CodingKey] { encoder.path.keys(appending: step) }
}
