import DocumentModel
import MigrationCore

/// Small documents of the chain of poems.
enum Poems {
    /// Migrates.
    static let first = #"{"version":1,"author":"A","poem":"One\nTwo","starRating":5}"#
    /// Fails at its rating.
    static let broken = #"{"version":1,"author":"A","poem":"One","starRating":9}"#
    /// Is current.
    static let current = #"{"version":3,"author":{"name":"A"},"lines":["One"],"rating":"love"}"#
    /// Loses its mood on the way.
    static let moody = #"{"version":1,"author":"A","poem":"One","starRating":5,"mood":"grey"}"#

    /// What check and trace say of the broken one, and of any poem of version 1 with a rating of 9.
    static let ratingFailure = MigrationFailure(
        .field(path: field("rating"), problem: .noLongerValid(message: "Star rating 9 is no longer valid")),
        culprit: .init(path: field("starRating"), certain: false))

    static func field(_ name: String) -> DocumentPath { DocumentPath([.key(name)]) }
}
