/// The encoder that types use: it holds a single value, and its path.
class ValueEncoder: Encoder {
    let session: EncodingSession
    let path: CodingPathNode?
    /// The value so far.
    private(set) var value: EncodedValue?
    private var hasSingleValue = false

    init(session: EncodingSession, path: CodingPathNode?) {
        self.session = session
        self.path = path
    }

    var codingPath: [any CodingKey] { path.keys }

    var userInfo: [CodingUserInfoKey: Any] { session.strategies.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        let object = value.object(
            orStop: "Attempt to push new keyed encoding container when already previously encoded at this path.")
        value = .object(object)
        return KeyedEncodingContainer(ValueKeyedContainer<Key>(encoder: self, object: object, path: path))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        let array = value.array(
            orStop: "Attempt to push new unkeyed encoding container when already previously encoded at this path.")
        value = .array(array)
        return ValueUnkeyedContainer(encoder: self, array: array, path: path)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    /// Sets a value of another document here.
    func splice(_ node: DocumentNode) { set(.spliced(node)) }

    /// Sets the value of a single-value container.
    ///
    /// JSONEncoder uses one encoder for everything that is encoded at the same position: an existing container is kept,
    /// and the contents of a new one are added to it. In PropertyListEncoder, that is a programming error.
    private func set(_ newValue: EncodedValue) {
        precondition(
            !hasSingleValue && (value == nil || !session.isPropertyList),
            "Attempt to encode value through single value container when previously value already encoded.")
        hasSingleValue = true
        if let object = value?.object {
            if let more = newValue.object { object.add(more) }
        } else if let array = value?.array {
            if let more = newValue.array { array.elements += more.elements }
        } else {
            value = newValue
        }
    }
}

extension ValueEncoder: SingleValueEncodingContainer {
    func encodeNil() { set(.null) }
    func encode(_ value: Bool) { set(.boolean(value)) }
    func encode(_ value: String) { set(.string(value)) }
    func encode(_ value: Double) throws { set(try session.real(value, path: codingPath)) }
    func encode(_ value: Float) throws { set(try session.real(value, path: codingPath)) }
    func encode<T: FixedWidthInteger & Encodable>(_ value: T) { set(.number(String(value))) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    func encode(_ value: Int128) throws { set(try session.wideInteger(value, path: codingPath)) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    func encode(_ value: UInt128) throws { set(try session.wideInteger(value, path: codingPath)) }
    func encode<T: Encodable>(_ value: T) throws { set(try encodedValue(value, step: nil) ?? .object(EncodedObject())) }
}

/// The encoder for a superclass. Like in Foundation's encoders, its value is complete when the encoder is released, and
/// is then added to a container of the subclass's encoder.
final class SuperEncoder: ValueEncoder {
    enum Target {
        case member(EncodedObject, String)
        case element(EncodedArray, Int)
    }

    private let target: Target

    init(of encoder: ValueEncoder, step: CodingPathNode.Step, target: Target) {
        self.target = target
        super.init(session: encoder.session, path: encoder.path.appending(step))
    }

    deinit {
        let value = value ?? .object(EncodedObject())
        switch target {
        case .member(let object, let name): object[name] = value
        case .element(let array, let position): array.elements.insert(value, at: min(position, array.elements.count))
        }
    }
}
