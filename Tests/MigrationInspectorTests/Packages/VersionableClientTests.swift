import TestSupport
import Testing

@Suite("An app written for Versionable")
struct VersionableClientTests {
    @Test("builds and passes its own tests when only its import is changed", .timeLimit(.minutes(30)))
    func client() async throws {
        let run = try await StrangersPackage(name: "VersionableClient").swift("test", [])
        #expect(run.status == 0, "\(run.output)\(run.errors)")
        #expect((run.output + run.errors).contains("Executed 17 tests, with 0 failures"))
    }
}
