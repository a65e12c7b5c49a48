import Foundation
import MigrationCore

/// A letter in version 2, which keeps its version in its metadata.
struct Letter: VersionedCodable {
    var from: Person
    var to: [Person]
    var paragraphs: [String]

    struct Person: Codable {
        var name: String
    }

    static let version: Int? = 2
    typealias PreviousVersion = LetterV1

    struct VersionSpec: VersionPathSpec {
        static let keyPathToVersion: KeyPath<Self, Int?> = \Self.metadata.documentVersion
        var metadata: Metadata

        struct Metadata: Codable {
            var documentVersion: Int?
        }

        init(withVersion version: Int?) { metadata = Metadata(documentVersion: version) }
    }

    init(from old: LetterV1) throws {
        from = try Person(name: Self.name(old.sender, of: "sender", in: old.sender))
        to = try old.recipient.split(separator: ",", omittingEmptySubsequences: false).map {
            try Person(name: Self.name(String($0), of: "recipient", in: old.recipient))
        }
        paragraphs = old.body.replacing("\r\n", with: "\n").components(separatedBy: "\n\n").filter { !$0.isEmpty }
    }

    private static func name(_ text: String, of field: String, in whole: String) throws -> String {
        let name = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !name.isEmpty else { throw LetterError.emptyName(field: field, text: whole) }
        return name
    }
}

/// The reason why a letter cannot be sent.
enum LetterError: LocalizedError {
    /// A name in `text`, the value of `field`, is empty.
    case emptyName(field: String, text: String)

    var errorDescription: String? {
        switch self {
        case .emptyName(let field, let text): "The \(field) '\(text)' has an empty name"
        }
    }
}

/// A letter with its version in `_version`.
struct LetterV1: VersionedCodable {
    var sender: String
    var recipient: String
    var body: String

    static let version: Int? = 1
    typealias PreviousVersion = NothingEarlier

    struct VersionSpec: VersionPathSpec {
        static let keyPathToVersion: KeyPath<Self, Int?> = \Self._version
        var _version: Int?

        init(withVersion version: Int?) { _version = version }
    }
}
