import DocumentModel
import Foundation
import MigrationCore
import Testing

@Suite("Documents with a comma before a closing bracket")
struct ExtraCommaTests {
    private func warning(_ offset: Int) -> Reason {
        .trailingComma(location: SourceLocation(line: 2, column: 1, offset: offset))
    }

    @Test("a document with an extra comma opens with a warning, as in the app, and migrates to proper JSON")
    func versioned() throws {
        let json = #"{"version": 1, "name": "Toast", "portions": "2", "ingredients": []"# + "\n,}"
        #expect(try JSONDecoder().decode(versioned: Recipe.self, from: Data(json.utf8)).title == "Toast")
        let trace = MigrationChain(Recipe.self).trace(Data(json.utf8))
        #expect(trace.outcome == .migrated)
        #expect(trace.warnings == [warning(json.utf8.count - 2)])
        #expect(MigrationChain(Recipe.self).check(Data(json.utf8)).warnings == trace.warnings)
        let written = try #require(try trace.resultData())
        #expect(try Document(parsing: SourceBytes(written)).leniencies.isEmpty)
        // A current document is written without the comma too.
        let current = written.dropLast() + Data("\n,}".utf8)
        let second = MigrationChain(Recipe.self).trace(Data(current))
        #expect(second.outcome == .current)
        #expect(try Document(parsing: SourceBytes(try #require(try second.resultData()))).leniencies.isEmpty)
    }

    @Test("a payload with an extra comma opens at every version", arguments: 1...4)
    func payload(version: Int) throws {
        let json =
            #"{"name": "Ada", "owner": "Ada", "kilograms": 1, "grams": 1000, "tags": {}, "version": "#
            + "\(version)\n,}"
        let opened = try VersionableDecoder().decode(Suitcase.self, from: Data(json.utf8))
        #expect(opened == Suitcase(owner: "Ada", grams: 1000, tags: [:]))
        #expect(MigrationChain(Suitcase.self).trace(Data(json.utf8)).warnings == [warning(json.utf8.count - 2)])
    }
}
