import DocumentModel
import Foundation
import Testing

@testable import MigrationCore

@Suite("Repairs of a document")
struct MendTests: MendSearching {
    // MARK: - Cases

    private enum Seat: String, Codable { case aisle, window }
    private enum Only: String, Codable { case paper }

    private struct Ticket: VersionedCodable {
        var seat: Seat
        static let version: Int? = 2
        typealias PreviousVersion = TicketV1
        init(from old: TicketV1) throws {
            guard let seat = old.seat else { throw Refusal(description: "nobody says where to sit") }
            guard old.material != nil else { throw Refusal(description: "no material") }
            guard let width = old.width, (500...2000).contains(width) else { throw Refusal(description: "no width") }
            guard old.isPaid != nil else { throw Refusal(description: "not known whether it is paid") }
            self.seat = seat
        }
    }

    private struct TicketV1: VersionedCodable {
        var seat: Seat?
        var material: Only?
        var width: Int?
        var isPaid: Bool?
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
    }

    @Test("a missing optional field is added with each case of its type, even if the error names nothing")
    func absentCase() throws {
        let found = try search(
            MigrationChain(Ticket.self), #"{"version": 1, "material": "paper", "width": 600, "isPaid": true}"#)
        #expect(found?.path == path("$.seat") && found?.certain == true)
        #expect(texts(found?.proof?.passing) == ["aisle", "window"] && found?.proof?.repair == nil)
    }

    @Test("a missing field whose type has only one value is repaired with it")
    func onlyCase() throws {
        let found = try search(
            MigrationChain(Ticket.self), #"{"version": 1, "seat": "aisle", "width": 600, "isPaid": true}"#)
        #expect(found?.proof?.finding == .repair(.add(path("$.material"), Document(text: "paper"))))
    }

    private struct Entry: VersionedCodable {
        var state: String
        static let version: Int? = 2
        typealias PreviousVersion = EntryV1
        init(from old: EntryV1) throws {
            guard old.mood != "stale" else { throw Refusal(description: "a stale entry") }
            guard !old.mood.contains(where: \.isUppercase) else { throw Refusal(description: "a capital letter") }
            state = old.mood
        }
    }

    private struct EntryV1: VersionedCodable {
        var mood: String
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
    }

    @Test("another spelling is a repair only if other words that are spelled like the original fail as well")
    func spelling() throws {
        func found(_ state: String) throws -> MigrationFailure.Culprit? {
            try search(MigrationChain(Entry.self), #"{"version": 1, "mood": "\#(state)"}"#)
        }
        let stale = try found("stale")
        #expect(stale?.path == path("$.mood"))
        #expect(stale?.proof?.repair == nil)
        #expect(try found("Fresh")?.proof?.repair == .set(path("$.mood"), Document(text: "fresh")))
    }

    @Test("a missing number is tried in many sizes, and a missing Boolean both ways")
    func absentNumber() throws {
        let width = try search(
            MigrationChain(Ticket.self), #"{"version": 1, "seat": "aisle", "material": "paper", "isPaid": false}"#)
        #expect(width?.path == path("$.width") && width?.proof?.passing.map(\.root.wholeNumber) == [1000])
        let paid = try search(
            MigrationChain(Ticket.self), #"{"version": 1, "seat": "aisle", "material": "paper", "width": 600}"#)
        #expect(paid?.path == path("$.isPaid") && paid?.proof?.passing.map(\.root.boolean) == [true, false])
    }

    @Test("a misspelled optional field is renamed")
    func misspeltOptional() throws {
        let found = try search(
            MigrationChain(Ticket.self),
            #"{"version": 1, "seta": "aisle", "material": "paper", "width": 600, "isPaid": true}"#)
        #expect(found?.proof == CulpritProof(.repair(.rename(path("$.seta"), to: "seat")), .opens))
    }

    private enum Fuel: String, Codable { case coal, oil, gas }

    private struct Stove: VersionedCodable {
        var fuel: Fuel
        static let version: Int? = 2
        typealias PreviousVersion = StoveV1
        init(from old: StoveV1) throws {
            guard old.burns != .coal else {
                throw VersionedDecodingError.fieldNoLongerValid(
                    .init(codingPath: [CodingKeys.fuel], debugDescription: "Nobody burns that any more"))
            }
            fuel = old.burns
        }
    }

    private struct StoveV1: VersionedCodable {
        var burns: Fuel
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
    }

    @Test("a case that the newest version lost is proved by the other cases, none of which is a repair")
    func lostCase() throws {
        let found = try search(MigrationChain(Stove.self), #"{"version": 1, "burns": "coal"}"#)
        #expect(found?.path == path("$.burns") && found?.certain == true)
        #expect(texts(found?.proof?.passing) == ["oil", "gas"] && found?.proof?.repair == nil)
    }

    private enum Shape: Codable {
        case circle(radius: Double)
        case square(side: Double)
    }
    private enum Role: String, Codable, CodingKeyRepresentable { case captain, cook }

    private struct Drawing: VersionedCodable {
        var shape: Shape
        var crew: [Role: String]?
        var id: Int?
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
    }

    @Test("a misspelled case with associated values is renamed")
    func caseWithValues() throws {
        let found = try search(MigrationChain(Drawing.self), #"{"version": 1, "shape": {"sqaure": {"side": 2}}}"#)
        #expect(found?.proof == CulpritProof(.repair(.rename(path("$.shape.sqaure"), to: "square")), .opens))
    }

    @Test("a misspelled enum key of a dictionary is reported with the valid keys, and renamed")
    func dictionaryKey() throws {
        let text = #"{"version": 1, "shape": {"circle": {"radius": 2}}, "crew": {"captian": "Ada", "cook": "Bob"}}"#
        let found = try search(MigrationChain(Drawing.self), text) { trace in
            #expect(trace.failure?.message == "\"captian\" is not a value of Role; its values are captain and cook")
            #expect(trace.failure?.kind == .dataCorrupted)
        }
        #expect(found?.proof == CulpritProof(.repair(.rename(path("$.crew.captian"), to: "captain")), .opens))
        // A name similar to none of the keys: the intended one is unknown.
        let unknown = try search(MigrationChain(Drawing.self), text.replacing("captian", with: "mate"))
        #expect(unknown?.path == path("$.crew.mate") && unknown?.proof?.repair == nil && unknown?.proof != nil)
    }

    // MARK: - Dates

    private struct Meeting: VersionedCodable {
        var at: Date
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
    }

    private func meeting(
        _ value: String, _ dates: JSONDecoder.DateDecodingStrategy, _ check: ((MigrationTrace) -> Void)? = nil
    ) throws -> CulpritProof? {
        try search(
            MigrationChain(Meeting.self, decoding: DecodingStrategies(dates: dates)),
            #"{"version": 1, "at": \#(value)}"#, check
        )?.proof
    }

    @Test("a number in place of a date is offered as a date of each epoch, and is never a repair")
    func epochs() throws {
        let seconds = try meeting("676540800", .iso8601) { trace in
            #expect(
                trace.failure?.message
                    == "676540800 may be seconds since 2001: 2022-06-10T08:00:00Z; this chain reads ISO 8601")
        }
        #expect(texts(seconds?.passing) == ["2022-06-10T08:00:00Z", "1991-06-10T08:00:00Z"])
        #expect(seconds?.finding == .passes(.set(path("$.at"), Document(text: "2022-06-10T08:00:00Z"))))
        let milliseconds = try meeting("1654848000000", .iso8601)
        #expect(texts(milliseconds?.passing) == ["2022-06-10T08:00:00Z"] && milliseconds?.repair == nil)
    }

    @Test("a number of seconds in a string is not repaired, since it may count from several years")
    func epochsInText() throws {
        let seconds = try meeting(#""676540800""#, .deferredToDate)
        #expect(seconds?.repair == nil)
        #expect(seconds?.passing.compactMap(\.root.wholeNumber).contains(676_540_800) == true)
    }

    @Test("a time without a zone is reported as such, and passes as UTC")
    func noZone() throws {
        let proof = try meeting(#""2022-06-10T08:00:00""#, .iso8601) { trace in
            #expect(trace.failure?.message.contains("there is no zone") == true)
        }
        #expect(proof?.finding == .passes(.set(path("$.at"), Document(text: "2022-06-10T08:00:00Z"))))
    }

    @Test(
        "a date in another format with only one reading is repaired, in the format that the chain reads",
        arguments: [
            (#""2022-06-10 08:00:00 +0000""#, JSONDecoder.DateDecodingStrategy.iso8601, #""2022-06-10T08:00:00Z""#),
            (#""2022-06-10 10:00:00+02:00""#, .iso8601, #""2022-06-10T08:00:00Z""#),
            (#""2022-06-10T08:00:00Z""#, .deferredToDate, "676540800"),
            (#""2022-06-10T08:00:00Z""#, .secondsSince1970, "1654848000"),
            (#""2022-06-10T08:00:00Z""#, .millisecondsSince1970, "1654848000000"),
        ])
    func oneReading(value: String, strategy: JSONDecoder.DateDecodingStrategy, mended: String) throws {
        let proof = try meeting(value, strategy)
        #expect(proof?.finding == .repair(.set(path("$.at"), try Document(json: mended))))
    }

    @Test("a date whose day and month may be swapped passes as either")
    func dayAndMonth() throws {
        let proof = try meeting(#""01/02/2022""#, .iso8601)
        #expect(texts(proof?.passing) == ["2022-02-01T00:00:00Z", "2022-01-02T00:00:00Z"] && proof?.repair == nil)
        #expect(texts(try meeting(#""31/12/2022""#, .iso8601)?.passing) == ["2022-12-31T00:00:00Z"])
    }

    @Test("the format that an app's own strategy reads is found by trying")
    func ownStrategy() throws {
        let strategy = JSONDecoder.DateDecodingStrategy.custom { decoder in
            let text = try decoder.singleValueContainer().decode(String.self)
            guard text.count == 10, text.dropFirst(2).first == ".", let year = Double(text.suffix(4)) else {
                throw Refusal(description: "no day")
            }
            return Date(timeIntervalSinceReferenceDate: year)
        }
        #expect(texts(try meeting(#""2022-06-10""#, strategy)?.passing).first == "10.06.2022")
    }

    // MARK: - Repairs that lose data

    private struct Shelf: VersionedCodable {
        var title: String
        var year: Int?
        static let version: Int? = 3
        typealias PreviousVersion = ShelfV2
        init(from old: ShelfV2) throws { (title, year) = (old.title, nil) }
    }

    private struct ShelfV2: VersionedCodable {
        var title: String
        var place: String
        static let version: Int? = 2
        typealias PreviousVersion = ShelfV1
        init(from old: ShelfV1) throws { (title, place) = (old.title, "") }
    }

    private struct ShelfV1: VersionedCodable {
        var title: String
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
    }

    @Test("a version is repaired if the fields of only one version fit completely")
    func versions() throws {
        let chain = MigrationChain(Shelf.self)
        let version = path("$.version")
        // Unknown to the chain, of another kind, missing, misspelled, and wrong.
        let unknown = try search(chain, #"{"version": 9, "title": "t", "place": "p"}"#)
        #expect(unknown?.proof?.finding == .repair(.set(version, try Document(json: "2"))))
        #expect(unknown?.proof?.isOfVersion == true && unknown?.proof?.ending == .opens)
        let text = try search(chain, #"{"version": "3", "title": "t", "year": 4}"#)
        #expect(text?.proof?.finding == .repair(.set(version, try Document(json: "3"))))
        #expect(text?.proof?.isOfVersion == true)
        let missing = try search(chain, #"{"title": "t", "place": "p"}"#)
        #expect(missing?.proof?.finding == .repair(.add(version, try Document(json: "2"))))
        let misspelt = try search(chain, #"{"verison": 2, "title": "t", "place": "p"}"#)
        #expect(misspelt?.proof?.finding == .repair(.rename(path("$.verison"), to: "version")))
        let other = try search(chain, #"{"version": 2, "title": "t", "year": 4}"#)
        #expect(other?.proof?.finding == .repair(.set(version, try Document(json: "3"))))
    }

    @Test("a version is not repaired if several fit, or if a field would be dropped")
    func noVersion() throws {
        let chain = MigrationChain(Shelf.self)
        let several = try search(chain, #"{"version": 9, "title": "t"}"#)
        #expect(several == nil)
        let dropping = try search(chain, #"{"version": 2, "title": "t", "colour": "red"}"#)
        #expect(dropping?.path == path("$.place"))
    }

    @Test("an unknown version is not blamed because of another version with which something else fails")
    func failingVersions() throws {
        let found = try search(MigrationChain(Tin.self), #"{"version": 9, "label": [5], "name": [6]}"#)
        #expect(found == nil)
    }

    @Test("a change of the version is encoded as one, and decodes to the same proof")
    func versionAsJSON() throws {
        var proof = CulpritProof(.repair(.add(path("$.version"), try Document(json: "2"))), .opens)
        proof.isOfVersion = true
        let data = try JSONEncoder().encode(proof)
        #expect(String(decoding: data, as: UTF8.self).contains(#""operation":"version""#))
        #expect(try JSONDecoder().decode(CulpritProof.self, from: data) == proof)
        proof.finding = .passes(.set(path("$.version"), try Document(json: "2")))
        #expect(try JSONDecoder().decode(CulpritProof.self, from: JSONEncoder().encode(proof)) == proof)
    }

    private struct Jar: VersionedCodable {
        var grams: Int
        static let version: Int? = 2
        typealias PreviousVersion = JarV1
        init(from old: JarV1) throws {
            guard let grams = old.grams else { throw Refusal(description: "no weight") }
            self.grams = grams
        }
    }

    private struct JarV1: VersionedCodable {
        var grams: Int?
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
        enum CodingKeys: CodingKey { case grams, label }
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            grams = try container.decodeIfPresent(Int.self, forKey: .grams)
            // Documents of older apps have no weight under this name. Then the label is read.
            if grams == nil, container.contains(.label) { _ = try container.decode(String.self, forKey: .label) }
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encodeIfPresent(grams, forKey: .grams)
        }
    }

    @Test("a change that drops another field is not a repair")
    func drops() throws {
        let found = try search(MigrationChain(Jar.self), #"{"version": 1, "label": "plum", "grms": 3}"#)
        #expect(found?.proof != nil && found?.proof?.repair == nil)
        let whole = try search(MigrationChain(Jar.self), #"{"version": 1, "grms": 3}"#)
        #expect(whole?.proof?.repair == .rename(path("$.grms"), to: "grams"))
    }

    // MARK: - Closures

    private enum Hue: String, Codable { case red, green, violet }

    private struct Palette: Versionable {
        enum Version: Int, VersionType {
            case old = 1
            case new = 2
        }
        var hues: [Hue]
        var version: Version
        static func migrate(to version: Version) -> Migration {
            version == .new ? .migrate { $0["hues"] = ($0["hues"] as? [Any])?.reversed() } : .none
        }
    }

    @Test("the value that a closure moves to the error's path is blamed, not the one at that path in the document")
    func reversed() throws {
        let found = try search(MigrationChain(Palette.self), #"{"version": 1, "hues": ["vilet", "green", "red"]}"#)
        #expect(found?.proof == nil || found?.path == path("$.hues[0]"), "\(String(describing: found))")
    }

    private struct Ranking: Versionable {
        enum Version: Int, VersionType {
            case old = 1
            case new = 2
        }
        struct Room: Codable { var rank: Double }
        var rooms: [Room]
        var version: Version
        static func migrate(to version: Version) -> Migration {
            guard version == .new else { return .none }
            return .migrate { payload in
                let rooms = payload["rooms"] as? [[String: Any]] ?? []
                payload["rooms"] = rooms.filter { !(($0["rank"] as? Double).map { $0 >= 58 } ?? false) }
            }
        }
    }

    @Test("the only repair that opens the document is proved, even if a filter moves its value to another position")
    func repairBehindFilter() throws {
        let found = try search(
            MigrationChain(Ranking.self), #"{"version": 1, "rooms": [{"rank": 81}, {"rank": "95.25"}, {"rank": 62}]}"#)
        #expect(found?.path == path("$.rooms[1].rank") && found?.others == [])
        #expect(found?.proof?.repair == .set(path("$.rooms[1].rank"), try Document(json: "95.25")))
    }

    private struct Offer: Versionable {
        enum Version: Int, VersionType {
            case old = 1
            case new = 2
        }
        var isOpen: Bool
        var title: String
        var version: Version
        static func migrate(to version: Version) -> Migration {
            guard version == .new else { return .none }
            return .migrate { payload in
                guard let price = payload.removeValue(forKey: "price") as? Double, price <= 200 else {
                    throw Refusal(description: "too dear")
                }
                payload["isOpen"] = payload.removeValue(forKey: "open")
            }
        }
    }

    @Test("a value that lets a closure pass is proved even if the closure's result does not decode")
    func undecoded() throws {
        let dear = try search(MigrationChain(Offer.self), #"{"version": 1, "price": 500, "open": true}"#)
        #expect(dear?.path == path("$.price") && dear?.certain == true)
        let closed = try search(MigrationChain(Offer.self), #"{"version": 1, "price": 5, "open": null}"#)
        #expect(closed?.path == path("$.open") && closed?.certain == true)
    }

    private struct Tin: Versionable {
        enum Version: Int, VersionType {
            case old = 1
            case new = 2
        }
        var label: String
        var version: Version
        static func migrate(to version: Version) -> Migration {
            version == .new ? .migrate { $0["label"] = $0.removeValue(forKey: "name") ?? "none" } : .none
        }
    }

    @Test("an older version whose closure makes up the wrong value is not a repair as long as fields stay unread")
    func madeUp() throws {
        let found = try search(MigrationChain(Tin.self), #"{"version": 2, "label": [5], "color": "red"}"#)
        #expect(found?.path == path("$.label") && found?.proof?.repair == nil)
    }

    private struct Pot: VersionedCodable {
        var size: Int
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
        enum CodingKeys: CodingKey { case size, label }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            size = try container.decode(Int.self, forKey: .size)
            if size == 2 { _ = try container.decode(String.self, forKey: .label) }
        }

        func encode(to encoder: any Encoder) throws {}
    }

    @Test("the same value read another way is not a repair if another failure follows and another value opens")
    func worseReading() throws {
        let found = try search(MigrationChain(Pot.self), #"{"version": 1, "size": "2"}"#)
        #expect(found?.path == path("$.size") && found?.proof?.repair == nil && found?.proof?.ending == .opens)
    }

    // MARK: - Members

    private struct Fair: VersionedCodable {
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
        enum Extra: Codable {
            case meal(String)
            case tour(String)

            enum CodingKeys: String, CodingKey { case type, menu, guide }

            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                self =
                    switch try container.decode(String.self, forKey: .type) {
                    case "meal": .meal(try container.decode(String.self, forKey: .menu))
                    default: .tour(try container.decode(String.self, forKey: .guide))
                    }
            }

            func encode(to encoder: any Encoder) throws {}
        }
        var extras: [Extra]
    }

    @Test("a member that all siblings have is not a repair of an element that has the value under another name")
    func otherName() throws {
        let meals = #"{"type": "meal", "menu": "Pasta"}, {"type": "meal", "menu": "Soup"}"#
        let found = try search(
            MigrationChain(Fair.self), #"{"version": 1, "extras": [\#(meals), {"menu": "Rice", "sort": "meal"}]}"#)
        #expect(found?.path == path("$.extras[2].type") && found?.proof?.repair == nil)
    }

    @Test("a member that all siblings have is not a repair of an element that then lacks something else")
    func unfittingMember() throws {
        let menus = ["Pasta", "Soup", "Fish"]
        let meals = menus.map { #"{"type": "meal", "menu": "\#($0)"}"# }.joined(separator: ", ")
        func found(_ element: String) throws -> MigrationFailure.Culprit? {
            try search(MigrationChain(Fair.self), #"{"version": 1, "extras": [\#(meals), \#(element)]}"#)
        }
        let tour = try found(#"{"guide": "Ada"}"#)
        #expect(tour?.path == path("$.extras[3].type") && tour?.proof?.repair == nil)
        let meal = try found(#"{"menu": "Rice"}"#)
        #expect(meal?.proof?.repair != nil && meal?.proof?.ending == .opens)
    }

    private struct Library: VersionedCodable {
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
        struct Row: Codable { var items: [Item] }
        struct Item: Codable { var rank: String }
        var rows: [Row]
    }

    @Test(
        "a value common to the elements of one list is a repair only if the elements of other lists have it too",
        arguments: ["{}", #"{"rank": 5}"#])
    func otherLists(broken: String) throws {
        func found(elsewhere: String) throws -> MigrationFailure.Culprit? {
            let items = #"[{"rank": "5"}, \#(broken), {"rank": "5"}, {"rank": "5"}]"#
            return try search(
                MigrationChain(Library.self),
                #"{"version": 1, "rows": [{"items": \#(items)}, {"items": [{"rank": "\#(elsewhere)"}]}]}"#)
        }
        let (alike, other) = try (found(elsewhere: "5"), found(elsewhere: "tea"))
        #expect(alike?.proof?.repair != nil)
        #expect(other?.path == alike?.path && other?.proof != nil && other?.proof?.repair == nil)
    }

    private struct Map: VersionedCodable {
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
        struct Spot: Codable { var x: Int }
        var spots: [Spot], notes: [String]
    }

    @Test("an object that is still JSON in a string is repaired by taking it out of the string")
    func stillInString() throws {
        let chain = MigrationChain(Map.self)
        func found(spot: String, notes: String = "[]") throws -> MigrationFailure.Culprit? {
            try search(
                chain, #"{"version": 1, "spots": [{"x": 1}, "{\"x\": 2\#(spot)}"], "notes": \#(notes)}"#)
        }
        #expect(try found(spot: "")?.proof?.repair == .set(path("$.spots[1]"), Document(json: #"{"x": 2}"#)))
        let dropping = try found(spot: #", \"y\": 3"#)
        #expect(dropping?.proof?.ending == .opens && dropping?.proof?.repair == nil)
        let list = try search(chain, #"{"version": 1, "spots": [], "notes": "[\"a\"]"}"#)
        #expect(list?.proof != nil && list?.proof?.repair == nil)
    }
}
