import Foundation
import MigrationCore
import Pantry
import XCTest

final class ShelfTests: XCTestCase {
    private func again(_ shelf: Shelf) throws -> Shelf {
        try JSONDecoder().decode(Shelf.self, from: JSONEncoder().encode(shelf))
    }

    func testContainersKeepWhatIsNew() throws {
        let shelf = try again(Shelf(first: Jar(label: "plums", grams: 300)))
        XCTAssertEqual(shelf.first.instance.label, "plums")
        XCTAssertNil(shelf.spice)
    }

    func testContainersCarryForwardWhatIsOld() throws {
        let old = Jar(label: "", grams: 7, version: .v1)
        let spice = Spice(name: "mace", amounts: ["pie": 4], version: .whole)
        let shelf = try again(Shelf(first: old, spice: spice, more: ["top": [old, Jar(label: "figs", grams: 1)]]))
        XCTAssertEqual(shelf.first.instance.version, Jar.version)
        XCTAssertEqual(shelf.first.instance.label, "unlabelled")
        XCTAssertEqual(shelf.spice?.instance.amounts, ["pie": 2])
        XCTAssertEqual(shelf.more["top"]?.map(\.instance.grams), [0, 1])
    }

    func testContainersWorkInPropertyLists() throws {
        let shelf = Shelf(first: Jar(label: "", grams: 7, version: .v1))
        let data = try PropertyListEncoder().encode(shelf)
        XCTAssertEqual(try PropertyListDecoder().decode(Shelf.self, from: data).first.instance.grams, 0)
    }

    func testContainersThrow() {
        XCTAssertThrowsError(
            try JSONDecoder().decode(VersionableContainer<Jar>.self, from: encode(["version": 1, "wrong": "x"])))
    }
}
