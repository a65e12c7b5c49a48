import Foundation

/// A container for an object on a tape.
protocol TapeContainer: KeyedEncodingContainerProtocol {
    init(_ cursor: TapeCursor)
}

/// A container for an object that is decoded.
protocol NodeContainer: KeyedDecodingContainerProtocol {
    init(_ object: OpenObject)
}

typealias TapeContainerPool<Key: CodingKey> = KeyedContainerPool<KeyedEncodingContainer<Key>, TapeCursor>
typealias NodeContainerPool<Key: CodingKey> = KeyedContainerPool<KeyedDecodingContainer<Key>, OpenObject>

private final class TapeContainers<Container, Content: TapeContainer>: KeyedContainerPool<Container, TapeCursor> {
    /// Whether the runtime finds the same container type in two ways.
    var isSound: Bool { Container.self == KeyedEncodingContainer<Content.Key>.self }

    override func makeContainer(_ cursor: TapeCursor, at memory: UnsafeMutableRawPointer) {
        memory.initializeMemory(
            as: KeyedEncodingContainer<Content.Key>.self, to: KeyedEncodingContainer(Content(cursor)))
    }
}

private final class NodeContainers<Container, Content: NodeContainer>: KeyedContainerPool<Container, OpenObject> {
    /// Whether the runtime finds the same container type in two ways.
    var isSound: Bool { Container.self == KeyedDecodingContainer<Content.Key>.self }

    override func makeContainer(_ cursor: OpenObject, at memory: UnsafeMutableRawPointer) {
        memory.initializeMemory(
            as: KeyedDecodingContainer<Content.Key>.self, to: KeyedDecodingContainer(Content(cursor)))
    }
}

/// Pools by the types of their keys.
struct ContainerPools<Cursor: ContainerCursor> {
    typealias Pool = Unmanaged<ContainerPool<Cursor>>

    private var pools = TypeTable<CodingKeyIdentity, Pool?>()
    /// Strong references to the pools.
    private var owners: [ContainerPool<Cursor>] = []

    /// Returns the pool for a key type, or nil if there cannot be one.
    @inline(__always)
    mutating func pool<Key: CodingKey>(of type: Key.Type, _ make: () -> ContainerPool<Cursor>?) -> Pool? {
        pools.value(for: CodingKeyIdentity(type)) {
            guard let pool = make() else { return nil }
            owners.append(pool)
            return .passUnretained(pool)
        }
    }
}

extension KnownTypes {
    /// Returns the pool of containers on tapes for a key type, a ``TapeContainerPool``, or nil if they cannot be
    /// reused. This object keeps the pool alive.
    ///
    /// Two modules may declare different conformances of a type to `CodingKey`. When the runtime looks up the key type
    /// of a container, it may confuse them, and find the container for the other conformance.
    @inline(__always)
    func tapeContainers<Key: CodingKey>(_ type: Key.Type) -> Unmanaged<ContainerPool<TapeCursor>>? {
        tapePools.pool(of: type) { Self.poolOfTapes(type) }
    }

    /// Returns the pool of decoding containers for a key type, a ``NodeContainerPool``, in the same way.
    @inline(__always)
    func nodeContainers<Key: CodingKey>(_ type: Key.Type) -> Unmanaged<ContainerPool<OpenObject>>? {
        nodePools.pool(of: type) { Self.poolOfNodes(type) }
    }

    // These are separate functions so that the types they use are not looked up for each container.

    @inline(never)
    private static func poolOfTapes<Key: CodingKey>(_ type: Key.Type) -> ContainerPool<TapeCursor>? {
        let pool = TapeContainers<KeyedEncodingContainer<Key>, TapeKeyedContainer<Key>>()
        return pool.isSound && KeyedContainerLayout.isEncodingContainerReference ? pool : nil
    }

    @inline(never)
    private static func poolOfNodes<Key: CodingKey>(_ type: Key.Type) -> ContainerPool<OpenObject>? {
        let pool = NodeContainers<KeyedDecodingContainer<Key>, NodeKeyedContainer<Key>>()
        return pool.isSound && KeyedContainerLayout.isDecodingContainerReference ? pool : nil
    }
}

/// Checks that the standard library's keyed containers have the expected layout: one reference to a box.
private enum KeyedContainerLayout {
    static let isEncodingContainerReference = isReference(
        KeyedEncodingContainer(TapeKeyedContainer<PathCodingKey>(TapeCursor())))

    static let isDecodingContainerReference: Bool = {
        guard let document = try? Document(parsing: SourceBytes(Data("{}".utf8))) else { return false }
        let session = DecodingSession(document, SharedSettings(DecodingStrategies()), companion: nil, record: nil)
        let decoder = NodeDecoder(session: session, index: 0, place: CodingPlace(nil))
        defer { session.end() }
        let object = OpenObject(decoder, at: 0, MemberTable(session, object: 0, at: decoder.place))
        return isReference(KeyedDecodingContainer(NodeKeyedContainer<PathCodingKey>(object)))
    }()

    private static func isReference<Container>(_ container: Container) -> Bool {
        guard MemoryLayout<Container>.size == MemoryLayout<AnyObject>.size,
            let box = Mirror(reflecting: container).children.first?.value, type(of: box) is AnyClass
        else { return false }
        return withUnsafeBytes(of: container) { container in
            container.load(as: UnsafeRawPointer.self)
                == UnsafeRawPointer(Unmanaged.passUnretained(box as AnyObject).toOpaque())
        }
    }
}
