import MigrationCore
import TestSupport
import Testing

@testable import MigrationInspector

extension StrangersTests {
    @Suite("A package that embeds the inspector")
    struct EmbeddedInspectorTests {
        @Test("an embedded inspector opens documents of its package's own types", .timeLimit(.minutes(30)))
        func embedded() async throws {
            let program = try await StrangersPackage(name: "EmbeddedInspector").program("inspect-recipes")
            #expect(try program.run("chains").output == "Recipe: 1 (RecipeV1) → 2 (Recipe)\n")

            let folder = try TemporaryFolder()
            try folder.write(#"{"version": 1, "name": "Scones", "serves": "4 people"}"#, to: "scones.json")
            try folder.write(#"{"version": 1, "name": "Tea", "serves": "everybody"}"#, to: "tea.json")
            let run = try program.run([], in: folder.path)
            let failure = MigrationFailure(
                .field(path: Poems.field("servings"), problem: .noLongerValid(message: "'everybody' says no number")),
                culprit: .init(path: Poems.field("serves"), certain: false))
            #expect(
                run.output == """
                    ./scones.json: ✓ Recipe 1 → 2
                    ./tea.json:1:41: ✗ Recipe 1 ✗ 2: \(failure.sentence)

                    2 documents: 0 current, 1 migrated, 1 failed, 0 unrecognized, 0 unreadable

                    """)
            #expect(run.status == 1)

            let usage = try program.run("check", "--chain", "Recipes", "tea.json", in: folder.path)
            let problem = UsageError.unknown("chain", "Recipes", known: ["Recipe"])
            #expect(usage.errors.hasPrefix("inspect-recipes: \(problem.message)\n"))
        }
    }
}
