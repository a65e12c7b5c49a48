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
        let json = """
            {
              "version": 1,
              "author": "Anonymous",
              "poem": "An epicure dining at Crewe",
              "starRating": 9
            }
            """
        let failure = try #require(try trace(json).failure)
        #expect(failure.kind == .fieldNoLongerValid)
        #expect(failure.step == .init(from: .number(1), to: .number(2)))
        #expect(failure.path == DocumentPath("$.rating"))
        #expect(failure.culprit == .init(path: DocumentPath([.key("starRating")]), certain: false))
        #expect(failure.message == "Star rating 9 is no longer valid")
        #expect(failure.location == SourceLocation(line: 5, column: 17, offset: json.utf8.count - 3))
    }

    @Test("stars become words", arguments: [(0, "hate"), (2, "hate"), (3, "meh"), (4, "love"), (5, "love")])
    func stars(stars: Int, word: String) throws {
        let trace = try trace(#"{"version": 1, "author": "A", "poem": "x", "starRating": \#(stars)}"#)
        #expect(trace.result?.root["rating"]?.string == word)
    }

    @Test("an invalid number of stars fails", arguments: [-1, 6, 9])
    func noSuchStars(stars: Int) throws {
        let trace = try trace(#"{"version": 1, "author": "A", "poem": "x", "starRating": \#(stars)}"#)
        #expect(trace.failure?.message == "Star rating \(stars) is no longer valid")
        #expect(trace.failure?.culprit?.path == DocumentPath("$.starRating"))
    }

    @Test("a poem without a version takes three steps, and gets default values")
    func unversioned() throws {
        let trace = try trace(#"{"poem": "One\r\nTwo", "mood": "grey"}"#)
        #expect(trace.outcome == .migrated)
        #expect(trace.steps.map(\.to) == [.number(1), .number(2), .number(3)])
        #expect(trace.dropped.map(\.description) == ["$.mood"])
        let expected = #"{"author":{"name":"Anonymous"},"lines":["One","Two"],"rating":"meh","version":3}"#
        #expect(trace.result.map { JSONWriter().string($0.root) } == expected)
    }

    @Test("a poem without its text fails on the way to version 1")
    func withoutText() throws {
        let failure = try #require(try trace(#"{"author": "A"}"#).failure)
        #expect(failure.kind == .fieldNoLongerValid)
        #expect(failure.step == .init(from: .unversioned, to: .number(1)))
        #expect(failure.path == DocumentPath("$.poem"))
        #expect(failure.culprit == nil)
    }

    @Test("stars in a poem without a version are kept, and fail if they are invalid")
    func starsFromBefore() throws {
        let failure = try #require(try trace(#"{"poem": "x", "starRating": 7}"#).failure)
        #expect(failure.step == .init(from: .number(1), to: .number(2)))
        #expect(failure.culprit?.path == DocumentPath("$.starRating"))
        #expect(failure.location?.column == 29)
    }
}
