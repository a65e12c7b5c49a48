/// A type of a preference, of which only a protocol is known.
///
/// ## Invariant
/// A metatype holds no state; what could tie it to one place is a conformance that belongs to an actor. ``PreferenceKey`` asks its types
/// to be `SendableMetatype`, and the conformance of a collection belongs to an actor when that of its elements does, so none gets here.
struct ErasedType<Metatype>: @unchecked Sendable {
    let type: Metatype

    init(_ type: Metatype) { self.type = type }
}
