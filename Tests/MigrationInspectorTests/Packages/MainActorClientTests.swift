import TestSupport
import Testing

extension StrangersTests {
    @Suite("An app whose types belong to the main actor")
    struct MainActorClientTests {
        @Test(
            "an app with main actor types builds in Swift 5 and Swift 6 mode, and passes its tests",
            .timeLimit(.minutes(30)))
        func client() async throws {
            let run = try await StrangersPackage(name: "MainActorClient").swift("test", [])
            #expect(run.status == 0, "\(run.output)\(run.errors)")
            #expect((run.output + run.errors).contains("8 tests in 2 suites passed"), "\(run.output)\(run.errors)")
            // Warnings about a caller's code would be the caller's problem.
            #expect(!(run.output + run.errors).contains("Tests/Packages/MainActorClient/Sources/Cellar/"))
        }
    }
}
