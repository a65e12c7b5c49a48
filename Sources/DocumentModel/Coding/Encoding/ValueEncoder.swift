import Foundation

/// The encoder that types see: a place for one value, and the path that leads there.
class ValueEncoder: Encoder {
    let session: EncodingSession
    let path: CodingPathNode?
    /// What was put there so far.
    private(set) var value: EncodedValue?

    init(session: EncodingSession, path: CodingPathNode?) {
        self.session = session
        self.path = path
    }

    var codingPath: [any CodingKey] { path.keys }

    var userInfo: [CodingUserInfoKey: Any] { session.strategies.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(ValueKeyedContainer<Key>(encoder: self, object: object(), path: path))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        ValueUnkeyedContainer(encoder: self, array: array(), path: path)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    /// The object at this place: a new one, or the one that is there already. As in Foundation's encoders, any other value that is
    /// there is a mistake in the program.
    private func object() -> EncodedObject {
        let object: EncodedObject
        switch value {
        case nil: object = EncodedObject()
        case let present?:
            guard let fillable = present.fillableObject else {
                preconditionFailure(
                    "Attempt to push new keyed encoding container when already previously encoded at this path.")
            }
            object = fillable
        }
        value = .object(object)
        return object
    }

    private func array() -> EncodedArray {
        let array: EncodedArray
        switch value {
        case nil: array = EncodedArray()
        case let present?:
            guard let fillable = present.fillableArray else {
                preconditionFailure(
                    "Attempt to push new unkeyed encoding container when already previously encoded at this path.")
            }
            array = fillable
        }
        value = .array(array)
        return array
    }

    /// Puts a value of another document here.
    func splice(_ node: DocumentNode) { set(.spliced(node)) }

    private func set(_ newValue: EncodedValue) {
        precondition(
            value == nil,
            "Attempt to encode value through single value container when previously value already encoded.")
        value = newValue
    }
}

extension ValueEncoder: SingleValueEncodingContainer {
    func encodeNil() { set(.null) }
    func encode(_ value: Bool) { set(.boolean(value)) }
    func encode(_ value: String) { set(.string(value)) }
    func encode(_ value: Double) throws { set(try session.real(value, path: codingPath)) }
    func encode(_ value: Float) throws { set(try session.real(value, path: codingPath)) }
    func encode(_ value: Int) { set(.number(String(value))) }
    func encode(_ value: Int8) { set(.number(String(value))) }
    func encode(_ value: Int16) { set(.number(String(value))) }
    func encode(_ value: Int32) { set(.number(String(value))) }
    func encode(_ value: Int64) { set(.number(String(value))) }
    func encode(_ value: UInt) { set(.number(String(value))) }
    func encode(_ value: UInt8) { set(.number(String(value))) }
    func encode(_ value: UInt16) { set(.number(String(value))) }
    func encode(_ value: UInt32) { set(.number(String(value))) }
    func encode(_ value: UInt64) { set(.number(String(value))) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    func encode(_ value: Int128) throws { set(try session.wideInteger(value, path: codingPath)) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    func encode(_ value: UInt128) throws { set(try session.wideInteger(value, path: codingPath)) }
    func encode<T: Encodable>(_ value: T) throws { set(try encodedValue(value, step: nil) ?? .object(EncodedObject())) }
}
