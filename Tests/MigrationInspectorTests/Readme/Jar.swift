import MigrationCore

struct Jar {
    var label: String
    var grams: Int
    var version: Version = Self.version
}

extension Jar: Versionable {
    enum Version: Int, VersionType {
        case v1 = 1
        case v2 = 2
        case v3 = 3
    }

    static func migrate(to version: Version) -> Migration {
        switch version {
        case .v1: .none
        case .v2: .migrate { payload in payload["label"] = "unlabelled" }
        case .v3:
            .migrate { payload in
                guard let ounces = payload.removeValue(forKey: "ounces") as? Double, ounces > 0 else {
                    throw VersionedDecodingError.fieldNoLongerValid(
                        .init(codingPath: [CodingKeys.grams], debugDescription: "A jar weighs more than nothing"))
                }
                payload["grams"] = Int(ounces * 28.35)
            }
        }
    }
}
