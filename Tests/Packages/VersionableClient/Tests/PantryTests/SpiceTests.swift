import MigrationCore
import Pantry
import XCTest

final class SpiceTests: XCTestCase {
    func testVersionsMayHaveNames() throws {
        let data = encode(["version": "1-whole", "name": "nutmeg", "amounts": ["soup": 1, "cake": 0.5]])
        let spice = try VersionableDecoder().decode(Spice.self, from: data)
        XCTAssertEqual(spice.amounts, ["soup": 0.5, "cake": 0.25])
        XCTAssertEqual(spice.version, .ground)
    }

    func testClosuresCanBeCalled() {
        let edited = Spice.edited(["amounts": ["tea": 2.0]], by: Spice.halving)
        XCTAssertEqual(edited["amounts"] as? [String: Double], ["tea": 1])
    }

    func testMigrationsCanBeTold() {
        if case .none = Spice.migrate(to: .whole) {} else { XCTFail() }
        guard case .migrate = Spice.migrate(to: .ground) else { return XCTFail() }
    }
}
