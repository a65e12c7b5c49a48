import DocumentModel
import Foundation
import MigrationCore
import Testing

@Suite("Stored samples")
struct SampleTests {
    @Test("all samples are opened, and each that fails says why")
    func samples() {
        let samples = [
            ("first.json", #"{"version": 1, "name": "A", "kilograms": 2}"#),
            ("weightless.json", #"{"version": 1, "name": "A", "kilograms": -2}"#),
            ("newest.json", #"{"version": 4, "owner": "A", "grams": 2, "tags": {}, "lid": true}"#),
            ("nobody's.json", #"{"version": 3, "grams": 2, "tags": {}}"#),
            ("broken.json", #"{"version": 3,, }"#),
        ]
        let results = Suitcase.checkSamples(samples.map { (name: $0, data: Data($1.utf8)) })
        #expect(results.map(\.isPassed) == [true, false, true, false, false])
        #expect(results.map(\.version) == [.number(1), .number(1), .number(4), .number(3), nil])
        #expect(results.map(\.outcome) == [.migrated, .failed, .current, .failed, .failed])
        #expect(results.dropFirst(2).first?.dropped.map(\.description) == ["$.lid"])
        #expect(
            results.map { $0.failure?.kind } == [nil, .fieldNoLongerValid, nil, .keyNotFound, .malformed])
        #expect(results.map { $0.failure?.path?.description } == [nil, "$.kilograms", nil, "$.owner", nil])
    }

    @Test("samples are decoded as the app decodes")
    func strategies() {
        let json = Data(#"{"Version": 4, "Owner": "A", "Grams": 2, "Tags": {}}"#.utf8)
        let lowercase = DecodingStrategies(
            keys: .custom { keys in PathCodingKey(keys.last?.stringValue.lowercased() ?? "") })
        #expect(Suitcase.checkSamples([(name: "x", data: json)]).map(\.isPassed) == [false])
        #expect(Suitcase.checkSamples([(name: "x", data: json)], decoding: lowercase).map(\.isPassed) == [true])
    }
}
