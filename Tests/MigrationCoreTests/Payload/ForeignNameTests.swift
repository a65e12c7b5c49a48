import Foundation
import MigrationCore
import Testing

/// A type of another module with the name of one of Versionable's own, as Fluent has one.
private protocol Migration {}

private struct Tea: Versionable {
    enum Version: Int, VersionType {
        case one = 1
        case two
    }

    var name: String
    var version: Version = Self.version

    static func migrate(to version: Version) -> MigrationCore.Migration {
        version == .one ? .none : .migrate { $0["name"] = ($0["title"] as? String) ?? "" }
    }
}

@Suite("Names that other modules have too")
struct ForeignNameTests {
    @Test("a type of another module named Migration does not keep a file from using Versionable")
    func migration() throws {
        let tea = try VersionableDecoder().decode(Tea.self, from: Data(#"{"version": 1, "title": "Oolong"}"#.utf8))
        #expect(tea.name == "Oolong")
    }
}
