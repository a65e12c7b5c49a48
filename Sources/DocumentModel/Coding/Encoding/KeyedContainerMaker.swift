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

/// The makers that an encoding needed so far.
struct KeyedContainerMakers {
    private var makers: [(keys: ObjectIdentifier, maker: AnyObject)] = []

    /// All makers that were ever made. They have no state.
    private static let all = Locked<[ObjectIdentifier: Maker]>([:])

    private struct Maker: @unchecked Sendable {
        let maker: AnyObject
    }

    /// The maker for keys of a type.
    @inline(__always)
    mutating func maker<Key: CodingKey>() -> KeyedContainerMaker<Key> {
        let keys = ObjectIdentifier(Key.self)
        for index in makers.indices where makers[index].keys == keys {
            return unsafeDowncast(makers[index].maker, to: KeyedContainerMaker<Key>.self)
        }
        return newMaker()
    }

    @inline(never)
    private mutating func newMaker<Key: CodingKey>() -> KeyedContainerMaker<Key> {
        let keys = ObjectIdentifier(Key.self)
        let maker = Self.all.withLock { makers in
            if let maker = makers[keys] { return maker }
            let maker = Maker(maker: TapeContainerMaker<TapeKeyedContainer<Key>>())
            makers[keys] = maker
            return maker
        }
        makers.append((keys, maker.maker))
        return unsafeDowncast(maker.maker, to: KeyedContainerMaker<Key>.self)
    }
}
