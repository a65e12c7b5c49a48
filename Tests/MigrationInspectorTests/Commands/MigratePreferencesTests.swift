import DocumentModel
import Foundation
import MigrationCore
import TestSupport
import Testing

@Suite("The migrate command on preferences")
struct MigratePreferencesTests {
    private let program = BuiltProgram.inspector

    private func propertyList(_ data: Data) throws -> [String: Any] {
        var format = PropertyListSerialization.PropertyListFormat.xml
        let list = try PropertyListSerialization.propertyList(from: data, format: &format)
        return try #require(list as? [String: Any])
    }

    @Test("keys that fail are kept unchanged, the others migrate, and the exit status is 1")
    func failedKeys() throws {
        let folder = try TemporaryFolder()
        try folder.copy("demo-data/preferences/time-zone-without-name.plist", to: "clock.plist")
        let before = try folder.data("clock.plist")
        let run = try program.run("migrate", "clock.plist", "--output", "new.plist", in: folder.path)
        #expect(run.status == 1)
        let kept = MigrationTrace(source: "clock.plist", path: Poems.field("arrayTimezone")).keptSentence
        let name = try #require(DocumentPath("$.arrayTimezone[1].name"))
        let failure = MigrationFailure(.field(path: name, problem: .missingKey))
        #expect(run.errors == "migration-inspector: clock.plist: \(kept): \(failure.sentence)\n")
        #expect(run.lines.isEmpty)
        #expect(try folder.data("clock.plist") == before)
        let old = try propertyList(before)
        let new = try propertyList(try folder.data("new.plist"))
        #expect(new["arrayTimezone"] as? String == old["arrayTimezone"] as? String)
        #expect(new["arrayString"] as? [String] == ["a", "b", "c"])
        #expect(new.count == old.count)
    }

    @Test("preferences with a failed key are backed up before they are replaced in place")
    func inPlace() throws {
        let folder = try TemporaryFolder()
        try folder.copy("demo-data/preferences/array-cut-short-xml.plist", to: "clock.plist")
        let before = try folder.data("clock.plist")
        #expect(try program.run("migrate", "--in-place", "clock.plist", in: folder.path).status == 1)
        #expect(try folder.data("clock.plist.bak") == before)
        let new = try propertyList(try folder.data("clock.plist"))
        #expect(new["arrayString"] as? String == "[\n  \"a\",\n  \"b\",\n  \"c")
        #expect(new["setString"] as? [String] == ["red", "green", "blue"])
    }

    @Test("preferences of which no key migrates are not written")
    func nothing() throws {
        let folder = try TemporaryFolder()
        try folder.copy("demo-data/preferences/elements-still-json-strings-xml.plist", to: "clock.plist")
        let run = try program.run("migrate", "clock.plist", "--output", "new.plist", in: folder.path)
        #expect(run.status == 1)
        #expect(run.errors.contains("clock.plist:7:3: "))
        #expect(try folder.names() == ["clock.plist"])
    }

    @Test("binary preferences stay binary and XML stays XML", arguments: ["version-4.plist", "version-4-xml.plist"])
    func formats(name: String) throws {
        let run = try program.run("migrate", "demo-data/preferences/\(name)")
        #expect(run.status == 0)
        #expect(run.errors == "")
        let isXML = name.contains("xml")
        #expect(run.outputData.starts(with: (isXML ? "<?xml" : "bplist00").utf8))
        #expect(try propertyList(run.outputData)["period"] as? String == "10 Minutes")
    }

    @Test("a field that a key would drop is kept, unless --allow-dropped is given")
    func dropped() throws {
        let file = "demo-data/preferences/version-4-city-dropped.plist"
        let run = try program.run("migrate", file)
        #expect(run.status == 1 && run.outputData.isEmpty)
        let city = DocumentPath([.key("TimeZone"), .key("city")])
        #expect(run.errors.contains("\([city].lossSentence())"))
        #expect(try program.run("migrate", "--allow-dropped", file).status == 0)
    }

    @Test("check and trace print the position inside a string separately from positions in a file")
    func places() throws {
        let file = "demo-data/preferences/array-cut-short-xml.plist"
        let check = try program.run("check", file)
        #expect(check.output.contains("\(file): ✗ Clock preferences 4 ✗"))
        #expect(check.lines[0].hasSuffix(" (line 4, column 5 in $.arrayString)"))
        let trace = try program.run("trace", file)
        #expect(trace.lines.contains("  4 │   \"c"))
        #expect(trace.lines.contains("part $.setString: Set<String> 4 → 5"))
        let json = try program.run("check", "--format", "json", file).output
        #expect(json.contains(#""in": "$.arrayString""#))
    }
}
