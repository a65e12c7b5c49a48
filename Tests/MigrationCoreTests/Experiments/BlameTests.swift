import DocumentModel
import Foundation
import Testing

@testable import MigrationCore

@Suite("Values to blame")
struct BlameTests: MendSearching {
    // MARK: - Several elements with one error

    private struct Line: VersionedCodable {
        var stops: [Int]
        static let version: Int? = 2
        typealias PreviousVersion = LineV1
        init(from old: LineV1) throws {
            guard old.stops.allSatisfy({ $0.minutes >= 0 }) else {
                throw VersionedDecodingError.fieldNoLongerValid(
                    .init(codingPath: [CodingKeys.stops], debugDescription: "invalid stop"))
            }
            guard old.stops.reduce(0, { $0 + $1.minutes }) <= 100 else { throw Refusal(description: "too long") }
            stops = old.stops.map(\.minutes)
        }
    }

    private struct LineV1: VersionedCodable {
        var stops: [Stop]
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
        struct Stop: Codable { var name: String, minutes: Int }
    }

    private func stops(_ minutes: [Int]) -> String {
        let stops = minutes.enumerated().map { #"{"name": "stop \#($0.offset)", "minutes": \#($0.element)}"# }
        return #"{"version": 1, "stops": [\#(stops.joined(separator: ", "))]}"#
    }

    @Test("the first of two elements that fail with the same error is proved, then the other")
    func twoElements() throws {
        let chain = MigrationChain(Line.self)
        let first = try search(chain, stops([3, -4, 5, -6, 7]))
        #expect(first?.path == path("$.stops[1].minutes") && first?.certain == true)
        guard case .passes(let edit)? = first?.proof?.finding else {
            Issue.record("\(String(describing: first))")
            return
        }
        #expect(first?.proof?.ending == nil)
        let mended = try Document(json: stops([3, -4, 5, -6, 7])).applying([edit])
        let text = JSONWriter(layout: .compact).string(mended.root)
        let second = try search(chain, text)
        #expect(second?.path == path("$.stops[3].minutes") && second?.proof?.ending == .opens)
    }

    private struct Alarm: Codable { var hour: Int }
    private struct NewAlarm: Codable { var minutes: Int }

    @Test("each of two elements inside the string of one preference key is proved")
    func preferences() throws {
        let chain = MigrationChain(
            preferences: "Alarms",
            keys: [
                StoredPreference("alarms", [NewAlarm].self, storedAs: .native, from: [Alarm].self) { alarms in
                    guard alarms.allSatisfy({ (0..<24).contains($0.hour) }) else {
                        throw Refusal(description: "no hour")
                    }
                    return alarms.map { NewAlarm(minutes: $0.hour * 60) }
                }
            ])
        func found(_ hours: [Int]) throws -> MigrationFailure.Culprit? {
            let alarms = hours.map { #"{"hour": \#($0)}"# }.joined(separator: ", ")
            return try search(chain, Preferences.document(["alarms": "[\(alarms)]"]))
        }
        #expect(try found([7, 25, 8, 31])?.path == path("$.alarms[1].hour"))
        #expect(try found([7, 24, 8, 31])?.certain == true)
        let last = try found([7, 23, 8, 31])
        #expect(last?.path == path("$.alarms[3].hour") && last?.proof?.ending == .opens)
    }

    @Test("elements that fail only together are not proved")
    func together() throws {
        let found = try search(MigrationChain(Line.self), stops([60, 30, 40, 50, 20, 90]))
        #expect(found == nil || found?.certain == false)
    }

    // MARK: - Two values that must agree

    private struct Span: VersionedCodable {
        var start: Int
        static let version: Int? = 2
        typealias PreviousVersion = SpanV1
        init(from old: SpanV1) throws {
            guard old.start < old.end else { throw Refusal(description: "nothing in between") }
            guard old.password == old.again else { throw Refusal(description: "not the same") }
            start = old.start
        }
    }

    private struct SpanV1: VersionedCodable {
        var start: Int, end: Int, password: String, again: String
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
    }

    @Test("two values that do not agree are reported with the change that makes them agree")
    func agreement() throws {
        let chain = MigrationChain(Span.self)
        let order = try search(chain, #"{"version": 1, "start": 9, "end": 4, "password": "a", "again": "a"}"#)
        #expect([order?.path, order?.others.first] == [path("$.start"), path("$.end")])
        #expect(order?.proof?.agreement == .exchanged && order?.certain == false)
        #expect(order?.proofSentences.contains("passes with the two exchanged") == true)
        let equal = try search(chain, #"{"version": 1, "start": 3, "end": 4, "password": "abc", "again": "xyz"}"#)
        #expect(equal?.proof?.agreement == .equal)
    }

    private struct Trip: VersionedCodable {
        static let version: Int? = 2
        typealias PreviousVersion = TripV1
        var legs: [String]
        init(from old: TripV1) throws {
            guard old.legs.count == old.count else { throw Refusal(description: "the wrong number") }
            legs = old.legs
        }
    }

    private struct TripV1: VersionedCodable {
        var count: Int, legs: [String], name: String
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
    }

    @Test(
        "a number and the list whose elements it counts are reported together",
        arguments: [(1, 3), (2, 3), (4, 3), (5, 3), (8, 3), (1, 2), (2, 1), (40, 12), (3, 20)])
    func countOfList(count: Int, real: Int) throws {
        let legs = (0..<real).map { "\"leg \($0)\"" }.joined(separator: ", ")
        let found = try search(
            MigrationChain(Trip.self), #"{"version": 1, "count": \#(count), "name": "x", "legs": [\#(legs)]}"#)
        #expect(found?.path == path("$.count") && found?.others == [path("$.legs")] && found?.certain == false)
        #expect(found?.proof?.passing.map(\.root.wholeNumber) == [real])
    }

    private struct Lodging: VersionedCodable {
        static let version: Int? = 2
        typealias PreviousVersion = LodgingV1
        init(from old: LodgingV1) throws {
            guard old.name.count > 1 else { throw Refusal(description: "the name is too short") }
            guard old.start <= Double(old.end) else { throw Refusal(description: "start and end do not agree") }
            guard (0...297).contains(old.start) else { throw Refusal(description: "start is out of range") }
        }
    }

    private struct LodgingV1: VersionedCodable {
        var name: String, start: Double, end: Int
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
    }

    @Test("a value that gets past one check to the next one also counts as a cause, and is not listed as failing")
    func laterCheck() throws {
        let chain = MigrationChain(Lodging.self)
        let either = try search(chain, #"{"version": 1, "name": "Rose", "start": 0, "end": -1}"#)
        #expect(either?.path == path("$.end") && either?.others == [path("$.start")] && either?.certain == false)
        let start = try search(chain, #"{"version": 1, "name": "Rose", "start": 40.25, "end": 0}"#)
        #expect(start?.proof?.failing.contains { $0.root.wholeNumber == -1 } == false)
        // The failure of an earlier check says nothing about the values of later ones.
        let name = try search(chain, #"{"version": 1, "name": "", "start": 0, "end": 5}"#)
        #expect(name?.path == path("$.name") && name?.others == [] && name?.certain == true)
    }

    private struct Visit: Codable, FallbackDecodable {
        private struct V1: Codable { var name: String, start: Double, end: Int, lists: [String: [Int]]? }
        private struct V2: Codable { var title: String, from: Double, to: Int }
        var title: String, from: Double, to: Int

        static let shapes = [
            FallbackShape(V2.self) { Visit(title: $0.title, from: $0.from, to: $0.to) },
            FallbackShape(V1.self) { old in
                guard old.start <= Double(old.end) else { throw Refusal(description: "start and end do not agree") }
                guard (0...297).contains(old.start) else { throw Refusal(description: "start is out of range") }
                return Visit(title: old.name, from: old.start, to: old.end)
            },
        ]
    }

    @Test("a value of a shape that gets past one check to the next one also counts as a cause")
    func laterCheckOfShape() throws {
        let either = try search(MigrationChain(fallback: Visit.self), #"{"name": "Rose", "start": 0, "end": -1}"#)
        #expect(either?.path == path("$.end") && either?.others == [path("$.start")] && either?.certain == false)
        // If the document has many other values, they don't use up the runs that show this.
        let lists = (1...8).map { list in
            #""list\#(list)": [\#((1...8).map { "\(list * $0)" }.joined(separator: ", "))]"#
        }
        let found = try search(
            MigrationChain(fallback: Visit.self),
            #"{"name": "Rose", "start": 0, "end": -1, "lists": {\#(lists.joined(separator: ", "))}}"#)
        #expect(found?.path == path("$.end") && found?.others == [path("$.start")] && found?.certain == false)
    }

    private struct Person: Codable, FallbackDecodable {
        private struct V1: Codable { var name: String, email: String }
        private struct V2: Codable { var name: String, id: String }
        private enum CodingKeys: CodingKey { case name, id }
        var name: String, id: String

        static let shapes = [
            FallbackShape(V2.self) { Person(name: $0.name, id: $0.id) },
            FallbackShape(V1.self) { old in
                guard old.email.contains("@") else {
                    throw VersionedDecodingError.fieldNoLongerValid(
                        .init(codingPath: [CodingKeys.id], debugDescription: "An e-mail address has an @"))
                }
                return Person(name: old.name, id: old.email)
            },
        ]
    }

    private struct Crew: Codable, FallbackDecodable {
        private struct V1: Codable { var sailors: [Person] }
        private struct V2: Codable { var sailors: [Person], ship: String }
        var sailors: [Person], ship: String

        static let shapes = [
            FallbackShape(V2.self) { Crew(sailors: $0.sailors, ship: $0.ship) },
            FallbackShape(V1.self) { Crew(sailors: $0.sailors, ship: "") },
        ]
    }

    @Test("a field that only the later shape of a part has is no cause, even if adding it opens the document")
    func laterField() throws {
        func found(_ email: String) throws -> MigrationFailure.Culprit? {
            try search(
                MigrationChain(fallback: Crew.self),
                #"""
                {"sailors": [{"name": "B", "id": "2"}, {"name": "D", "email": "\#(email)"}, {"name": "C", "email": "c at x"}],
                 "ship": "Crewe"}
                """#)
        }
        #expect(try found("d@x")?.path == path("$.sailors[2].email"))
        #expect(try found("d@x")?.proof?.passing.contains { $0.root.string == "d@x" } == true)
        #expect(try found("d at x")?.path != path("$.sailors[1].id"))
    }

    private struct CatalogV1: VersionedCodable {
        enum State: String, Codable { case manual, stale, gone }
        struct Entry: Codable { var state: State }
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
        var strings: [String: Entry]
    }

    private struct Catalog: VersionedCodable {
        static let version: Int? = 2
        typealias PreviousVersion = CatalogV1
        var entries: [String: CatalogV1.Entry]
        init(from old: CatalogV1) throws {
            entries = old.strings
            guard !entries.values.contains(where: { $0.state == .gone }) else {
                throw VersionedDecodingError.fieldNoLongerValid(
                    .init(codingPath: [CodingKeys.entries], debugDescription: "no such state"))
            }
        }
    }

    @Test("the cases of an enum inside the values of a dictionary are tried")
    func casesInDictionary() throws {
        let found = try search(
            MigrationChain(Catalog.self), #"{"version": 1, "strings": {"a": {"state": "gone"}}}"#)
        #expect(found?.path == path("$.strings.a.state"))
        #expect(found?.proof?.passing.map(\.root.string) == ["manual", "stale"])
    }

    @Test("a value that no sibling shares is proved with a value of a field of the same name elsewhere")
    func namesakes() throws {
        let found = try search(
            MigrationChain(fallback: Boat.self),
            #"{"captain": {"name": "A", "email": "a@x"}, "cook": {"name": "C", "email": "c at x"}}"#)
        #expect(found?.path == path("$.cook.email") && found?.certain == true)
        #expect(found?.proof?.passing.map(\.root.string) == ["a@x"])
    }

    private struct Boat: Codable, FallbackDecodable {
        private struct Only: Codable { var captain: Person, cook: Person }
        var captain: Person, cook: Person
        static let shapes = [FallbackShape(Only.self) { Boat(captain: $0.captain, cook: $0.cook) }]
    }

    private struct Tent: Codable, FallbackDecodable {
        private struct V1: Codable { var keeper: Person }
        private struct V2: Codable { var host: Person }
        var host: Person

        static let shapes = [
            FallbackShape(V2.self) { Tent(host: $0.host) }, FallbackShape(V1.self) { Tent(host: $0.keeper) },
        ]
    }

    private struct Camp: Codable, FallbackDecodable {
        private struct V1: Codable { var field: String, tents: [Tent] }
        private struct V2: Codable { var place: String, tents: [Tent] }
        var place: String, tents: [Tent]

        static let shapes = [
            FallbackShape(V2.self) { Camp(place: $0.place, tents: $0.tents) },
            FallbackShape(V1.self) { Camp(place: $0.field, tents: $0.tents) },
        ]
    }

    @Test("a field that only the later shape of a part inside a part has is no cause")
    func laterFieldInside() throws {
        let found = try search(
            MigrationChain(fallback: Camp.self),
            #"""
            {"place": "Top", "tents": [{"host": {"name": "A", "id": "1"}},
                                       {"keeper": {"name": "E", "email": "e at x"}}]}
            """#)
        #expect(found?.path != path("$.tents[1].keeper.id"))
    }

    @Test("a field that only the later shape of a part has is no cause if the part is all that the document has")
    func laterFieldOfOnlyPart() throws {
        let found = try search(
            MigrationChain(fallback: Tent.self), #"{"keeper": {"name": "E", "email": "e at x"}}"#)
        #expect(found?.path != path("$.keeper.id"))
    }

    private struct Guest: Codable, FallbackDecodable {
        private struct V1: Codable { var nick: String, mail: String }
        private struct V2: Codable { var nick: String, email: String }
        private enum CodingKeys: CodingKey { case nick, email }
        var nick: String, email: String

        static let shapes = [
            FallbackShape(V2.self) { Guest(nick: $0.nick, email: $0.email) },
            FallbackShape(V1.self) { old in
                guard old.mail.contains("@") else { throw Refusal(description: "An e-mail address has an @") }
                return Guest(nick: old.nick, email: old.mail)
            },
        ]
    }

    private struct Party: Codable { var guests: [Guest] }

    @Test("a rename that only turns a part into its later shape is no repair")
    func renamedToLaterShape() throws {
        let chain = MigrationChain(named: "Party", shapes: ShapeVersions(Party.self))
        let found = try search(chain, #"{"guests": [{"nick": "E", "mail": "e at x"}]}"#)
        #expect(found?.proof?.repair == nil)
        let mended = try search(
            chain, #"{"guests": [{"nick": "E", "mail": "e at x"}, {"nick": "F", "mail": "f@x"}]}"#)
        #expect(mended?.path == path("$.guests[0].mail") && mended?.proof?.repair == nil)
    }

    private struct Team: VersionedCodable {
        var members: [String]
        static let version: Int? = 2
        typealias PreviousVersion = TeamV1
        init(from old: TeamV1) throws {
            for one in old.team where one.code != "8c1f-77" { throw Refusal(description: "Not every code is right") }
            members = old.team.map(\.name)
        }
    }

    private struct TeamV1: VersionedCodable {
        struct One: Codable { var name: String, code: String }
        var team: [One]
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
    }

    @Test("a list is not proved to be the cause by passing without any of its elements")
    func emptiedList() throws {
        let chain = MigrationChain(Team.self)
        for codes in [["a"], ["a", "b"], ["a", "b", "c"]] {
            let team = codes.map { #"{"name": "\#($0)", "code": "\#($0)"}"# }.joined(separator: ", ")
            let found = try search(chain, #"{"version": 1, "team": [\#(team)]}"#)
            #expect(found?.certain != true, "\(String(describing: found))")
        }
    }

    private struct Load: VersionedCodable {
        var total: Int
        static let version: Int? = 2
        typealias PreviousVersion = LoadV1
        init(from old: LoadV1) throws {
            total = old.parcels.reduce(0) { $0 + $1.weight }
            guard total <= old.most else { throw Refusal(description: "\(total) is too much") }
        }
    }

    private struct LoadV1: VersionedCodable {
        struct Parcel: Codable { var weight: Int }
        var most: Int, parcels: [Parcel]
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
    }

    @Test("a list element is not blamed for a sum that each of the others makes too large")
    func sum() throws {
        let parcels = [50, 19, 98, 99].map { #"{"weight": \#($0)}"# }.joined(separator: ", ")
        let found = try search(
            MigrationChain(Load.self), #"{"version": 1, "most": 2, "parcels": [\#(parcels)]}"#)
        #expect(found?.proof == nil || found?.path == path("$.most"), "\(String(describing: found))")
    }

    private struct Sum: VersionedCodable {
        var total: Int
        static let version: Int? = 2
        typealias PreviousVersion = SumV1
        init(from old: SumV1) throws {
            guard old.total == old.expected else { throw Refusal(description: "\(old.total) is not right") }
            total = old.total
        }
    }

    private struct SumV1: VersionedCodable {
        var total: Int, expected: Int, other: Int
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
    }

    @Test("neither of two numbers that must be equal is proved by itself, although the message quotes one")
    func equalNumbers() throws {
        let found = try search(
            MigrationChain(Sum.self), #"{"version": 1, "total": 734, "expected": 5512, "other": 5512}"#)
        let places = try #require(found.map { [$0.path] + $0.others })
        #expect(Set(places) == [path("$.total"), path("$.expected")] && found?.certain == false)
        #expect(found?.proof?.agreement == .equal || found?.proof?.agreement == .exchanged)
    }

    private struct Stay: VersionedCodable {
        var from: String
        static let version: Int? = 2
        typealias PreviousVersion = StayV1
        init(from old: StayV1) throws {
            guard old.from <= old.until else { throw Refusal(description: "\(old.from) is too late") }
            from = old.from
        }
    }

    private struct StayV1: VersionedCodable {
        var from: String, until: String
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
    }

    @Test("two days that must be in order are both reported as possible causes")
    func orderedDays() throws {
        let found = try search(
            MigrationChain(Stay.self), #"{"version": 1, "from": "2024-05-01", "until": "2024-01-31"}"#)
        let places = try #require(found.map { [$0.path] + $0.others })
        #expect(Set(places) == [path("$.from"), path("$.until")] && found?.certain == false)
    }

    private struct Range: VersionedCodable {
        var low: Int
        static let version: Int? = 2
        typealias PreviousVersion = RangeV1
        init(from old: RangeV1) throws {
            guard old.low <= old.high else {
                throw VersionedDecodingError.fieldNoLongerValid(
                    .init(codingPath: [CodingKeys.low], debugDescription: "low and high do not agree"))
            }
            low = old.low
        }
    }

    private struct RangeV1: VersionedCodable {
        var low: Int, high: Int
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
    }

    @Test("two values that do not agree are both reported, the one that the error names first")
    func named() throws {
        let found = try search(MigrationChain(Range.self), #"{"version": 1, "low": 900, "high": 77}"#)
        #expect(found?.path == path("$.low") && found?.others == [path("$.high")] && found?.certain == false)
    }

    private struct Account: VersionedCodable {
        var total: Int
        static let version: Int? = 2
        typealias PreviousVersion = AccountV1
        init(from old: AccountV1) throws {
            total = old.entries.reduce(0) { $0 + $1.amount }
            guard total == old.expected else { throw Refusal(description: "the total is another") }
        }
    }

    private struct AccountV1: VersionedCodable {
        struct Entry: Codable { var amount: Int }
        var expected: Int, entries: [Entry]
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
    }

    @Test("a list element is not blamed for a sum that is not the expected one", arguments: [0, 2])
    func unequalSum(expected: Int) throws {
        let entries = [9, 1, 67].map { #"{"amount": \#($0)}"# }.joined(separator: ", ")
        let found = try search(
            MigrationChain(Account.self), #"{"version": 1, "expected": \#(expected), "entries": [\#(entries)]}"#)
        #expect(found?.proof == nil || found?.path == path("$.expected"), "\(String(describing: found))")
    }

    private struct Walk: VersionedCodable {
        var steps: [Int]
        static let version: Int? = 2
        typealias PreviousVersion = WalkV1
        init(from old: WalkV1) throws {
            let tracks = old.tracks.filter { $0.weight < 60 }
            for (place, track) in tracks.enumerated() {
                for (index, page) in track.pages.enumerated() where page.code > 9 {
                    throw VersionedDecodingError.fieldNoLongerValid(
                        .init(
                            codingPath: [Place("tracks"), Place(place), Place("pages"), Place(index), Place("code")],
                            debugDescription: "no code"))
                }
            }
            steps = tracks.flatMap(\.pages).map(\.code)
        }
    }

    private struct WalkV1: VersionedCodable {
        struct Page: Codable { var code: Int }
        struct Track: Codable { var weight: Int, pages: [Page] }
        var tracks: [Track]
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
    }

    private struct Place: CodingKey {
        let stringValue: String
        let intValue: Int?
        init(_ name: String) { (stringValue, intValue) = (name, nil) }
        init(_ position: Int) { (stringValue, intValue) = ("\(position)", position) }
        init(stringValue: String) { self.init(stringValue) }
        init(intValue: Int) { self.init(intValue) }
    }

    @Test("the first of several failing elements is blamed, not the value that would skip the only list around them")
    func onlyElement() throws {
        let found = try search(
            MigrationChain(Walk.self),
            #"{"version": 1, "tracks": [{"weight": 15, "pages": [{"code": 1}, {"code": 38}, {"code": 61}]}]}"#)
        let places = try #require(found.map { [$0.path] + $0.others })
        #expect(places.first == path("$.tracks[0].pages[1].code"))
    }

    private struct Ring: VersionedCodable {
        var stops: [Int]
        static let version: Int? = 2
        typealias PreviousVersion = LineV1
        init(from old: LineV1) throws {
            throw VersionedDecodingError.fieldNoLongerValid(
                .init(codingPath: [Place("stops"), Place(1), Place("minutes")], debugDescription: "invalid stop"))
        }
    }

    @Test("an element named by an app's own coding key is reported by its position")
    func ownKey() throws {
        let text = #"{"version": 1, "stops": [{"name": "a", "minutes": 4}, {"name": "b", "minutes": -1}]}"#
        let failure = try #require(MigrationChain(Ring.self).trace(Document(json: text)).failure)
        #expect(failure.path == path("$.stops[1].minutes") && failure.culprit?.path == path("$.stops[1].minutes"))
    }

    private struct AnyKey: CodingKey {
        let stringValue: String
        let intValue: Int?
        init(_ name: String, _ number: Int? = nil) { (stringValue, intValue) = (name, number) }
        init(stringValue: String) { self.init(stringValue) }
        init(intValue: Int) { self.init("\(intValue)", intValue) }
    }

    private struct Tour: VersionedCodable {
        var stops: Int
        static let version: Int? = 2
        typealias PreviousVersion = TourV1
        init(from old: TourV1) throws {
            let number = old.spelling == "member" ? 1 : old.isNumbered ? 1 : nil as Int?
            throw VersionedDecodingError.fieldNoLongerValid(
                .init(
                    codingPath: [AnyKey("tourStops"), AnyKey(old.spelling, number), AnyKey("minutes")],
                    debugDescription: "invalid stop"))
        }
    }

    private struct TourV1: VersionedCodable {
        struct Stop: Codable { var minutes: Int, member: Int? }
        var spelling: String, isNumbered: Bool, tourStops: [Stop]
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
    }

    @Test("an element is reported by its position for any name of its key, also under a key strategy")
    func anySpelling() throws {
        let reader = JSONDecoder()
        reader.keyDecodingStrategy = .convertFromSnakeCase
        let chain = MigrationChain(Tour.self, decoding: DecodingStrategies(matching: reader))
        for (spelling, isNumbered, place) in [
            ("Index 1", false, "[1]"), ("index 1", false, "[1]"), ("1", false, "[1]"), ("[1]", false, "[1]"),
            ("stop", true, "[1]"), ("", true, "[1]"), ("_1", true, "[1]"),
            // Without a number it is a name, and so is the name of a member in a path without the position.
            ("stop", false, ".stop"), ("member", true, ".member"),
        ] {
            let text = """
                {"version": 1, "spelling": "\(spelling)", "is_numbered": \(isNumbered), "tour_stops": [{"minutes": 4},
                 {"minutes": -1, "member": 1}]}
                """
            let failure = try #require(chain.trace(Document(json: text)).failure)
            #expect(failure.path == path("$.tourStops\(place).minutes"), "\(spelling)")
            guard place == "[1]" else { continue }
            #expect(failure.culprit?.path == path("$.tour_stops[1].minutes"), "\(spelling)")
            #expect(failure.location?.line == 2 && failure.location?.column == 14, "\(spelling)")
        }
    }

    // MARK: - References

    private struct Book: Versionable {
        enum Version: Int, VersionType {
            case v1 = 1
            case v2 = 2
        }
        var owners: [String]
        var version: Version = Self.version

        static func migrate(to version: Version) -> Migration {
            switch version {
            case .v1: .none
            case .v2:
                .migrate { payload in
                    let accounts = payload["accounts"] as? [[String: Any]] ?? []
                    payload["owners"] = try (payload["entries"] as? [[String: Any]] ?? []).map { entry in
                        let id = entry["account"] as? String ?? ""
                        guard let account = accounts.first(where: { $0["id"] as? String == id }) else {
                            throw Refusal(description: "nobody is known as '\(id)'")
                        }
                        return account["owner"] as? String ?? ""
                    }
                }
            }
        }
    }

    @Test(
        "a misspelled name is repaired with the name that its siblings have, even if no type is known",
        arguments: ["Id", "iid"])
    func misspeltInSibling(name: String) throws {
        let found = try search(
            MigrationChain(Book.self),
            """
            {"version": 1, "entries": [{"account": "a"}, {"account": "b"}],
             "accounts": [{"id": "a", "owner": "Ada"}, {"\(name)": "b", "owner": "Bob"}]}
            """)
        #expect(found?.path == path("$.accounts[1].\(name)"))
        #expect(found?.proof?.repair == .rename(path("$.accounts[1].\(name)"), to: "id"))
    }

    @Test("a value that the message calls missing may be wrong in another field")
    func quotedElsewhere() throws {
        let found = try search(
            MigrationChain(Book.self),
            """
            {"version": 1, "entries": [{"account": "p1"}, {"account": "p2"}, {"account": "p2"}],
             "accounts": [{"id": "p1", "owner": "Ada"}, {"id": "2p", "owner": "Bob"}]}
            """)
        let places = found.map { [$0.path] + $0.others } ?? []
        #expect(places.contains(path("$.accounts[1].id")))
    }

    @Test("a value quoted in the message is tried first in other fields, however many there are")
    func quotedAmongMany() throws {
        let entries = (0..<120).map { #"{"account": "p1", "note": "n\#($0)", "place": "s\#($0)"}"# }
        let found = try search(
            MigrationChain(Book.self),
            """
            {"version": 1, "entries": [\(entries.joined(separator: ", ")), {"account": "p2"}, {"account": "p2"}],
             "accounts": [{"id": "p1", "owner": "Ada"}, {"id": "2p", "owner": "Bob"}]}
            """)
        #expect(found?.path == path("$.accounts[1].id") && found?.proof?.ending == .opens)
    }

    @Test("an identifier of another kind than its siblings' is among the possible causes")
    func otherKind() throws {
        let found = try search(
            MigrationChain(Book.self),
            """
            {"version": 1, "entries": [{"account": "1"}, {"account": "2"}],
             "accounts": [{"id": "1", "owner": "Ada"}, {"id": 2, "owner": "Bob"}, {"id": "3", "owner": "Cy"}]}
            """)
        let places = found.map { [$0.path] + $0.others } ?? []
        #expect(places.contains(path("$.accounts[1].id")))
    }

    private struct Till: Versionable {
        enum Version: Int, VersionType {
            case v1 = 1
            case v2 = 2
        }
        var total: Double
        var version: Version = Self.version

        static func migrate(to version: Version) -> Migration {
            guard version == .v2 else { return .none }
            return .migrate { payload in
                var total = 0.0
                for (index, entry) in (payload["entries"] as? [[String: Any]] ?? []).enumerated() {
                    if entry["void"] as? Bool == true { continue }
                    guard let amount = entry["amount"] as? Double else {
                        throw Refusal(description: "entry \(index) has no amount")
                    }
                    guard ["in", "out"].contains(entry["kind"] as? String) else {
                        throw Refusal(description: "entry \(index) is neither in nor out")
                    }
                    total += amount
                }
                payload["total"] = total
            }
        }
    }

    @Test("a value that only decides whether a value of another kind is checked is not proved by itself")
    func otherKindBehindSwitch() throws {
        let found = try search(
            MigrationChain(Till.self),
            """
            {"version": 1, "entries": [{"amount": 5, "kind": "in"}, {"amount": 6, "kind": 8, "void": false}]}
            """)
        #expect(found?.path == path("$.entries[1].kind"))
    }

    @Test("a Boolean that only a sibling has is not proved if it merely skips the failing value")
    func absentSwitch() throws {
        let found = try search(
            MigrationChain(Till.self),
            """
            {"version": 1, "entries": [{"amount": 5, "kind": "uot"}, {"amount": 6, "kind": "out", "void": true}]}
            """)
        #expect(found?.path == path("$.entries[0].kind"))
    }

    @Test("both sides of a failed lookup are possible causes: the reference and the identifier in the other list")
    func lookedUp() throws {
        let found = try search(
            MigrationChain(Book.self),
            """
            {"version": 1, "entries": [{"account": "a7"}, {"account": "a8"}],
             "accounts": [{"id": "a7", "owner": "Ada"}, {"id": "a80", "owner": "Bob"}]}
            """)
        let places = found.map { [$0.path] + $0.others } ?? []
        #expect(places.contains(path("$.entries[1].account")) && places.contains(path("$.accounts[1].id")))
    }

    @Test("a Boolean in a string is a possible cause if reading it as a Boolean skips the failing value")
    func spelledSwitch() throws {
        let found = try search(
            MigrationChain(Till.self),
            """
            {"version": 1, "entries": [{"amount": 5, "kind": "in"}, {"amount": 6, "kind": "off", "void": "true"}]}
            """)
        let places = found.map { [$0.path] + $0.others } ?? []
        #expect(places.contains(path("$.entries[1].void")))
    }

    @Test("a name in the message repairs a name that is misspelled in all elements")
    func misspeltInAll() throws {
        let text = #"{"version": 1, "entries": [{"mount": 5, "kind": "in"}, {"mount": 1, "kind": "out"}]}"#
        let found = try search(MigrationChain(Till.self), text)
        #expect(found?.path == path("$.entries[0].mount"))
        #expect(found?.proof?.repair == .rename(path("$.entries[0].mount"), to: "amount"))
    }

    private struct Club: Versionable {
        enum Version: Int, VersionType {
            case v1 = 1
            case v2 = 2
        }
        struct Item: Codable { var genre: Bool, width: String }
        struct Player: Codable { var window: Bool, items: [Item] }
        var players: [Player]
        var version: Version = Self.version

        static func migrate(to version: Version) -> Migration {
            guard version == .v2 else { return .none }
            return .migrate { payload in
                let players = payload["players"] as? [[String: Any]] ?? []
                payload["players"] = Array(players.filter { $0["window"] as? Bool != true }.reversed())
            }
        }
    }

    @Test("a null in a list that is filtered and reversed is blamed, not the value that would filter out its element")
    func nullInReversedList() throws {
        let found = try search(
            MigrationChain(Club.self),
            """
            {"version": 1, "players": [
             {"window": false, "items": [{"genre": true, "width": "1-2"}, {"genre": null, "width": "3-4"}]},
             {"window": false, "items": [{"genre": true, "width": "5-6"}, {"genre": false, "width": "7-8"}]},
             {"window": true, "items": []}]}
            """)
        #expect(found?.path == path("$.players[0].items[1].genre") && found?.others == [])
    }
}
