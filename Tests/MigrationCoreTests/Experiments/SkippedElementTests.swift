import DocumentModel
import Testing

@testable import MigrationCore

@Suite("Experiments with elements that are skipped if they do not decode")
struct SkippedElementTests {
    private struct Skipped<Element: Decodable>: Decodable {
        var element: Element?
        init(from decoder: any Decoder) throws { element = try? Element(from: decoder) }
    }

    private struct House: Codable {
        struct Room: Codable { var label: Int, seat: String }
        var code: String, rooms: [Room]
    }

    private struct StreetV1: VersionedCodable {
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
        var houses: [House]
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            houses = try container.decode([Skipped<House>].self, forKey: .houses).compactMap(\.element)
        }
    }

    private struct Street: VersionedCodable {
        static let version: Int? = 2
        typealias PreviousVersion = StreetV1
        var houses: [House]
        init(from old: StreetV1) { houses = old.houses.map { House(code: $0.code, rooms: Array($0.rooms.prefix(2))) } }
    }

    @Test("a lost element is found even if another value decodes in place of one and not in place of its sibling")
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

    private struct Guide: VersionedCodable {
        static let version: Int? = 2
        typealias PreviousVersion = GuideV1
        var pages: [GuideV1.Page]
        init(from old: GuideV1) {
            pages = old.pages.map { .init(name: $0.name, stops: $0.stops.filter { $0.price < 70 }) }
        }
    }

    private struct GuideV1: VersionedCodable {
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
        struct Stop: Codable {
            var price: Int, plate: String, title: String
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                (price, title) = (
                    try container.decode(Int.self, forKey: .price), try container.decode(String.self, forKey: .title)
                )
                plate = try container.decode(String.self, forKey: .plate)
                if !plate.hasPrefix("/") {
                    throw DecodingError.dataCorruptedError(forKey: .plate, in: container, debugDescription: "no path")
                }
            }
        }
        struct Page: Codable { var name: String, stops: [Stop] }
        var pages: [Page]
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            pages = try container.decode([Skipped<Page>].self, forKey: .pages).compactMap(\.element)
        }
    }

    @Test("an element removed by a filter is lost, even if a wrong value in it skips the list around it")
    func filteredInsideSkipped() throws {
        let document = try Document(
            json: """
                {"version": 1, "pages": [
                 {"name": "a", "stops": [{"price": 7, "plate": "/a/1", "title": "x"}]},
                 {"name": "b", "stops": [{"price": 10, "plate": "/b/2", "title": "y"},
                  {"price": 66, "plate": "/c/3", "title": "tea"}, {"price": 85, "plate": "/d/4", "title": "tea"}]},
                 {"name": "c", "stops": [{"price": 96, "plate": "/e/5", "title": "x"},
                  {"price": 3, "plate": "/f/6", "title": "x"}]}]}
                """)
        let step = try ExaminedStep(document, of: MigrationChain(Guide.self))
        #expect(step.lost == ["$.pages[1].stops[2]", "$.pages[2].stops[0]"])
        #expect(step.finding?.narrowed == [] && step.finding?.left == [])
    }

    private struct Counted: VersionedCodable {
        static let version: Int? = 2
        typealias PreviousVersion = GuideV1
        var count: Int
        init(from old: GuideV1) { count = old.pages.count }
    }

    @Test(
        "a number of elements does not come from the values that an element needs to decode",
        arguments: ["[]", #"[{"price": "8", "plate": "/b/2", "title": "y"}]"#])
    func countedSkipped(stops: String) throws {
        let document = try Document(
            json: """
                {"version": 1, "pages": [{"name": "a", "stops": [{"price": 7, "plate": "/a/1", "title": "x"}]},
                 {"name": "b", "stops": \(stops)}]}
                """)
        let step = try ExaminedStep(document, of: MigrationChain(Counted.self))
        #expect(step.origins(of: "$.count") == nil)
    }
}
