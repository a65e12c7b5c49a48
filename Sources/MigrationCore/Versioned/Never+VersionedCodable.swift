/// `Never` can stand where a versioned type is asked for. Decoding one throws `DecodingError.typeMismatch`.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension Never: VersionedCodable {
    /// Nothing comes before `Never`.
    public typealias PreviousVersion = NothingEarlier

    /// Always nil.
    public static var version: Int? { nil }
}
