import DocumentModel
import Foundation
import MigrationCore
import Testing

/// A type whose versions are names with no natural order, and which declares its newest version itself.
private struct Kettle: Versionable {
    enum Version: String, VersionType {
        case steel, enamel, glass

        static func < (left: Version, right: Version) -> Bool {
            allCases.firstIndex(of: left) ?? 0 < allCases.firstIndex(of: right) ?? 0
        }
    }

    var litres: Double
    var version: Version = .glass

    static var version: Version { .glass }

    static func migrate(to version: Version) -> Migration {
        switch version {
        case .steel: .none
        case .enamel: .migrate { $0["litres"] = ($0["pints"] as? Double ?? 0) / 2 }
        case .glass: .none
        }
    }
}

/// A type whose versions are declared newest first, like a change log.
private struct Jug: Versionable {
    enum Version: Int, VersionType {
        case third = 3
        case second = 2
        case first = 1
    }

    var steps: [Int]
    var version: Version = .third

    static var version: Version { .third }

    static func migrate(to version: Version) -> Migration {
        version == .first ? .none : .migrate { $0["steps"] = ($0["steps"] as? [Int] ?? []) + [version.rawValue] }
    }
}

/// A type with ten versions whose names do not sort in the order in which they were made.
private struct Urn: Versionable {
    enum Version: String, VersionType, CaseIterable { case v1, v2, v3, v4, v5, v6, v7, v8, v9, v10 }

    var steps: [String]
    var version: Version = .v10

    static func migrate(to version: Version) -> Migration {
        .migrate { $0["steps"] = ($0["steps"] as? [String] ?? []) + [version.rawValue] }
    }
}

@Suite("Versions with names")
struct VersionedByNameTests {
    @Test("named versions are in the order of the cases, and are shown as they are stored")
    func names() throws {
        let trace = try MigrationChain(Kettle.self).trace(json: #"{"version": "steel", "pints": 3}"#)
        #expect(trace.detection.version == .name("steel"))
        #expect(trace.steps.map(\.to) == [.name("enamel"), .name("glass")])
        #expect(compact(trace.result) == #"{"version":"glass","pints":3,"litres":1.5}"#)
        #expect(trace.dropped.map(\.description) == ["$.pints"])
    }

    @Test("steps are in the order of the versions, however they are declared")
    func declaredBackwards() throws {
        let json = #"{"version": 1, "steps": [1]}"#
        #expect(try VersionableDecoder().decode(Jug.self, from: Data(json.utf8)).steps == [1, 2, 3])
        #expect(try MigrationChain(Jug.self).trace(json: json).steps.map(\.to) == [.number(2), .number(3)])
    }

    @Test("versions v1 to v10 are steps in declaration order, with a warning that the names sort differently")
    func tenVersions() throws {
        let chain = MigrationChain(Urn.self)
        #expect(chain.versions.map(\.version.description) == (1...10).map { "v\($0)" })
        let json = #"{"version": "v8", "steps": []}"#
        let trace = try chain.trace(json: json)
        #expect(trace.steps.map(\.to) == [.name("v9"), .name("v10")] && trace.outcome == .migrated)
        #expect(
            trace.warnings == [.versionsOutOfOrder(type: "Urn", first: .name("v9"), second: .name("v10"))])
        #expect(try VersionableDecoder().decode(Urn.self, from: Data(json.utf8)).steps == ["v9", "v10"])
        #expect(try chain.check(json: #"{"version": "v10", "steps": []}"#).outcome == .current)
        // An order that the enum defines itself, or one of numbers, needs no warning.
        #expect(try MigrationChain(Kettle.self).check(json: #"{"version": "steel"}"#).warnings.isEmpty)
        #expect(try MigrationChain(Jug.self).check(json: #"{"version": 1, "steps": []}"#).warnings.isEmpty)
    }

    @Test("a named version may be unknown")
    func unknown() throws {
        let result = try MigrationChain(Kettle.self).check(json: #"{"version": "copper", "pints": 3}"#)
        #expect(result.version == .name("copper"))
        #expect(result.failure?.kind == .unsupportedVersion)
    }
}
