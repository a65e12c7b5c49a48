import MigrationCore

/// A thing with a text and a number, carried forward by closures that edit its payload.
struct Complex {
    let text: String
    let number: Int
    var version: Version = Self.version
}

extension Complex: Versionable {
    enum Version: Int, VersionType {
        case v1 = 1
        case v2 = 2
        case v3 = 3
    }

    static func migrate(to version: Version) -> Migration {
        switch version {
        case .v1: .none
        case .v2: .migrate { payload in payload["text"] = "defaultText" }
        case .v3:
            .migrate { payload in
                let text = payload["text"] as? String
                guard text != "" else {
                    throw VersionedDecodingError.fieldNoLongerValid(
                        .init(codingPath: [CodingKeys.number], debugDescription: "An empty text gives no number"))
                }
                payload["number"] = text == "defaultText" ? 1 : 200
            }
        }
    }
}

/// A collection of complex things, each of which has its own version.
struct ComplexCollection: VersionedCodable {
    var title: String
    var things: [VersionableContainer<Complex>]

    static let version: Int? = 1
    typealias PreviousVersion = NothingEarlier
}
