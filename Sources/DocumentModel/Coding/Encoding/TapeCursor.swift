/// The position of a keyed container or an encoder on a tape.
final class TapeCursor: ContainerCursor {
    @exclusivity(unchecked) private var knownSession: Unmanaged<TapeEncodingSession>?
    /// The session, for code that may keep the container or encoder longer than the encoding.
    @exclusivity(unchecked) private var keptSession: TapeEncodingSession?
    @exclusivity(unchecked) private(set) var place = TapeEncodingSession.Place.none

    /// Creates a cursor without a position.
    init() {}

    init(at place: TapeEncodingSession.Place, in session: TapeEncodingSession) { stand(at: place, in: session) }

    /// The session, which is alive as long as the container or encoder is in use.
    @inline(__always)
    var session: Unmanaged<TapeEncodingSession> { knownSession.unsafelyUnwrapped }

    /// Moves to a place.
    @inline(__always)
    func stand(at place: TapeEncodingSession.Place, in session: TapeEncodingSession) {
        self.place = place
        knownSession = .passUnretained(session)
    }

    func leave() { knownSession = nil }

    func keep() { keptSession = knownSession?.takeUnretainedValue() }
}
