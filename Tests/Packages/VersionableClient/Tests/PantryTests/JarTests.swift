import MigrationCore
import Pantry
import XCTest

final class JarTests: XCTestCase {
    var decoder: VersionableDecoder?

    override func setUp() {
        super.setUp()
        decoder = VersionableDecoder()
    }

    override func tearDown() {
        super.tearDown()
        decoder = nil
    }

    func testReadsTheNewestVersion() throws {
        let jar = try decoder?.decode(Jar.self, from: encode(["version": 3, "label": "plums", "grams": 300]))
        XCTAssertEqual(jar?.label, "plums")
        XCTAssertEqual(jar?.grams, 300)
    }

    func testCarriesOldVersionsForward() {
        let jar = try! decoder?.decode(Jar.self, from: encode(["version": 1]))
        XCTAssertEqual(jar?.version, Jar.version)
        XCTAssertEqual(jar?.label, "unlabelled")
        XCTAssertEqual(jar?.grams, 0)
        XCTAssertEqual(try decoder?.decode(Jar.self, from: encode(["version": 2, "label": "figs"])).grams, 250)
    }

    func testThrowsWhatTheDecoderThrows() {
        XCTAssertThrowsError(try decoder?.decode(Jar.self, from: encode(["version": 3, "lable": "plums"]))) { error in
            guard case DecodingError.keyNotFound(let key, _) = error else { return XCTFail("\(error)") }
            XCTAssertEqual(key.stringValue, "label")
        }
        XCTAssertThrowsError(try decoder?.decode(Jar.self, from: encode(["version": 9])))
        XCTAssertThrowsError(try decoder?.decode(Jar.self, from: encode([:])))
        XCTAssertThrowsError(try decoder?.decode(Jar.self, from: Data("[]".utf8)))
    }

    func testUsesTheDecoderItIsGiven() throws {
        let json = JSONDecoder()
        json.keyDecodingStrategy = .convertFromSnakeCase
        XCTAssertEqual(try Store<Jar>().thing(in: encode(["version": 2, "label": "figs"]), decoder: json).grams, 250)
    }

    func testWritesItsVersion() throws {
        let data = try JSONEncoder().encode(Jar(label: "figs", grams: 1, version: .v2))
        let object = try JSONSerialization.jsonObject(with: data) as? [String: Any]
        XCTAssertEqual(object?["version"] as? Int, 2)
        XCTAssertEqual(try JSONDecoder().decode(Jar.self, from: data).version, .v2)
    }

    func testVersionsAreComparedByTheirRawValues() {
        XCTAssertTrue(Jar.Version.v1 < .v2)
        XCTAssertEqual(Jar.version, .v3)
        XCTAssertEqual(Store<Jar>().newest, .v3)
        XCTAssertTrue(Store<Jar>().isNewest(.mock))
    }

    func testSpeed() {
        let data = encode(["version": 1])
        measure {
            for _ in 0...100 { _ = try! decoder?.decode(Jar.self, from: data) }
        }
    }
}

func encode(_ content: [String: Any]) -> Data {
    return try! JSONSerialization.data(withJSONObject: content, options: [])
}
