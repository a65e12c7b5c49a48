import DocumentModel

/// Whether a migrated document opens again with the chain, as when the app opens it the next time.
///
/// As JSON: `true`, or the failure.
public enum Reopening: Sendable, Hashable {
    /// The document opens.
    case opens
    /// The document does not open.
    indirect case fails(MigrationFailure)

    /// Creates the result of a check with the given failure.
    package init(_ failure: MigrationFailure?) { self = failure.map { .fails($0) } ?? .opens }

    /// Why the document does not open, or nil if it does.
    package var failure: MigrationFailure? { if case .fails(let failure) = self { failure } else { nil } }
}

extension Reopening: Codable {
    /// Reads `true`, or the failure.
    ///
    /// - Throws: `DecodingError`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        self = (try? container.decode(Bool.self)) == true ? .opens : .fails(try container.decode(MigrationFailure.self))
    }

    /// Writes `true`, or the failure.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .opens: try container.encode(true)
        case .fails(let failure): try container.encode(failure)
        }
    }
}
