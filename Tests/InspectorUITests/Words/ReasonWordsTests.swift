import Testing

@testable import InspectorUI
@testable import MigrationCore

@Suite("Sentences about a document that no chain claims")
struct ReasonWordsTests {
    @Test("an unrecognized document lists why the nearest chains don't claim it, and how to open it anyway")
    func unrecognized() {
        func reasons(_ chains: String...) -> [Reason] {
            chains.map { chain in
                let shares = ChainFit.Shares(nameCount: 2, knownCount: 0, present: 0)
                return .poorFit(chain: chain, fit: ChainFit(version: .missing, type: chain, shares: shares))
            }
        }
        func why(_ chain: String) -> String { "\(chain): no version key; knows none of its 2 fields" }
        #expect(reasons("Poem").briefReasons() == [why("Poem"), "to open it all the same: --chain Poem"])
        #expect(
            reasons("Bob's notes").briefReasons().last == #"to open it all the same: --chain 'Bob'\''s notes'"#)
        let many = reasons("A", "B", "C", "D", "E")
        let shown = ["A", "B", "C"].map(why) + ["and 2 more chains; a trace lists them all"]
        #expect(many.briefReasons() == shown + ["to open it all the same: --chain NAME"])
        #expect(many.briefReasons(ofOneKind: true) == shown + ["the nearest is A: --chain A opens it"])
        #expect(many.unrecognizedSentences(.option).count == 6)
        #expect(
            reasons("Poem").unrecognizedSentences(.key)
                == [why("Poem"), "to open it all the same: C reads it with that chain"])
        #expect(many.unrecognizedSentences(.key).last == "to open it all the same: C reads it with a chain")
        #expect([Reason.tie(chains: ["A", "B"], version: nil)].briefReasons() == [])
        #expect([Reason]().briefReasons() == [])
        let poor = Reason.otherVersionOfContainer(found: .number(1), expected: .number(2))
        let tie = Reason.tie(chains: ["Poem", "Song"], version: nil)
        #expect([poor].unrecognizedSentences(.option) == ["\(poor)"])
        #expect([tie].unrecognizedSentences(.option) == ["\(tie)", "choose with --chain NAME"])
        #expect([tie].unrecognizedSentences(.key) == ["\(tie)", "C chooses one of them"])
    }
}
