/// Information about types that is kept between encodings and decodings, because the runtime takes long to find it.
///
/// ## Invariant
/// Only one encoding or decoding uses an instance at a time: it takes an idle one or creates one. A decoding gives it
/// back when it ends, and an encoding when the last reference to its session is released. An instance is used on one
/// thread at a time: a decoding uses it only on the thread that began the decoding. An encoding doesn't check its
/// thread, because a type must not use its encoder on two threads at once.
final class KnownTypes: @unchecked Sendable {
    /// Whether values of a type are dictionaries.
    @exclusivity(unchecked) var dictionaryTypes = TypeTable<ObjectIdentifier, Bool>()
    /// The containers on tapes by key type.
    @exclusivity(unchecked) var tapePools = ContainerPools<TapeCursor>()
    /// The containers for decoding by key type.
    @exclusivity(unchecked) var nodePools = ContainerPools<OpenObject>()

    /// The encoders of the values that are being encoded.
    @exclusivity(unchecked) var encoders = EncoderStack()
    /// Reusable memory for the values that are being encoded.
    @exclusivity(unchecked) var frames = OwnedList<TapeEncodingSession.Frame>()

    private static let idle = Locked<[KnownTypes]>([])
    private static let mostIdle = 8

    static func take() -> KnownTypes { idle.withLock { $0.popLast() } ?? KnownTypes() }

    func giveBack() { Self.idle.withLock { if $0.count < Self.mostIdle { $0.append(self) } } }
}

/// A type and its conformance to `CodingKey`. Two modules may declare different conformances.
struct CodingKeyIdentity: Hashable {
    private let type: UnsafeRawPointer
    private let conformance: UnsafeRawPointer

    @inline(__always)
    init<Key: CodingKey>(_ type: Key.Type) {
        // The two words of such a value: the type, and its witness table.
        (self.type, conformance) = unsafeBitCast(
            type as any CodingKey.Type, to: (UnsafeRawPointer, UnsafeRawPointer).self)
    }
}

/// A table with a value for each type.
struct TypeTable<Identity: Hashable, Value> {
    /// Some of the types, and their values. Searching this small number is faster than hashing a type.
    private var types: [Identity] = []
    private var values: [Value] = []
    /// The next entry to be replaced.
    private var oldest = 0
    private var all: [Identity: Value] = [:]

    private static var mostLookedThrough: Int { 16 }

    /// Returns the value for a type. `make` creates it when it is first requested.
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
