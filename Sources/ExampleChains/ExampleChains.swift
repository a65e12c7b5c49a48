import MigrationCore

/// The chains for the documents in demo-data.
public enum ExampleChains {
    /// All example chains.
    public static let all: [MigrationChain] = [
        poem, letter, packageResolved, user, complex, collection, clockPreferences, bookMetadata,
    ]

    /// Poems: one shape without a version, and three with a version.
    public static let poem = MigrationChain(
        Poem.self,
        notes: [
            1: "author, poem and starRating must be there; the first and the last have defaults",
            2: "the star rating becomes love, meh or hate",
            3: "the author gets dates, and the poem is split into lines",
        ])

    /// Letters, whose version key moves.
    public static let letter = MigrationChain(
        Letter.self, notes: [2: "several recipients, and paragraphs; the version key moves into metadata"])

    /// The Package.resolved files of the Swift package manager.
    public static let packageResolved = MigrationChain(
        PackageResolved.self, named: "Package.resolved",
        notes: [
            2: "pins are known by identity, and say what kind they are",
            3: "the hash of where the pins came from may be there",
        ], intendedLosses: [2: ["$.object.pins[*].package"]])

    /// Complex things, whose payload is edited before it is decoded.
    public static let complex = MigrationChain(
        Complex.self,
        notes: { version in
            switch version {
            case .v1: nil
            case .v2: "there is a text"
            case .v3: "there is a number, which depends on the text"
            }
        },
        fields: { version in
            switch version {
            case .v1: PayloadFields(optional: ["text", "number"])
            case .v2: PayloadFields(required: ["text"], optional: ["number"])
            case .v3: PayloadFields(required: ["text", "number"])
            }
        })

    /// Collections of complex things, each of which migrates separately.
    public static let collection = MigrationChain(ComplexCollection.self, named: "Collection")

    /// Users, whose version is detected by shape.
    public static let user = MigrationChain(
        named: "User",
        shapes: ShapeVersions(UserV1.self)
            .then(UserV2.self, note: "the e-mail address becomes the identifier") {
                try UserV2(from: $0)
            })

    /// The metadata of books, in the rows of a store.
    public static let bookMetadata = MigrationChain(
        named: "Book metadata",
        shapes: ShapeVersions(BookMetadataV1.self, forbidding: ["createdAt"])
            .then(
                BookMetadataV2.self, requiring: ["createdAt"], note: "when a book was created is noted, if it is known"
            ) {
                try $0.undated()
            })

    /// The preferences of a clock, from version 4 of Defaults to version 5.
    public static let clockPreferences = MigrationChain(preferences: "Clock preferences", keys: .clock)
}
