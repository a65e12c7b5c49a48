import DocumentModel
import Testing

@testable import MigrationCore

@Suite("What a step loses of elements that are skipped where they do not decode")
struct SkippedElementTests {
    private struct House: Codable {
        struct Room: Codable { var label: Int, seat: String }
        var code: String, rooms: [Room]
    }

    private struct StreetV1: VersionedCodable {
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
        struct Skipped: Codable {
            var house: House?
            init(from decoder: any Decoder) throws { house = try? House(from: decoder) }
        }
        var houses: [House]
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            houses = try container.decode([Skipped].self, forKey: .houses).compactMap(\.house)
        }
    }

    private struct Street: VersionedCodable {
        static let version: Int? = 2
        typealias PreviousVersion = StreetV1
        var houses: [House]
        init(from old: StreetV1) { houses = old.houses.map { House(code: $0.code, rooms: Array($0.rooms.prefix(2))) } }
    }

    @Test("a lost number is found though another value decodes in place of one and not in place of its sibling")
    func mixedForms() throws {
        let document = try Document(
            json: """
                {"version": 1, "houses": [
                 {"code": "m", "rooms": [{"label": 56, "seat": "7-15"}, {"label": 43, "seat": "5-15"},
                  {"label": 22, "seat": "16-5"}]},
                 {"code": "s", "rooms": [{"label": 97, "seat": "8-14"}, {"label": 29, "seat": "18-19"},
                  {"label": 81, "seat": "8-16"}]}]}
                """)
        let step = try ExaminedStep(document, of: MigrationChain(Street.self))
        #expect(step.lost == ["$.houses[0].rooms[2]", "$.houses[1].rooms[2]"])
        #expect(step.finding?.left == [])
    }
}
