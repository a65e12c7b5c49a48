/// The end of a chain. As its ``VersionedCodable/PreviousVersion``, it marks a type that has no earlier version.
///
/// There are no values of this type. Decoding one throws `DecodingError.typeMismatch`.
public enum NothingEarlier {}

extension NothingEarlier: VersionedCodable {
    /// There is nothing before this type.
    public typealias PreviousVersion = NothingEarlier

    /// Always nil.
    public static let version: Int? = nil

    /// Always throws.
    ///
    /// - Throws: `DecodingError.typeMismatch`.
    public init(from decoder: any Decoder) throws {
        throw DecodingError.typeMismatch(
            NothingEarlier.self,
            .init(codingPath: decoder.codingPath, debugDescription: "NothingEarlier has no values to decode."))
    }

    /// Does nothing. It is never called, because there is no value to call it on.
    public func encode(to encoder: any Encoder) throws {}
}

extension VersionedCodable where PreviousVersion == NothingEarlier {
    /// Always throws. It saves you from writing an initializer for the oldest type that would never be called.
    ///
    /// - Throws: ``VersionedDecodingError/unsupportedVersion(tried:)``.
    public init(from: NothingEarlier) throws { throw VersionedDecodingError.unsupportedVersion(tried: Self.self) }
}

/// Lets you use `Never` where a versioned type is required. Decoding one throws `DecodingError.typeMismatch`.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension Never: VersionedCodable {
    /// There is nothing before `Never`.
    public typealias PreviousVersion = NothingEarlier

    /// Always nil.
    public static var version: Int? { nil }
}
