import Foundation
import MigrationCore
import Testing

private let jars = MigrationChain(
    Jar.self,
    fields: { version in
        switch version {
        case .v1: PayloadFields(required: ["ounces"])
        case .v2: PayloadFields(required: ["label", "ounces"])
        case .v3: PayloadFields(required: ["label", "grams"])
        }
    })

@Suite("The README's examples of payload closures")
struct JarChainTests {
    @Test("a VersionableDecoder reads a document of any version")
    func decoding() throws {
        let data = Data(#"{"version": 1, "ounces": 10}"#.utf8)
        let jar = try VersionableDecoder().decode(Jar.self, from: data)
        #expect(jar.label == "unlabelled" && jar.grams == 283)
    }

    @Test("stored samples of older versions are checked")
    func samples() throws {
        let data = Data(#"{"version": 1, "ounces": 10}"#.utf8)
        let samples = [
            ("first.json", data), ("second.json", Data(#"{"version": 2, "label": "Tea", "ounces": 1}"#.utf8)),
        ]
        for result in Jar.checkSamples(samples) { #expect(result.isPassed, "\(result)") }
    }

    @Test("a chain of payload closures recognizes a document by its fields, and names the field that broke it")
    func chain() throws {
        #expect(jars.check(Data(#"{"version": 1, "ounces": 10}"#.utf8), source: "tea.json").outcome == .migrated)
        let failure = jars.check(Data(#"{"version": 2, "label": "Air", "ounces": 0}"#.utf8), source: "air.json").failure
        #expect(failure?.kind == .fieldNoLongerValid)
        #expect(failure?.path?.description == "$.grams" && failure?.step?.from == .number(2))
    }

    /// A box of jars with separate versions.
    private struct Box: Codable {
        var lid: VersionableContainer<Jar>
        var jars: [VersionableContainer<Jar>]
    }

    @Test("jars inside another document keep their separate versions")
    func containers() throws {
        let jar = Jar(label: "Tea", grams: 28)
        let box = Box(lid: VersionableContainer(instance: jar), jars: [VersionableContainer(instance: jar)])
        let read = try JSONDecoder().decode(Box.self, from: JSONEncoder().encode(box))
        #expect(read.jars.map(\.instance.grams) == [28])
    }
}
