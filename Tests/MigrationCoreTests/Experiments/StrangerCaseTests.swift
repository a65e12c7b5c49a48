import DocumentModel
import Foundation
import Testing

@testable import MigrationCore

/// Steps and failures of apps that somebody else wrote, about which something false was claimed.
@Suite("Claims about unfamiliar chains")
struct StrangerCaseTests: MendSearching {
    // MARK: - Steps

    private struct Order: VersionedCodable {
        static let version: Int? = 2
        typealias PreviousVersion = OrderV1
        var isPaid: Bool, day: Int, month: Int, slots: Int

        init(from old: OrderV1) throws {
            isPaid = old.paid == "yes"
            let parts = old.sent.split(separator: "/").compactMap { Int($0) }
            guard parts.count == 2, (1...31).contains(parts[0]), (1...12).contains(parts[1]) else {
                throw VersionedDecodingError.fieldNoLongerValid(
                    .init(codingPath: [PathCodingKey("sent")], debugDescription: "no day"))
            }
            (day, month) = (parts[0], parts[1])
            slots = old.pages.joined().count
        }
    }

    private struct OrderV1: VersionedCodable {
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
        var paid: String, sent: String, pages: [[Int]]
    }

    @Test(
        "a value that depends on one spelling of a Boolean, or on a number that is refused on one side, has an origin")
    func rareValues() throws {
        let document = try Document(json: #"{"version": 1, "paid": "no", "sent": "22/1", "pages": [[], [3, 4]]}"#)
        let step = try ExaminedStep(document, of: MigrationChain(Order.self))
        #expect(step.origins(of: "$.isPaid") == ["$.paid"])
        #expect(step.origins(of: "$.day") == ["$.sent"])
        #expect(step.origins(of: "$.month") != [])
        // The values are lost, and the lists that are counted are not.
        #expect(step.lost?.contains("$.pages[1]") == false)
        #expect(step.lost?.contains { $0.hasPrefix("$.pages[") } == true)
    }

    private struct Depot: VersionedCodable {
        static let version: Int? = 2
        typealias PreviousVersion = DepotV1
        struct Item: Codable { var sku: String, qty: Int, shelfName: String }
        var groups: [String: [Item]]

        init(from old: DepotV1) {
            let items = old.items.map { item in
                Item(
                    sku: item.sku, qty: item.qty,
                    shelfName: old.shelves.first { $0.id == item.shelf }?.name ?? "top")
            }
            groups = Dictionary(grouping: items) { String($0.sku.prefix(1)) }
        }
    }

    private struct DepotV1: VersionedCodable {
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
        struct Item: Codable { var sku: String, qty: Int, shelf: Int }
        struct Shelf: Codable { var id: Int, name: String }
        var items: [Item], shelves: [Shelf]
    }

    private let depot = #"""
        {"version": 1, "shelves": [{"id": 900, "name": "A"}, {"id": 12, "name": "B"}],
         "items": [{"sku": "B-2", "qty": 3, "shelf": 11}, {"sku": "B-7", "qty": 8, "shelf": 12},
          {"sku": "N-4", "qty": 5, "shelf": 12}]}
        """#

    @Test("a value that decides the group of its element is no origin of the element's other values")
    func regrouped() throws {
        let step = try ExaminedStep(Document(json: depot), of: MigrationChain(Depot.self))
        #expect(step.origins(of: "$.groups.N[0].qty") == ["$.items[2].qty"])
        #expect(step.origins(of: "$.groups.N[0].sku") == ["$.items[2].sku"])
    }

    @Test("a row that other rows may name is not lost while none does")
    func joined() throws {
        let step = try ExaminedStep(Document(json: depot), of: MigrationChain(Depot.self))
        #expect(step.lost?.contains { $0.hasPrefix("$.shelves[0]") && !$0.hasSuffix(".name") } == false)
    }

    private struct Catalogue: VersionedCodable {
        static let version: Int? = 2
        typealias PreviousVersion = CatalogueV1
        var texts: [String: [String: String]]
        init(from old: CatalogueV1) { texts = old.texts.mapValues { $0.mapValues(\.value) } }
    }

    private struct CatalogueV1: VersionedCodable {
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
        struct Unit: Codable { var value: String }
        var texts: [String: [String: Unit]]
    }

    @Test(
        "a value has no origin in an equal one elsewhere, in whatever script it is written",
        arguments: ["Neu", "新建", "мой"])
    func equalValues(text: String) throws {
        let document = try Document(
            json: """
                {"version": 1, "texts": {"New": {"a": {"value": "\(text)"}, "b": {"value": "x"}},
                 "Add": {"a": {"value": "\(text)"}}, "Other": {"a": {"value": "\(text)"}}}}
                """)
        let step = try ExaminedStep(document, of: MigrationChain(Catalogue.self))
        for name in ["New", "Add", "Other"] {
            let origins = step.origins(of: "$.texts.\(name).a")
            #expect(origins == nil || origins == ["$.texts.\(name).a.value"])
        }
    }

    // MARK: - Failures

    private struct Log: VersionedCodable {
        static let version: Int? = 2
        typealias PreviousVersion = LogV1
        var title: String
        init(from old: LogV1) { title = old.model }
    }

    private struct LogV1: VersionedCodable {
        static let version: Int? = 1
        typealias PreviousVersion = LogV0
        var model: String
        init(from old: LogV0) { model = old.device }
    }

    private struct LogV0: VersionedCodable {
        static let version: Int? = nil
        typealias PreviousVersion = NothingEarlier
        var device: String, serial: Int
    }

    @Test("a misspelt version key is mended in a document that is taken for one without a version")
    func misspeltVersion() throws {
        let found = try search(MigrationChain(Log.self), #"{"versoin": 2, "title": "K9"}"#)
        #expect(found?.proof?.finding == .repair(.rename(path("$.versoin"), to: "version")))
        #expect(found?.certain == true)
        let null = try search(MigrationChain(Log.self), #"{"version": null, "title": "K9"}"#)
        #expect(null?.path == path("$.version") && null?.proof?.ending == .opens)
    }

    private struct Cart: VersionedCodable {
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
        struct Line: Codable { var sku: String, qty: Int }
        var lines: [Line]
    }

    @Test("a missing value on which two siblings agree is no repair, and one on which three agree is")
    func agreement() throws {
        func lines(_ count: Int) -> String {
            (0..<count).map { #"{"sku": "B-2", "qty": \#($0)}"# }.joined(separator: ", ")
        }
        let two = try search(MigrationChain(Cart.self), #"{"version": 1, "lines": [{"qty": 9}, \#(lines(2))]}"#)
        #expect(two?.proof != nil && two?.proof?.repair == nil)
        let three = try search(MigrationChain(Cart.self), #"{"version": 1, "lines": [{"qty": 9}, \#(lines(3))]}"#)
        #expect(three?.proof?.finding == .repair(.add(path("$.lines[0].sku"), Document(text: "B-2"))))
    }

    private struct Card: Codable, FallbackDecodable {
        private struct V1: Codable { var text: String, sent: String }
        private struct V2: Codable { var body: [String], day: Int, month: Int }
        var body: [String], day: Int, month: Int

        static let shapes = [
            FallbackShape(V2.self) { Card(body: $0.body, day: $0.day, month: $0.month) },
            FallbackShape(V1.self) { Card(body: [$0.text], day: $0.sent.count, month: 1) },
        ]
    }

    private struct Album: VersionedCodable {
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
        var cards: [Card]
    }

    @Test("a part that no shape fits lacks what the shape that knows most of it asks for")
    func nearestShape() throws {
        let trace = try MigrationChain(Album.self).trace(
            Document(json: #"{"version": 1, "cards": [{"text": "a", "sent": "3/4"}, {"text": "b"}]}"#))
        #expect(trace.failure?.path == path("$.cards[1].sent"))
        // An attempt that failed is no evidence of what is dropped.
        #expect(trace.parts.allSatisfy { !$0.dropped.contains(.root) })
    }

    fileprivate struct Badge: Codable {
        var points: Int, level: String, version: Version

        enum Version: Int, VersionType {
            case one = 1
            case two
        }
    }

    private struct Member: VersionedCodable {
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
        var name: String, badge: VersionableContainer<Badge>
    }

    @Test("a failure inside a container has a path of the document, and is mended there")
    func container() throws {
        let chain = MigrationChain(Member.self)
        func document(_ badge: String) -> String {
            let instance = Data(badge.utf8).base64EncodedString()
            return #"{"version": 1, "name": "A", "badge": {"version": 2, "instance": "\#(instance)"}}"#
        }
        let text = document(#"{"version": 2, "points": "60", "level": "plain"}"#)
        let failure = try #require(try chain.check(json: text).failure)
        #expect(failure.path == path("$.badge.instance.points"))
        let found = try search(chain, text)
        #expect(try found?.proof?.finding == .repair(.set(path("$.badge.instance.points"), Document(json: "60"))))
        // The fields inside a container are known too.
        let paths = chain.outline(of: .number(1))?.fields.map { "\($0.path)" } ?? []
        #expect(paths.contains("$.badge.instance.points") && paths.contains("$.badge.instance.level"))
        let renamed = try search(chain, document(#"{"version": 2, "points": 60, "levels": "plain"}"#))
        #expect(renamed?.proof?.finding == .repair(.rename(path("$.badge.instance.levels"), to: "level")))
    }

    private struct Trunk: VersionedCodable {
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
        var suitcase: VersionableContainer<Suitcase>
    }

    @Test("a misspelled field that a closure reads in a container is repaired with its name")
    func misspelledInContainer() throws {
        let instance = Data(#"{"version": 1, "name": "Ada", "kilogrms": 2}"#.utf8).base64EncodedString()
        let text = #"{"version": 1, "suitcase": {"version": 1, "instance": "\#(instance)"}}"#
        let found = try search(MigrationChain(Trunk.self), text)
        #expect(
            found?.proof?.finding == .repair(.rename(path("$.suitcase.instance.kilogrms"), to: "kilograms")))
    }

    fileprivate struct Contact: Encodable { var identifier: String }

    private struct Envelope: VersionedCodable {
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
        var to: Contact
        private enum CodingKeys: CodingKey { case to }
        init(from decoder: any Decoder) throws {
            to = try decoder.container(keyedBy: CodingKeys.self).decode(Contact.self, forKey: .to)
        }
    }

    @Test("a misspelled field is repaired with its name in each shape of a part", arguments: ["identifier", "email"])
    func misspelledInShape(name: String) throws {
        let misspelled = "\(name.dropLast(2))\(String(name.suffix(2).reversed()))"
        let found = try search(
            MigrationChain(Envelope.self), #"{"version": 1, "to": {"\#(misspelled)": "a@b"}}"#)
        #expect(found?.proof?.finding == .repair(.rename(path("$.to.\(misspelled)"), to: name)))
    }
}

extension StrangerCaseTests.Contact: FallbackDecodable {
    fileprivate struct Named: Decodable { var identifier: String }
    fileprivate struct Addressed: Decodable { var email: String }
    fileprivate static let shapes = [
        FallbackShape(Named.self) { StrangerCaseTests.Contact(identifier: $0.identifier) },
        FallbackShape(Addressed.self) { StrangerCaseTests.Contact(identifier: $0.email) },
    ]
}

extension StrangerCaseTests.Badge: Versionable {
    static func migrate(to version: Version) -> Migration { .none }
}
