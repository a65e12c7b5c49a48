import DocumentModel
import Foundation
import Testing

@testable import MigrationCore

/// Small documents, each for a kind of step about which it is easy to claim too much or too little.
@Suite("Findings about steps")
struct StepCaseTests {
    private struct Stops: VersionedCodable {
        static let version: Int? = 2
        typealias PreviousVersion = StopsV1
        struct Stop: Codable { var name: String, label: String }
        var stops: [Stop], band: String
        init(from old: StopsV1) {
            stops = old.stops.enumerated().map { index, stop in
                Stop(name: stop.name, label: index + 1 < old.stops.count ? old.stops[index + 1].code : "none")
            }
            band = old.fare >= 1000 ? "long" : "short"
        }
    }

    private struct StopsV1: VersionedCodable {
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
        struct Stop: Codable { var name: String, code: String }
        var stops: [Stop], fare: Int
    }

    @Test("a row shifted by one comes from the next record, and only the first is lost")
    func shifted() throws {
        let document = try Document(
            json: """
                {"version": 1, "fare": 250, "stops": [{"name": "Mill", "code": "A"}, {"name": "Church", "code": "B"},
                 {"name": "Quay", "code": "C"}]}
                """)
        let step = try ExaminedStep(document, of: MigrationChain(Stops.self))
        #expect(step.origins(of: "$.stops[0].label") == ["$.stops[1].code"])
        #expect(step.origins(of: "$.stops[1].label") == ["$.stops[2].code"])
        #expect(step.origins(of: "$.stops[*].label") == nil)
        #expect(step.origins(of: "$.stops[2].label") == nil)
        #expect(step.origins(of: "$.band") == ["$.fare"])
        #expect(step.lost == ["$.stops[0].code"])
    }

    /// A text that documents keep as a list of its lines, each with its line end.
    private struct LineText: Codable {
        var text: String
        init(from decoder: any Decoder) throws { text = try [String](from: decoder).joined() }
        func encode(to encoder: any Encoder) throws {
            var lines = text.components(separatedBy: "\n")
            for index in lines.indices.dropLast() { lines[index] += "\n" }
            try lines.filter { !$0.isEmpty }.encode(to: encoder)
        }
    }

    private struct Cell: VersionedCodable {
        static let version: Int? = 2
        typealias PreviousVersion = CellV1
        var source: LineText
        init(from old: CellV1) { source = old.input }
    }

    private struct CellV1: VersionedCodable {
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
        var input: LineText
    }

    @Test(
        "a line is not lost if one value brings it back and another changes its neighbor",
        arguments: [#"["a\n", "\n", "d"]"#, #"["\n", "a\n", "\n", "\n", "d"]"#, #"["a\n", "b\n", "\n"]"#])
    func joinedLines(lines: String) throws {
        let step = try ExaminedStep(
            Document(json: #"{"version": 1, "input": \#(lines)}"#), of: MigrationChain(Cell.self))
        #expect(step.lost == [])
    }

    private struct Style: VersionedCodable {
        static let version: Int? = 2
        typealias PreviousVersion = StyleV1
        var width: Int, unit: String, kind: String
        init(from old: StyleV1) {
            switch old.indentation {
            case .spaces(let count): (width, unit) = (count, "spaces")
            case .tabs(let count): (width, unit) = (count, "t")
            }
            kind = "plain"
        }
    }

    private struct StyleV1: VersionedCodable {
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
        enum Indentation: Codable {
            case spaces(Int)
            case tabs(Int)
            enum Key: CodingKey { case spaces, tabs }
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: Key.self)
                guard let key = container.allKeys.first else {
                    throw DecodingError.valueNotFound(Self.self, .init(codingPath: [], debugDescription: "no case"))
                }
                let count = try container.decode(Int.self, forKey: key)
                self = key == .spaces ? .spaces(count) : .tabs(count)
            }
            func encode(to encoder: any Encoder) throws {}
        }
        var indentation: Indentation
    }

    @Test("a value that may come from the name of an enum's case is not said to be made by the step")
    func caseNames() throws {
        let step = try ExaminedStep(
            Document(json: #"{"version": 1, "indentation": {"tabs": 4}}"#), of: MigrationChain(Style.self))
        #expect(step.origins(of: "$.width") == ["$.indentation.tabs"])
        #expect(step.origins(of: "$.unit") == nil && step.origins(of: "$.kind") == nil)
    }

    private struct Kept: VersionedCodable {
        static let version: Int? = 2
        typealias PreviousVersion = KeptV1
        var list: [KeptV1.Item]
        init(from old: KeptV1) { list = old.how == "cap" ? Array(old.list.prefix(2)) : old.list.filter { $0.id != 3 } }
    }

    private struct KeptV1: VersionedCodable {
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
        struct Item: Codable { var id: Int, title: String }
        var how: String, list: [Item]
    }

    @Test(
        "elements removed at the end of a list or in its middle are lost", arguments: ["cap", "middle"])
    func takenAway(how: String) throws {
        let items = (1...5).map { #"{"id": \#($0), "title": "t\#($0)"}"# }.joined(separator: ", ")
        let document = try Document(json: #"{"version": 1, "how": "\#(how)", "list": [\#(items)]}"#)
        let step = try ExaminedStep(document, of: MigrationChain(Kept.self))
        let elements = step.lost?.filter { $0 != "$.how" }
        #expect(elements == (how == "cap" ? ["$.list[2]", "$.list[3]", "$.list[4]"] : ["$.list[2]"]))
    }

    private struct Measured: VersionedCodable {
        static let version: Int? = 2
        typealias PreviousVersion = MeasuredV1
        var lengths: [Int]
        init(from old: MeasuredV1) { lengths = old.parts.compactMap(\.length) }
    }

    private struct MeasuredV1: VersionedCodable {
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
        struct Part: Codable {
            var length: Int?
            init(from decoder: any Decoder) throws {
                length = try? decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .length)
            }
        }
        var parts: [Part]
    }

    private struct Pages: VersionedCodable {
        static let version: Int? = 2
        typealias PreviousVersion = PagesV1
        var tracks: [PagesV1.Track]
        init(from old: PagesV1) {
            tracks = old.tracks.map { track in
                .init(name: track.name, pages: track.pages.map { .init(stops: $0.stops.filter { $0.price < 70 }) })
            }
        }
    }

    private struct PagesV1: VersionedCodable {
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
        struct Stop: Codable { var price: Int, title: String }
        struct Page: Codable { var stops: [Stop] }
        struct Track: Codable { var name: String, pages: [Page] }
        var tracks: [Track]
    }

    @Test("an element that a filter removes from a list inside other lists is lost, and its number is not narrowed")
    func filteredInside() throws {
        for others in [[], [#"{"price": 5, "title": "tea"}"#, #"{"price": 66, "title": "north"}"#]] {
            let stops = (others + [#"{"price": 96, "title": "late"}"#]).joined(separator: ", ")
            let document = try Document(
                json: """
                    {"version": 1, "tracks": [{"name": "a", "pages": [{"stops": [{"price": 7, "title": "x"}]},
                     {"stops": [\(stops)]}]}, {"name": "b", "pages": [{"stops": [{"price": 39, "title": "tea"}]}]}]}
                    """)
            let step = try ExaminedStep(document, of: MigrationChain(Pages.self))
            #expect(step.lost == ["$.tracks[0].pages[1].stops[\(others.count)]"])
            #expect(step.finding?.narrowed == [])
        }
    }

    private struct Post: VersionedCodable {
        static let version: Int? = 2
        typealias PreviousVersion = PostV1
        struct Parcel: Codable { var shelf: Double, city: Double }
        var parcels: [Parcel]
        init(from old: PostV1) {
            parcels = old.parcels.filter { $0.shelf < 85 }.map { .init(shelf: $0.shelf, city: $0.width * 2 + 1) }
        }
    }

    private struct PostV1: VersionedCodable {
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
        struct Parcel: Codable { var shelf: Double, width: Double }
        var parcels: [Parcel]
    }

    @Test("a value that decides which elements are kept is not an origin of their content")
    func decidesElements() throws {
        let document = try Document(
            json: """
                {"version": 1, "parcels": [{"shelf": 12, "width": 31}, {"shelf": 94.75, "width": 79},
                 {"shelf": 62.25, "width": 2}, {"shelf": 11.75, "width": 73}, {"shelf": 80.5, "width": 74}]}
                """)
        let step = try ExaminedStep(document, of: MigrationChain(Post.self))
        #expect(step.origins(of: "$.parcels[0].city") == ["$.parcels[0].width"])
        #expect(step.origins(of: "$.parcels[1].city") == ["$.parcels[2].width"])
    }

    private struct Place: VersionedCodable {
        static let version: Int? = 2
        typealias PreviousVersion = PlaceV1
        struct Entry: Codable { var id: Int, tags: [String] }
        var labels: [String], shown: [String], entries: [Entry]
        init(from old: PlaceV1) {
            labels = Set(old.tags.map { $0.lowercased() }).sorted()
            shown = old.names.filter { !$0.hasPrefix("_") }
            entries = old.entries.filter { $0.void != true }
                .map { .init(id: $0.id, tags: $0.tags.split(separator: " ").map(String.init)) }
        }
    }

    private struct PlaceV1: VersionedCodable {
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
        struct Entry: Codable { var id: Int, tags: String, void: Bool? }
        var tags: [String], names: [String], entries: [Entry]
    }

    private func place(tags: String = "", names: String = "", entries: String = "") throws -> ExaminedStep {
        let text = #"{"version": 1, "tags": [\#(tags)], "names": [\#(names)], "entries": [\#(entries)]}"#
        return try ExaminedStep(Document(json: text), of: MigrationChain(Place.self))
    }

    @Test("equal elements that are merged are not lost", arguments: [#""cosy", "cosy""#, #""art", "inn", "Art""#])
    func merged(tags: String) throws {
        #expect(try place(tags: tags).lost == [])
    }

    @Test("an element filtered out by its own value is lost, and a value that merely keeps an element is not")
    func decidesItself() throws {
        #expect(try place(names: #""sea", "_x""#).lost == ["$.names[1]"])
        let void = #"{"id": 1, "tags": "a"}, {"id": 2, "tags": "b", "void": true}"#
        #expect(try place(entries: void).lost == ["$.entries[1]"])
    }

    @Test("neither of two Booleans that decide together which element stays is lost by itself")
    func twoBooleans() throws {
        let entries = #"{"id": 1, "tags": "a", "void": false}, {"id": 1, "tags": "a", "void": true}"#
        #expect(try place(entries: entries).lost?.contains { $0.hasSuffix("void") } == false)
    }

    @Test("a string that becomes an empty list is not lost, because other strings become elements")
    func emptyText() throws {
        let step = try place(entries: #"{"id": 1, "tags": "home"}, {"id": 2, "tags": ""}"#)
        #expect(step.lost == [])
    }

    private struct Memo: Versionable {
        enum Version: Int, VersionType {
            case old = 1
            case new = 2
        }
        var isLong: Bool
        var isThere: Bool
        var version: Version
        static func migrate(to version: Version) -> Migration {
            guard version == .new else { return .none }
            return .migrate { payload in
                payload["isLong"] = (payload.removeValue(forKey: "text") as? String)?.isEmpty == false
                payload["isThere"] = payload.removeValue(forKey: "note") as? String != nil
            }
        }
    }

    @Test("a string that a closure only checks for presence or emptiness is not lost")
    func emptiness() throws {
        let document = try Document(json: #"{"version": 1, "text": "tea for two", "note": "late"}"#)
        let step = try ExaminedStep(document, of: MigrationChain(Memo.self))
        #expect(step.lost == [])
        #expect(step.origins(of: "$.isLong") == ["$.text"] && step.origins(of: "$.isThere") == ["$.note"])
    }

    private struct Totals: VersionedCodable {
        static let version: Int? = 2
        typealias PreviousVersion = TotalsV1
        var totals: [String: Double]
        init(from old: TotalsV1) {
            totals = Dictionary(old.rows.map { ($0.group, $0.amount) }, uniquingKeysWith: +)
        }
    }

    private struct TotalsV1: VersionedCodable {
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
        struct Row: Codable { var group: String, amount: Double }
        var rows: [Row]
    }

    @Test("numbers in one sum are not narrowed, even if rounding one up and one down gives the same sum")
    func cancelling() throws {
        let document = try Document(
            json: """
                {"version": 1, "rows": [{"group": "a", "amount": 37.75}, {"group": "b", "amount": 48},
                 {"group": "a", "amount": 43.25}, {"group": "a", "amount": 12.5}, {"group": "b", "amount": 2}]}
                """)
        let step = try ExaminedStep(document, of: MigrationChain(Totals.self))
        #expect(step.finding?.narrowed == [] && step.lost == [])
    }

    @Test("an element that is skipped because of its only value is lost")
    func skipped() throws {
        let document = try Document(
            json: #"{"version": 1, "parts": [{"length": 3}, {"length": "four"}, {"length": 5}]}"#)
        #expect(try ExaminedStep(document, of: MigrationChain(Measured.self)).lost == ["$.parts[1]"])
    }

    private struct Store: VersionedCodable {
        static let version: Int? = 2
        typealias PreviousVersion = StoreV1
        var pages: [String: [String: String]]
        init(from old: StoreV1) { pages = old.pages }
    }

    private struct StoreV1: VersionedCodable {
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
        var pages: [String: [String: String]], note: String
    }

    @Test("one lost value among any number of others is found in a few runs", arguments: [1, 33, 400])
    func amongMany(count: Int) throws {
        let pages = (0..<count).map { #""p\#($0)": {"a": "\#($0)", "b": "\#($0)x", "c": "1"}"# }.joined(separator: ", ")
        let document = try Document(json: #"{"version": 1, "pages": {\#(pages)}, "note": "lost"}"#)
        let step = try ExaminedStep(document, of: MigrationChain(Store.self))
        #expect(step.lost == ["$.note"] && step.finding?.left == [])
        #expect(step.runs < 60, "\(step.runs)")
    }

    private struct Parsed: VersionedCodable {
        static let version: Int? = 2
        typealias PreviousVersion = ParsedV1
        struct Unreadable: Error {}
        var width: Int, height: Int, red: Int, minutes: Int, cents: Int
        init(from old: ParsedV1) throws {
            let sides = old.ratio.split(separator: ":").compactMap { Int($0) }
            let time = old.time.split(separator: ":").compactMap { Int($0) }
            guard sides.count == 2, time.count == 2, old.color.count == 7, old.color.hasPrefix("#"),
                let color = Int(old.color.dropFirst(), radix: 16), old.price.hasPrefix("€"),
                let price = Double(old.price.dropFirst())
            else { throw Unreadable() }
            (width, height, red) = (sides[0], sides[1], color >> 16)
            (minutes, cents) = (time[0] * 60 + time[1], Int(price * 100))
        }
    }

    private struct ParsedV1: VersionedCodable {
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
        var ratio: String, color: String, time: String, price: String
    }

    @Test("values parsed from a string come from it, even if it accepts few other values")
    func takenApart() throws {
        let document = try Document(
            json: ##"{"version": 1, "ratio": "16:9", "color": "#ff8800", "time": "07:30", "price": "€12.50"}"##)
        let step = try ExaminedStep(document, of: MigrationChain(Parsed.self))
        #expect(step.origins(of: "$.width") == ["$.ratio"] && step.origins(of: "$.height") == ["$.ratio"])
        #expect(step.origins(of: "$.red") == ["$.color"] && step.origins(of: "$.minutes") == ["$.time"])
        #expect(step.origins(of: "$.cents") == ["$.price"] && step.lost == [])
    }

    private struct Renamed: VersionedCodable {
        static let version: Int? = 2
        typealias PreviousVersion = RenamedV1
        struct One: Codable { var kind: String, count: Int? }
        var list: [One]
        init(from old: RenamedV1) { list = old.items.map { One(kind: $0.type, count: $0.number) } }
    }

    private struct RenamedV1: VersionedCodable {
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
        struct Item: Codable { var type: String, number: Int? }
        var items: [Item]
    }

    @Test("members of a new list have separate origins, each at its own position")
    func newList() throws {
        let document = try Document(
            json: """
                {"version": 1, "items": [{"type": "a", "number": 6}, {"type": "b", "number": 7}]}
                """)
        let step = try ExaminedStep(document, of: MigrationChain(Renamed.self))
        #expect(step.origins(of: "$.list[*].kind") == ["$.items[*].type"])
        #expect(step.origins(of: "$.list[*].count") == ["$.items[*].number"])
    }

    private struct Priced: VersionedCodable {
        static let version: Int? = 2
        typealias PreviousVersion = PricedV1
        var price: Int, level: String, name: String, day: String
        init(from old: PricedV1) {
            price = Int(old.price.rounded())
            level = old.level >= 4 ? "love" : "meh"
            name = String(old.name.prefix(5))
            day = String(old.day.prefix(10))
        }
    }

    private struct PricedV1: VersionedCodable {
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
        var price: Double, level: Int, name: String, day: String
    }

    @Test("a rounded number and a shortened string are narrowed, and a threshold narrows nothing")
    func narrowed() throws {
        let chain = MigrationChain(Priced.self)
        let long = try ExaminedStep(
            Document(
                json: #"{"version": 1, "price": 2.25, "level": 5, "name": "Margaret", "day": "2024-01-31T12:30:00Z"}"#),
            of: chain)
        #expect(
            Set((long.finding?.narrowed ?? []).map { "\($0.path) \($0.how.rawValue)" })
                == ["$.price digits", "$.name cut", "$.day time"])
        #expect(long.lost == [])
        // Values that are already whole lose nothing.
        let short = try ExaminedStep(
            Document(json: #"{"version": 1, "price": 2, "level": 5, "name": "Ada", "day": "2024-01-31"}"#), of: chain)
        #expect(short.finding?.narrowed == [])
    }

    private struct Weighed: VersionedCodable {
        static let version: Int? = 2
        typealias PreviousVersion = WeighedV1
        var big: Double, long: Double
        init(from old: WeighedV1) { (big, long) = (old.big, old.long) }
    }

    private struct WeighedV1: VersionedCodable {
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
        var big: Double, long: Double
    }

    @Test("a number with more digits than a Double holds is narrowed")
    func digits() throws {
        let step = try ExaminedStep(
            Document(json: #"{"version": 1, "big": 12345678901234567891, "long": 0.1234567890123456789}"#),
            of: MigrationChain(Weighed.self))
        let narrowed = (step.finding?.narrowed ?? []).map { "\($0.path) \($0.how.rawValue)" }
        #expect(narrowed == ["$.big digits", "$.long digits"])
    }

    private struct Offset: VersionedCodable {
        static let version: Int? = 2
        typealias PreviousVersion = OffsetV1
        var east: Double, north: Int, up: Double, down: Double
        init(from old: OffsetV1) { (east, north, up, down) = (old.east, Int(old.north), old.up + 0, old.down + 0) }
    }

    private struct OffsetV1: VersionedCodable {
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
        var east: Double, north: Double, up: Double, down: Double
    }

    @Test("a zero that loses its minus sign is narrowed")
    func signs() throws {
        let step = try ExaminedStep(
            Document(json: #"{"version": 1, "east": -0.0, "north": -0.0, "up": -0, "down": 0.0}"#),
            of: MigrationChain(Offset.self))
        let narrowed = (step.finding?.narrowed ?? []).map { "\($0.path) \($0.how.rawValue)" }
        #expect(narrowed == ["$.north sign", "$.up sign"] && step.lost == [])
    }

    // MARK: - Names and versions as values

    private struct Rules: VersionedCodable {
        static let version: Int? = 2
        typealias PreviousVersion = RulesV1
        var on: [String], first: String, kind: String, edition: Int
        init(from old: RulesV1) {
            on = old.rules.filter(\.value).keys.sorted()
            (first, kind, edition) = (old.rules.keys.min().map { "rule \($0)" } ?? "", "rules", old.version)
        }
    }

    private struct RulesV1: VersionedCodable {
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
        var version: Int, rules: [String: Bool]
    }

    @Test("a value made from the names in a dictionary or from the version is not reported as made by the step")
    func names() throws {
        let document = try Document(
            json: #"{"version": 1, "rules": {"tabs": true, "semicolons": false, "braces": true}}"#)
        let step = try ExaminedStep(document, of: MigrationChain(Rules.self))
        #expect(step.origins(of: "$.kind") == [])
        for path in ["$.on[0]", "$.on[1]", "$.first", "$.edition"] { #expect(step.origins(of: path) == nil, "\(path)") }
    }

    // MARK: - Values with few alternatives

    private enum Color: String, Codable { case red, green, blue }

    private struct Painted: VersionedCodable {
        static let version: Int? = 2
        typealias PreviousVersion = PaintedV1
        var front: Color
        init(from old: PaintedV1) { front = old.front }
    }

    private struct PaintedV1: VersionedCodable {
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
        var front: Color, back: Color
    }

    @Test("an enum case is lost if the step makes the same of all cases, and kept if each case arrives")
    func forgottenCase() throws {
        let document = try Document(json: #"{"version": 1, "front": "red", "back": "green"}"#)
        let step = try ExaminedStep(document, of: MigrationChain(Painted.self))
        #expect(step.lost == ["$.back"] && step.finding?.left == [])
    }

    private struct Labeled: VersionedCodable {
        static let version: Int? = 2
        typealias PreviousVersion = LabeledV1
        var title: String, kind: String
        init(from old: LabeledV1) { (title, kind) = (old.title, "none") }
    }

    private struct LabeledV1: VersionedCodable {
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
        var title: String, note: String?, tags: [String]
    }

    @Test("a constant is made by the step, whatever replaces null or an empty list")
    func constant() throws {
        let document = try Document(json: #"{"version": 1, "title": "Ada", "note": null, "tags": [], "extra": 5}"#)
        let step = try ExaminedStep(document, of: MigrationChain(Labeled.self))
        #expect(step.origins(of: "$.kind") == [])
    }

    private struct Gridded: VersionedCodable {
        static let version: Int? = 2
        typealias PreviousVersion = GriddedV1
        var sum: Int
        init(from old: GriddedV1) { sum = old.grid.joined().joined().reduce(0, +) }
    }

    private struct GriddedV1: VersionedCodable {
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
        var grid: [[[Int]]]
    }

    private struct Named: Versionable {
        enum Version: Int, VersionType {
            case old = 1
            case new = 2
        }
        var title: String
        var version: Version
        static func migrate(to version: Version) -> Migration {
            guard version == .new else { return .none }
            return .migrate { payload in
                let owner = payload.removeValue(forKey: "owner") as? [String: Any]
                let rows = payload.removeValue(forKey: "rows") as? [[String: Any]] ?? []
                payload["title"] = owner?["name"] as? String ?? rows.first?["name"] as? String ?? "nobody"
            }
        }
    }

    @Test("a value made from the content of an empty list or null is not reported as made by the step")
    func filled() throws {
        let grid = try Document(json: #"{"version": 1, "grid": []}"#)
        #expect(try ExaminedStep(grid, of: MigrationChain(Gridded.self)).origins(of: "$.sum") == nil)
        for empty in [#""owner": null, "rows": []"#, #""owner": {}, "rows": null"#] {
            let owner = try Document(json: #"{"version": 1, \#(empty)}"#)
            #expect(try ExaminedStep(owner, of: MigrationChain(Named.self)).origins(of: "$.title") == nil)
        }
    }

    private struct Paced: VersionedCodable {
        static let version: Int? = 2
        typealias PreviousVersion = PacedV1
        var pace: String
        init(from old: PacedV1) { pace = old.gear.name == "fast" ? "a" : "b" }
    }

    private struct PacedV1: VersionedCodable {
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
        struct Gear: Codable {
            var name: String
            init(from decoder: any Decoder) throws {
                name = try decoder.singleValueContainer().decode(String.self).lowercased()
                guard ["fast", "steady", "slow"].contains(name) else {
                    throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "no gear"))
                }
            }
        }
        var gear: Gear
    }

    @Test("a value is not reported as made by the step if the only other accepted value differs in case")
    func capitals() throws {
        let document = try Document(json: #"{"version": 1, "gear": "fast"}"#)
        #expect(try ExaminedStep(document, of: MigrationChain(Paced.self)).origins(of: "$.pace") == nil)
    }

    private struct Fare: VersionedCodable {
        static let version: Int? = 2
        typealias PreviousVersion = FareV1
        var limit: Int, price: String
        init(from old: FareV1) throws {
            struct TooHigh: Error {}
            guard old.amount <= old.limit else { throw TooHigh() }
            (limit, price) = (old.limit, old.amount >= 90 ? "dear" : "cheap")
        }
    }

    private struct FareV1: VersionedCodable {
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
        var amount: Int, limit: Int
    }

    @Test("a number is not reported as lost if all larger ones are refused")
    func oneSided() throws {
        let step = try ExaminedStep(
            Document(json: #"{"version": 1, "amount": 10, "limit": 10}"#), of: MigrationChain(Fare.self))
        #expect(step.lost == [] && step.origins(of: "$.price") == nil)
        #expect(step.finding?.left.map { "\($0.path)" } == ["$.amount"])
    }

    private struct Toll: VersionedCodable {
        static let version: Int? = 2
        typealias PreviousVersion = TollV1
        var least: Int, price: String
        init(from old: TollV1) throws {
            struct TooLow: Error {}
            guard old.amount >= old.least else { throw TooLow() }
            (least, price) = (old.least, old.amount >= 90 ? "dear" : "cheap")
        }
    }

    private struct TollV1: VersionedCodable {
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
        var amount: Int, least: Int
    }

    @Test("a number is not lost if only numbers near the refused ones make a difference")
    func limits() throws {
        let toll = MigrationChain(Toll.self)
        let step = try ExaminedStep(Document(json: #"{"version": 1, "amount": 100, "least": 77}"#), of: toll)
        #expect(step.lost == [] && step.origins(of: "$.price")?.contains("$.amount") == true)
        let above = try ExaminedStep(Document(json: #"{"version": 1, "amount": 100, "least": 95}"#), of: toll)
        #expect(above.lost == ["$.amount"])
    }

    @Test("a number is not lost if the runs end before the numbers that make a difference are tried", arguments: 3...60)
    func fewRuns(runs: Int) throws {
        var budget = ExperimentBudget()
        budget.runs = runs
        let step = try ExaminedStep(
            Document(json: #"{"version": 1, "amount": 1, "least": 0}"#), of: MigrationChain(Toll.self), budget: budget)
        #expect(step.lost?.contains("$.amount") != true)
    }

    private struct Tour: VersionedCodable {
        static let version: Int? = 2
        typealias PreviousVersion = TourV1
        struct Stop: Codable { var name: String, days: [Int] }
        var stops: [Stop]
        init(from old: TourV1) {
            stops = old.stops.sorted { $0.name < $1.name }.map { Stop(name: $0.name, days: Array($0.days.prefix(2))) }
        }
    }

    private struct TourV1: VersionedCodable {
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
        var stops: [Tour.Stop]
    }

    @Test("a value of a sorted list does not come from another element with an equal value")
    func equalInSortedList() throws {
        let stops = [("north", [25, 79, 61]), ("seven", []), ("north", [33, 39, 83]), ("along", [73])]
        let elements = stops.map { #"{"name": "\#($0.0)", "days": \#($0.1)}"# }.joined(separator: ", ")
        let document = try Document(json: #"{"version": 1, "stops": [\#(elements)]}"#)
        let step = try ExaminedStep(document, of: MigrationChain(Tour.self))
        #expect(step.origins(of: "$.stops[1].name").map { $0 == ["$.stops[0].name"] } ?? true)
        #expect(step.origins(of: "$.stops[2].name").map { $0 == ["$.stops[2].name"] } ?? true)
    }

    @Test("a small number is not lost if only large numbers make a difference", arguments: [1, 24])
    func largeOnly(amount: Int) throws {
        let step = try ExaminedStep(
            Document(json: #"{"version": 1, "amount": \#(amount), "least": 0}"#), of: MigrationChain(Toll.self))
        #expect(step.lost == [] && step.origins(of: "$.price")?.contains("$.amount") == true)
    }

    private struct Clients: VersionedCodable {
        static let version: Int? = 2
        typealias PreviousVersion = ClientsV1
        var names: [String]
        init(from old: ClientsV1) {
            names = old.orders.map { order in old.clients.first { $0.id.text == order }?.name ?? "nobody" }
        }
    }

    private struct ClientsV1: VersionedCodable {
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
        struct Id: Codable {
            var text: String?
            init(from decoder: Decoder) throws { text = try? decoder.singleValueContainer().decode(String.self) }
            func encode(to encoder: Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(text)
            }
        }
        struct Client: Codable { var id: Id, name: String }
        var clients: [Client], orders: [String]
    }

    @Test("a value is not lost if a value of its siblings' kind makes a difference")
    func otherKind() throws {
        let document = try Document(
            json: """
                {"version": 1, "clients": [{"id": 7, "name": "Ada"}, {"id": "b", "name": "Bo"}], "orders": ["b", "c"]}
                """)
        let step = try ExaminedStep(document, of: MigrationChain(Clients.self))
        #expect(step.lost?.contains("$.clients[0].id") == false)
    }

    private struct Match: VersionedCodable {
        static let version: Int? = 2
        typealias PreviousVersion = MatchV1
        var names: [String]
        init(from old: MatchV1) {
            names = old.seats.map { seat in old.people.first { $0.id == seat }?.name ?? "nobody" }
        }
    }

    private struct MatchV1: VersionedCodable {
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
        struct Person: Codable { var id: Int, name: String }
        var seats: [Int], people: [Person]
    }

    @Test("an identifier is not lost if that of a sibling makes a difference")
    func siblingValue() throws {
        let people = [(1, "Ada"), (1, "Bob"), (72, "Cy")].map { #"{"id": \#($0.0), "name": "\#($0.1)"}"# }
        let document = try Document(
            json: #"{"version": 1, "seats": [1, 72], "people": [\#(people.joined(separator: ", "))]}"#)
        let step = try ExaminedStep(document, of: MigrationChain(Match.self))
        #expect(step.lost?.contains("$.people[1].id") == false)
    }

    private struct Event: VersionedCodable {
        static let version: Int? = 2
        typealias PreviousVersion = EventV1
        var day: String
        init(from old: EventV1) { day = String(old.at.prefix(10)) }
    }

    private struct EventV1: VersionedCodable {
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
        var at: String
    }

    @Test("a point in time in a custom format is narrowed if its time of day is lost")
    func ownForm() throws {
        let document = try Document(json: #"{"version": 1, "at": "2023/10/01 10:00"}"#)
        let step = try ExaminedStep(document, of: MigrationChain(Event.self))
        #expect(step.finding?.narrowed == [Narrowing(path: DocumentPath("$.at") ?? .root, how: .time)])
    }

    private struct Hands: VersionedCodable {
        static let version: Int? = 2
        typealias PreviousVersion = HandsV1
        var crew: [HandsV1.Hand], fee: Double
        init(from old: HandsV1) {
            crew = old.crew.filter { $0.role != "guest" }
            fee = ((Double(old.fee) ?? 0) * 100).rounded() / 100
        }
    }

    private struct HandsV1: VersionedCodable {
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
        struct Hand: Codable { var role: String, id: String }
        var crew: [Hand], fee: String
    }

    @Test("elements that are all removed are lost as elements, whatever decides about them", arguments: 1...3)
    func allGone(count: Int) throws {
        let crew = (0..<count).map { #"{"role": "guest", "id": "c\#($0)"}"# }.joined(separator: ", ")
        let document = try Document(json: #"{"version": 1, "fee": "12.50", "crew": [\#(crew)]}"#)
        let step = try ExaminedStep(document, of: MigrationChain(Hands.self))
        #expect(step.lost == ["$.crew[*]"])
    }

    @Test("a number in a string is not narrowed by another spelling", arguments: ["12.50", "3.0", "0.10"])
    func equalNumber(fee: String) throws {
        let document = try Document(json: #"{"version": 1, "fee": "\#(fee)", "crew": []}"#)
        let step = try ExaminedStep(document, of: MigrationChain(Hands.self))
        #expect(step.finding?.narrowed == [])
    }

    private struct Sack: VersionedCodable {
        static let version: Int? = 2
        typealias PreviousVersion = SackV1
        var handling: String
        init(from old: SackV1) { handling = old.weights.count > 4 ? "two people" : "one" }
    }

    private struct SackV1: VersionedCodable {
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
        var weights: [Int]
    }

    @Test("a value that depends on the number of elements is not reported as made by the step", arguments: [3, 6, 9])
    func countOnly(count: Int) throws {
        let document = try Document(json: #"{"version": 1, "weights": \#(Array(1...count))}"#)
        let step = try ExaminedStep(document, of: MigrationChain(Sack.self))
        #expect(step.origins(of: "$.handling") == nil)
    }

    private struct Rack: VersionedCodable {
        static let version: Int? = 2
        typealias PreviousVersion = RackV1
        struct Shelf: Codable { var rows: [[Int]] }
        struct Item: Codable { var slots: Int }
        var shelf: Shelf, items: [Item]
        init(from old: RackV1) {
            shelf = Shelf(rows: old.rows)
            items = old.items.map { Item(slots: $0.bins.joined().reduce(0, +)) }
        }
    }

    private struct RackV1: VersionedCodable {
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
        struct Item: Codable { var bins: [[Int]] }
        var rows: [[Int]], items: [Item]
    }

    @Test("a value comes from its own record if the others are empty, and an empty list has no origin")
    func emptySiblings() throws {
        let document = try Document(
            json: #"{"version": 1, "rows": [[]], "items": [{"bins": [[1, 2]]}, {"bins": []}]}"#)
        let step = try ExaminedStep(document, of: MigrationChain(Rack.self))
        #expect(step.origins(of: "$.items[0].slots") == ["$.items[0].bins[0][0]", "$.items[0].bins[0][1]"])
        #expect(step.origins(of: "$.shelf.rows") == nil && step.origins(of: "$.shelf") == nil)
    }

    private struct Lines: VersionedCodable {
        static let version: Int? = 2
        typealias PreviousVersion = LinesV1
        var lines: [String]
        init(from old: LinesV1) {
            lines = old.text.split(omittingEmptySubsequences: false) { (old.separators ?? "\n\r\n,;").contains($0) }
                .map(String.init)
        }
    }

    private struct LinesV1: VersionedCodable {
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
        var text: String, separators: String?
    }

    @Test(
        "an empty part of a string comes from the string, at its ends and in between",
        arguments: [#"one\n\ntwo"#, #"\none\n\n\ntwo\n"#, #"one\r\n\r\ntwo\r\n"#, "one,,two", "7;;3"])
    func emptyParts(text: String) throws {
        let document = try Document(json: #"{"version": 1, "text": "\#(text)"}"#)
        let step = try ExaminedStep(document, of: MigrationChain(Lines.self))
        for index in 0..<(try #require(step.step.after?.root["lines"]).count) {
            let origins = step.origins(of: "$.lines[\(index)]") ?? step.origins(of: "$.lines[*]")
            #expect(origins?.contains("$.text") == true, "line \(index): \(origins ?? [])")
        }
    }

    @Test("an element that disappears with other values is not reported as made by the step")
    func gone() throws {
        let document = try Document(json: #"{"version": 1, "text": "a,,b", "separators": ","}"#)
        let step = try ExaminedStep(document, of: MigrationChain(Lines.self))
        #expect(step.finding?.origins.allSatisfy { !$0.from.isEmpty } == true)
    }

    private struct Born: VersionedCodable {
        static let version: Int? = 2
        typealias PreviousVersion = EventV1
        var year: String
        init(from old: EventV1) throws { year = String(try Meeting(from: old).day.prefix(4)) }
    }

    @Test("a date is not lost if only its year makes a difference")
    func yearOnly() throws {
        let document = try Document(json: #"{"version": 1, "at": "03.09.1976 00:00"}"#)
        let step = try ExaminedStep(document, of: MigrationChain(Born.self))
        #expect(step.lost == [] && step.origins(of: "$.year")?.contains("$.at") == true)
    }

    private struct Meeting: VersionedCodable {
        static let version: Int? = 2
        typealias PreviousVersion = EventV1
        var day: String
        init(from old: EventV1) throws {
            struct NoDate: Error {}
            guard let match = old.at.wholeMatch(of: /(\d\d)\.(\d\d)\.(\d{4}) ([01]\d|2[0-3]):[0-5]\d/),
                (1...12).contains(Int(match.2) ?? 0), (1...28).contains(Int(match.1) ?? 0)
            else { throw NoDate() }
            day = "\(match.3)-\(match.2)-\(match.1)"
        }
    }

    @Test("a point in time is narrowed even if only its own format is accepted")
    func onlyForm() throws {
        let document = try Document(json: #"{"version": 1, "at": "05.03.2024 12:30"}"#)
        let step = try ExaminedStep(document, of: MigrationChain(Meeting.self))
        #expect(step.finding?.narrowed == [Narrowing(path: DocumentPath("$.at") ?? .root, how: .time)])
    }
}
