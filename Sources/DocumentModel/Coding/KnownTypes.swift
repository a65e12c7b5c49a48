/// What encodings and decodings found out about types, for those that come after them: the runtime takes long to answer.
///
/// ## Invariant
/// One encoding or decoding at a time has it: it takes one that is idle, or a new one. A decoding gives it back when it
/// is over, an encoding when the last reference to its session is gone. It is used on one thread at a time: a decoding
/// uses it only on the thread that began it. An encoding does not check its thread, since a type must not use its encoder
/// on two threads at once.
final class KnownTypes: @unchecked Sendable {
    /// Whether values of a type are dictionaries.
    @exclusivity(unchecked) var dictionaryTypes = TypeTable<ObjectIdentifier, Bool>()
    /// The containers for keys of a type, on tapes.
    @exclusivity(unchecked) var tapePools = ContainerPools<TapeCursor>()
    /// The containers for keys of a type that are decoded.
    @exclusivity(unchecked) var nodePools = ContainerPools<OpenObject>()

    /// The encoders of the values that are being encoded.
    @exclusivity(unchecked) var encoders = EncoderStack()
    /// Memory for the values that are being encoded.
    @exclusivity(unchecked) var frames = OwnedList<TapeEncodingSession.Frame>()

    private static let idle = Locked<[KnownTypes]>([])
    private static let mostIdle = 8

    static func take() -> KnownTypes { idle.withLock { $0.popLast() } ?? KnownTypes() }

    func giveBack() { Self.idle.withLock { if $0.count < Self.mostIdle { $0.append(self) } } }
}

/// A type, and how it is a `CodingKey`: two modules may make a type one, each in its own way.
struct CodingKeyIdentity: Hashable {
    private let type: UnsafeRawPointer
    private let conformance: UnsafeRawPointer

    @inline(__always)
    init<Key: CodingKey>(_ type: Key.Type) {
        // The two words of such a value: the type, and the table of how it conforms.
        (self.type, conformance) = unsafeBitCast(
            type as any CodingKey.Type, to: (UnsafeRawPointer, UnsafeRawPointer).self)
    }
}

/// A value for each of some types.
struct TypeTable<Identity: Hashable, Value> {
    /// Some of the types, and beside them their values. To look through so few is faster than to hash a type.
    private var types: [Identity] = []
    private var values: [Value] = []
    /// Which of them makes room next.
    private var oldest = 0
    private var all: [Identity: Value] = [:]

    private static var mostLookedThrough: Int { 16 }

    /// The value for a type, which `make` makes when it is asked for the first time.
    @inline(__always)
    mutating func value(for type: Identity, _ make: () -> Value) -> Value {
        for index in types.indices where types[index] == type { return values[index] }
        return foundValue(for: type, make)
    }

    @inline(never)
    private mutating func foundValue(for type: Identity, _ make: () -> Value) -> Value {
        let value = all[type] ?? make()
        all[type] = value
        if types.count < Self.mostLookedThrough {
            types.append(type)
            values.append(value)
        } else {
            (types[oldest], values[oldest]) = (type, value)
            oldest = (oldest + 1) % Self.mostLookedThrough
        }
        return value
    }
}
