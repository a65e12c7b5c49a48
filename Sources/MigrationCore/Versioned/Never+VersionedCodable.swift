/// `Never` can stand where a versioned type is asked for. Decoding one throws `DecodingError.typeMismatch`.
extension Never: VersionedCodable {
    /// Nothing comes before `Never`.
    public typealias PreviousVersion = NothingEarlier

    /// Always nil.
    public static var version: Int? { nil }
}
