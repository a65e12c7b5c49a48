import TestSupport
import Testing

@Suite("The chains command")
struct ChainsCommandTests {
    @Test("lists every chain with its versions, oldest first")
    func text() throws {
        let run = try BuiltProgram.inspector.run("chains")
        #expect(
            run.lines.contains("Poem: none (UnversionedPoem) → 1 (PoemV1) → 2 (PoemV2) → 3 (Poem)"))
        #expect(run.lines.contains("Letter: 1 (LetterV1) → 2 (Letter)"))
        #expect(run.status == 0 && run.errors == "")
    }

    @Test("lists the same as JSON")
    func json() throws {
        let chains = try BuiltProgram.inspector.run("chains", "--format", "json").json()["chains"].elements
        let poem = try #require(chains.first { $0["name"] == "Poem" })
        #expect(
            poem["versions"] == [
                ["version": nil, "type": "UnversionedPoem"], ["version": 1, "type": "PoemV1"],
                ["version": 2, "type": "PoemV2"], ["version": 3, "type": "Poem"],
            ])
    }
}
