import DocumentModel
import Foundation
import MigrationCore
import Testing

// The language mode of the target, not the version of the compiler.
#if swift(>=6)
    import Cellar
#else
    import CellarOfSwift5
#endif

@Suite("An app with main actor types")
struct CellarTests {
    private func data(_ text: String) -> Data { Data(text.utf8) }

    @Test("an app with main actor types opens and writes its documents")
    func documents() throws {
        let wine = try WineFile().open(data(#"{"version": 1, "name": "Riesling", "vintage": "1999"}"#))
        #expect(wine == Wine(name: "Riesling", year: 1999, grapes: ["unknown"]))
        let written = try WineFile().write(wine)
        #expect(
            String(decoding: written, as: UTF8.self)
                == #"{"grapes":["unknown"],"name":"Riesling","version":2,"year":1999}"#)
        #expect(try WineFile().note(WineFile().write(WineFile().note(note))).text == "good")
        #expect(throws: VersionedDecodingError.self) {
            try WineFile().open(data(#"{"version": 1, "name": "Riesling", "vintage": "young"}"#))
        }
        #expect(throws: VersionedDecodingError.self) { try WineFile().open(data(#"{"version": 7}"#)) }
    }

    private var note: Data {
        data(
            "<plist><dict><key>text</key><string>good</string><key>metadata</key><dict><key>version</key>"
                + "<integer>1</integer></dict></dict></plist>")
    }

    @Test("an app with main actor types opens payloads by themselves and in containers")
    func payloads() throws {
        let barrel = try openBarrel(data(#"{"version": 1, "label": "A", "size": "large"}"#))
        #expect(barrel.litres == 500)
        #expect(barrel.version == .v2)
        let rack = try JSONDecoder().decode(Rack.self, from: JSONEncoder().encode(Rack(first: barrel)))
        #expect(rack.first.instance.label == "A")
        #expect(Barrel.mock.litres == 1)
    }

    @Test("chains of main actor types check and trace documents")
    func chains() throws {
        let wine = Chains.wine.trace(data(#"{"version": 1, "name": "Riesling", "vintage": "1999"}"#))
        #expect(wine.outcome == .migrated)
        #expect(wine.result?.root["year"]?.numberText == "1999")
        let failing = data(#"{"version": 1, "name": "Riesling", "vintage": "young"}"#)
        #expect(Chains.wine.check(failing).failure?.kind == .fieldNoLongerValid)
        let barrel = Chains.barrel.trace(data(#"{"version": 1, "label": "A", "size": "large"}"#))
        #expect(barrel.result?.root["litres"]?.numberText == "500")
        #expect(Chains.note.trace(note).outcome == .current)
        let guest = data(#"{"name": "Ann", "email": "ann@example.com"}"#)
        #expect(Chains.guest.trace(guest).result?.root["id"]?.string == "ann@example.com")
        #expect(Chains.fallback.trace(guest).result?.root["id"]?.string == "ann@example.com")
        #expect(try Chains.all.recognize(Document(parsing: SourceBytes(guest))).chain?.name == "Guest list")
        #expect(try Chains.all.recognize(Document(parsing: SourceBytes(failing))).chain?.name == "Wine")
    }

    @Test("an app with main actor types migrates its preferences and its store's data")
    func values() throws {
        let alarm = #"{"hour":7,"chime":"1 Hour"}"#
        let preferences: [String: Any] = [
            "alarms": "[\(alarm)]", "byRoom": #"{"kitchen": [\#(alarm)]}"#, "minutes": #""30 Minutes""#,
        ]
        let trace = Chains.clock.trace(
            try PropertyListSerialization.data(fromPropertyList: preferences, format: .binary, options: 0))
        #expect(trace.failure == nil)
        #expect(trace.result?.root["alarms"]?[0]?.string == alarm)
        #expect(trace.result?.root["byRoom"]?["kitchen"]?[0]?["chime"]?.string == "1 Hour")
        #expect(trace.result?.root["minutes"]?.numberText == "30")
        #expect(try Chains.alarmData.value(from: data(alarm)).hour == 7)
        let wine = try Chains.wineData.value(from: data(#"{"version": 1, "name": "Riesling", "vintage": "1999"}"#))
        #expect(wine.year == 1999)
    }
}
