import Foundation
import MigrationCore

/// A poem in version 3.
struct Poem: VersionedCodable {
    var author: Author
    var lines: [String]
    var rating: PoemV2.Rating

    struct Author: Codable {
        var name: String
        /// The year of birth.
        var born: Int?
        /// The year of death.
        var died: Int?
    }

    static let version: Int? = 3
    typealias PreviousVersion = PoemV2

    init(from old: PoemV2) {
        author = Author(name: old.author)
        lines = old.poem.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
        rating = old.rating
    }
}

/// A poem with a rating in words.
struct PoemV2: VersionedCodable {
    var author: String
    var poem: String
    var rating: Rating

    enum Rating: String, Codable {
        case love, meh, hate
    }

    static let version: Int? = 2
    typealias PreviousVersion = PoemV1

    init(from old: PoemV1) throws {
        author = old.author
        poem = old.poem
        switch old.starRating {
        case 0...2: rating = .hate
        case 3: rating = .meh
        case 4...5: rating = .love
        default:
            throw VersionedDecodingError.fieldNoLongerValid(
                .init(
                    codingPath: [CodingKeys.rating],
                    debugDescription: "Star rating \(old.starRating) is no longer valid"))
        }
    }
}

/// A poem with a rating in stars.
struct PoemV1: VersionedCodable {
    var author: String
    var poem: String
    var starRating: Int

    static let version: Int? = 1
    typealias PreviousVersion = UnversionedPoem

    init(from old: UnversionedPoem) throws {
        guard let poem = old.poem else {
            throw VersionedDecodingError.fieldNoLongerValid(
                .init(codingPath: [CodingKeys.poem], debugDescription: "A poem without its text is no longer valid"))
        }
        author = old.author ?? "Anonymous"
        self.poem = poem
        starRating = old.starRating ?? 3
    }
}

/// A poem from before versions were introduced.
struct UnversionedPoem: VersionedCodable {
    var author: String?
    var poem: String?
    var starRating: Int?

    static let version: Int? = nil
    typealias PreviousVersion = NothingEarlier
}
