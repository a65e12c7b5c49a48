/// The encoders of the nested values that are being encoded.
///
/// A type receives its encoder as an existential, and creating one costs a retain and a release. So an encoder is
/// reused for the next value at the same depth, unless the type has kept it.
///
/// ## Invariant
/// Each encoder in the list is retained once. The first ``depth`` are in use.
struct EncoderStack: ~Copyable {
    private var encoders = OwnedList<Unmanaged<StackedEncoder>>()
    private var depth = 0
    /// The maximum number of encoders to keep after an encoding.
    private static let mostKept = 8

    deinit { for place in encoders.indices { encoders[place].release() } }

    /// Returns an encoder for the value at a place. The stack owns it until it is taken back.
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

    /// Takes back the encoder that was taken last. If it is still referenced elsewhere, the next value gets a new one.
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

    /// Releases most encoders after an encoding.
    mutating func trim() {
        while encoders.count > Self.mostKept { encoders.removeLast().release() }
    }
}

/// An encoder on an ``EncoderStack``.
final class StackedEncoder {
    private let encoder: any Encoder
    /// The encoder's cursor. Only the encoder refers to it, unless the encoder was copied.
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

    /// Lets a value encode itself.
    @inline(__always)
    func encode(_ value: some Encodable, by rules: EncodingSession) throws { try rules.encode(value, to: encoder) }

    /// Whether the encoder isn't referenced elsewhere.
    @inline(__always)
    var isFree: Bool {
        // An unmanaged reference isn't counted.
        withUnsafeMutablePointer(to: &cursor) { cursor in
            cursor.withMemoryRebound(to: TapeCursor.self, capacity: 1) { isKnownUniquelyReferenced(&$0.pointee) }
        }
    }

    /// Retains the session for code that still has the encoder.
    func keepSession() { cursor._withUnsafeGuaranteedRef { $0.keep() } }
}
