import DocumentModel
import Foundation
import Testing

@testable import MigrationCore

@Suite("Words about proofs")
struct CulpritProofWordsTests {
    private let path = DocumentPath([.key("starRating")])

    private func document(_ text: String) throws -> Document { try Document(parsing: SourceBytes(text)) }

    private func documents(_ texts: String...) throws -> [Document] { try texts.map(document) }

    @Test("a proof gives a range only if every number in it was tried")
    func ranges() throws {
        let edit = DocumentEdit.set(path, try document("5"))
        var whole = try CulpritProof(
            .passes(edit), passing: documents("0", "2", "1", "3", "5", "4"), failing: documents("10", "-1", "6"))
        #expect(
            whole.words == "passes with 5"
                && whole.valueSentences == ["gets past this with 0 to 5", "does not with 6 and -1"])
        whole.ending = .opens
        #expect(whole.words == "opens with 5; the right value is not known")
        whole.ending = .fails(path)
        #expect(whole.words == "gets past this with 5, then fails at $.starRating")
        let open = try CulpritProof(.passes(edit), passing: documents("1", "2"), failing: documents("0", "-1", "-9"))
        #expect(open.valueSentences == ["gets past this with 1 to 2", "does not with 0"])
        let gap = try CulpritProof(.passes(edit), passing: documents("0", "1", "5"), failing: documents("6"))
        #expect(gap.valueSentences == ["gets past this with 0, 1 and 5", "does not with 6"])
        let single = try CulpritProof(.passes(edit), passing: documents("5"), failing: documents("6"))
        #expect(single.valueSentences == ["gets past this with 5", "does not with 6"])
        let most = try CulpritProof(.passes(edit), passing: documents("0", "2", "4", "6", "8", "10"))
        #expect(most.valueSentences == ["gets past this with 0, 2, 4, 6 and 2 more"])
        // Values of another kind obviously do not pass, so they are not listed.
        let kind = try CulpritProof(.passes(edit), passing: documents("0"), failing: documents("true", "[]"))
        #expect(kind.valueSentences.isEmpty)
    }

    @Test("short arrays and objects are shown in full, and values that look the same are shown once")
    func containers() throws {
        let edit = DocumentEdit.set(path, try document(#"["a", 1]"#))
        let long = #"["\#(String(repeating: "a", count: 40))"]"#
        let proof = try CulpritProof(
            .passes(edit), passing: documents(#"["a", 1]"#, long, #"["\#(long.count)"]"#, long))
        #expect(proof.words == #"passes with ["a",1]"#)
        #expect(proof.valueSentences == [#"gets past this with ["a",1], an array of 1 element and ["44"]"#])
    }

    @Test("several failures are counted at one place, or listed with their places")
    func places() throws {
        func failure(_ step: Int, _ name: String) -> MigrationFailure {
            var failure = MigrationFailure(.thrown(message: "no"))
            failure.step = .init(from: .number(step), to: .number(step + 1))
            failure.culprit = .init(path: DocumentPath([.key(name)]), certain: true)
            return failure
        }
        var trace = MigrationTrace(source: "a", opening: .failed(failure(1, "sheets")))
        #expect(trace.placesSentence == nil)
        trace.furtherFailures = [failure(2, "sheets")]
        #expect(trace.placesSentence == "2 things are wrong with sheets")
        trace.furtherFailures.append(failure(3, "name"))
        #expect(trace.placesSentence == "3 places fail: sheets, sheets, name")
        trace.furtherFailures = [failure(1, "sheets")]
        #expect(trace.placesSentence == "2 places fail: sheets (2 times)")
    }

    @Test("a proof names the change that passes, or says that only the error follows the value")
    func changes() throws {
        #expect(CulpritProof(.passes(.rename(path, to: "rating"))).words == "passes when renamed to rating")
        #expect(CulpritProof(.passes(.add(path, try document("3")))).words == "passes when added as 3")
        let value = try document("5")
        let rename = DocumentEdit.rename(path, to: "rating")
        #expect(CulpritProof(.repair(rename), .opens).words == "opens when renamed to rating")
        #expect(CulpritProof(.passes(.set(path, value)), .opens).words == "opens with 5; the right value is not known")
        let next = CulpritProof(.passes(.set(path, value)), .fails(DocumentPath([.key("scale")])))
        #expect(next.words == "gets past this with 5, then fails at $.scale")
        #expect(
            CulpritProof(.passes(.remove(path)), .fails(nil)).words == "gets past this without it, then fails elsewhere"
        )
        let follows = CulpritProof(.follows, failing: try documents("\"a\""))
        #expect(follows.words == "the error changes with this value and no other")
        #expect(follows.valueSentences == ["does not get past this with \"a\""])
    }

    @Test("a proof is shown with its field, and names all fields that may be the cause")
    func culprits() throws {
        let proof = CulpritProof(.passes(.set(path, try document("5"))))
        var failure = MigrationFailure(
            .thrown(message: "no"), culprit: .init(path: path, certain: true, proof: proof))
        #expect(
            failure.messageAtCulprit == "no (proof: passes with 5)"
                && failure.culpritWords == "proof: passes with 5")
        #expect(failure.sentence == "thrown ($.starRating): no")
        #expect(failure.culprit?.proofSentences == ["proved cause: $.starRating: passes with 5"])
        failure.culprit?.others = [DocumentPath([.key("scale")])]
        failure.culprit?.certain = false
        #expect(failure.messageAtCulprit == "no (one of 2 fields: passes with 5)")
        #expect(failure.sentence == "thrown (one of $.starRating, $.scale): no")
        #expect(
            failure.culprit?.proofSentences == [
                "one of these is the cause: $.starRating, $.scale; $.starRating passes with 5"
            ])
        failure.culprit?.proof = nil
        #expect(failure.sentence == "thrown (likely one of $.starRating, $.scale): no")
    }

    @Test("a proof is encoded in a report and decoded from it, and an older culprit has none")
    func coding() throws {
        let edits: [DocumentEdit] = [
            .set(path, try document("5")), .rename(path, to: "rating"), .add(path, try document("{}")), .remove(path),
        ]
        for finding in edits.map(CulpritProof.Finding.passes) + edits.map(CulpritProof.Finding.repair) + [.follows] {
            let culprit = MigrationFailure.Culprit(
                path: path, certain: true, others: [.root],
                proof: CulpritProof(finding, passing: try documents("5"), failing: try documents("9", "null")))
            let data = try JSONEncoder().encode(culprit)
            #expect(try JSONDecoder().decode(MigrationFailure.Culprit.self, from: data) == culprit)
        }
        let old = try JSONDecoder().decode(
            MigrationFailure.Culprit.self, from: Data(#"{"path": "$.starRating", "certain": false}"#.utf8))
        #expect(old == .init(path: path, certain: false))
    }

    @Test(
        "a search that proves nothing says how many changes it tried, and why it stopped",
        arguments: [
            (FailureSearch(changes: 12), "12 changes were tried; none opens the document"),
            (FailureSearch(changes: 1), "1 change was tried; none opens the document"),
            (FailureSearch(changes: 0), "no change was tried; nothing was found that could be changed"),
            (
                FailureSearch(changes: 9, passes: true),
                "9 changes were tried; one of them gets past the failure, but proves no cause"
            ),
            (
                FailureSearch(
                    changes: 4, passes: true, passing: .set(.root.appending(key: "version"), Document(text: "1.1"))),
                #"4 changes were tried; one of them ($.version is "1.1") gets past the failure, but proves no cause"#
            ),
            (
                FailureSearch(changes: 7, isWhole: false),
                "7 changes were tried in a smaller document that fails alike; none opens it"
            ),
            (
                FailureSearch(changes: 900, because: .budget),
                "900 changes were tried; none opens the document; the budget for experiments was spent"
            ),
            (
                FailureSearch(changes: 0, because: .differs),
                "no change was tried; the document does not fail alike in every run"
            ),
        ])
    func nothingProved(search: FailureSearch, sentence: String) throws {
        var failure = MigrationFailure(.thrown(message: "no"))
        failure.search = search
        #expect(failure.experimentSentences == [sentence])
        let data = try JSONEncoder().encode(failure)
        #expect(try JSONDecoder().decode(MigrationFailure.self, from: data).search == search)
    }
}
