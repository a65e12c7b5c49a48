import DocumentModel
import MigrationCore

// A payload chain that can fail in many ways.

/// A suitcase, as of version 4.
struct Suitcase: Codable, Equatable {
    var owner: String
    var grams: Int
    var tags: [String: Int]
    var version: Version = Self.version
}

extension Suitcase: Versionable {
    enum Version: Int, VersionType {
        case first = 1
        case tagged = 2
        case weighed = 3
        case owned = 4
    }

    static func migrate(to version: Version) -> Migration {
        switch version {
        case .first: .none
        case .tagged: .migrate { $0["tags"] = $0["tags"] ?? [String: Any]() }
        case .weighed:
            .migrate { payload in
                guard let kilograms = payload.removeValue(forKey: "kilograms") as? Double, kilograms >= 0 else {
                    throw VersionedDecodingError.fieldNoLongerValid(
                        .init(
                            codingPath: [PathCodingKey("kilograms")],
                            debugDescription: "A suitcase of no weight is no longer valid"))
                }
                payload["grams"] = Int(kilograms * 1000)
            }
        case .owned: .migrate { $0["owner"] = $0["owner"] ?? $0.removeValue(forKey: "name") }
        }
    }
}

/// Any payload. It decodes, whatever the closure makes of it.
struct Anything<Edit: PayloadEdit>: Versionable {
    enum Version: Int, VersionType {
        case old = 1
        case new = 2
    }

    var version: Version

    static func migrate(to version: Version) -> Migration {
        version == .new ? .migrate { try Edit.edit(&$0) } : .none
    }
}

protocol PayloadEdit: SendableMetatype {
    static func edit(_ payload: inout [String: Any]) throws
}
