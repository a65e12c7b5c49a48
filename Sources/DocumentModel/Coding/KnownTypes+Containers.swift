import Foundation

/// A container that fills an object on a tape.
protocol TapeContainer: KeyedEncodingContainerProtocol {
    init(_ cursor: TapeCursor)
}

/// A container of an object that is decoded.
protocol NodeContainer: KeyedDecodingContainerProtocol {
    init(_ object: OpenObject)
}

typealias TapeContainerPool<Key: CodingKey> = KeyedContainerPool<KeyedEncodingContainer<Key>, TapeCursor>
typealias NodeContainerPool<Key: CodingKey> = KeyedContainerPool<KeyedDecodingContainer<Key>, OpenObject>

private final class TapeContainers<Container, Content: TapeContainer>: KeyedContainerPool<Container, TapeCursor> {
    /// Whether the runtime finds the same type for the container by two ways.
    var isSound: Bool { Container.self == KeyedEncodingContainer<Content.Key>.self }

    override func makeContainer(_ cursor: TapeCursor, at memory: UnsafeMutableRawPointer) {
        memory.initializeMemory(
            as: KeyedEncodingContainer<Content.Key>.self, to: KeyedEncodingContainer(Content(cursor)))
    }
}

private final class NodeContainers<Container, Content: NodeContainer>: KeyedContainerPool<Container, OpenObject> {
    /// Whether the runtime finds the same type for the container by two ways.
    var isSound: Bool { Container.self == KeyedDecodingContainer<Content.Key>.self }

    override func makeContainer(_ cursor: OpenObject, at memory: UnsafeMutableRawPointer) {
        memory.initializeMemory(
            as: KeyedDecodingContainer<Content.Key>.self, to: KeyedDecodingContainer(Content(cursor)))
    }
}

/// Pools, by the types of their keys.
struct ContainerPools<Cursor: ContainerCursor> {
    typealias Pool = Unmanaged<ContainerPool<Cursor>>

    private var pools = TypeTable<CodingKeyIdentity, Pool?>()
    /// What keeps the pools.
    private var owners: [ContainerPool<Cursor>] = []

    /// The pool for keys of a type; nil where there can be none.
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
    /// The containers for keys of a type, on tapes, a ``TapeContainerPool``; nil where they cannot be given out again.
    /// These types keep them.
    ///
    /// Two modules may make a type a `CodingKey`, each in its own way. The runtime may then confuse them where it looks up
    /// the key of a container, and find the container of the other.
    @inline(__always)
    func tapeContainers<Key: CodingKey>(_ type: Key.Type) -> Unmanaged<ContainerPool<TapeCursor>>? {
        tapePools.pool(of: type) { Self.poolOfTapes(type) }
    }

    /// The containers for keys of a type that are decoded, a ``NodeContainerPool``; found in the same way.
    @inline(__always)
    func nodeContainers<Key: CodingKey>(_ type: Key.Type) -> Unmanaged<ContainerPool<OpenObject>>? {
        nodePools.pool(of: type) { Self.poolOfNodes(type) }
    }

    // Functions of their own, so that the types they name are not looked up for each container.

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

/// Whether the standard library's keyed containers are what they are taken for: one reference, to a box.
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
