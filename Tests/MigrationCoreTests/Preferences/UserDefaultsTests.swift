import DocumentModel
import Foundation
import MigrationCore
import Testing

@Suite("Migrated preferences in Foundation")
struct UserDefaultsTests {
    private static let keys = [
        StoredPreference("array", [String].self), StoredPreference("zones", [Zone].self),
        StoredPreference("zone", Zone.self, storedAs: .native), StoredPreference("numbers", [String: Int].self),
    ]
    private static let stored: [String: any Sendable] = [
        "array": #"["a","ß"]"#, "zones": #"[{"id":"0","name":"x"}]"#, "zone": #"{"id":"0","name":"x"}"#,
        "numbers": #"{"big":9007199254740993}"#, "opened": Date(timeIntervalSinceReferenceDate: 700_000_000.125),
        "ratio": 0.1, "icon": Data([1, 2, 3]), "on": true,
    ]

    /// The same values for a real `UserDefaults`, which may write its file in the XML form at any time and read it
    /// again, so that fractions of a second are lost.
    private static let storedForDefaults = stored.merging(["opened": opened]) { $1 }
    private static let opened = Date(timeIntervalSinceReferenceDate: 700_000_000)

    @Test(
        "migrated preferences read back as they were migrated, from the XML and the binary form",
        arguments: [true, false])
    func serialization(isXML: Bool) throws {
        let document = try Preferences.document(Self.stored, isXML ? .xml : .binary)
        let result = MigrationChain(preferences: "Clock", keys: Self.keys).trace(document, source: "x").result
        #expect(result?.format == document.format)
        let read = try Preferences.read(result)
        #expect(read["array"] as? [String] == ["a", "ß"])
        #expect(read["zones"] as? [String] == [#"{"id":"0","name":"x"}"#])
        #expect(read["zone"] as? [String: String] == ["id": "0", "name": "x"])
        #expect(read["numbers"] as? [String: Int] == ["big": 9_007_199_254_740_993])
        #expect(read["ratio"] as? Double == 0.1)
        #expect(read["icon"] as? Data == Data([1, 2, 3]))
        #expect(read["on"] as? Bool == true)
        // The XML form has no fractions of seconds, not even in Foundation.
        let seconds = (read["opened"] as? Date)?.timeIntervalSinceReferenceDate
        #expect(seconds == (isXML ? 700_000_000 : 700_000_000.125))
    }

    @Test("UserDefaults returns the migrated preferences")
    func userDefaults() throws {
        let document = try Preferences.document(Self.storedForDefaults)
        let trace = MigrationChain(preferences: "Clock", keys: Self.keys).trace(document, source: "x")
        let suite = "migration-core-tests-\(UUID().uuidString)"
        let defaults = try #require(UserDefaults(suiteName: suite))
        defer { defaults.removePersistentDomain(forName: suite) }
        defaults.setPersistentDomain(try Preferences.read(trace.result), forName: suite)
        let again = try #require(UserDefaults(suiteName: suite))
        #expect(again.stringArray(forKey: "array") == ["a", "ß"])
        #expect(again.dictionary(forKey: "zone") as? [String: String] == ["id": "0", "name": "x"])
        #expect(again.object(forKey: "opened") as? Date == Self.opened)
    }

    @Test("one call migrates preferences, returns the keys that failed, and changes nothing when called again")
    func oneCall() throws {
        let suite = "migration-core-tests-\(UUID().uuidString)"
        let defaults = try #require(UserDefaults(suiteName: suite))
        defer { defaults.removePersistentDomain(forName: suite) }
        let stored: [String: Any] = Self.storedForDefaults.merging(["zones": "[{}]", "nothing": "null"]) { $1 }
        defaults.setPersistentDomain(stored, forName: suite)
        let keys = Self.keys + [StoredPreference("nothing", [Int]?.self), StoredPreference("absent", [Int].self)]
        for _ in 1...2 {
            let failures = try defaults.migrate(keys)
            #expect(failures.mapValues(\.kind) == ["zones": .keyNotFound])
            #expect(defaults.stringArray(forKey: "array") == ["a", "ß"])
            #expect(defaults.string(forKey: "zones") == "[{}]")
            #expect(defaults.dictionary(forKey: "zone") as? [String: String] == ["id": "0", "name": "x"])
            #expect(defaults.object(forKey: "nothing") == nil)
            #expect(defaults.object(forKey: "opened") as? Date == Self.opened)
        }
        #expect(try defaults.migrate([]).isEmpty)
    }

    @Test("numbers keep their types: a real stays a real, and a Boolean a Boolean")
    func kinds() throws {
        let trace = try Preferences.trace(
            StoredPreference("reals", [Double].self), StoredPreference("flags", [Bool].self),
            StoredPreference("whole", [Int].self), of: ["reals": "[1]", "flags": "[true]", "whole": "[1]"])
        let text = try #require(trace.result)
        let xml = try PropertyListWriter.xml.data(text.root)
        let written = String(decoding: xml, as: UTF8.self)
        #expect(written.contains("<real>1</real>") || written.contains("<real>1.0</real>"))
        #expect(written.contains("<true/>"))
        #expect(written.contains("<integer>1</integer>"))
    }

    @Test("a key that is declared twice is an error that names the key, before anything is migrated")
    func declaredTwice() throws {
        let suite = "migration-core-tests-\(UUID().uuidString)"
        let defaults = try #require(UserDefaults(suiteName: suite))
        defer { defaults.removePersistentDomain(forName: suite) }
        defaults.set("[1]", forKey: "a")
        let keys = [
            StoredPreference("a", [Int].self), StoredPreference("b", Int.self), StoredPreference("b", String.self),
        ]
        let error = #expect(throws: ChainDeclarationError.self) { try defaults.migrate(keys) }
        #expect(error?.problem == .keyDeclaredTwice("b"))
        #expect(defaults.string(forKey: "a") == "[1]")
    }
}
