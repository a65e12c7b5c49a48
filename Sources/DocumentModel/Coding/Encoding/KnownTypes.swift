/// What encodings found out about types, for those that come after them: the runtime takes long to answer.
///
/// ## Invariant
/// One encoding at a time has it: it takes one that is idle, or a new one, and gives it back when it is over.
final class KnownTypes: @unchecked Sendable {
    /// Whether values of a type are dictionaries.
    @exclusivity(unchecked) var areDictionaries = TypeTable<Bool>()
    /// What makes the containers for keys of a type.
    @exclusivity(unchecked) var containerMakers = TypeTable<AnyObject>()

    private static let idle = Locked<[KnownTypes]>([])
    private static let mostIdle = 8

    static func take() -> KnownTypes { idle.withLock { $0.popLast() } ?? KnownTypes() }

    func giveBack() { Self.idle.withLock { if $0.count < Self.mostIdle { $0.append(self) } } }
}

/// A value for each of some types.
struct TypeTable<Value> {
    /// The types that came first, which are looked through; so few are found faster than by their hashes.
    private var types: [ObjectIdentifier] = []
    private var values: [Value] = []
    private var others: [ObjectIdentifier: Value] = [:]

    private static var mostLookedThrough: Int { 16 }

    /// The value for a type, which `make` makes when it is asked for the first time.
    @inline(__always)
    mutating func value(for type: Any.Type, _ make: () -> Value) -> Value {
        let type = ObjectIdentifier(type)
        for index in types.indices where types[index] == type { return values[index] }
        return newValue(for: type, make)
    }

    @inline(never)
    private mutating func newValue(for type: ObjectIdentifier, _ make: () -> Value) -> Value {
        if let known = others[type] { return known }
        let value = make()
        if types.count < Self.mostLookedThrough {
            types.append(type)
            values.append(value)
        } else {
            others[type] = value
        }
        return value
    }
}
