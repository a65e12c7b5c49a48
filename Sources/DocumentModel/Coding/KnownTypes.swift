/// What encodings and decodings found out about types, for those that come after them: the runtime takes long to answer.
///
/// ## Invariant
/// One encoding or decoding at a time has it, and uses it on one thread: it takes one that is idle, or a new one, and
/// gives it back when nobody holds its session any more.
final class KnownTypes: @unchecked Sendable {
    /// Whether values of a type are dictionaries.
    @exclusivity(unchecked) var dictionaryTypes = TypeTable<Bool>()
    /// What makes the containers for keys of a type.
    @exclusivity(unchecked) var containerMakers = TypeTable<AnyObject>()
    /// What makes the containers for keys of a type that are decoded.
    @exclusivity(unchecked) var decodingMakers = TypeTable<AnyObject>()

    private static let idle = Locked<[KnownTypes]>([])
    private static let mostIdle = 8

    static func take() -> KnownTypes { idle.withLock { $0.popLast() } ?? KnownTypes() }

    func giveBack() { Self.idle.withLock { if $0.count < Self.mostIdle { $0.append(self) } } }
}

/// A value for each of some types.
struct TypeTable<Value> {
    /// Some of the types, and beside them their values. To look through so few is faster than to hash a type.
    private var types: [ObjectIdentifier] = []
    private var values: [Value] = []
    /// Which of them makes room next.
    private var oldest = 0
    private var all: [ObjectIdentifier: Value] = [:]

    private static var mostLookedThrough: Int { 16 }

    /// The value for a type, which `make` makes when it is asked for the first time.
    @inline(__always)
    mutating func value(for type: Any.Type, _ make: () -> Value) -> Value {
        let type = ObjectIdentifier(type)
        for index in types.indices where types[index] == type { return values[index] }
        return foundValue(for: type, make)
    }

    @inline(never)
    private mutating func foundValue(for type: ObjectIdentifier, _ make: () -> Value) -> Value {
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
