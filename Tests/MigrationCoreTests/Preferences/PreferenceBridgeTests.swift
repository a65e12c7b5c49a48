import Foundation
import MigrationCore
import Testing

/// The types that version 4 wrote, and the native types of version 5, which are not Codable: the optional migrations
/// in the guide of Defaults.
private enum CodableSpan: String, Codable {
    case tenMinutes = "10 Minutes"
    case oneHour = "1 Hour"
    case never
}

private enum Span: String {
    case tenMinutes = "10 Minutes"
    case oneHour = "1 Hour"
}

private struct CodablePlace: Codable {
    var id: String
    var name: String
    func toNative() -> Place { Place(id: id, name: name) }
}

private struct Place: Hashable {
    var id: String
    var name: String
}

private struct PlaceBridge {
    func serialize(_ value: Place?) -> [String: String]? { value.map { ["id": $0.id, "name": $0.name] } }

    func deserialize(_ object: [String: String]?) -> Place? {
        guard let id = object?["id"], let name = object?["name"] else { return nil }
        return Place(id: id, name: name)
    }
}

private let span = PreferenceBridge(Span.self, from: CodableSpan.self)
private let minutes = PreferenceBridge(
    Span.self, from: CodableSpan.self, toNative: { $0 == .oneHour ? .oneHour : .tenMinutes },
    serialize: { $0 == .oneHour ? 60 : 10 }, deserialize: { $0 == 60 ? .oneHour : $0 == 10 ? .tenMinutes : nil })
private let place = PreferenceBridge(
    Place.self, from: CodablePlace.self, toNative: { $0.toNative() },
    serialize: { PlaceBridge().serialize($0) }, deserialize: { PlaceBridge().deserialize($0) })

@Suite("Bridges of preferences")
struct PreferenceBridgeTests {
    private static let taipei = #"{"id":"0","name":"Taipei"}"#

    @Test(
        "one bridge serves a value, and arrays, sets and dictionaries of it, even nested",
        arguments: [
            (StoredPreference("k", Span.self, bridges: span), #""1 Hour""#, #""1 Hour""#),
            (StoredPreference("k", [Span].self, bridges: span), #"["1 Hour"]"#, #"["1 Hour"]"#),
            (StoredPreference("k", Set<Span>.self, bridges: span), #"["1 Hour"]"#, #"["1 Hour"]"#),
            (StoredPreference("k", [String: Span].self, bridges: span), #"{"a":"1 Hour"}"#, #"{"a":"1 Hour"}"#),
            (StoredPreference("k", [Int: [Span]].self, bridges: span), #"{"1":["1 Hour"]}"#, #"{"1":["1 Hour"]}"#),
            (StoredPreference("k", Span?.self, bridges: span), #""1 Hour""#, #""1 Hour""#),
            (StoredPreference("k", [Span].self, bridges: minutes), #"["1 Hour","never"]"#, "[60,10]"),
            (StoredPreference("k", Place.self, bridges: place), taipei, taipei),
            (
                StoredPreference("k", [String: Set<Place>].self, bridges: place), "{\"a\":[\(taipei)]}",
                "{\"a\":[\(taipei)]}"
            ),
            // Codable values need no bridge, even if there is one.
            (StoredPreference("k", [[Int]].self, bridges: span), "[[1]]", "[[1]]"),
        ])
    func composed(key: StoredPreference, json: String, expected: String) throws {
        #expect(try Preferences.outcome(of: json, key) == expected)
        #expect(try Preferences.outcome(of: Preferences.value(expected), key) == "current")
    }

    @Test("a value that the native type does not have, or that the bridge does not read, is a failure at its path")
    func failures() throws {
        let key = StoredPreference("k", [Span].self, bridges: span)
        for stored in [#"["1 Hour","never"]"#, ["1 Hour", "never"]] as [Any] {
            let failure = try #require(try Preferences.trace(key, of: ["k": stored]).failure)
            #expect(failure.path?.description == "$.k[1]")
        }
        let gone = try Preferences.trace(key, of: ["k": #"["never"]"#]).failure
        #expect(gone?.kind == .fieldNoLongerValid && gone?.message.contains(#"Span has no value "never""#) == true)
        let places = StoredPreference("k", [Place].self, bridges: place)
        #expect(try Preferences.trace(places, of: ["k": [["id": "0"]]]).failure?.path?.description == "$.k[0]")
        #expect(try Preferences.outcome(of: #"[{"id":"0"}]"#, places) == "failed")
    }

    @Test("a type that is not Codable and has no bridge is an error that names the chain, key and type")
    func withoutBridge() throws {
        let failure = try Preferences.trace(StoredPreference("k", [Place].self, bridges: span), of: ["k": "[]"]).failure
        #expect(
            failure?.message
                == #"The chain "Clock" declares the key "k" with Place, which is not Codable and has no bridge"#)
    }
}
