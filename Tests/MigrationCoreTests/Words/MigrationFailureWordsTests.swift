import DocumentModel
import Foundation
import Testing

@testable import MigrationCore

@Suite("Sentences about failures and losses")
struct MigrationFailureWordsTests {
    private let rating = MigrationFailure(
        .field(path: DocumentPath([.key("rating")]), problem: .noLongerValid(message: "no longer valid")),
        step: .init(from: .number(1), to: .number(2)),
        culprit: .init(path: DocumentPath([.key("starRating")]), certain: false))

    @Test("a failure names its kind, path, culprit and reason")
    func failures() {
        #expect(rating.sentence == "fieldNoLongerValid at $.rating (likely $.starRating): no longer valid")
        #expect(rating.messageWithPath == "$.rating: no longer valid")
        #expect(
            rating.messageAtCulprit == "no longer valid (likely by name)"
                && rating.culpritWords == "likely by name")
        #expect(rating.absence == "never made: fieldNoLongerValid names it")
        var certain = rating
        certain.culprit = .init(path: DocumentPath([.key("stars")]), certain: true)
        #expect(certain.sentence == "fieldNoLongerValid at $.rating ($.stars): no longer valid")
        certain.culprit = .init(path: DocumentPath([.key("rating")]), certain: true)
        #expect(certain.sentence == "fieldNoLongerValid at $.rating: no longer valid")
        let missing = MigrationFailure(.field(path: DocumentPath([.key("author")]), problem: .missingKey))
        #expect(missing.sentence == "keyNotFound at $.author: no value for author")
        #expect(missing.absence == "missing: keyNotFound names it" && missing.culpritWords == "named by the error")
    }

    @Test("a cause says what its failures have in common")
    func causes() {
        var report = CheckReport()
        for name in ["a", "b"] {
            report.add(CheckResult(source: name, outcome: .failed, failure: rating), keepingResult: false)
        }
        #expect(
            report.causes.map(\.sentence) == ["2 × fieldNoLongerValid at $.rating, the first: no longer valid"])
    }

    @Test("dropped fields are listed, up to the first twenty with the number of the others")
    func losses() {
        let mood = [DocumentPath([.key("mood")])]
        #expect(mood.droppedSentence() == "dropped, the app does not read it: $.mood")
        #expect(mood.lossSentence() == "nothing reads $.mood, so that would be lost (--allow-dropped accepts it)")
        let many = (0..<1000).map { DocumentPath([.key("extra\($0)")]) }
        #expect(many.droppedSentence().hasSuffix("$.extra18, $.extra19 and 980 more"))
    }

    @Test("a headline says in a few words why there is no chain")
    func headlines() {
        func headline(_ reason: Reason) -> String {
            MigrationTrace(source: "a", opening: .failed(MigrationFailure(reason))).headline
        }
        #expect(headline(.malformed(problem: .empty(isWhitespace: false))) == "empty: there is nothing in it")
        #expect(headline(.malformed(problem: .leadingZero)) == "malformed: the text is not a document")
        #expect(headline(.unreadable(problem: .permissionDenied)) == "could not be read")
        #expect(MigrationTrace(source: "a", opening: .unrecognized([])).headline == "no chain claims this document")
        #expect(headline(.thrown(message: "no")) == "failed")
    }

    @Test("a trace that did not fail says why it has no result")
    func noResult() {
        let poor = Reason.otherVersionOfContainer(found: .number(1), expected: .number(2))
        let tie = Reason.tie(chains: ["Poem", "Song"], version: nil)
        #expect([poor].unrecognizedSentence == "belongs to no chain this program knows")
        #expect([tie].unrecognizedSentence == "\(tie); choose with --chain NAME")
        let unrecognized = MigrationTrace(source: "a", opening: .unrecognized([tie]))
        #expect(unrecognized.reasonsForNoResult == [tie].unrecognizedSentence)
        #expect(MigrationTrace(source: "a").reasonsForNoResult == "there is no result")
        let unwritten = MigrationTrace(source: "a", rewriting: .madeUnencodable(.decodesOnly(type: "Poem")))
        #expect(
            unwritten.reasonsForNoResult
                == "opens, but cannot be written: Poem was made, but only decodes: the app never writes it")
    }

    @Test("a failed part is reported as kept, and a version that was not found as unknown")
    func parts() {
        let failed = MigrationTrace(
            source: "a", opening: .failed(MigrationFailure(.timedOut(seconds: 2))), path: DocumentPath([.key("theme")]))
        #expect(failed.keptSentence == "$.theme is kept as it was")
        #expect(failed.unknownVersion == "not known")
        #expect(MigrationTrace(source: "a").unknownVersion == "could not be determined")
        let step = MigrationStep(
            from: .number(2), to: .number(3), fromType: "B", toType: "C", seconds: 0, before: nil,
            ending: .failed(MigrationFailure(.timedOut(seconds: 2))))
        #expect(step.withoutBefore == "what version 2 made cannot be written, so there is nothing to compare with")
    }

    @Test("the result of a sample names its version, the step and the location")
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
