import DocumentModel
import MigrationCore
import Testing

@Suite("The places of preferences in a watched process")
struct PreferencePlaceTests {
    /// A value that checks where it is decoded.
    private struct Placed: Codable {
        init(from decoder: any Decoder) throws {
            _ = try decoder.singleValueContainer().decode(Int.self)
            let place = PreferencePlaceTests.observer.place.pointee
            #expect(place.phase == RunPlace.Phase.decoding.rawValue && place.first == -1)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(1)
        }
    }

    /// An observer that only keeps the place.
    private final class Observer: RunObserver, @unchecked Sendable {
        let place = UnsafeMutablePointer<RunPlace>.allocate(capacity: 1)
        let unaskable: Set<RunPlace.Asked> = []

        init() { place.initialize(to: RunPlace()) }

        func hasRecordedPlace() {}
        func knows(_ trace: MigrationTrace) {}
        func made(_ document: Document) -> Document { document }
    }

    private static let observer = Observer()

    @Test("a conversion is the step from version 4 to 5, and decoding before and after it is not")
    func places() throws {
        let converted = StoredPreference("a", Int.self, from: String.self) { text in
            let place = Self.observer.place.pointee
            #expect(place.phase == RunPlace.Phase.stepping.rawValue)
            #expect(place.first == 0 && place.stage == 1)
            return text.count
        }
        var chain = MigrationChain(
            preferences: "P", keys: [converted, StoredPreference("b", Placed.self, storedAs: .native)])
        chain.observer = Self.observer
        let trace = chain.trace(try Preferences.document(["a": "\"abc\"", "b": 7]))
        #expect(trace.outcome == .migrated)
        #expect(try Preferences.read(trace.result)["a"] as? Int == 3)
    }
}
