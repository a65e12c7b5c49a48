import DocumentModel
import Testing

@testable import MigrationCore

@Suite("Values of a wrong kind")
struct WrongKindTests: MendSearching {
    private struct Item: Codable { var title: String, price: Double }

    private struct Basket: Versionable {
        enum Version: Int, VersionType {
            case v1 = 1
            case v2
        }
        var items: [Item], owner: String
        var version: Version = Self.version
        static func migrate(to version: Version) -> Migration {
            version == .v2 ? .migrate { $0["owner"] = $0.removeValue(forKey: "name") ?? "nobody" } : .none
        }
    }

    private func basket(_ price: String, _ name: String = "\"Ada\"") -> String {
        """
        {"version": 1, "name": \(name), "items": [{"title": "a", "price": 3.5}, {"title": "b", "price": \(price)},
         {"title": "c", "price": 1}]}
        """
    }

    @Test(
        "a container in place of a number is blamed, and not the list around it",
        arguments: [#"{"amount": 4}"#, "{}", "[4]", "[4, 5]"])
    func container(price: String) throws {
        let found = try search(MigrationChain(Basket.self), basket(price))
        #expect(found?.path == path("$.items[1].price") && found?.others == [] && found?.certain == true)
        #expect(found?.proof?.passing.contains { $0.root.kind == .number } == true && found?.proof?.ending == .opens)
    }

    @Test(
        "a container that a step moved to where a string belongs is blamed", arguments: [#"{"first": "Ada"}"#, "[1]"])
    func moved(name: String) throws {
        let found = try search(MigrationChain(Basket.self), basket("4", name))
        #expect(found?.path == path("$.name") && found?.certain == true)
        #expect(found?.proof?.passing.first?.root.kind == .string)
    }

    // MARK: - Null elements

    private struct List: VersionedCodable {
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
        var items: [Item]
    }

    private struct Notes: Versionable {
        enum Version: Int, VersionType {
            case v1 = 1
            case v2
        }
        var items: [Item]
        var version: Version = Self.version
        static func migrate(to version: Version) -> Migration {
            version == .v2
                ? .migrate { payload in
                    guard let items = payload["items"] as? [[String: Any]] else {
                        throw Refusal(description: "no items")
                    }
                    payload["items"] = items
                } : .none
        }
    }

    private static let item = #"{"title": "t", "price": 1}"#
    private static let places = [(0, "null, \(item)"), (1, "\(item), null"), (1, "\(item), null, \(item)")]

    @Test("a null element of an array of objects is blamed, and opens as one of the others", arguments: places)
    func nullElement(place: Int, items: String) throws {
        for chain in [MigrationChain(List.self), MigrationChain(Notes.self)] {
            let found = try search(chain, #"{"version": 1, "items": [\#(items)]}"#)
            #expect(found?.path == path("$.items[\(place)]") && found?.certain == true)
            #expect(found?.proof?.change == .set(path("$.items[\(place)]"), try Document(json: Self.item)))
            #expect(found?.proof?.ending == .opens && found?.proof?.repair == nil)
        }
    }

    @Test("each of two null elements is blamed, although neither opens the document alone")
    func twoNulls() throws {
        for chain in [MigrationChain(List.self), MigrationChain(Notes.self)] {
            let found = try search(chain, #"{"version": 1, "items": [null, \#(Self.item), null]}"#)
            #expect(found?.path == path("$.items[0]"))
            #expect(found?.proof?.change == .set(path("$.items[0]"), try Document(json: Self.item)))
        }
    }

    @Test("the only element of an array, a null, is blamed if the document opens without it")
    func onlyNull() throws {
        for chain in [MigrationChain(List.self), MigrationChain(Notes.self)] {
            let found = try search(chain, #"{"version": 1, "items": [null]}"#)
            #expect(found?.path == path("$.items[0]") && found?.proof?.repair == nil)
            #expect(found?.proof?.change == .remove(path("$.items[0]")) && found?.proof?.ending == .opens)
        }
    }

    // MARK: - Spellings

    private enum State: String, Codable { case open, close }

    private struct Door: Versionable {
        enum Version: Int, VersionType {
            case v1 = 1
            case v2
        }
        var state: State, width: Int
        var version: Version = Self.version
        static func migrate(to version: Version) -> Migration {
            version == .v2
                ? .migrate { payload in
                    payload["state"] = payload.removeValue(forKey: "status")
                    guard payload["width"] is Int else { throw Refusal(description: "no width") }
                } : .none
        }
    }

    @Test("a number in a string is read with zeros or a plus sign in front", arguments: ["08", "+8", " 008"])
    func zeros(text: String) throws {
        let eight = try Document(json: "8")
        let closure = try search(
            MigrationChain(Door.self), #"{"version": 1, "status": "open", "width": "\#(text)"}"#)
        #expect(closure?.proof?.finding == .repair(.set(path("$.width"), eight)))
        let decoded = try search(
            MigrationChain(Door.self), #"{"version": 2, "state": "open", "width": "\#(text)"}"#)
        #expect(decoded?.proof?.finding == .repair(.set(path("$.width"), eight)))
    }

    @Test("a misspelled case that a closure moved to another field is repaired", arguments: ["cloes", "clse", "Close"])
    func movedCase(name: String) throws {
        let found = try search(MigrationChain(Door.self), #"{"version": 1, "status": "\#(name)", "width": 8}"#)
        #expect(found?.proof?.finding == .repair(.set(path("$.status"), Document(text: "close"))))
    }

    @Test("a word that a closure expects to be a number is blamed")
    func word() throws {
        let found = try search(MigrationChain(Door.self), #"{"version": 1, "status": "open", "width": "wide"}"#)
        #expect(found?.path == path("$.width") && found?.certain == true && found?.proof?.repair == nil)
    }

    private struct Form: VersionedCodable {
        static let version: Int? = 4
        typealias PreviousVersion = NothingEarlier
        struct VersionSpec: VersionPathSpec {
            static let keyPathToVersion: KeyPath<Self, Int?> = \Self.format
            var format: Int?
            init(withVersion version: Int?) { format = version }
        }
        var title: String
    }

    @Test("a version in a string is repaired, although the app does not read another field")
    func unreadField() throws {
        let found = try search(MigrationChain(Form.self), #"{"format": "4", "title": "x", "note": "skipped"}"#)
        #expect(try found?.proof?.finding == .repair(.set(path("$.format"), Document(json: "4"))))
    }
}
