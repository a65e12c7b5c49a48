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

@Suite("What the README shows of payload closures")
struct JarChainTests {
    @Test("reads a document of any version")
    func decoding() throws {
        let data = Data(#"{"version": 1, "ounces": 10}"#.utf8)
        let jar = try VersionableDecoder().decode(Jar.self, from: data)
        #expect(jar.label == "unlabelled" && jar.grams == 283)
    }

    @Test("checks stored samples of older versions")
    func samples() throws {
        let data = Data(#"{"version": 1, "ounces": 10}"#.utf8)
        let samples = [
            ("first.json", data), ("second.json", Data(#"{"version": 2, "label": "Tea", "ounces": 1}"#.utf8)),
        ]
        for result in Jar.checkSamples(samples) { #expect(result.isPassed, "\(result)") }
    }

    @Test("makes a chain that knows a document by its fields, and the field that broke it")
    func chain() throws {
        #expect(jars.check(Data(#"{"version": 1, "ounces": 10}"#.utf8), source: "tea.json").outcome == .migrated)
        let failure = jars.check(Data(#"{"version": 2, "label": "Air", "ounces": 0}"#.utf8), source: "air.json").failure
        #expect(failure?.kind == .fieldNoLongerValid)
        #expect(failure?.path?.description == "$.grams" && failure?.step?.from == .number(2))
    }

    /// A box whose jars each have a version of their own.
    private struct Box: Codable {
        var lid: VersionableContainer<Jar>
        var jars: [VersionableContainer<Jar>]
    }

    @Test("keeps jars inside other documents, each with a version of its own")
    func containers() throws {
        let jar = Jar(label: "Tea", grams: 28)
        let box = Box(lid: VersionableContainer(instance: jar), jars: [VersionableContainer(instance: jar)])
        let read = try JSONDecoder().decode(Box.self, from: JSONEncoder().encode(box))
        #expect(read.jars.map(\.instance.grams) == [28])
    }
}
