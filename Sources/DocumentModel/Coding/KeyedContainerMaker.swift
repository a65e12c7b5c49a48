/// Makes containers for keys of one type, on a tape.
///
/// Where generic code makes a container, the runtime looks up its type, its box, and how it conforms to its protocol,
/// each time: a quarter of an encoding, a sixth of a decoding. A maker has all of that but the box in its own type.
class KeyedContainerMaker<Key: CodingKey> {
    /// A container that fills the object at a place. Every maker is a maker of a type of container, which says how.
    func container(_ session: TapeEncodingSession, _ place: TapeEncodingSession.Place) -> KeyedEncodingContainer<Key> {
        preconditionFailure("a maker of no containers")
    }
}

/// The maker of containers of a type.
private final class TapeContainerMaker<Container: TapeContainer>: KeyedContainerMaker<Container.Key> {
    override func container(
        _ session: TapeEncodingSession, _ place: TapeEncodingSession.Place
    ) -> KeyedEncodingContainer<Container.Key> {
        KeyedEncodingContainer(Container(session: session, place: place))
    }
}

/// A container that fills an object on a tape.
protocol TapeContainer: KeyedEncodingContainerProtocol {
    init(session: TapeEncodingSession, place: TapeEncodingSession.Place)
}

/// Makes containers of objects that are decoded, for keys of one type; it saves what ``KeyedContainerMaker`` saves.
class KeyedDecodingMaker<Key: CodingKey> {
    /// A container of an object. Every maker is a maker of a type of container, which says how.
    func container(_ object: OpenObject) -> KeyedDecodingContainer<Key> {
        preconditionFailure("a maker of no containers")
    }
}

/// The maker of containers of a type.
private final class NodeContainerMaker<Container: NodeContainer>: KeyedDecodingMaker<Container.Key> {
    override func container(_ object: OpenObject) -> KeyedDecodingContainer<Container.Key> {
        KeyedDecodingContainer(Container(object))
    }
}

/// A container of an object that is decoded.
protocol NodeContainer: KeyedDecodingContainerProtocol {
    init(_ object: OpenObject)
}

extension KnownTypes {
    /// The maker of containers for keys of a type; nil where there can be none.
    ///
    /// Two modules may make a type a `CodingKey`, each in its own way. The runtime then confuses them where it looks up
    /// `Container.Key`, and the maker for one is of the class of the other.
    @inline(__always)
    func containerMaker<Key: CodingKey>() -> KeyedContainerMaker<Key>? {
        guard let maker = containerMakers.value(for: CodingKeyIdentity(Key.self), { Self.makerOfTapes(Key.self) })
        else {
            return nil
        }
        return unsafeDowncast(maker, to: KeyedContainerMaker<Key>.self)
    }

    /// The maker of containers that are decoded, for keys of a type; found in the same way.
    @inline(__always)
    func decodingMaker<Key: CodingKey>() -> KeyedDecodingMaker<Key>? {
        guard let maker = decodingMakers.value(for: CodingKeyIdentity(Key.self), { Self.makerOfNodes(Key.self) }) else {
            return nil
        }
        return unsafeDowncast(maker, to: KeyedDecodingMaker<Key>.self)
    }

    // Functions of their own, so that the types they name are not looked up for each container. Those that make a maker
    // do not say of which class it is, so that no cast can be taken for one that cannot fail.

    @inline(never)
    private static func makerOfTapes<Key: CodingKey>(_ type: Key.Type) -> AnyObject? {
        newMakerOfTapes(type) as? KeyedContainerMaker<Key>
    }

    @inline(never)
    private static func newMakerOfTapes<Key: CodingKey>(_ type: Key.Type) -> AnyObject {
        TapeContainerMaker<TapeKeyedContainer<Key>>()
    }

    @inline(never)
    private static func makerOfNodes<Key: CodingKey>(_ type: Key.Type) -> AnyObject? {
        newMakerOfNodes(type) as? KeyedDecodingMaker<Key>
    }

    @inline(never)
    private static func newMakerOfNodes<Key: CodingKey>(_ type: Key.Type) -> AnyObject {
        NodeContainerMaker<NodeKeyedContainer<Key>>()
    }
}
