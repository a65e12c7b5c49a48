/// The reason a document of an earlier version could not be migrated to the newest.
///
/// Reading a versioned document can also throw any error of decoding a `Codable` type.
///
/// ## Invariant
/// A type that was tried is only named. Its conformance may be isolated to the main actor, but nothing here calls it.
public enum VersionedDecodingError: Error, @unchecked Sendable {
    /// A value that was valid in the earlier version has no meaning in the later one.
    ///
    /// Throw this in ``VersionedCodable/init(from:)``. The coding path of the context names the field, either as in the
    /// earlier version or as in the later one. Its debug description explains to the user what is wrong with the value.
    case fieldNoLongerValid(DecodingError.Context)

    /// No type of the chain has the version of the document. `tried` is the last type that was tried, which is the
    /// oldest.
    ///
    /// A ``MigrationTrace`` lists all types that were tried.
    case unsupportedVersion(tried: any VersionedCodable.Type)
}

/// The reason a versioned document could not be written.
public enum VersionedEncodingError: Error {
    /// The type has a field where the version is written. This is never thrown: the version overwrites the field, and a
    /// ``MigrationTrace`` warns about that.
    @available(*, deprecated, message: "Not thrown. See that no field of your type has the path of its version key.")
    case typeHasClashingVersionField
}
