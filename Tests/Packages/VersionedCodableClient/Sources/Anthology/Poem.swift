import Foundation
import MigrationCore

public struct Poem: VersionedCodable {
    public var author: Author?
    public var lines: [String]

    public struct Author: Codable {
        public var name: String
        public var born: Date?
        public var died: Date?

        public init(name: String, born: Date? = nil, died: Date? = nil) {
            self.name = name
            self.born = born
            self.died = died
        }
    }

    public static let version: Int? = 4
    public typealias PreviousVersion = PoemV3

    public init(author: Author? = nil, lines: [String]) {
        self.author = author
        self.lines = lines
    }

    public init(from old: PreviousVersion) throws {
        lines = old.lines
        author = old.authorName.map { Author(name: $0, born: old.authorDateOfBirth, died: old.authorDateOfDeath) }
    }

    public struct PoemV3: VersionedCodable {
        var authorName: String?
        var authorDateOfBirth: Date?
        var authorDateOfDeath: Date?
        var lines: [String]

        public static let version: Int? = 3
        public typealias PreviousVersion = PoemV2

        // A step that can't fail doesn't need `throws`.
        public init(from old: PoemV2) {
            authorName = old.authorName
            lines = old.poem.components(separatedBy: "\n")
        }
    }

    public struct PoemV2: VersionedCodable {
        var authorName: String?
        var authorDateOfBirth: Date?
        var authorDateOfDeath: Date?
        var poem: String

        public static let version: Int? = 2
        public typealias PreviousVersion = PoemV1

        public init(from old: PreviousVersion) throws {
            authorName = old.author
            poem = old.poem
        }
    }

    public struct PoemV1: VersionedCodable {
        public var author: String?
        public var poem: String

        public static let version: Int? = 1
        public typealias PreviousVersion = PoemPreV1

        public init(from old: PreviousVersion) throws {
            author = old.author
            guard let poem = old.poem else {
                throw VersionedDecodingError.fieldNoLongerValid(
                    DecodingError.Context(
                        codingPath: [CodingKeys.poem], debugDescription: "A poem must have a text"))
            }
            self.poem = poem
        }
    }

    public struct PoemPreV1: VersionedCodable {
        var author: String?
        var poem: String?

        public static let version: Int? = nil
        public typealias PreviousVersion = NothingEarlier
    }
}
