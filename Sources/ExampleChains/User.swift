import MigrationCore

/// A user with an e-mail address. Users have no version key, so their version is detected by shape.
struct UserV1: Codable {
    var name: String
    var email: String
}

/// A user with an identifier. For older users, it is their e-mail address.
struct UserV2: Codable {
    var name: String
    var id: String
}

extension UserV2 {
    init(from old: UserV1) throws {
        guard !old.email.isEmpty else {
            throw VersionedDecodingError.fieldNoLongerValid(
                .init(codingPath: [CodingKeys.id], debugDescription: "An empty e-mail address is no identifier"))
        }
        self.init(name: old.name, id: old.email)
    }
}
