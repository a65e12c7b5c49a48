import DocumentModel
import Foundation
import MigrationCore
import Testing

@Suite("Recognizing the chain of a document")
struct RecognitionTests {
    private let chains = [MigrationChain(Recipe.self), MigrationChain(Parcel.self)]

    private func recognize(_ json: String) throws -> String? { chains.recognize(try Document(json: json)).chain?.name }

    @Test(
        "every version of every chain is recognized",
        arguments: [
            (#"{"version": 4, "title": "x", "serves": 1, "ingredients": []}"#, "Recipe"),
            (#"{"version": 3, "title": "x", "servings": 1, "ingredients": []}"#, "Recipe"),
            (#"{"version": 1, "name": "x", "portions": "1", "ingredients": []}"#, "Recipe"),
            (#"{"name": "x", "ingredients": []}"#, "Recipe"),
            (#"{"label": {"documentVersion": 3}, "weight": 1}"#, "Parcel"),
            (#"{"version": 2, "weight": 1}"#, "Parcel"),
            (#"{"_version": 1, "grams": 1}"#, "Parcel"),
        ])
    func everyVersion(json: String, name: String) throws {
        #expect(try recognize(json) == name)
    }

    @Test(
        "a document that will fail still belongs to its chain",
        arguments: [
            #"{"version": 3, "tilte": "x", "servings": 1, "ingredients": []}"#,
            #"{"version": 3, "title": 5, "servings": null, "ingredients": "none"}"#,
            #"{"version": 9, "title": "x", "serves": 1, "ingredients": [], "new": 1}"#,
            #"{"title": "x", "serves": 1, "ingredients": []}"#,
        ])
    func failing(json: String) throws {
        #expect(try recognize(json) == "Recipe")
    }

    @Test("a document that states one version and has the fields of another still belongs to its chain")
    func fieldsOfAnotherVersion() throws {
        let document = try Document(json: #"{"_version": 1, "label": {"documentVersion": 3}, "grams": 1}"#)
        let chain = try #require(chains.recognize(document).chain)
        #expect(chain.name == "Parcel")
        #expect(chain.check(document).warnings == [.fitsOtherVersion(claimed: .number(3), fitting: .number(1))])
    }

    private struct MemberV1: Codable { var title: String, email: String }
    private struct Member: Codable { var title: String, id: String }
    private struct Guest: Codable, FallbackDecodable {
        private struct Only: Codable { var title: String, id: String }
        var title: String, id: String
        static let shapes = [FallbackShape(Only.self) { Guest(title: $0.title, id: $0.id) }]
    }

    @Test("a failing document that only its version assigns to a chain names the chains that decode all the rest")
    func wholeButForVersion() throws {
        let members = MigrationChain(
            named: "Member",
            shapes: ShapeVersions(MemberV1.self).then(Member.self) { Member(title: $0.title, id: $0.email) })
        // Preferences read nothing but their keys, whatever else is there.
        let preferences = MigrationChain(preferences: "Clock", keys: [StoredPreference("times", [Int].self)])
        let all = chains + [members, MigrationChain(fallback: Guest.self), preferences]
        func warnings(_ json: String, to target: DocumentVersion? = nil) throws -> [Reason] {
            guard case .recognized(let document) = all.recognize(try Document(json: json)) else {
                return [.notRecorded]
            }
            return document.check(to: target).warnings
        }
        let reason = Reason.fitsOtherChains(chain: "Recipe", others: ["Member", "Guest"])
        #expect(try warnings(#"{"version": 4, "title": "x", "id": "1"}"#) == [reason])
        #expect(
            try warnings(#"{"version": 4, "title": "x", "email": "a@x"}"#)
                == [.fitsOtherChains(chain: "Recipe", others: ["Member"])])
        // A document that opens belongs to the chain whose version it states.
        #expect(try warnings(#"{"version": 4, "title": "x", "serves": 1, "ingredients": []}"#) == [])
        let list = try Document(
            parsing: SourceBytes(
                "<plist version=\"1.0\"><dict><key>version</key><integer>4</integer><key>title</key><string>x</string></dict></plist>"
            ))
        guard case .recognized(let failing) = all.recognize(list) else { throw CocoaError(.fileReadCorruptFile) }
        #expect(failing.check().warnings == [])
        #expect(
            try warnings(#"{"version": 4, "title": "x", "serves": 1, "ingredients": []}"#, to: .number(1)) == [])
        // The other chain would leave something out.
        #expect(try warnings(#"{"version": 4, "title": "x", "id": "1", "serves": 1}"#) == [])
        // Without a version, or with one that no chain knows, the fields decide.
        #expect(
            try all.recognize(Document(json: #"{"version": 9, "title": "x", "email": "a"}"#)).chain?.name == "Member")
    }

    @Test(
        "a document that fits no chain is not recognized, with a reason for each chain",
        arguments: [
            #"{"colour": "red", "shade": 3}"#, "{}", "[]", "[1, 2]", "3", #""text""#, "null",
            #"{"version": 4, "colour": "red"}"#, #"{"version": 77}"#,
        ])
    func nothing(json: String) throws {
        guard case .unrecognized(let reasons) = chains.recognize(try Document(json: json)) else {
            Issue.record("\(json) was recognised")
            return
        }
        #expect(reasons.count == 2)
    }

    private struct Template: Codable { var name: String, ord: Int, did: Int? }
    private struct NoteType: Codable { var id: Int, name: String, tmpls: [Template] }
    private struct Point: Codable { var x: Double, y: Double, label: String? }
    private enum Role: String, Codable, CodingKeyRepresentable { case captain, cook }
    private struct Deck: Codable {
        var cards: [Card]
        struct Card: Codable { var suit: String, rank: Int }
        init(from decoder: any Decoder) throws { cards = try decoder.singleValueContainer().decode([Card].self) }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(cards)
        }
    }
    private struct Register: Codable {
        var entries: [String: Entry] = [:]
        struct Entry: Codable { var street: String, zip: String }
        private struct Name: CodingKey {
            var stringValue: String
            var intValue: Int? { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Name.self)
            for key in container.allKeys { entries[key.stringValue] = try container.decode(Entry.self, forKey: key) }
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Name.self)
            for (name, entry) in entries { try container.encode(entry, forKey: Name(stringValue: name)) }
        }
    }
    private struct Berth: FallbackDecodable, Encodable {
        var pier: Int
        private struct Old: Decodable { var quay: String }
        private struct New: Decodable { var pier: Int }
        static let shapes = [
            FallbackShape([New].self) { Berth(pier: $0.first?.pier ?? 0) },
            FallbackShape([Old].self) { Berth(pier: Int($0.first?.quay ?? "") ?? 0) },
        ]
    }

    @Test(
        "an array or a dictionary at the root is recognized by its elements",
        arguments: [
            (#"{"1": {"id": 1, "name": "a", "tmpls": [{"name": "b", "ord": 0}]}}"#, "Note types"),
            (#"{"1": {"id": 1, "name": "a", "tmpls": [{"name": "b", "ord": "0"}]}, "2": {"id": 1}}"#, "Note types"),
            (#"[{"x": 1, "y": 2}, {"x": 1, "y": 2, "label": "a"}]"#, "Points"),
            (#"[{"x": 1, "y": "two"}]"#, "Points"),
            (#"{"a": [{"x": 1, "y": 2}], "b": []}"#, "Routes"),
            (#"{"cook": {"x": 1, "name": "a"}}"#, "Crew"),
            (#"[{"suit": "hearts", "rank": 3}]"#, "Deck"),
            (#"{"Ada": {"street": "a", "zip": "b"}}"#, "Register"),
            (#"[{"quay": "3"}]"#, "Berth"),
            ("[1, 2.5]", "Numbers"),
            (#"{"a": true}"#, "Switches"),
            (#"{"version": 4, "title": "x", "serves": 1, "ingredients": []}"#, "Recipe"),
        ])
    func elements(json: String, name: String) throws {
        struct Sailor: Codable { var x: Int, name: String }
        let chains =
            chains + [
                MigrationChain(named: "Note types", shapes: ShapeVersions([Int: NoteType].self)),
                MigrationChain(named: "Points", shapes: ShapeVersions([Point].self)),
                MigrationChain(named: "Routes", shapes: ShapeVersions([String: [Point]].self)),
                MigrationChain(named: "Crew", shapes: ShapeVersions([Role: Sailor].self)),
                MigrationChain(named: "Deck", shapes: ShapeVersions(Deck.self)),
                MigrationChain(named: "Register", shapes: ShapeVersions(Register.self)),
                MigrationChain(fallback: Berth.self),
                MigrationChain(named: "Numbers", shapes: ShapeVersions([Double].self)),
                MigrationChain(named: "Switches", shapes: ShapeVersions([String: Bool].self)),
            ]
        let document = try Document(json: json)
        let found = chains.recognize(document)
        guard found.chain?.name != name else { return }
        Issue.record("\(json) is taken for \(found)")
    }

    @Test(
        "an array or a dictionary with other elements, or with none, is not recognized",
        arguments: [
            "[]", "{}", #"[{"colour": "red"}]"#, #"{"a": {"colour": "red"}}"#, #"["x", "y"]"#, #"{"x": 1, "y": 2}"#,
        ])
    func otherElements(json: String) throws {
        let chains = [
            MigrationChain(named: "Points", shapes: ShapeVersions([Point].self)),
            MigrationChain(named: "Note types", shapes: ShapeVersions([Int: NoteType].self)),
        ]
        #expect(chains.recognize(try Document(json: json)).chain == nil)
    }

    @Test("the first reason is that of the nearest chain")
    func nearestFirst() throws {
        let document = try Document(json: #"{"title": "x", "colour": "red", "shade": 3, "depth": 1}"#)
        for chains in [chains, chains.reversed()] {
            guard case .unrecognized(let reasons) = chains.recognize(document) else {
                Issue.record("the document was recognized")
                return
            }
            #expect(reasons.count == 2 && reasons.first?.description.hasPrefix("Recipe: ") == true, "\(reasons)")
        }
    }

    @Test("a document that fits two chains equally belongs to neither, and both are named")
    func tie() throws {
        let chains = [MigrationChain(Recipe.self), MigrationChain(Recipe.self, named: "Also recipe")]
        let document = try Document(json: #"{"version": 3, "title": "x", "servings": 1, "ingredients": []}"#)
        guard case .unrecognized(let reasons) = chains.recognize(document) else {
            Issue.record("one of two equals was chosen")
            return
        }
        #expect(reasons == [.tie(chains: ["Recipe", "Also recipe"], version: nil)])
    }

    /// A type of version 1 that counts how often it is decoded.
    private struct Counting: VersionedCodable {
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier

        var firstField: Int?
        var secondField: Int

        private enum CodingKeys: CodingKey { case firstField, secondField }

        @TaskLocal static var count: Locked<Int>?

        init(from decoder: any Decoder) throws {
            Self.count?.withLock { $0 += 1 }
            let container = try decoder.container(keyedBy: CodingKeys.self)
            firstField = try container.decodeIfPresent(Int.self, forKey: .firstField)
            secondField = try container.decode(Int.self, forKey: .secondField)
        }

        /// Returns how often the type is decoded while a document is recognized.
        static func count(
            _ document: Document, among chains: [MigrationChain], as name: String, tracing: Bool = false
        ) throws -> Int {
            let count = Locked(0)
            $count.withValue(count) {
                #expect(chains.recognize(document, tracing: tracing).chain?.name == name)
            }
            return count.withLock { $0 }
        }
    }

    private static let recipe = #""version": 1, "name": "x", "portions": "1", "ingredients": []"#

    @Test("a type that refused a document for a missing field is tried again only if another document lacks less")
    func refusals() throws {
        let chains = [MigrationChain(Counting.self), MigrationChain(Recipe.self)]
        func count(_ members: String, as name: String = "Recipe", tracing: Bool = false) throws -> Int {
            let document = try Document(json: "{\(members)}")
            return try Counting.count(document, among: chains, as: name, tracing: tracing)
        }
        let recipe = Self.recipe
        #expect(try count(recipe) == 1)
        // A document that no chain claims makes each type report its fields, once.
        _ = try count(recipe + #", "colour": "red""#)
        for _ in 0..<3 { #expect(try count(recipe) == 0) }
        #expect(try count(#""version": 1, "name": "y", "portions": "2", "ingredients": ["z"]"#) == 0)
        // A trace shows what types do, so the type is decoded again.
        #expect(try count(recipe, tracing: true) == 1)
        // Documents that have a field that the type reads, or may have it in another spelling.
        #expect(try count(recipe + #", "firstField": 3"#) == 1)
        #expect(try count(recipe + #", "f\u0069rstField": 3"#) == 1)
        #expect(try count(recipe + #", "é": 3"#) == 1)
        #expect(try count(#""version": 1, "secondField": 2"#, as: "Counting") == 1)
        #expect(try count(#""version": 1, "firstField": 1, "secondField": 2"#, as: "Counting") == 1)
        #expect(try count(recipe) == 0)
    }

    @Test("a type is tried again if names are converted, and in each format")
    func refusalsInOtherWays() throws {
        let document = try Document(json: "{\(Self.recipe)}")
        let converting = [
            MigrationChain(Counting.self, decoding: DecodingStrategies(keys: .convertFromSnakeCase)),
            MigrationChain(Recipe.self),
        ]
        for _ in 0..<2 { #expect(try Counting.count(document, among: converting, as: "Recipe") == 1) }
        let own = try Document(json: #"{"version": 1, "first_field": 1, "second_field": 2}"#)
        #expect(try Counting.count(own, among: converting, as: "Counting") == 1)
        let chains = [MigrationChain(Counting.self), MigrationChain(Recipe.self)]
        let list = try Document(
            parsing: SourceBytes(
                try PropertyListSerialization.data(
                    fromPropertyList: ["version": 1, "name": "x", "portions": "1", "ingredients": [String]()],
                    format: .xml, options: 0)))
        for document in [document, list] { #expect(try Counting.count(document, among: chains, as: "Recipe") == 1) }
        #expect(try Counting.count(list, among: chains, as: "Recipe") == 0)
    }

    @Test("a version key at its own path counts more than similar fields")
    func versionFirst() throws {
        struct Lookalike: VersionedCodable {
            var title: String
            var servings: Int
            var ingredients: [String]
            var extra: String?
            static let version: Int? = 30
            typealias PreviousVersion = NothingEarlier
        }
        let chains = [MigrationChain(Lookalike.self), MigrationChain(Recipe.self)]
        let document = try Document(json: #"{"version": 3, "title": "x", "servings": 1, "extra": "e"}"#)
        #expect(chains.recognize(document).chain?.name == "Recipe")
    }

    @Test("keys are compared as the chain's strategy reads them")
    func keyStrategy() throws {
        struct Walk: VersionedCodable {
            var stepCount: Int
            static let version: Int? = 1
            typealias PreviousVersion = NothingEarlier
        }
        let chains = [MigrationChain(Walk.self, decoding: DecodingStrategies(keys: .convertFromSnakeCase))]
        #expect(chains.recognize(try Document(json: #"{"version": 1, "step_count": 1}"#)).chain != nil)
    }

    @Test("a version found with one chain's strategies does not count for another chain's")
    func strategiesAskForThemselves() throws {
        let chains = [
            MigrationChain(Parcel.self),
            MigrationChain(Parcel.self, named: "Snake", decoding: DecodingStrategies(keys: .convertFromSnakeCase)),
        ]
        let document = try Document(json: #"{"label": {"document_version": 3}, "weight": 1}"#)
        for chains in [chains, chains.reversed()] { #expect(chains.recognize(document).chain?.name == "Snake") }
    }

    @Test("a document with nothing but a version that several chains have belongs to none, and they are named")
    func versionAlone() throws {
        guard case .unrecognized(let reasons) = chains.recognize(try Document(json: #"{"version": 2}"#)) else {
            Issue.record("it was recognized")
            return
        }
        #expect(reasons == [.tie(chains: chains.map(\.name), version: .number(2))])
    }

    @Test("a document that one chain decodes completely belongs to it, and no type's fields are learned")
    func decodesWhole() throws {
        /// Counts like `Counted`, which another test uses at the same time.
        struct Unprobed: VersionedCodable {
            var name: String
            static let version: Int? = 1
            typealias PreviousVersion = NothingEarlier
            static let probes = Counter()

            init(from decoder: any Decoder) throws {
                name = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .name)
                if name != "x" { Self.probes.count() }
            }
        }
        let chains = [MigrationChain(Recipe.self), MigrationChain(Unprobed.self)]
        for chains in [chains, chains.reversed()] {
            let document = try Document(json: #"{"version": 1, "name": "x"}"#)
            #expect(chains.recognize(document).chain?.name == "Unprobed")
        }
        #expect(Unprobed.probes.value == 0)
    }

    @Test("a type's fields are learned once, and only to recognize a document")
    func probedOnce() throws {
        let chain = MigrationChain(Counted.self)
        let json = #"{"version": 1, "name": "x"}"#
        _ = try chain.check(json: json)
        #expect(Counted.probes.value == 0)
        // An unread field leaves open which chain the document belongs to.
        let document = try Document(json: #"{"version": 1, "name": "x", "more": 1}"#)
        for _ in 0..<3 { #expect([chain].recognize(document).chain != nil) }
        #expect(Counted.probes.value == 1)
    }

    @Test("an empty list of chains recognizes nothing")
    func noChains() throws {
        let recognition = [MigrationChain]().recognize(try Document(json: "{}"))
        #expect(recognition.chain == nil)
    }
}

/// Counts how often it is decoded from placeholders, whose values no document of these tests has.
private struct Counted: VersionedCodable {
    var name: String
    static let version: Int? = 1
    typealias PreviousVersion = NothingEarlier
    static let probes = Counter()

    init(from decoder: any Decoder) throws {
        name = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .name)
        if name != "x" { Self.probes.count() }
    }
}
