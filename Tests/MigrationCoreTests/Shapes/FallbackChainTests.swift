import DocumentModel
import Foundation
import Testing

@testable import MigrationCore

@Suite("A chain of a type that does the fallback itself")
struct FallbackChainTests {
    private let chain = MigrationChain(fallback: Ticket.self)

    @Test("has a version for each shape")
    func versions() {
        #expect(chain.name == "Ticket")
        #expect(
            chain.versions == [
                ChainVersion(version: .number(1), type: "Int"), ChainVersion(version: .number(2), type: "TicketV2"),
            ])
        #expect(chain.newestVersion == .number(2))
    }

    @Test("leads from an older shape to the newest in one step")
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

    @Test("has nothing to do for the newest shape, but for what is inside it")
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

    @Test("says of every shape why a document is not of it")
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

    @Test("can stop only where it is, or at the end")
    func target() throws {
        #expect(try chain.trace(json: "7", to: .number(1)).outcome == .current)
        #expect(try compact(chain.trace(json: "7", to: .number(1)).result) == "7")
        #expect(try chain.trace(json: "7", to: .number(2)).outcome == .migrated)
        #expect(try chain.check(json: #"{"number": 7}"#, to: .number(1)).failure?.kind == .unsupportedVersion)
        #expect(try chain.check(json: "7", to: .number(3)).failure?.kind == .unsupportedVersion)
    }

    @Test("is recognised by the fields of its shapes")
    func recognised() throws {
        let chains = [chain, MigrationChain(Recipe.self)]
        #expect(try chains.recognize(Document(json: #"{"number": 7}"#)).chain?.name == "Ticket")
        #expect(try chains.recognize(Document(json: #"{"weight": 7}"#)).chain == nil)
    }
}
