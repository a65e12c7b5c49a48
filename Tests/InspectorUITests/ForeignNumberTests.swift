import DocumentModel
import MigrationCore
import Testing

@testable import InspectorUI

@Suite("Trace files from other programs")
struct ForeignNumberTests {
    private static let extremes = try? ["-9223372036854775808", "-1", "0", "9223372036854775807", "1e300", "-1e-300"]
        .map { try Document(json: $0) }

    private static let traces = [PoemFixtures.failing, PoemFixtures.malformed, PoemFixtures.preferences]

    @Test("a trace file with any number in any of its fields is shown or refused", arguments: traces.indices)
    func numbers(index: Int) throws {
        let file = try DocumentEncoder().encode(versioned: Self.traces[index])
        let extremes = try #require(Self.extremes)
        var (shown, refused) = (0, 0)
        for node in file.root.nodes where node.kind == .number {
            for number in extremes {
                let changed = try file.applying([.set(node.path, number)])
                guard
                    let trace = try? DocumentDecoder().decode(versioned: MigrationTrace.self, from: changed.root)
                else {
                    refused += 1
                    continue
                }
                shown += 1
                var session = Session([trace], width: 80, height: 24)
                for key in ["Enter", "Tab", "s", "v"] {
                    session.type(key)
                    #expect(!session.screen.isEmpty)
                }
                #expect(!CheckResult(trace).description.isEmpty)
            }
        }
        #expect(shown > 0 && refused > 0)
    }
}
