import DocumentModel
import Foundation
import Testing

@testable import MigrationCore

@Suite("Repairs of documents that no shape fits")
struct ShapeMendTests: MendSearching {
    private struct BoxV1: Codable { let wheel: String, city: Int, crates: [Crate] }
    private struct Crate: Codable { let weight: String, planet: Int }
    private struct Box: Codable { let city: Int, rank: String, crates: [Double] }

    @Test("a misspelled or missing field of an older shape is found in a document that no shape fits")
    func olderShape() throws {
        let chain = MigrationChain(
            named: "Box",
            shapes: ShapeVersions(BoxV1.self).then(Box.self) { Box(city: $0.city, rank: $0.wheel, crates: []) })
        let whole =
            #"{"wheel": "oak", "city": 3, "crates": [{"weight": "574", "planet": 4}, {"weight": "1", "planet": 5}]}"#
        #expect(chain.trace(try Document(json: whole)).outcome == .migrated)
        let misspelt = try search(chain, whole.replacing("wheel", with: "whel"))
        #expect(misspelt?.proof?.repair == .rename(path("$.whel"), to: "wheel"))
        let inside = try search(chain, whole.replacing(#""planet": 5"#, with: #""plnet": 5"#))
        #expect(inside?.proof?.repair == .rename(path("$.crates[1].plnet"), to: "planet"))
        let missing = try search(chain, whole.replacing(#""wheel": "oak", "#, with: ""))
        #expect(missing.map { ([$0.path] + $0.others).contains(path("$.wheel")) } == true)
    }

    private struct RoadV1: Codable { let depth: Double, plate: Double, name: String }
    private struct Road: Codable { let street: String, name: String }

    @Test("the shape that leaves the fewest fields unread is assumed for a document that no shape fits")
    func fewestUnread() throws {
        let chain = MigrationChain(
            named: "Road",
            shapes: ShapeVersions(RoadV1.self).then(Road.self) { Road(street: "\($0.depth)", name: $0.name) })
        let found = try search(chain, #"{"depth": 4.5, "name": "Mill"}"#)
        #expect(found?.path == path("$.plate") && found?.others == [])
    }

    private struct TownV1: Codable { var day: String, gate: Bool, plate: String }
    private struct Town: Codable { var gate: Bool, plate: String, month: String, year: String }

    @Test("a field that only another shape has is not reported as missing")
    func missingInOtherShape() throws {
        let chain = MigrationChain(
            named: "Town",
            shapes: ShapeVersions(TownV1.self).then(Town.self) {
                Town(gate: $0.gate, plate: $0.plate, month: String($0.day.prefix(7)), year: String($0.day.prefix(4)))
            })
        // The newer shape reads more of it before something is missing.
        let found = try search(chain, #"{"day": 5, "gate": true, "plate": "x"}"#)
        #expect(found?.path == path("$.day") && found?.others == [] && found?.certain == true)
    }

    private struct PortV1: Codable {
        struct Point: Codable { var lat: Double, lng: Double }
        var title: String, point: Point
    }
    private struct Port: Codable { var title: String, position: String, day: Int, score: Int }

    @Test("the misspelled name of an object is found in a document that no shape fits", arguments: ["Point", "piont"])
    func misspeltObject(name: String) throws {
        let chain = MigrationChain(
            named: "Port",
            shapes: ShapeVersions(PortV1.self).then(Port.self) {
                Port(title: $0.title, position: "\($0.point.lat) \($0.point.lng)", day: 0, score: 0)
            })
        let found = try search(chain, #"{"title": "Dock", "\#(name)": {"lat": 50, "lng": 4}}"#)
        #expect(found?.proof == CulpritProof(.repair(.rename(path("$.\(name)"), to: "point")), .opens))
    }

    private struct SignV1: Codable {
        enum Mark: Codable {
            case word(text: String)
            case stars(Int)
        }
        var title: String, mark: Mark
    }
    private struct Sign: Codable { var title: String, score: Int }

    @Test("a misspelled name inside an enum case is found, although no outline shows its fields")
    func misspeltInCase() throws {
        let chain = MigrationChain(
            named: "Sign",
            shapes: ShapeVersions(SignV1.self).then(Sign.self) { Sign(title: $0.title, score: 0) })
        let found = try search(chain, #"{"title": "Dock", "mark": {"word": {"Text": "fine"}}}"#)
        #expect(found?.proof == CulpritProof(.repair(.rename(path("$.mark.word.Text"), to: "text")), .opens))
    }

    private struct CarV1: Codable { var size: Size, wheel: Size }
    private struct Car: Codable { var size: Size, river: Size }
    private enum Size: String, Codable, CaseIterable { case small, large }

    @Test("both fields are reported if two shapes lack one field each")
    func eitherShape() throws {
        let chain = MigrationChain(
            named: "Car", shapes: ShapeVersions(CarV1.self).then(Car.self) { Car(size: $0.size, river: $0.wheel) })
        let found = try search(chain, #"{"size": "small"}"#)
        let places = Set((found.map { [$0.path] + $0.others } ?? []).map { "\($0)" })
        #expect(places == ["$.river", "$.wheel"])
    }
}
