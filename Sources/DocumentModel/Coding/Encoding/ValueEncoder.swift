/// The encoder that types use: it holds a single value, and its path.
class ValueEncoder: Encoder {
    let session: EncodingSession
    private let place: CodingPlace
    /// The path to the value, created when a container or an error needs it.
    private(set) lazy var path: CodingPathNode? = place.path
    /// The node of the value so far.
    private(set) var node: Int?
    private var hasSingleValue = false

    init(session: EncodingSession, place: CodingPlace) {
        self.session = session
        self.place = place
    }

    var codingPath: [any CodingKey] { place.keys }

    var userInfo: [CodingUserInfoKey: Any] { session.strategies.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        let node = node ?? session.tree.addObject().node
        self.node = node
        guard let object = session.tree.object(at: node) else {
            preconditionFailure(
                "Attempt to push new keyed encoding container when already previously encoded at this path.")
        }
        return KeyedEncodingContainer(ValueKeyedContainer<Key>(encoder: self, object: object, nestedPath: nil))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        let node = node ?? session.tree.addArray().node
        self.node = node
        guard let array = session.tree.array(at: node) else {
            preconditionFailure(
                "Attempt to push new unkeyed encoding container when already previously encoded at this path.")
        }
        return ValueUnkeyedContainer(encoder: self, array: array, nestedPath: nil)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    /// Sets a value of another document here.
    func splice(_ node: DocumentNode) { set(session.tree.add(.spliced(node))) }

    /// Sets the value of a single-value container.
    ///
    /// JSONEncoder uses one encoder for everything that is encoded at the same position: an existing container is kept,
    /// and the contents of a new one are added to it. In PropertyListEncoder, that is a programming error.
    private func set(_ new: Int) {
        precondition(
            !hasSingleValue && (node == nil || !session.isPropertyList),
            "Attempt to encode value through single value container when previously value already encoded.")
        hasSingleValue = true
        guard let node else {
            self.node = new
            return
        }
        if let object = session.tree.object(at: node) {
            if let other = session.tree.object(at: new) { session.tree.addMembers(of: other, to: object) }
        } else if let array = session.tree.array(at: node) {
            if let other = session.tree.array(at: new) { session.tree.addElements(of: other, to: array) }
        } else {
            self.node = new
        }
    }

    private func set(_ value: EncodedTree.Value) { set(session.tree.add(value)) }
}

extension ValueEncoder: SingleValueEncodingContainer {
    func encodeNil() { set(.null) }
    func encode(_ value: Bool) { set(.boolean(value)) }
    func encode(_ value: String) { set(.string(value)) }
    func encode(_ value: Double) throws { set(try session.real(value, path: codingPath)) }
    func encode(_ value: Float) throws { set(try session.real(value, path: codingPath)) }
    func encode<T: FixedWidthInteger & Encodable>(_ value: T) { set(session.integer(value)) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    func encode(_ value: Int128) throws { set(try session.wideInteger(value, path: codingPath)) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    func encode(_ value: UInt128) throws { set(try session.wideInteger(value, path: codingPath)) }
    func encode<T: Encodable>(_ value: T) throws {
        set(try node(of: value, step: nil) ?? session.tree.addObject().node)
    }
}

/// The encoder for a superclass. Like in Foundation's encoders, its value is complete when the encoder is released, and
/// is then added to a container of the subclass's encoder.
final class SuperEncoder: ValueEncoder {
    enum Target {
        case member(String, object: Int)
        case element(Int, array: Int)
    }

    private let target: Target

    init(of encoder: ValueEncoder, step: CodingPathNode.Step, target: Target) {
        self.target = target
        super.init(session: encoder.session, place: CodingPlace(encoder.path, step))
    }

    deinit {
        let node = node ?? session.tree.addObject().node
        switch target {
        case .member(let name, let object): session.tree.setMember(name, of: object, to: node)
        case .element(let position, let array): session.tree.insert(node, at: position, of: array)
        }
    }
}
