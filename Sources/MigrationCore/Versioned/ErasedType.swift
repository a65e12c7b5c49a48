/// One or more types of which only a protocol is known.
///
/// ## Invariant
/// A metatype has no state. Only a conformance that is isolated to the main actor could tie it to one thread. The
/// documentation of ``MigrationChain`` asks the caller to create and use a chain of such types on the main thread.
struct ErasedType<Metatype>: @unchecked Sendable {
    let type: Metatype

    init(_ type: Metatype) { self.type = type }
}
