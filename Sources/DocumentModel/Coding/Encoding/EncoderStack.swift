/// The encoders of the values that are being encoded, each value inside the one before.
///
/// A type is handed its encoder as an existential, and to make one takes a retain and a release. So the encoder of a
/// value is given out again for the next value that is as deep, unless somebody has kept it.
///
/// ## Invariant
/// Each encoder on the list is retained once. The first ``depth`` are out.
struct EncoderStack: ~Copyable {
    private var encoders = OwnedList<Unmanaged<StackedEncoder>>()
    private var depth = 0
    /// How many encoders stay at most when an encoding is over.
    private static let mostKept = 8

    deinit { for place in encoders.indices { encoders[place].release() } }

    /// An encoder of the value at a place, which the stack keeps until it is taken back.
    @inline(__always)
    mutating func take(
        at place: TapeEncodingSession.Place, in session: TapeEncodingSession
    ) -> Unmanaged<StackedEncoder> {
        if depth == encoders.count { encoders.append(.passRetained(StackedEncoder())) }
        let encoder = encoders[depth]
        depth += 1
        encoder._withUnsafeGuaranteedRef { $0.stand(at: place, in: session) }
        return encoder
    }

    /// Takes back the encoder that was taken last. If somebody has it, there is a new one for the next value.
    @inline(__always)
    mutating func takeBack() {
        depth -= 1
        let isFree = encoders[depth]._withUnsafeGuaranteedRef { $0.isFree }
        if !isFree { replaceLast() }
    }

    @inline(never)
    private mutating func replaceLast() {
        encoders[depth]._withUnsafeGuaranteedRef { $0.keepSession() }
        encoders[depth].release()
        encoders[depth] = .passRetained(StackedEncoder())
    }

    /// Lets go of most encoders, after an encoding.
    mutating func trim() {
        while encoders.count > Self.mostKept { encoders.removeLast().release() }
    }
}

/// An encoder on an ``EncoderStack``.
final class StackedEncoder {
    private let encoder: any Encoder
    /// That of the encoder, which alone refers to it unless somebody has copied the encoder.
    @exclusivity(unchecked) private var cursor: Unmanaged<TapeCursor>

    init() {
        let cursor = TapeCursor()
        encoder = TapeEncoder(cursor)
        self.cursor = .passUnretained(cursor)
    }

    @inline(__always)
    func stand(at place: TapeEncodingSession.Place, in session: TapeEncodingSession) {
        cursor._withUnsafeGuaranteedRef { $0.stand(at: place, in: session) }
    }

    /// Has a value encode itself.
    @inline(__always)
    func encode(_ value: some Encodable, by rules: EncodingSession) throws { try rules.encode(value, to: encoder) }

    /// Whether nobody else has the encoder.
    @inline(__always)
    var isFree: Bool {
        // An unmanaged reference is a reference that is not counted.
        withUnsafeMutablePointer(to: &cursor) { cursor in
            cursor.withMemoryRebound(to: TapeCursor.self, capacity: 1) { isKnownUniquelyReferenced(&$0.pointee) }
        }
    }

    /// Keeps the session for somebody who has the encoder.
    func keepSession() { cursor._withUnsafeGuaranteedRef { $0.keep() } }
}
