/// The decoder that types use: a position in the document and its path.
///
/// A single decoder is used for a whole decoding. It moves to a value while that value is decoded, and then back
/// (``standing(at:_:_:)``), so that no object is created for each level. Only super decoders are separate objects.
final class NodeDecoder: Decoder {
    let session: DecodingSession
    /// The node at which the decoder is positioned; nil for a super decoder without a value.
    private(set) var index: Int?
    private(set) var place: CodingPlace

    init(session: DecodingSession, index: Int?, place: CodingPlace) {
        self.session = session
        self.index = index
        self.place = place
    }

    var codingPath: [any CodingKey] { place.keys }

    var userInfo: [CodingUserInfoKey: Any] { session.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        let index = try containerIndex(.object, [String: Any].self, "keyed")
        return KeyedDecodingContainer(NodeKeyedContainer<Key>(OpenObject(self, at: index)))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let index = try containerIndex(.array, [Any].self, "unkeyed")
        return NodeUnkeyedContainer(OpenArray(decoder: self, index: index, place: place))
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

    private func containerIndex(_ kind: NodeKind, _ type: Any.Type, _ word: String) throws -> Int {
        guard let index, !session.isNull(index) else {
            throw session.missing(
                type, "Cannot get \(word) decoding container -- found null value instead", path: codingPath)
        }
        guard session.view[index].kind == kind else {
            throw session.typeMismatch(type, at: index, path: codingPath)
        }
        return index
    }

    /// Calls `body` with this decoder, or an equivalent one, positioned at another value.
    @inline(__always)
    func standing<Result>(
        at index: Int?, _ place: CodingPlace, _ body: (NodeDecoder) throws -> Result
    ) rethrows -> Result {
        guard session.isOnOwnThread else {
            return try body(NodeDecoder(session: session, index: index, place: place))
        }
        let oldIndex = self.index
        var other = place
        self.index = index
        swap(&self.place, &other)
        defer {
            self.index = oldIndex
            swap(&self.place, &other)
        }
        return try body(self)
    }
}

extension NodeDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { session.isNull(index) }

    func decode(_ type: Bool.Type) throws -> Bool { try session.boolean(at: index, path: codingPath) }
    func decode(_ type: String.Type) throws -> String { try session.string(at: index, path: codingPath) }
    func decode(_ type: Double.Type) throws -> Double { try session.double(at: index, path: codingPath) }
    func decode(_ type: Float.Type) throws -> Float { try session.real(type, at: index, path: codingPath) }
    @inline(__always)
    func decode<T: FixedWidthInteger & Decodable>(_ type: T.Type) throws -> T {
        try session.integer(type, at: index, path: codingPath)
    }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    func decode(_ type: Int128.Type) throws -> Int128 { try session.integer(type, at: index, path: codingPath) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    func decode(_ type: UInt128.Type) throws -> UInt128 { try session.integer(type, at: index, path: codingPath) }
    func decode<T: Decodable>(_ type: T.Type) throws -> T { try value(type, at: index, place) }
}

extension Decoder {
    /// The value at which a ``DocumentDecoder``'s decoder is positioned while a type decodes itself; nil for any other
    /// decoder, and if there is no value. Accessing it doesn't count as reading it.
    public var documentNode: DocumentNode? {
        (self as? NodeDecoder).flatMap { decoder in
            decoder.session.reader.learn()
            return decoder.index.map { decoder.session.node($0) }
        }
    }

    /// The object that a ``DocumentDecoder`` passes to types in addition to its strategies; nil for any other decoder.
    package var companion: (any DecodingCompanion)? { (self as? NodeDecoder)?.session.companion }

    /// The decoder's record of the values that are read, if there is one.
    public var readRecord: ReadRecord? {
        (self as? NodeDecoder).flatMap { decoder in
            decoder.session.reader.learn()
            return decoder.session.record
        }
    }
}
