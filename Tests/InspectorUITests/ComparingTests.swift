import DocumentModel
import MigrationCore
import Testing

@testable import InspectorUI

@Suite("Comparing documents and distant versions")
struct ComparingTests {
    @Test("the last stop of the chain shows all steps as one difference")
    func wholeWay() {
        var session = Session([PoemFixtures.migrating])
        session.type("2 l l")
        #expect(session.screen.contains("All steps 1 → 3"))
        #expect(session.screen.contains("starRating") && session.screen.contains("lines"))
        #expect(session.inspector.command(for: "l") == nil)
        session.type("v")
        #expect(session.screen.contains("Value at 3 Poem"))
        session.type("v h")
        #expect(session.screen.contains("Step 2 → 3"))
        // A document that failed on the way, or that took a single step, has no such stop.
        #expect(!Session([PoemFixtures.failing]).screen.contains("   all"))
    }

    @Test("a click leads to the stop for all steps")
    func click() throws {
        var session = Session([PoemFixtures.migrating])
        let line = try #require(session.inspector.layout.chainLine?.pieces.last)
        let chain = session.inspector.layout.chain
        session.click(chain.x + Layout.chainMargin + line.x + line.width - 1, chain.y)
        #expect(session.inspector.shown?.isWholeWay == true)
    }

    @Test("a marked document is compared with another, and Escape leads back")
    func compare() {
        var session = Session([PoemFixtures.migrating, PoemFixtures.failing])
        session.type("=")
        #expect(session.inspector.shown?.compared == nil)
        session.type("m")
        #expect(session.screen.contains("poem-v1.json is marked"))
        #expect(session.inspector.command(for: "=") == nil)
        session.type("j =")
        #expect(session.screen.contains("├ Compared with poem-v1.json"))
        #expect(session.screen.contains("~   starRating  5 → 9") && session.screen.contains("1 changed"))
        #expect(!session.screen.contains("never made"))
        session.type("Esc")
        #expect(session.screen.contains("never made"))
        session.type("= 2 h")
        #expect(session.inspector.shown?.compared == nil)
    }

    @Test("a search shows which match it is at, out of how many, and when it wraps")
    func tally() {
        var session = Session([PoemFixtures.failing])
        session.type("3 g / text:author Enter")
        #expect(session.screen.contains("1 of 1"))
        session.type("g / text:version Enter")
        #expect(session.screen.contains("1 of 1"))
        session.type("g / text:o Enter n n")
        #expect(session.screen.contains("3 of ") && !session.screen.contains("on from the top"))
        session.type("g N")
        #expect(session.screen.contains("on from the bottom"))
        session.type("2 v g / text:version Enter")
        #expect(session.screen.contains("1 of 1"))
    }
}
