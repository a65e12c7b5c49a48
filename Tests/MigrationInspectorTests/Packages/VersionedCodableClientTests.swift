import TestSupport
import Testing

extension StrangersTests {
    @Suite("An app written for VersionedCodable")
    struct VersionedCodableClientTests {
        @Test(
            "an app written for VersionedCodable builds and passes its tests with only its import changed",
            .timeLimit(.minutes(30)))
        func client() async throws {
            let run = try await StrangersPackage(name: "VersionedCodableClient").swift("test", [])
            #expect(run.status == 0, "\(run.output)\(run.errors)")
            #expect((run.output + run.errors).contains("Test run with "))
        }
    }
}
