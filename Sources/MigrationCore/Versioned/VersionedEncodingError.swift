/// Why a versioned document could not be written.
public enum VersionedEncodingError: Error {
    /// The type has a field where the version is to be written. Nothing throws this: the version is written over the field, and a
    /// ``MigrationTrace`` warns of it.
    @available(*, deprecated, message: "Not thrown. See that no field of your type has the path of its version key.")
    case typeHasClashingVersionField
}
