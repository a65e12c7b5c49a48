import DocumentModel
import Foundation
import Testing

@testable import MigrationCore

@Suite("The outline of a version")
struct VersionOutlineTests {
    private func text(_ outline: VersionOutline) -> [String] {
        outline.fields.map { field in
            var text = "\(field.path) \(field.writtenType ?? "?")"
            if !field.choices.isEmpty {
                text += " \(field.choices.map { JSONWriter().string($0.root) }.joined(separator: "|"))"
            }
            return text
        } + (outline.isComplete ? [] : ["…"])
    }

    private func outline(of type: any Decodable.Type) -> [String] { text(VersionOutline(of: type, userInfo: [:])) }

    @Test("an outline has the fields at every depth with their types, including optional ones")
    func nested() {
        struct Voyage: Decodable {
            var name: String
            var crew: [Sailor]
            var cargo: [String: Double]
            var length: Int?
            var captain: Sailor?
            struct Sailor: Decodable {
                var name: String
                var born: Date?
                var ports: [[String]]
            }
        }
        #expect(
            outline(of: Voyage.self) == [
                "$.name String", "$.crew [Sailor]", "$.crew[*].name String", "$.crew[*].born Date?",
                "$.crew[*].ports [[String]]", "$.cargo [String: Double]", "$.length Int?", "$.captain Sailor?",
                "$.captain.name String", "$.captain.born Date?", "$.captain.ports [[String]]",
            ])
    }

    @Test("an outline has the fields of array elements and dictionary values, even at the root")
    func collections() {
        struct Stop: Decodable { var name: String, hands: [String: [Hand]]? }
        struct Hand: Decodable { var age: Int }
        let fields = ["name String", "hands [String: [Hand]]?", "hands.*[*].age Int"]
        #expect(outline(of: [Stop].self) == fields.map { "$[*].\($0)" })
        #expect(outline(of: [Int: Stop].self) == fields.map { "$.*.\($0)" })
        #expect(outline(of: [String: [Stop]].self) == fields.map { "$.*[*].\($0)" })
        #expect(outline(of: [String: Int].self) == [])
    }

    @Test(
        "an outline has the fields of dictionary values, however a dictionary with keys that are no strings is encoded")
    func keysOfDictionaries() {
        enum Day: String, Codable { case monday, sunday }
        enum Name: String, Codable, CodingKeyRepresentable { case bow, stern }
        struct Deck: Decodable { var hands: Int }
        struct Ship: Decodable {
            var watches: [Day: Deck], decks: [Name: Deck], cabins: [Int: [Day: Deck]], flags: [UUID: Bool]?
        }
        #expect(
            outline(of: Ship.self) == [
                "$.watches [Day: Deck]", "$.watches[*].hands Int", "$.decks [Name: Deck]", "$.decks.*.hands Int",
                "$.cabins [Int: [Day: Deck]]", "$.cabins.*[*].hands Int", "$.flags [UUID: Bool]?",
            ])
        #expect(outline(of: [Day: Deck].self) == ["$[*].hands Int"])
        #expect(outline(of: [Name: Deck].self) == ["$.*.hands Int"])
    }

    @Test("optional fields of all standard types have their types in the outline")
    func optionals() {
        struct Optionals: Decodable {
            var a: Bool?, b: String?, c: Double?, d: Float?, e: Int?, f: Int8?, g: Int16?, h: Int32?, i: Int64?
            var j: UInt?, k: UInt8?, l: UInt16?, m: UInt32?, n: UInt64?
        }
        let types = "Bool String Double Float Int Int8 Int16 Int32 Int64 UInt UInt8 UInt16 UInt32 UInt64"
        #expect(
            outline(of: Optionals.self)
                == zip("abcdefghijklmn", types.split(separator: " ")).map { "$.\($0) \($1)?" })
    }

    @Test("an outline lists the raw values of an enum as documents store them, even inside arrays and dictionaries")
    func choices() {
        enum Word: String, Decodable {
            case love, meh
            case hate = "loathe"
        }
        enum Number: Int, Decodable {
            case seven = 7
            case minusOne = -1
        }
        enum Half: Double, Decodable, CaseIterable { case half = 0.5 }
        enum Digit: String, Decodable { case one = "1" }
        enum Only: String, Decodable { case only }
        enum Plain: Decodable { case first, second }
        struct Rated: Decodable {
            var word: Word
            var number: Number?
            var only: Only
            var words: [Word]
            var plain: Plain
            var half: Half
            var digit: Digit
            var byName: [String: Word]
        }
        #expect(
            outline(of: Rated.self) == [
                #"$.word Word "love"|"meh"|"loathe""#, "$.number Number? 7|-1", #"$.only Only "only""#,
                "$.words [Word]",
                #"$.words[*] Word "love"|"meh"|"loathe""#, "$.plain Plain", "$.plain.first ?", "$.plain.second ?",
                "$.half Half 0.5", #"$.digit Digit "1""#, "$.byName [String: Word]",
                #"$.byName.* Word "love"|"meh"|"loathe""#,
            ])
    }

    @Test("an outline knows the fields and the values inside each member of a dictionary")
    func members() throws {
        enum State: String, Decodable { case manual, stale }
        struct Entry: Decodable { var state: State, notes: [String: Int] }
        struct Catalog: Decodable { var strings: [String: Entry], lists: [String: [Entry]] }
        let outline = VersionOutline(of: Catalog.self, userInfo: [:])
        let inside = try #require(DocumentPath("$.strings['a.b'].state"))
        #expect(outline[inside]?.choices.map(\.root.string) == ["manual", "stale"])
        #expect(outline.names(inside: try #require(DocumentPath("$.lists.x[3]"))) == ["state", "notes"])
        #expect(outline[try #require(DocumentPath("$.strings.x.y"))] == nil)
    }

    @Test("an outline ends in a type that reads any document, however deep")
    func generic() {
        struct Folder: Decodable { var pages: [Page] }
        struct Page: Decodable { var metadata: [String: Document], extra: Document, number: Int }
        #expect(
            outline(of: Folder.self).filter { !$0.contains("extra") && !$0.contains("metadata") } == [
                "$.pages [Page]", "$.pages[*].number Int",
            ])
    }

    @Test("an outline goes to the bottom of types that are nested in many collections")
    func deep() {
        struct Fleet: Decodable { var harbors: [Harbor] }
        struct Harbor: Decodable { var piers: [String: [Pier]] }
        struct Pier: Decodable { var berths: [[Berth]] }
        struct Berth: Decodable { var ships: [Int: Ship]? }
        struct Ship: Decodable { var decks: [Deck] }
        struct Deck: Decodable { var cabins: [Cabin] }
        struct Cabin: Decodable { var number: Int }
        let found = outline(of: Fleet.self)
        #expect(
            found.last == "$.harbors[*].piers.*[*].berths[*][*].ships.*.decks[*].cabins[*].number Int"
                && found.count == 7)
    }

    @Test("an outline names fields as documents do when a key strategy converts them")
    func keyStrategies() throws {
        struct Flat: Codable { var isFree: Bool, lastRooms: [Room] }
        struct Room: Codable { var floorArea: Double }
        func paths(_ decoding: DecodingStrategies, _ encoding: EncodingStrategies = EncodingStrategies()) throws
            -> [String]
        {
            let chain = MigrationChain(
                named: "Flats", shapes: ShapeVersions(Flat.self), decoding: decoding, encoding: encoding)
            return try #require(chain.outline(of: .number(1))).fields.map { "\($0.path)" }
        }
        let snake = ["$.is_free", "$.last_rooms", "$.last_rooms[*].floor_area"]
        #expect(try paths(DecodingStrategies(keys: .convertFromSnakeCase)) == snake)
        #expect(
            try paths(
                DecodingStrategies(keys: .convertFromSnakeCase), EncodingStrategies(keys: .convertToSnakeCase)) == snake
        )
        let upper = JSONEncoder.KeyEncodingStrategy.custom { Name($0.last?.stringValue.uppercased() ?? "") }
        let lower = JSONDecoder.KeyDecodingStrategy.custom { keys in
            let names = ["ISFREE": "isFree", "LASTROOMS": "lastRooms", "FLOORAREA": "floorArea"]
            return Name(names[keys.last?.stringValue ?? ""] ?? "")
        }
        #expect(
            try paths(DecodingStrategies(keys: lower), EncodingStrategies(keys: upper))
                == ["$.ISFREE", "$.LASTROOMS", "$.LASTROOMS[*].FLOORAREA"])
        // Property lists have the names of the type.
        let chain = MigrationChain(
            named: "Flats", shapes: ShapeVersions(Flat.self),
            decoding: DecodingStrategies(keys: .convertFromSnakeCase))
        let outline = try #require(chain.outline(of: .number(1)))
        #expect(outline.spelled(in: .plistXML).fields.map { "\($0.path)" }.first == "$.isFree")
        #expect(
            "\(outline.spelled(try #require(DocumentPath("$.lastRooms[2].floorArea"))))" == "$.last_rooms[2].floor_area"
        )
    }

    private struct Name: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init(_ name: String) { stringValue = name }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    @Test("an outline goes into a type that contains itself only once")
    func recursive() {
        struct Folder: Decodable {
            var name: String
            var folders: [Folder]
            var parent: Box?
            final class Box: Decodable { var folder: Folder? }
        }
        #expect(
            outline(of: Folder.self) == [
                "$.name String", "$.folders [Folder]", "$.folders[*].name String", "$.folders[*].folders [Folder]",
                "$.folders[*].parent Box?", "$.folders[*].parent.folder Folder?", "$.parent Box?",
                "$.parent.folder Folder?", "$.parent.folder.name String", "$.parent.folder.folders [Folder]",
                "$.parent.folder.parent Box?",
            ])
    }

    @Test("an outline ends where a type refuses the placeholders")
    func refusing() {
        struct Refusing: Decodable {
            var age: Int
            var name: String
            private enum CodingKeys: CodingKey { case age, name }
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                age = try container.decode(Int.self, forKey: .age)
                guard age > 17 else { throw CocoaError(.coderInvalidValue) }
                name = try container.decode(String.self, forKey: .name)
            }
        }
        #expect(outline(of: Refusing.self) == ["$.age Int", "…"])
    }

    @Test("the newest version of payloads has types in its outline, and older ones have what their author declares")
    func payloads() throws {
        let chain = MigrationChain(Suitcase.self)
        let newest = try #require(chain.outline(of: chain.newestVersion))
        #expect(!newest.fields.isEmpty && newest.fields.allSatisfy { $0.type != nil })
        let oldest = try #require(chain.versions.first).version
        #expect(chain.outline(of: oldest) == .unknown)
        #expect(chain.outline(of: .number(99)) == nil)
    }

    // MARK: - Changes

    @Test("a removed field is listed where it was in the previous version, with its inner fields")
    func changes() {
        struct Old: Decodable {
            var id: Int
            var author: Author
            var title: String
            var pages: Int?
            struct Author: Decodable { var name: String, mail: String }
        }
        struct New: Decodable {
            var id: Int
            var author: Author
            var pages: Int
            var lines: [String]
            struct Author: Decodable { var name: String }
        }
        let (old, new) = (VersionOutline(of: Old.self, userInfo: [:]), VersionOutline(of: New.self, userInfo: [:]))
        let changes = new.changes(from: old).map { "\($0.kind) \($0.field.path)" }
        #expect(
            changes == [
                "same $.id", "same $.author", "same $.author.name", "removed $.author.mail", "removed $.title",
                "changed $.pages", "added $.lines",
            ])
        #expect(new.changes(from: nil).allSatisfy { $0.kind == .same })
    }

    @Test("a field inside one of which only the name was known is not reported as added")
    func unknownInside() {
        struct New: Decodable {
            var author: Author
            struct Author: Decodable { var name: String }
        }
        var old = VersionOutline()
        old.note(DocumentPath([.key("author")]), isRequired: true)
        let new = VersionOutline(of: New.self, userInfo: [:])
        #expect(new.changes(from: old).map(\.kind) == [.same, .same])
    }

    @Test("the keys of preferences have the forms in which each version stores them")
    func storedForms() throws {
        struct Period: Codable, Hashable { var days: Int }
        let chain = MigrationChain(
            preferences: "Clock",
            keys: [
                StoredPreference("count", Int.self), StoredPreference("periods", [Period].self),
                StoredPreference("byName", [String: Period].self),
                StoredPreference("one", Period.self, storedAs: .native),
            ])
        func forms(_ index: Int) -> [String]? {
            chain.outline(of: chain.versions[index].version)?.fields.map { "\($0.path) \($0.type ?? "")" }
        }
        #expect(
            forms(0) == [
                "$.byName JSON of [String: Period]", "$.byName.*.days Int", "$.count Int",
                "$.one JSON of Period", "$.one.days Int", "$.periods JSON of [Period]",
                "$.periods[*].days Int",
            ])
        #expect(
            forms(1) == [
                "$.byName [String: JSON of Period]", "$.byName.*.days Int", "$.count Int", "$.one Period",
                "$.one.days Int", "$.periods [JSON of Period]", "$.periods[*].days Int",
            ])
    }

    @Test("a comparison with an incomplete outline reports no field as added or removed")
    func unknown() {
        struct Plain: Decodable { var a: Int, b: Int }
        let plain = VersionOutline(of: Plain.self, userInfo: [:])
        #expect(plain.changes(from: .unknown).map(\.kind) == [.same, .same])
        #expect(VersionOutline.unknown.changes(from: plain).isEmpty)
    }
}
