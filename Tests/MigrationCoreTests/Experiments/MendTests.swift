import DocumentModel
import Foundation
import Testing

@testable import MigrationCore

/// What a search finds behind a failure: each proof is a run of the chain.
@Suite("What mends a document")
struct MendTests {
    private func search(
        _ chain: MigrationChain, _ text: String, _ check: ((MigrationTrace) -> Void)? = nil
    ) throws -> MigrationFailure.Culprit? {
        try search(chain, Document(json: text), check)
    }

    private func search(
        _ chain: MigrationChain, _ document: Document, _ check: ((MigrationTrace) -> Void)? = nil
    ) throws -> MigrationFailure.Culprit? {
        let trace = chain.trace(document)
        try #require(trace.failure != nil)
        check?(trace)
        let versions = trace.detection.version.map { [$0] } ?? trace.versions.map(\.version).reversed()
        let outlines = versions.compactMap { chain.outline(of: $0) }
        var search = CulpritSearch(trace, outlines: outlines) { experiment in
            let result = chain.trace(try (experiment.sample ?? document).applying(experiment.edits))
            return ExperimentOutcome(
                result.failures, version: result.detection.version,
                dropped: result.leftOver == nil ? nil : result.dropped)
        }
        return try search?.culprit()
    }

    private func path(_ text: String) -> DocumentPath { DocumentPath(text) ?? .root }

    private func texts(_ documents: [Document]?) -> [String] { documents?.compactMap(\.root.string) ?? [] }

    private struct Refusal: Error, CustomStringConvertible { var description: String }

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

    @Test("a field that may be missing, and is, is added with each case of its type, though the error names nothing")
    func absentCase() throws {
        let found = try search(
            MigrationChain(Ticket.self), #"{"version": 1, "material": "paper", "width": 600, "isPaid": true}"#)
        #expect(found?.path == path("$.seat") && found?.certain == true)
        #expect(texts(found?.proof?.passing) == ["aisle", "window"] && found?.proof?.repair == nil)
    }

    @Test("a missing field whose type has one value only is repaired with it")
    func onlyCase() throws {
        let found = try search(
            MigrationChain(Ticket.self), #"{"version": 1, "seat": "aisle", "width": 600, "isPaid": true}"#)
        #expect(found?.proof?.finding == .repair(.add(path("$.material"), Document(text: "paper"))))
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

    @Test("a field that may be missing and is misspelt is renamed")
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

    @Test("a case that the newest version lost is proved by the others, and none of them is taken for its repair")
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

    @Test("a misspelt case with values is renamed")
    func caseWithValues() throws {
        let found = try search(MigrationChain(Drawing.self), #"{"version": 1, "shape": {"sqaure": {"side": 2}}}"#)
        #expect(found?.proof == CulpritProof(.repair(.rename(path("$.shape.sqaure"), to: "square")), .opens))
    }

    @Test("a misspelt key of a dictionary by an enum is named with the keys that there are, and renamed")
    func dictionaryKey() throws {
        let text = #"{"version": 1, "shape": {"circle": {"radius": 2}}, "crew": {"captian": "Ada", "cook": "Bob"}}"#
        let found = try search(MigrationChain(Drawing.self), text) { trace in
            #expect(trace.failure?.message == "\"captian\" is not a value of Role; its values are captain and cook")
            #expect(trace.failure?.kind == .dataCorrupted)
        }
        #expect(found?.proof == CulpritProof(.repair(.rename(path("$.crew.captian"), to: "captain")), .opens))
        // A name that is like none of them: which one it should be is not known.
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

    @Test("a number in place of a date is offered as the date of each epoch, and never repaired")
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

    @Test("a time without a zone says so and passes as that of UTC")
    func noZone() throws {
        let proof = try meeting(#""2022-06-10T08:00:00""#, .iso8601) { trace in
            #expect(trace.failure?.message.contains("there is no zone") == true)
        }
        #expect(proof?.finding == .passes(.set(path("$.at"), Document(text: "2022-06-10T08:00:00Z"))))
    }

    @Test(
        "a date of another form with one reading is repaired, in the form that the chain reads",
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

    @Test("a date whose day and month may be exchanged passes as either")
    func dayAndMonth() throws {
        let proof = try meeting(#""01/02/2022""#, .iso8601)
        #expect(texts(proof?.passing) == ["2022-02-01T00:00:00Z", "2022-01-02T00:00:00Z"] && proof?.repair == nil)
        #expect(texts(try meeting(#""31/12/2022""#, .iso8601)?.passing) == ["2022-12-31T00:00:00Z"])
    }

    @Test("the form that an app's own strategy reads is found by trying")
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

    @Test("of two elements that fail with one error the first is proved, then the other")
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

    @Test("of two elements inside the string of one key of preferences each is proved")
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

    @Test("of elements that fail only together none is proved")
    func together() throws {
        let found = try search(MigrationChain(Line.self), stops([60, 30, 40, 50, 20, 90]))
        #expect(found == nil || found?.certain == false)
    }

    // MARK: - Repairs that lose

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

    @Test("a version is repaired where the fields of one version alone fit whole")
    func versions() throws {
        let chain = MigrationChain(Shelf.self)
        let version = path("$.version")
        // Not known to the chain, of another kind, missing, and another than it says.
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

    @Test("a version is not repaired where several fit, or a field would be dropped")
    func noVersion() throws {
        let chain = MigrationChain(Shelf.self)
        let several = try search(chain, #"{"version": 9, "title": "t"}"#)
        #expect(several?.proof?.repair == nil && several?.proof?.passing.count == 2)
        let dropping = try search(chain, #"{"version": 2, "title": "t", "colour": "red"}"#)
        #expect(dropping?.path == path("$.place"))
    }

    @Test("a change of the version is written as one, and read again")
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
            // Older apps wrote another name, which is read with the label.
            if grams == nil, container.contains(.label) { _ = try container.decode(String.self, forKey: .label) }
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encodeIfPresent(grams, forKey: .grams)
        }
    }

    @Test("a change with which another field is dropped is no repair")
    func drops() throws {
        let found = try search(MigrationChain(Jar.self), #"{"version": 1, "label": "plum", "grms": 3}"#)
        #expect(found?.proof != nil && found?.proof?.repair == nil)
        let whole = try search(MigrationChain(Jar.self), #"{"version": 1, "grms": 3}"#)
        #expect(whole?.proof?.repair == .rename(path("$.grms"), to: "grams"))
    }

    // MARK: - Two values that agree

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

    @Test("of two values that do not agree it is said with what they would")
    func agreement() throws {
        let chain = MigrationChain(Span.self)
        let order = try search(chain, #"{"version": 1, "start": 9, "end": 4, "password": "a", "again": "a"}"#)
        #expect([order?.path, order?.others.first] == [path("$.start"), path("$.end")])
        #expect(order?.proof?.agreement == .exchanged && order?.certain == false)
        #expect(order?.proofSentences.contains("passes with the two exchanged") == true)
        let equal = try search(chain, #"{"version": 1, "start": 3, "end": 4, "password": "abc", "again": "xyz"}"#)
        #expect(equal?.proof?.agreement == .equal)
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

    @Test(
        "what passes one check and fails at the next one is to blame as well, and no value with which the first fails")
    func laterCheck() throws {
        let chain = MigrationChain(Lodging.self)
        let either = try search(chain, #"{"version": 1, "name": "Rose", "start": 0, "end": -1}"#)
        #expect(either?.path == path("$.end") && either?.others == [path("$.start")] && either?.certain == false)
        let start = try search(chain, #"{"version": 1, "name": "Rose", "start": 40.25, "end": 0}"#)
        #expect(start?.proof?.failing.contains { $0.root.wholeNumber == -1 } == false)
        // What is looked at before says nothing of it.
        let name = try search(chain, #"{"version": 1, "name": "", "start": 0, "end": 5}"#)
        #expect(name?.path == path("$.name") && name?.others == [] && name?.certain == true)
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

    @Test("an element of a list is not to blame for a sum that is too large with each of the others")
    func sum() throws {
        let parcels = [50, 19, 98, 99].map { #"{"weight": \#($0)}"# }.joined(separator: ", ")
        let found = try search(
            MigrationChain(Load.self), #"{"version": 1, "most": 2, "parcels": [\#(parcels)]}"#)
        #expect(found?.proof == nil || found?.path == path("$.most"), "\(String(describing: found))")
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

    @Test("an older version with which a closure makes up what is wrong is no repair, as long as fields stay unread")
    func madeUp() throws {
        let found = try search(MigrationChain(Tin.self), #"{"version": 2, "label": [5], "color": "red"}"#)
        #expect(found?.path == path("$.label") && found?.proof?.repair == nil)
    }

    // MARK: - No shape fits

    private struct BoxV1: Codable { let wheel: String, city: Int, crates: [Crate] }
    private struct Crate: Codable { let weight: String, planet: Int }
    private struct Box: Codable { let city: Int, rank: String, crates: [Double] }

    @Test("of a document that no shape fits, the misspelt name of an older shape is found, and what that shape lacks")
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

    @Test("of two numbers that have to be equal neither is proved alone, though the message quotes one")
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

    @Test("of two days that have to be in order neither decides whether the other is looked at")
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

    @Test("of two values that do not agree both are told, the one first that the error names")
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

    @Test("an element of a list is not to blame for a sum that is not what it should be", arguments: [0, 2])
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

    @Test(
        "what fails in several elements of a list in the only element of another is not blamed on what leaves that out")
    func onlyElement() throws {
        let found = try search(
            MigrationChain(Walk.self),
            #"{"version": 1, "tracks": [{"weight": 15, "pages": [{"code": 1}, {"code": 38}, {"code": 61}]}]}"#)
        let places = try #require(found.map { [$0.path] + $0.others })
        #expect(places.first == path("$.tracks[0].pages[1].code"))
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

    @Test("what a closure moves to where the error is, is to blame, not what stands there in the document")
    func reversed() throws {
        let found = try search(MigrationChain(Palette.self), #"{"version": 1, "hues": ["vilet", "green", "red"]}"#)
        #expect(found?.proof == nil || found?.path == path("$.hues[0]"), "\(String(describing: found))")
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

    @Test("a value lets a closure pass, though what that makes does not decode")
    func undecoded() throws {
        let dear = try search(MigrationChain(Offer.self), #"{"version": 1, "price": 500, "open": true}"#)
        #expect(dear?.path == path("$.price") && dear?.certain == true)
        let closed = try search(MigrationChain(Offer.self), #"{"version": 1, "price": 5, "open": null}"#)
        #expect(closed?.path == path("$.open") && closed?.certain == true)
    }

    // MARK: - Several shapes

    private struct RoadV1: Codable { let depth: Double, plate: Double, name: String }
    private struct Road: Codable { let street: String, name: String }

    @Test("of a document that no shape fits, that shape is meant that leaves the fewest fields unread")
    func fewestUnread() throws {
        let chain = MigrationChain(
            named: "Road",
            shapes: ShapeVersions(RoadV1.self).then(Road.self) { Road(street: "\($0.depth)", name: $0.name) })
        let found = try search(chain, #"{"depth": 4.5, "name": "Mill"}"#)
        #expect(found?.path == path("$.plate") && found?.others == [])
    }

    private struct TownV1: Codable { var day: String, gate: Bool, plate: String }
    private struct Town: Codable { var gate: Bool, plate: String, month: String, year: String }

    @Test("of a document that no shape fits, no field is missing that only another shape has")
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

    @Test("of a document that no shape fits, the misspelt name of an object is found", arguments: ["Point", "piont"])
    func misspeltObject(name: String) throws {
        let chain = MigrationChain(
            named: "Port",
            shapes: ShapeVersions(PortV1.self).then(Port.self) {
                Port(title: $0.title, position: "\($0.point.lat) \($0.point.lng)", day: 0, score: 0)
            })
        let found = try search(chain, #"{"title": "Dock", "\#(name)": {"lat": 50, "lng": 4}}"#)
        #expect(found?.proof == CulpritProof(.repair(.rename(path("$.\(name)"), to: "point")), .opens))
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

    @Test("the name that other records have mends a misspelt one, though no type is known", arguments: ["Id", "iid"])
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

    @Test("what the message says is missing may be missing in another field")
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

    @Test("what all siblings have is no repair of an element that then lacks something else")
    func unfittingMember() throws {
        let meals = #"{"type": "meal", "menu": "Pasta"}, {"type": "meal", "menu": "Soup"}"#
        func found(_ element: String) throws -> MigrationFailure.Culprit? {
            try search(MigrationChain(Fair.self), #"{"version": 1, "extras": [\#(meals), \#(element)]}"#)
        }
        let tour = try found(#"{"guide": "Ada"}"#)
        #expect(tour?.path == path("$.extras[2].type") && tour?.proof?.repair == nil)
        let meal = try found(#"{"menu": "Rice"}"#)
        #expect(meal?.proof?.repair != nil && meal?.proof?.ending == .opens)
    }
}
