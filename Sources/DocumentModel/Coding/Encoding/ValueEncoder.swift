/// The encoder that types use: it holds a single value, and its path.
///
/// A single encoder is used for a whole encoding. It holds the value that is being encoded, and then again the one
/// around it, so that no object is created for each value. Only super encoders are separate objects.
class ValueEncoder: Encoder {
    /// A value that is being encoded.
    private struct Position {
        var place: CodingPlace
        /// The path to the value, once it was requested.
        var knownPath: CodingPathNode??
        /// The node of the value so far.
        var node: Int?
        var hasSingleValue = false
    }

    let session: EncodingSession
    /// The value that is being encoded, after those around it. They are on the heap, because values may be nested deeply.
    private var positions: [Position]
    private var position: Position {
        _read { yield positions[positions.count - 1] }
        _modify { yield &positions[positions.count - 1] }
    }

    init(session: EncodingSession, place: CodingPlace) {
        self.session = session
        positions = [Position(place: place)]
    }

    /// The node of the value so far.
    var node: Int? { position.node }

    /// The path to the value.
    var path: CodingPathNode? {
        if let path = position.knownPath { return path }
        let path = position.place.path
        position.knownPath = path
        return path
    }

    var codingPath: [any CodingKey] { position.place.keys }

    var userInfo: [CodingUserInfoKey: Any] { session.strategies.userInfo }

    /// Begins another value, at `step` inside `path`.
    func begin(_ step: CodingPathNode.Step?, in path: CodingPathNode?) {
        positions.append(Position(place: CodingPlace(path, step)))
    }

    /// Ends the value that was begun last.
    func end() { positions.removeLast() }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        let object = position.node ?? session.tree.add(.object)
        position.node = object
        precondition(
            session.tree.isObject(object),
            "Attempt to push new keyed encoding container when already previously encoded at this path.")
        return KeyedEncodingContainer(
            ValueKeyedContainer<Key>(encoder: self, object: object, place: position.place, nestedPath: nil))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        let array = position.node ?? session.tree.add(.array)
        position.node = array
        precondition(
            session.tree.isArray(array),
            "Attempt to push new unkeyed encoding container when already previously encoded at this path.")
        return ValueUnkeyedContainer(encoder: self, array: array, place: position.place, nestedPath: nil)
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
            !position.hasSingleValue && (node == nil || !session.isPropertyList),
            "Attempt to encode value through single value container when previously value already encoded.")
        position.hasSingleValue = true
        if let node, session.tree.isObject(node) {
            if session.tree.isObject(new) { session.tree.addMembers(of: new, to: node) }
        } else if let node, session.tree.isArray(node) {
            if session.tree.isArray(new) { session.tree.addElements(of: new, to: node) }
        } else {
            position.node = new
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
        set(try node(of: value, in: path, step: nil) ?? session.tree.add(.object))
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

    init(_ session: EncodingSession, place: CodingPlace, target: Target) {
        self.target = target
        super.init(session: session, place: place)
    }

    deinit {
        let node = node ?? session.tree.add(.object)
        switch target {
        case .member(let name, let object): session.tree.setMember(name, of: object, to: node)
        case .element(let position, let array): session.tree.insert(node, at: position, of: array)
        }
    }
}
