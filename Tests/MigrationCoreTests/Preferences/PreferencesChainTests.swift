import DocumentModel
import Foundation
import MigrationCore
import TestSupport
import Testing

@Suite("Preferences as a chain")
struct PreferencesChainTests {
    private static let chain = MigrationChain(
        preferences: "Clock",
        keys: [
            StoredPreference("array", [String].self), StoredPreference("zone", Zone.self, storedAs: .native),
            StoredPreference("period", Period.self), StoredPreference("count", Int.self),
        ])

    private static let old: [String: any Sendable] = [
        "array": #"["a"]"#, "zone": #"{"id":"0","name":"x"}"#, "period": #""1 Hour""#, "count": 3,
    ]
    private static let new: [String: any Sendable] = [
        "array": ["a"], "zone": ["id": "0", "name": "x"], "period": #""1 Hour""#, "count": 3,
    ]

    private func trace(_ values: [String: Any], to target: DocumentVersion? = nil) throws -> MigrationTrace {
        Self.chain.trace(try Preferences.document(values), source: "clock.plist", to: target)
    }

    @Test("a file is of version 5 if every declared key is, and otherwise of version 4")
    func versions() throws {
        #expect(try trace(Self.old).detection.version == .number(4))
        #expect(try trace(Self.new).detection.version == .number(5))
        #expect(try trace(Self.new).outcome == .current)
        let mixed = Self.new.merging(["array": #"["a"]"#]) { $1 }
        #expect(try trace(mixed).detection.version == .number(4))
        #expect(try trace(mixed).detection.path == nil)
        #expect(try trace(["other": 1]).outcome == .current)
        #expect(try trace([:]).outcome == .current)
    }

    @Test("version 5 is tried first, and the keys stored differently are counted and the first three named")
    func attempts() throws {
        let new = try trace(Self.new).detection.attempts
        #expect(new.map(\.version) == [.number(5)] && new.map(\.reason) == [nil])
        let keys = (0..<5).map { StoredPreference("key\($0)", [Int].self) }
        let xml =
            "<plist><dict>" + (0..<5).map { "<key>key\($0)</key><string>[]</string>" }.joined() + "</dict></plist>"
        let chain = MigrationChain(preferences: "Clock", keys: keys)
        let old = chain.trace(try Document(parsing: SourceBytes(xml)), source: "x").detection.attempts
        #expect(old.map(\.version) == [.number(5), .number(4)])
        let paths = (0..<3).map { DocumentPath([.key("key\($0)")]) }
        #expect(old.map(\.reason) == [.keysStoredDifferently(paths: paths, count: 5), nil])
    }

    @Test("the step goes from the document to the same document with its keys migrated")
    func step() throws {
        let trace = try trace(Self.old)
        #expect(trace.outcome == .migrated)
        let step = try #require(trace.steps.first)
        #expect(trace.steps.count == 1)
        #expect(step.before == trace.document)
        #expect(step.after == trace.result)
        #expect(try trace.result == Preferences.document(Self.new))
        #expect(trace.document?.root.members.map(\.name) == trace.result?.root.members.map(\.name))
        #expect(step.difference?.changes.count == 2)
        let before = try #require(step.before)
        let patched = try #require(step.difference).patch.applied(to: before.root)
        #expect(patched == step.after)
    }

    @Test("each declared key is a part, with its own before and after")
    func parts() throws {
        let trace = try trace(Self.old.merging(["other": 1]) { $1 })
        #expect(Set(trace.parts.compactMap(\.path?.description)) == ["$.array", "$.zone", "$.period", "$.count"])
        let zone = try #require(trace.parts.first { $0.path == .of("$.zone") })
        #expect(zone.outcome == .migrated)
        #expect(zone.chain == "Zone")
        #expect(compact(zone.document) == #""{\"id\":\"0\",\"name\":\"x\"}""#)
        #expect(compact(zone.result) == #"{"id":"0","name":"x"}"#)
        let period = try #require(trace.parts.first { $0.path == .of("$.period") })
        #expect(period.outcome == .current)
        #expect(period.detection.version == .number(5))
    }

    @Test("a key that fails stays as it was, and the other keys still migrate")
    func failedKey() throws {
        let trace = try trace(Self.old.merging(["zone": "{"]) { $1 })
        #expect(trace.outcome == .failed)
        #expect(trace.failure?.path == .of("$.zone"))
        #expect(try trace.result == Preferences.document(Self.new.merging(["zone": "{"]) { $1 }))
        #expect(trace.parts.filter { $0.outcome == .failed }.map(\.path) == [.of("$.zone")])
    }

    @Test("the failure is that of the first key that fails, in document order")
    func firstFailure() throws {
        let xml = """
            <?xml version="1.0"?><plist version="1.0"><dict><key>zone</key><string>{</string><key>array</key>\
            <string>[</string></dict></plist>
            """
        let trace = Self.chain.trace(try Document(parsing: SourceBytes(xml)), source: "x")
        #expect(trace.failure?.path == .of("$.zone"))
        #expect(trace.parts.map(\.failure?.path) == [.root, .root])
        #expect(trace.parts.map(\.failure?.location?.within) == [.root, .root])
    }

    @Test("undeclared keys are left untouched and are not dropped")
    func undeclared() throws {
        let others: [String: any Sendable] = [
            "NSWindow Frame": "0 0 1 1", "json": "[1]", "date": Date(timeIntervalSinceReferenceDate: 0.25),
            "nested": ["a": [Data([1])]], "big": UInt64.max,
        ]
        let trace = try trace(Self.old.merging(others) { $1 })
        #expect(trace.dropped.isEmpty)
        let result = try #require(trace.result)
        for name in others.keys {
            let before = try #require(trace.document?.root[name])
            #expect(result.root[name]?.isEqual(to: before) == true)
        }
    }

    @Test("a target of version 4 leaves old preferences unchanged, and new ones cannot go back to it")
    func targets() throws {
        let old = try trace(Self.old, to: .number(4))
        #expect(old.outcome == .current)
        #expect(old.steps.isEmpty && old.result == old.document)
        #expect(!old.parts.isEmpty)
        #expect(old.parts.allSatisfy { $0.outcome == .current && $0.steps.isEmpty })
        #expect(try trace(Self.new, to: .number(4)).failure?.kind == .unsupportedVersion)
        #expect(try trace(Self.new, to: .number(6)).failure?.kind == .unsupportedVersion)
    }

    @Test("preferences are recognized by their declared keys, among many that are not")
    func recognition() throws {
        var values = Self.old
        for number in 0..<50 { values["NSWindow Frame \(number)"] = "0 0 1 1" }
        #expect([Self.chain].recognize(try Preferences.document(values)).chain?.name == "Clock")
        #expect([Self.chain].recognize(try Preferences.document(["array": "[]"])).chain?.name == "Clock")
        #expect([Self.chain].recognize(try Preferences.document(["other": 1, "count": 1])).chain == nil)
        #expect([Self.chain].recognize(try Document(json: #"{"array": [], "count": 1}"#)).chain == nil)
        #expect([Self.chain].recognize(try Preferences.document([:])).chain == nil)
    }

    @Test("a check and a trace have the same result for any values")
    func agreement() throws {
        let values: [Any] = [
            "[]", #"["a"]"#, "[1]", "{", #"{"id":"0","name":"x"}"#, #"{"id":"0"}"#, #""1 Hour""#, "1 Hour", 7, true,
            ["a"], ["id": "0", "name": "x"], "null", "5",
        ]
        var outcomes: Set<MigrationOutcome> = []
        for _ in 0..<500 {
            var stored: [String: Any] = [:]
            for name in ["array", "zone", "period", "count", "other"] where Bool.random() {
                stored[name] = values.randomElement()
            }
            let document = try Preferences.document(stored, Bool.random() ? .xml : .binary)
            let trace = Self.chain.trace(document, source: "s")
            #expect(CheckResult(trace) == Self.chain.check(document, source: "s"))
            outcomes.insert(trace.outcome)
            // A migrated document is current and does not change again.
            guard trace.outcome == .migrated, let result = trace.result else { continue }
            #expect(Self.chain.check(result, source: "s").outcome == .current)
            let step = try #require(trace.steps.first)
            #expect(try step.difference?.patch.applied(to: document.root) == result)
        }
        #expect(outcomes == [.current, .migrated, .failed])
    }

    @Test("a trace is encoded and decoded with its parts")
    func coding() throws {
        let trace = try trace(Self.old.merging(["zone": "{"]) { $1 })
        let written = try DocumentEncoder().encode(versioned: trace)
        let read = try DocumentDecoder().decode(versioned: MigrationTrace.self, from: written.root)
        #expect(CheckResult(read) == CheckResult(trace))
        #expect(read.parts.count == trace.parts.count)
        #expect(written.root["result"]?["array"]?.count == 1)
    }

    @Test("a step in which some keys fail still makes the others, and the failure is that of the first key that failed")
    func failureOfPart() throws {
        let trace = try trace(Self.old.merging(["zone": "{"]) { $1 })
        guard case .failedInParts = trace.opening else {
            Issue.record("\(trace.opening)")
            return
        }
        #expect(trace.steps.map { $0.failure == nil && $0.after != nil } == [true])
        let part = try #require(trace.parts.first { $0.failure != nil })
        #expect(trace.failure == part.failureOfWhole && trace.failure?.path == .of("$.zone"))
        let written = try DocumentEncoder().encode(versioned: trace)
        let read = try DocumentDecoder().decode(versioned: MigrationTrace.self, from: written.root)
        #expect(read.failure?.reason == trace.failure?.reason && read.failure?.location == trace.failure?.location)
        #expect(read.steps.map(\.failure) == [nil] && read.result == trace.result)
    }

    @Test("a step fails if no key gets through it")
    func failedStep() throws {
        let chain = MigrationChain(
            preferences: "Clock",
            keys: [
                StoredPreference("period", Int.self, storedAs: .native, from: [Int].self) { _ in
                    throw VersionedDecodingError.fieldNoLongerValid(
                        .init(codingPath: [], debugDescription: "no longer valid"))
                }
            ])
        let trace = chain.trace(try Preferences.document(["period": "[1]"]), source: "clock.plist")
        #expect(trace.outcome == .failed && trace.result == nil)
        #expect(trace.steps.map(\.to) == [.number(5)])
        #expect(trace.failure != nil && trace.steps.first?.failure == trace.failure)
        #expect(trace.failure?.step == .init(from: .number(4), to: .number(5)))
    }

    @Test("a chain that declares a key twice opens no document, and the error names the chain and the key")
    func declaredTwice() throws {
        let trace = try Preferences.trace(
            StoredPreference("a", [Int].self), StoredPreference("a", Int.self), of: ["a": "[1]"])
        let failure = try #require(trace.failure)
        #expect(
            failure.message
                == "The chain \"Clock\" declares the key \"a\" more than once; each key is declared once")
        #expect(trace.result == nil)
        // Names that differ only in Unicode normalization are two keys.
        let alike = try Preferences.trace(
            StoredPreference("\u{E9}", [Int].self), StoredPreference("e\u{301}", Int.self), of: ["e\u{301}": 1])
        #expect(alike.outcome == .current)
    }
}
