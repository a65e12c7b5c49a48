import DocumentModel
import Foundation
import MigrationCore
import Testing

@Suite("Payloads that are decoded without text in between")
struct FastPayloadTests {
    private struct Outcome: Equatable {
        var suitcase: Suitcase?
        var error: String?
    }

    private static func outcome(_ json: String, isFast: Bool) -> Outcome {
        FastJSONDecoding.$isEnabled.withValue(isFast) {
            do {
                return Outcome(suitcase: try VersionableDecoder().decode(Suitcase.self, from: Data(json.utf8)))
            } catch {
                return Outcome(error: "\(error)")
            }
        }
    }

    @Test(
        "a payload decodes to the same value, or fails with the same error, as through text",
        arguments: [
            #"{"name": "Ada", "kilograms": 1.5, "version": 1}"#,
            #"{"name": "Ada", "kilograms": 1, "tags": {"a": 1, "b": 2}, "version": 2}"#,
            #"{"name": "Ada", "grams": 7, "tags": {}, "version": 3}"#,
            #"{"owner": "Ada", "grams": 7, "tags": {"x": 1}, "version": 4}"#,
            // The second owner counts for the closures, and the first one for the decoder.
            #"{"owner": "Ada", "owner": "Bo", "grams": 7, "tags": {}, "version": 3}"#,
            #"{"owner": "Ada", "owner": "Bo", "grams": 7, "tags": {}, "version": 4}"#,
            #"{"kilograms": 1, "version": 1}"#, #"{"name": "Ada", "kilograms": "1", "version": 1}"#,
            #"{"name": "Ada", "grams": 1e30, "tags": {}, "version": 3}"#, #"{"name": "Ada", "version": 9}"#,
            #"{"name": "Ada", "grams": 1.0, "tags": {"a": "b"}, "version": 3}"#, "[1]", "3", "{", "",
            #"{"name": "A\u0000\ud83d\ude00", "grams": 1, "tags": {}, "version": 3,}"#,
        ])
    func outcomes(json: String) {
        #expect(Self.outcome(json, isFast: true) == Self.outcome(json, isFast: false))
    }
}
