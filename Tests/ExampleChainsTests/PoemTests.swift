import DocumentModel
import ExampleChains
import MigrationCore
import Testing

@Suite("The chain of poems")
struct PoemTests {
    private func trace(_ json: String) throws -> MigrationTrace {
        ExampleChains.poem.trace(try Document(json: json), source: "poem.json")
    }

    @Test("a star rating of 9 fails at the field that holds it")
    func ratingNine() throws {
        let trace = try trace(
            """
            {
              "version": 1,
              "author": "Anonymous",
              "poem": "An epicure dining at Crewe",
              "starRating": 9
            }
            """)
        let failure = try #require(trace.failure)
        #expect(failure.kind == .fieldNoLongerValid)
        #expect(failure.step == .init(from: .number(1), to: .number(2)))
        #expect(failure.path?.description == "$.rating")
        #expect(failure.culprit == .init(path: DocumentPath([.key("starRating")]), certain: false))
        #expect(failure.message == "Star rating 9 is no longer valid")
        #expect(failure.location == SourceLocation(line: 5, column: 17, offset: 99))
    }

    @Test("a poem from before there were versions takes three steps")
    func unversioned() throws {
        let trace = try trace(#"{"poem": "One\r\nTwo", "mood": "grey"}"#)
        #expect(trace.outcome == .migrated)
        #expect(trace.steps.map(\.to) == [.number(1), .number(2), .number(3)])
        #expect(trace.dropped.map(\.description) == ["$.mood"])
        let expected = #"{"author":{"name":"Anonymous"},"lines":["One","Two"],"rating":"meh","version":3}"#
        #expect(trace.result.map { JSONWriter().string($0.root) } == expected)
    }

    @Test("a poem is recognised among letters and packages")
    func recognition() throws {
        let document = try Document(json: #"{"version": 9, "author": {"name": "A"}, "lines": [], "rating": "love"}"#)
        #expect(ExampleChains.all.recognize(document).chain?.name == "Poem")
        #expect(ExampleChains.poem.check(document, source: "x").failure?.tried == [.number(3), .number(2), .number(1), .unversioned])
    }
}
