import DocumentModel
import Foundation
import Testing

@testable import MigrationCore

@Suite("The sentences of failures and losses")
struct MigrationFailureWordsTests {
    private let rating = MigrationFailure(
        .field(path: DocumentPath([.key("rating")]), problem: .noLongerValid(message: "no longer valid")),
        step: .init(from: .number(1), to: .number(2)),
        culprit: .init(path: DocumentPath([.key("starRating")]), certain: false))

    @Test("name the kind, the path, the culprit and the reason")
    func failures() {
        #expect(rating.sentence == "fieldNoLongerValid at $.rating (likely $.starRating): no longer valid")
        #expect(rating.messageWithPath == "$.rating: no longer valid")
        #expect(
            rating.messageAtCulprit == "no longer valid (likely culprit)" && rating.culpritWords == "likely culprit")
        #expect(rating.absence == "never made: fieldNoLongerValid names it")
        let missing = MigrationFailure(.field(path: DocumentPath([.key("author")]), problem: .missingKey))
        #expect(missing.sentence == "keyNotFound at $.author: no value for author")
        #expect(missing.absence == "missing: keyNotFound names it" && missing.culpritWords == "culprit")
    }

    @Test("say what failures have in common")
    func causes() {
        var report = CheckReport()
        for name in ["a", "b"] {
            report.add(CheckResult(source: name, outcome: .failed, failure: rating), keepingResult: false)
        }
        #expect(
            report.causes.map(\.sentence) == ["2 × fieldNoLongerValid at $.rating, the first: no longer valid"])
    }

    @Test("say what no version reads; of very many fields the first twenty, and how many more")
    func losses() {
        let mood = [DocumentPath([.key("mood")])]
        #expect(mood.droppedSentence == "dropped, no version reads it: $.mood")
        #expect(mood.lossSentence == "nothing reads $.mood, so that would be lost (--allow-dropped accepts it)")
        let many = (0..<1000).map { DocumentPath([.key("extra\($0)")]) }
        #expect(many.droppedSentence.hasSuffix("$.extra18, $.extra19 and 980 more"))
    }

    @Test("say in a few words why there is no chain")
    func headlines() {
        func headline(_ reason: Reason) -> String {
            MigrationTrace(source: "a", opening: .failed(MigrationFailure(reason))).headline
        }
        #expect(headline(.malformed(problem: .empty(isWhitespace: false))) == "empty: there is nothing in it")
        #expect(headline(.malformed(problem: .leadingZero)) == "malformed: the text is not a document")
        #expect(headline(.unreadable(problem: .permissionDenied)) == "could not be read")
        #expect(MigrationTrace(source: "a", opening: .unrecognized([])).headline == "no chain claims this document")
        #expect([Reason]().unrecognizedSentence == "belongs to no chain this program knows")
    }

    @Test("of a sample name its version, the step and the place")
    func samples() {
        let samples = [
            ("first.json", #"{"version": 1, "name": "A", "kilograms": 2}"#),
            ("weightless.json", #"{"version": 1, "name": "A", "kilograms": -2}"#),
            ("newest.json", #"{"version": 4, "owner": "A", "grams": 2, "tags": {}, "lid": true}"#),
            ("nobody's.json", #"{"version": 3, "grams": 2, "tags": {}}"#),
            ("broken.json", #"{"version": 3,, }"#),
        ]
        let results = Suitcase.checkSamples(samples.map { (name: $0, data: Data($1.utf8)) })
        #expect(
            results.map(\.description) == [
                "first.json (version 1): migrated",
                "weightless.json (version 1): fieldNoLongerValid at $.kilograms in the step from 2 to 3, "
                    + "line 1, column 42: A suitcase of no weight is no longer valid",
                "newest.json (version 4): current",
                "nobody's.json (version 3): keyNotFound at $.owner in the step from 3 to 4, line 1, column 1: "
                    + (results[3].failure?.message ?? ""),
                "broken.json: malformed, line 1, column 15: " + (results[4].failure?.message ?? ""),
            ])
    }
}
