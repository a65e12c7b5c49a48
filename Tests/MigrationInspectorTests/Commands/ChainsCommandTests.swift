import TestSupport
import Testing

@Suite("The chains command")
struct ChainsCommandTests {
    @Test("chains lists every chain with its versions, oldest first")
    func text() throws {
        let run = try BuiltProgram.inspector.run("chains")
        #expect(
            run.lines.contains("Poem: none (UnversionedPoem) → 1 (PoemV1) → 2 (PoemV2) → 3 (Poem)"))
        #expect(run.lines.contains("Letter: 1 (LetterV1) → 2 (Letter)"))
        #expect(run.status == 0 && run.errors == "")
    }

    @Test("chains lists chains as JSON too")
    func json() throws {
        let chains = try BuiltProgram.inspector.run("chains", "--format", "json").json()["chains"].elements
        let poem = try #require(chains.first { $0["name"] == "Poem" })
        #expect(
            poem["versions"] == [
                ["version": nil, "type": "UnversionedPoem"], ["version": 1, "type": "PoemV1"],
                ["version": 2, "type": "PoemV2"], ["version": 3, "type": "Poem"],
            ])
    }

    @Test("chains shows the fields of every version of one chain, and their changes")
    func outline() throws {
        let run = try BuiltProgram.inspector.run("chains", "Poem")
        #expect(
            run.lines.suffix(9) == [
                "Poem, version 3 (Poem)", "    the author gets dates, and the poem is split into lines",
                "  ~ $.author       Author  was String", "  + $.author.name  String", "  + $.author.born  Int?",
                "  + $.author.died  Int?", "  - $.poem         String", "  + $.lines        [String]",
                #"    $.rating       Rating  "love", "meh", "hate""#,
            ])
        #expect(run.status == 0 && run.errors == "")
        let wrong = try BuiltProgram.inspector.run("chains", "Peom")
        #expect(wrong.status == 64 && wrong.errors.contains("Poem"))
    }

    @Test("chains includes the fields in its JSON")
    func outlineJSON() throws {
        let chains = try BuiltProgram.inspector.run("chains", "Poem", "--format", "json").json()["chains"].elements
        #expect(chains.count == 1 && chains[0]["name"] == "Poem")
        let fields = chains[0]["outlines"].elements.map { $0["fields"].elements }
        #expect(fields.map(\.count) == [3, 3, 3, 6])
        #expect(
            fields[2].last == [
                "path": "$.rating", "type": "Rating", "isRequired": true, "allowsNull": false,
                "choices": ["love", "meh", "hate"],
            ])
    }
}
