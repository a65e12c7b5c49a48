/// A type, or several, of which only a protocol is known.
///
/// ## Invariant
/// A metatype holds no state. What could tie it to one place is a conformance that belongs to the main actor; the
/// documentation of ``MigrationChain`` asks the caller to make and use a chain of such types on the main thread.
struct ErasedType<Metatype>: @unchecked Sendable {
    let type: Metatype

    init(_ type: Metatype) { self.type = type }
}
