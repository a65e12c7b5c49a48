/// Makes containers for keys of one type, on a tape.
///
/// Where generic code makes a container, the runtime looks up its type, and how that conforms to its protocol, each
/// time; that is a seventh of an encoding. A maker has both in its own type.
class KeyedContainerMaker<Key: CodingKey> {
    func container(_ session: TapeEncodingSession, _ place: TapeEncodingSession.Place) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(TapeKeyedContainer(session: session, place: place))
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

extension KnownTypes {
    /// The maker of containers for keys of a type.
    @inline(__always)
    func containerMaker<Key: CodingKey>() -> KeyedContainerMaker<Key> {
        let maker = containerMakers.value(for: Key.self) { TapeContainerMaker<TapeKeyedContainer<Key>>() }
        return unsafeDowncast(maker, to: KeyedContainerMaker<Key>.self)
    }
}
