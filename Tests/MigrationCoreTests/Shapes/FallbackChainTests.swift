import DocumentModel
import Foundation
import Testing

@testable import MigrationCore

@Suite("Chains of types that fall back by themselves")
struct FallbackChainTests {
    private let chain = MigrationChain(fallback: Ticket.self)

    @Test("a fallback chain has a version for each shape")
    func versions() {
        #expect(chain.name == "Ticket")
        #expect(
            chain.versions == [
                ChainVersion(version: .number(1), type: "Int"), ChainVersion(version: .number(2), type: "TicketV2"),
            ])
        #expect(chain.newestVersion == .number(2))
    }

    @Test("a fallback chain leads from an older shape to the newest in one step")
    func migrated() throws {
        let trace = try chain.trace(json: "7")
        #expect(trace.outcome == .migrated)
        #expect(trace.path == nil)
        #expect(trace.detection.version == .number(1))
        #expect(
            trace.detection.attempts.map(\.reason) == [
                .field(
                    path: .root, problem: .mismatch(expected: .object, found: FoundValue(kind: "number", text: "7"))),
                nil,
            ])
        #expect(trace.steps.map(\.fromType) == ["Int"])
        #expect(compact(trace.result) == #"{"number":7}"#)
        #expect(try chain.check(json: "7") == CheckResult(trace))
    }

    @Test("a document of the newest shape takes no step, but the parts inside it may")
    func current() throws {
        #expect(try chain.check(json: #"{"number": 7}"#).outcome == .current)
        let json = #"{"number": 7, "row": 2, "holder": {"name": "Ada", "email": "a@b.c"}}"#
        let trace = try chain.trace(json: json)
        #expect(trace.outcome == .migrated)
        #expect(trace.steps.isEmpty)
        #expect(trace.parts.map(\.path) == [.of("$.holder")])
        #expect(trace.dropped.map(\.description) == ["$.row"])
        #expect(compact(trace.result) == #"{"number":7,"holder":{"name":"Ada","id":"a@b.c"}}"#)
        #expect(try chain.check(json: json) == CheckResult(trace))
    }

    @Test("a document that fits no shape has a reason for each shape")
    func failed() throws {
        let json = #"{"number": "7"}"#
        let failure = try #require(try chain.check(json: json).failure)
        #expect(failure.kind == .unsupportedVersion)
        #expect(failure.tried == [.number(2), .number(1)])
        guard case .noShapeFits(let attempts, nearest: 0) = failure.reason else {
            Issue.record("\(failure.reason)")
            return
        }
        #expect(attempts.map(\.type) == ["TicketV2", "Int"])
        #expect(failure.culprit == .init(path: try #require(.of("$.number")), certain: false))
        #expect(failure.location?.column == 12)
        #expect(try CheckResult(chain.trace(json: json)) == chain.check(json: json))
    }

    @Test("the target of a fallback chain is the document's own shape or the newest one")
    func target() throws {
        #expect(try chain.trace(json: "7", to: .number(1)).outcome == .current)
        #expect(try compact(chain.trace(json: "7", to: .number(1)).result) == "7")
        #expect(try chain.trace(json: "7", to: .number(2)).outcome == .migrated)
        #expect(try chain.check(json: #"{"number": 7}"#, to: .number(1)).failure?.kind == .unsupportedVersion)
        #expect(try chain.check(json: "7", to: .number(3)).failure?.kind == .unsupportedVersion)
    }

    @Test("a fallback chain is recognized by the fields of its shapes")
    func recognised() throws {
        let chains = [chain, MigrationChain(Recipe.self)]
        #expect(try chains.recognize(Document(json: #"{"number": 7}"#)).chain?.name == "Ticket")
        #expect(try chains.recognize(Document(json: #"{"weight": 7}"#)).chain == nil)
    }
}
