/// Why a document of an earlier version could not become one of the newest.
///
/// Reading a versioned document also throws all that reading any `Codable` throws.
///
/// ## Invariant
/// A type that was tried is only ever named. Its conformance may belong to the main actor; nothing here calls it.
public enum VersionedDecodingError: Error, @unchecked Sendable {
    /// A value that was right in the earlier version has no meaning in the later one.
    ///
    /// Thrown by you, in ``VersionedCodable/init(from:)``. The coding path of the context names the field, as the
    /// earlier version calls it or as the later one does; its description says to a person what is wrong with the
    /// value.
    case fieldNoLongerValid(DecodingError.Context)

    /// No type of the chain has the version of the document. `tried` is the last that was looked at, which is the
    /// oldest.
    ///
    /// A ``MigrationTrace`` names all that were looked at.
    case unsupportedVersion(tried: any VersionedCodable.Type)
}

/// Why a versioned document could not be written.
public enum VersionedEncodingError: Error {
    /// The type has a field where the version is to be written. Nothing throws this: the version is written over the
    /// field, and a ``MigrationTrace`` warns of it.
    @available(*, deprecated, message: "Not thrown. See that no field of your type has the path of its version key.")
    case typeHasClashingVersionField
}
