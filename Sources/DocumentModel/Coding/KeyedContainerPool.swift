import Foundation

/// Keyed containers for keys of one type, each of which is given out again as soon as it has come back.
///
/// A type asks for a container for each of its values, uses it, and lets go of it. To make one takes the runtime long:
/// it looks up the container's type and its box, and makes the box. A container is no more than a reference to its box
/// (``KeyedContainerLayout``), so it has come back when nobody else refers to that. Then it is given out again for
/// another value, which its cursor is told. Types within types of their own kind take one container for each level.
///
/// `Container` is a `KeyedEncodingContainer` or a `KeyedDecodingContainer`, as a type of its own, since generic code
/// would have to look that up as well.
class KeyedContainerPool<Container, Cursor: ContainerCursor>: ContainerPool<Cursor> {
    /// The container whose cursor was given out, or added, last.
    @inline(never)
    final var container: Container {
        UnsafeMutableRawPointer(lastBox).assumingMemoryBound(to: Container.self).pointee
    }
}

/// What a container that is given out again has inside its box: where it stands.
protocol ContainerCursor: AnyObject {
    /// Lets go of a coding that is over.
    func leave()
    /// Keeps what it refers to of a coding that is over, since somebody has the container.
    func keep()
}

/// The containers for keys of any one type, by their cursors.
///
/// ## Invariant
/// From `boxes` and `cursors` on, `count` are initialized and `capacity` allocated. A box is a container. Each cursor is
/// retained once.
class ContainerPool<Cursor: ContainerCursor> {
    @exclusivity(unchecked) private var boxes = UnsafeMutablePointer<ContainerBox>.allocate(capacity: 1)
    /// The cursors, which are kept.
    @exclusivity(unchecked) private var cursors = UnsafeMutablePointer<Unmanaged<Cursor>>.allocate(capacity: 1)
    @exclusivity(unchecked) private var count = 0
    @exclusivity(unchecked) private var capacity = 1
    /// That which was given out last and may still be out; those behind it are free. Those before it are looked at only
    /// when there is no room for more.
    @exclusivity(unchecked) private var last = -1
    /// Whether a coding uses it, and another pool that the same uses.
    @exclusivity(unchecked) fileprivate(set) var isUsed = false
    @exclusivity(unchecked) fileprivate var next: ContainerPool?
    /// So many containers stay when a coding is over.
    private static var mostKept: Int { 8 }

    fileprivate init() {}

    deinit {
        boxes.deinitialize(count: count)
        boxes.deallocate()
        for place in 0..<count { cursors[place].release() }
        cursors.deallocate()
    }

    /// Puts a new container into memory. Every pool is one of a type of container, which says how.
    fileprivate func makeContainer(_ cursor: Cursor, at memory: UnsafeMutableRawPointer) {
        preconditionFailure("a pool of no containers")
    }

    /// The cursor of a container that nobody has; nil where there is none. It is kept here.
    @inline(__always)
    final func takeFree() -> Unmanaged<Cursor>? {
        while last >= 0, isFree(last) { last -= 1 }
        if last + 1 == capacity { makeRoom() }
        if last + 1 == count { return nil }
        last += 1
        return cursors[last]
    }

    /// Puts those that are out before the others, and takes more memory where more than half of them are. So a type that
    /// lets go of a container only when it has the next takes two, and looking at all of them is rare.
    @inline(never)
    private final func makeRoom() {
        last = -1
        for place in 0..<count where !isFree(place) {
            last += 1
            if place == last { continue }
            swap(&boxes[place], &boxes[last])
            swap(&cursors[place], &cursors[last])
        }
        guard 2 * (last + 1) > capacity else { return }
        boxes = boxes.moved(count: count, capacity: 2 * capacity)
        cursors = cursors.moved(count: count, capacity: 2 * capacity)
        capacity *= 2
    }

    /// Makes a container with a cursor, where ``takeFree()`` found none.
    @inline(never)
    final func add(_ cursor: Cursor) {
        (cursors + count).initialize(to: .passRetained(cursor))
        makeContainer(cursor, at: UnsafeMutableRawPointer(boxes + count))
        last = count
        count += 1
    }

    @inline(__always)
    fileprivate final var lastBox: UnsafeMutablePointer<ContainerBox> { boxes + last }

    @inline(__always)
    private final func isFree(_ place: Int) -> Bool {
        let box = boxes + place
        return isKnownUniquelyReferenced(&box.pointee)
    }

    /// Lets go of a coding that is over. Containers that somebody still has are not given out again.
    fileprivate final func rest() {
        last = -1
        for place in (0..<count).reversed() {
            let isFree = isFree(place)
            cursors[place]._withUnsafeGuaranteedRef { if isFree { $0.leave() } else { $0.keep() } }
            if !isFree || place >= Self.mostKept { remove(place) }
        }
    }

    private final func remove(_ place: Int) {
        (boxes + place).deinitialize(count: 1)
        cursors[place].release()
        count -= 1
        (boxes + place).moveInitialize(from: boxes + place + 1, count: count - place)
        (cursors + place).moveInitialize(from: cursors + place + 1, count: count - place)
    }
}

/// Stands for the class of the standard library's boxes. Asked of a reference to `AnyObject` whether it is the only one,
/// Swift says no where the code is not specialized for it.
private final class ContainerBox {}

extension UnsafeMutablePointer {
    /// The same values in other memory, with room for more.
    fileprivate func moved(count: Int, capacity: Int) -> Self {
        let memory = Self.allocate(capacity: capacity)
        memory.moveInitialize(from: self, count: count)
        deallocate()
        return memory
    }
}

/// The pools that one coding uses.
struct UsedPools<Cursor: ContainerCursor> {
    private var first: ContainerPool<Cursor>?

    /// Notes a pool.
    @inline(__always)
    mutating func insert(_ pool: ContainerPool<Cursor>) {
        if pool.isUsed { return }
        pool.isUsed = true
        pool.next = first
        first = pool
    }

    /// Has all pools let go of the coding.
    mutating func rest() {
        while let pool = first {
            pool.rest()
            pool.isUsed = false
            first = pool.next.take()
        }
    }
}

// MARK: - Pools of a type

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
