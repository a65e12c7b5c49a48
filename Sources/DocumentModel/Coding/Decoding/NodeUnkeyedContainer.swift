/// A container for the elements of an array.
struct NodeUnkeyedContainer: UnkeyedDecodingContainer {
    private let array: OpenArray
    /// The node of the next element.
    private var next: Int
    private(set) var currentIndex = 0

    init(_ array: OpenArray) {
        self.array = array
        next = array.index + 1
    }

    private var decoder: NodeDecoder { array.decoder }

    private var session: DecodingSession { array.session }

    var codingPath: [any CodingKey] { array.place.keys }

    var count: Int? { array.count }

    var isAtEnd: Bool { next >= array.end }

    mutating func decodeNil() throws -> Bool {
        guard session.isNull(try requiredIndex(for: Never.self)) else { return false }
        advance()
        return true
    }

    // MARK: - Scalars

    mutating func decode(_ type: Bool.Type) throws -> Bool {
        try element(type) { try $0.session.boolean(at: $1, path: $0.keys) }
    }
    mutating func decode(_ type: String.Type) throws -> String {
        try element(type) { try $0.session.string(at: $1, path: $0.keys) }
    }
    mutating func decode(_ type: Double.Type) throws -> Double {
        try element(type) { try $0.session.double(at: $1, path: $0.keys) }
    }
    mutating func decode(_ type: Float.Type) throws -> Float {
        try element(type) { try $0.session.real(type, at: $1, path: $0.keys) }
    }
    @inline(__always)
    mutating func decode<T: FixedWidthInteger & Decodable>(_ type: T.Type) throws -> T {
        try element(type) { try $0.session.integer(type, at: $1, path: $0.keys) }
    }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    mutating func decode(_ type: Int128.Type) throws -> Int128 {
        try element(type) { try $0.session.integer(type, at: $1, path: $0.keys) }
    }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 {
        try element(type) { try $0.session.integer(type, at: $1, path: $0.keys) }
    }

    // MARK: - Other values

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
        try element(type) { try $0.decoder.value(type, at: $1, $0.elementPlace) }
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try element(KeyedDecodingContainer<NestedKey>.self) { container, index in
            try container.decoder.standing(at: index, container.elementPlace) { try $0.container(keyedBy: type) }
        }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try element((any UnkeyedDecodingContainer).self) { container, index in
            try container.decoder.standing(at: index, container.elementPlace) { try $0.unkeyedContainer() }
        }
    }

    mutating func superDecoder() throws -> any Decoder {
        let type: Any.Type = session.isPropertyList ? (any UnkeyedDecodingContainer).self : (any Decoder).self
        return try element(type) { container, index in
            NodeDecoder(session: container.session, index: index, place: container.elementPlace)
        }
    }

    // MARK: - Elements

    /// Creates a value from the next element, and moves past it unless that fails.
    @inline(__always)
    private mutating func element<T>(_ type: Any.Type, _ make: (Self, Int) throws -> T) throws -> T {
        let value = try make(self, try requiredIndex(for: type))
        advance()
        return value
    }

    /// Returns the node of the next element, and records it as read.
    private func requiredIndex(for type: Any.Type) throws -> Int {
        guard !isAtEnd else {
            let isDecoder = type == (any Decoder).self
            let end =
                isDecoder ? "Cannot get superDecoder() -- unkeyed container is at end." : "Unkeyed container is at end."
            throw session.missing(type, end, path: keys)
        }
        session.reader.read(next)
        return next
    }

    private mutating func advance() {
        next = session.view.next(after: next)
        currentIndex += 1
    }

    private var elementPlace: CodingPlace { CodingPlace(array.path, .index(currentIndex)) }

    private var keys: [any CodingKey] { elementPlace.keys }
}

/// An array that is being decoded, to which unkeyed containers refer.
final class OpenArray {
    let decoder: NodeDecoder
    let session: DecodingSession
    let index: Int
    /// The node after the last element.
    let end: Int
    let place: CodingPlace
    private lazy var knownPath = place.path
    private lazy var knownCount = session.node(index).count

    /// The path to the array. It is created when something inside it is decoded that needs a path.
    var path: CodingPathNode? { session.isOnOwnThread ? knownPath : place.path }

    /// The number of elements, which is counted when it is requested.
    var count: Int { session.isOnOwnThread ? knownCount : session.node(index).count }

    init(decoder: NodeDecoder, index: Int, place: CodingPlace) {
        self.decoder = decoder
        session = decoder.session
        self.index = index
        end = session.view.next(after: index)
        self.place = place
    }
}
