import TestSupport
import Testing

extension StrangersTests {
    @Suite("An app written for Versionable")
    struct VersionableClientTests {
        @Test(
            "an app written for Versionable builds and passes its tests with only its import changed",
            .timeLimit(.minutes(30)))
        func client() async throws {
            let run = try await StrangersPackage(name: "VersionableClient").swift("test", [])
            #expect(run.status == 0, "\(run.output)\(run.errors)")
            #expect((run.output + run.errors).contains("Executed 17 tests, with 0 failures"))
        }
    }
}
