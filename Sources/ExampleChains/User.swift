import MigrationCore

/// A user with an e-mail address. Users have no version key; they are known by their shape.
struct UserV1: Codable {
    var name: String
    var email: String
}

/// A user with an identifier, which for older users is their e-mail address.
struct UserV2: Codable {
    var name: String
    var id: String
}
