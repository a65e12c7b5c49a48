import DocumentModel
import MigrationCore

/// Small documents of the chain of poems.
enum Poems {
    /// A poem that migrates.
    static let first = #"{"version":1,"author":"A","poem":"One\nTwo","starRating":5}"#
    /// A poem that fails at its rating.
    static let broken = #"{"version":1,"author":"A","poem":"One","starRating":9}"#
    /// A current poem.
    static let current = #"{"version":3,"author":{"name":"A"},"lines":["One"],"rating":"love"}"#
    /// A poem that loses its mood in the migration.
    static let moody = #"{"version":1,"author":"A","poem":"One","starRating":5,"mood":"grey"}"#

    /// The failure that check and trace report for the broken poem, and for any poem of version 1 with a rating of 9.
    static let ratingFailure = MigrationFailure(
        .field(path: field("rating"), problem: .noLongerValid(message: "Star rating 9 is no longer valid")),
        culprit: .init(path: field("starRating"), certain: false))

    static func field(_ name: String) -> DocumentPath { DocumentPath([.key(name)]) }
}
