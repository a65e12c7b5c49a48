import DocumentModel
import MigrationCore
import Testing

@testable import InspectorUI

@Suite("Sentences about a document on the screen")
struct MigrationTraceWordsTests {
    private func trace(dropped: Int, warnings: Int) -> MigrationTrace {
        MigrationTrace(
            source: "a", dropped: (0..<dropped).map { DocumentPath([.key("extra\($0)")]) },
            warnings: Array(repeating: "look out", count: warnings))
    }

    @Test(
        "the remarks count dropped fields and warnings",
        arguments: [
            (0, 0, nil), (1, 0, "dropped: $.extra0"), (2, 1, "dropped: $.extra0 and 1 more, 1 warning"),
            (1205, 2, "dropped: $.extra0 and 1,204 more, 2 warnings"), (0, 1000, "1,000 warnings"),
        ])
    func remarks(dropped: Int, warnings: Int, words: String?) {
        #expect(trace(dropped: dropped, warnings: warnings).remarks == words)
    }

    @Test("the first dropped field is listed with the reason, and the others by name")
    func dropped() {
        #expect(
            trace(dropped: 3, warnings: 0).droppedSentences
                == ["$.extra0 is read by no version", "$.extra1", "$.extra2"])
        #expect(trace(dropped: 0, warnings: 0).droppedSentences == [])
    }

    @Test("a field dropped in many places is listed once with its count")
    func folded() throws {
        var trace = trace(dropped: 0, warnings: 0)
        let members = (0..<14).map { #""p\#($0)": {"a": 1}"# }.joined(separator: ", ")
        trace.document = PoemFixtures.document(#"{"packages": {\#(members)}}"#)
        trace.dropped = (0..<14).compactMap { DocumentPath("$.packages.p\($0).a") }
        #expect(trace.remarks == "dropped: $.packages.*.a (14)")
    }

    @Test("a field that a step may still read is not called dropped")
    func notKnown() {
        var trace = trace(dropped: 1, warnings: 0)
        trace.leftOver = nil
        #expect(trace.remarks == "not known whether read: $.extra0")
        #expect(
            trace.droppedSentences
                == ["$.extra0 is not read by the newest type; whether a step reads it is not known"])
    }

    @Test("the outcome sentence describes a document that did not fail")
    func outcome() {
        #expect(PoemFixtures.current.outcomeSentence == "already current: there is nothing to migrate")
        // 0.05 ms of decoding, and steps of 0.123 ms and 0.087 ms.
        #expect(PoemFixtures.migrating.outcomeSentence == "migrated to 3 in 2 steps, 0.26 ms")
        var trace = PoemFixtures.migrating
        trace.steps.removeLast()
        trace.target = nil
        #expect(trace.outcomeSentence == "migrated to the newest version in 1 step, 0.17 ms")
        let parts = MigrationTrace(
            source: "a", target: .number(1), rewriting: .made(PoemFixtures.document("{}")))
        #expect(parts.outcomeSentence == "already version 1; parts of it were migrated")
        for trace in [PoemFixtures.failing, PoemFixtures.unreadable, PoemFixtures.unrecognized] {
            #expect(trace.outcomeSentence == nil)
        }
    }

    @Test("a changed document is described by what changed since its check")
    func change() {
        #expect(CheckResult(PoemFixtures.unreadable).wordsOfChange == "can no longer be read")
        #expect(CheckResult(PoemFixtures.migrating).wordsOfChange == "has changed since it was checked")
    }
}
