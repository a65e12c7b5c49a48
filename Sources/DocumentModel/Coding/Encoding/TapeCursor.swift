/// Where a keyed container on a tape stands, or an encoder.
final class TapeCursor: ContainerCursor {
    @exclusivity(unchecked) private var knownSession: Unmanaged<TapeEncodingSession>?
    /// The session, for somebody who may have the container or encoder longer than the encoding has it.
    @exclusivity(unchecked) private var keptSession: TapeEncodingSession?
    @exclusivity(unchecked) private(set) var place = TapeEncodingSession.Place.none

    /// A cursor that stands nowhere.
    init() {}

    init(at place: TapeEncodingSession.Place, in session: TapeEncodingSession) { stand(at: place, in: session) }

    /// The session, which there is as long as anybody has the container or encoder.
    @inline(__always)
    var session: Unmanaged<TapeEncodingSession> { knownSession.unsafelyUnwrapped }

    /// Goes to a place.
    @inline(__always)
    func stand(at place: TapeEncodingSession.Place, in session: TapeEncodingSession) {
        self.place = place
        knownSession = .passUnretained(session)
    }

    func leave() { knownSession = nil }

    func keep() { keptSession = knownSession?.takeUnretainedValue() }
}
