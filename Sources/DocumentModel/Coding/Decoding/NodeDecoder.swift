/// The decoder that types see: a place in the document, and the path that led there.
///
/// One decoder serves a whole decoding. It stands at a value while that value is decoded, and then goes back
/// (``standing(at:path:_:)``), so that going inside costs no object. Only who asks for a super decoder gets one of their own.
final class NodeDecoder: Decoder {
    let session: DecodingSession
    /// The node at which the decoder stands; nil where a super decoder was asked for and there is no value.
    private(set) var index: Int?
    private(set) var path: CodingPathNode?

    init(session: DecodingSession, index: Int?, path: CodingPathNode?) {
        self.session = session
        self.index = index
        self.path = path
    }

    var codingPath: [any CodingKey] { path.keys }

    var userInfo: [CodingUserInfoKey: Any] { session.strategies.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        let index = try containerIndex(.object, [String: Any].self, "keyed")
        return KeyedDecodingContainer(NodeKeyedContainer<Key>(decoder: self, object: index, path: path))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let index = try containerIndex(.array, [Any].self, "unkeyed")
        return NodeUnkeyedContainer(decoder: self, array: index, path: path)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

    private func containerIndex(_ kind: NodeKind, _ type: Any.Type, _ word: String) throws -> Int {
        guard let index, !session.isNull(index) else {
            throw DecodingError.valueNotFound(
                type,
                session.context(
                    codingPath, "Cannot get \(word) decoding container -- found null value instead",
                    .missingValue(type)))
        }
        guard session.tape[index].kind == kind else {
            throw session.typeMismatch(type, at: index, path: codingPath)
        }
        return index
    }

    /// Runs `body` with the decoder standing at another value.
    @inline(__always)
    func standing<Result>(
        at index: Int?, path: CodingPathNode?, _ body: () throws -> Result
    ) rethrows -> Result {
        let (oldIndex, oldPath) = (self.index, self.path)
        (self.index, self.path) = (index, path)
        defer { (self.index, self.path) = (oldIndex, oldPath) }
        return try body()
    }
}

extension NodeDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { session.isNull(index) }

    func decode(_ type: Bool.Type) throws -> Bool { try session.boolean(at: index, path: codingPath) }
    func decode(_ type: String.Type) throws -> String { try session.string(at: index, path: codingPath) }
    func decode(_ type: Double.Type) throws -> Double { try session.double(at: index, path: codingPath) }
    func decode(_ type: Float.Type) throws -> Float { try session.real(type, at: index, path: codingPath) }
    func decode(_ type: Int.Type) throws -> Int { try integer(type) }
    func decode(_ type: Int8.Type) throws -> Int8 { try integer(type) }
    func decode(_ type: Int16.Type) throws -> Int16 { try integer(type) }
    func decode(_ type: Int32.Type) throws -> Int32 { try integer(type) }
    func decode(_ type: Int64.Type) throws -> Int64 { try integer(type) }
    func decode(_ type: UInt.Type) throws -> UInt { try integer(type) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try integer(type) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try integer(type) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try integer(type) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try integer(type) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    func decode(_ type: Int128.Type) throws -> Int128 { try wideInteger(type) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    func decode(_ type: UInt128.Type) throws -> UInt128 { try wideInteger(type) }
    func decode<T: Decodable>(_ type: T.Type) throws -> T { try value(type, at: index, path: path, step: nil) }

    @inline(__always)
    private func integer<T: FixedWidthInteger>(_ type: T.Type) throws -> T {
        try session.integer(type, at: index, path: codingPath)
    }

    private func wideInteger<T: FixedWidthInteger>(_ type: T.Type) throws -> T {
        try session.wideInteger(type, at: index, path: codingPath)
    }
}
