import DocumentModel

/// What comes of opening again, by the chain, what a migration made: as the app does the next time.
///
/// As JSON: `true`, or the failure.
public enum Reopening: Sendable, Hashable {
    /// It opens.
    case opens
    /// It does not.
    indirect case fails(MigrationFailure)

    /// What came of checking it.
    package init(_ failure: MigrationFailure?) { self = failure.map { .fails($0) } ?? .opens }

    /// Why it does not open; nil where it does.
    package var failure: MigrationFailure? { if case .fails(let failure) = self { failure } else { nil } }
}

extension Reopening: Codable {
    /// Reads what was written.
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
