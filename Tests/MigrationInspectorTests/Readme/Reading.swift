import Foundation
import MigrationCore
import Testing

private struct Recipe: VersionedCodable {
    var title: String

    static let version: Int? = 2
    typealias PreviousVersion = RecipeV1

    init(from old: RecipeV1) { title = old.name }
}

private struct RecipeV1: VersionedCodable {
    var name: String

    static let version: Int? = 1
    typealias PreviousVersion = NothingEarlier
}

@Suite("The README's examples of versioned types")
struct ReadingTests {
    @Test("a document of any version is decoded, and one of the newest version is encoded")
    func coding() throws {
        let data = Data(#"{"version": 1, "name": "Scones"}"#.utf8)
        let recipe = try JSONDecoder().decode(versioned: Recipe.self, from: data)  // of any version
        let newest = try JSONEncoder().encode(versioned: recipe)  // with its version
        #expect(try JSONDecoder().decode(versioned: Recipe.self, from: newest).title == "Scones")
    }

    private enum RecipeStore {
        static let decoder = JSONDecoder()
        static let encoder = JSONEncoder()
    }

    @Test("a chain decodes and encodes with the app's strategies")
    func strategies() {
        let chain =
            MigrationChain(
                Recipe.self, decoding: DecodingStrategies(matching: RecipeStore.decoder),
                encoding: EncodingStrategies(matching: RecipeStore.encoder))
        #expect(chain.check(Data(#"{"version": 1, "name": "Scones"}"#.utf8), source: "a.json").outcome == .migrated)
    }

    private enum Log {
        static func error(_ text: String) { #expect(text.contains("keyNotFound at line 1, column 1")) }
    }

    @Test("a trace of a document that doesn't open is written to a file")
    func report() throws {
        let log = Log.self
        let folder = FileManager.default.temporaryDirectory
        let reportURL = folder.appending(path: "readme-\(UUID().uuidString).json")
        defer { try? FileManager.default.removeItem(at: reportURL) }
        let data = Data(#"{"version": 1}"#.utf8)
        let trace = MigrationChain(Recipe.self).trace(data, source: "recipe.json")
        if let failure = trace.failure {
            log.error("\(failure.kind) at \(failure.location?.description ?? "?"): \(failure.message)")
            try JSONEncoder().encode(versioned: trace).write(to: reportURL)
        }
        let read = try JSONDecoder().decode(versioned: MigrationTrace.self, from: Data(contentsOf: reportURL))
        #expect(read.failure == trace.failure)
    }

    private enum Info {
        static func info(_ text: String) { #expect(text == "kept as they are: [$.version]") }
    }

    @Test("a trace is redacted before it is written to a file")
    func redacted() throws {
        let log = Info.self
        let folder = FileManager.default.temporaryDirectory
        let reportURL = folder.appending(path: "readme-\(UUID().uuidString).json")
        defer { try? FileManager.default.removeItem(at: reportURL) }
        let data = Data(#"{"version": 1, "title": "Scones"}"#.utf8)
        let trace = MigrationChain(Recipe.self).trace(data, source: "scones.json")
        let chain = MigrationChain(Recipe.self)
        let redacted = try chain.redacting(trace)
        log.info("kept as they are: \(redacted.redaction.keptValues)")
        try JSONEncoder().encode(versioned: redacted.trace).write(to: reportURL)
        let written = try String(contentsOf: reportURL, encoding: .utf8)
        #expect(!written.lowercased().contains("scones") && written.contains("document.json"))
        #expect(redacted.trace.failure?.kind == trace.failure?.kind)
    }
}
