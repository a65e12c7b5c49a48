import DocumentModel
import ExampleChains
import MigrationCore
import Testing

@Suite("The chain of Package.resolved")
struct PackageResolvedTests {
    private func trace(_ json: String) throws -> MigrationTrace {
        ExampleChains.packageResolved.trace(try Document(json: json), source: "Package.resolved")
    }

    private func migrated(url: String) throws -> DocumentNode? {
        try trace(
            """
            {"version": 1, "object": {"pins": [{"package": null, "repositoryURL": "\(url)",
            "state": {"branch": null, "revision": "abc", "version": "1.0.0"}}]}}
            """
        ).result?.root["pins"]?[0]
    }

    @Test(
        "a pin's identity is the last component of its URL, in lowercase, without .git",
        arguments: [
            ("https://github.com/jpsim/Yams.git", "yams", "remoteSourceControl"),
            ("https://github.com/apple/swift-nio", "swift-nio", "remoteSourceControl"),
            ("https://github.com/apple/Swift-NIO/", "swift-nio", "remoteSourceControl"),
            ("git@github.com:vapor/Fluent.git", "fluent", "remoteSourceControl"),
            ("/Users/ada/LimerickKit", "limerickkit", "localSourceControl"),
            ("/Users/ada/LimerickKit.git/", "limerickkit", "localSourceControl"),
        ])
    func identity(url: String, identity: String, kind: String) throws {
        let pin = try #require(try migrated(url: url))
        #expect(pin["identity"]?.string == identity)
        #expect(pin["kind"]?.string == kind)
        #expect(pin["location"]?.string == url)
        #expect(pin["state"]?["version"]?.string == "1.0.0")
        #expect(pin["state"]?["branch"] == nil)
    }

    @Test("all fields of version 1 are read")
    func version1() throws {
        let trace = try trace(
            """
            {"object": {"pins": [{"package": "A", "repositoryURL": "https://x.org/a", "state":
            {"branch": "main", "revision": "abc", "version": null}}]}, "version": 1}
            """)
        #expect(trace.outcome == .migrated)
        #expect(trace.steps.count == 2)
        #expect(trace.dropped.isEmpty)
        #expect(trace.result?.root["pins"]?[0]?["state"]?["branch"]?.string == "main")
    }

    @Test("all fields of version 2 are read, including those of registry pins and mirrored ones")
    func version2() throws {
        let trace = try trace(
            """
            {"pins": [
              {"identity": "mona.linkedlist", "kind": "registry", "location": "", "state": {"version": "1.2.0"}},
              {"identity": "a", "kind": "remoteSourceControl", "location": "https://mirror.org/a",
               "originalLocation": "https://x.org/a", "state": {"branch": "main", "revision": "abc"}}
            ], "version": 2}
            """)
        #expect(trace.outcome == .migrated)
        #expect(trace.dropped.isEmpty)
        #expect(trace.result?.root["pins"]?[1]?["originalLocation"]?.string == "https://x.org/a")
    }

    @Test("all fields of version 3 are read, with or without a hash", arguments: [#""originHash": "0f3c", "#, ""])
    func version3(hash: String) throws {
        let trace = try trace(#"{\#(hash)"pins": [], "version": 3}"#)
        #expect(trace.outcome == .current)
        #expect(trace.dropped.isEmpty)
    }

    @Test("an unknown kind of pin fails at its position")
    func unknownKind() throws {
        let failure = try #require(
            try trace(
                #"{"pins": [{"identity": "a", "kind": "pigeon", "location": "", "state": {}}], "version": 2}"#
            ).failure)
        #expect(failure.kind == .dataCorrupted)
        #expect(failure.culprit == .init(path: DocumentPath([.key("pins"), .index(0), .key("kind")]), certain: true))
    }
}
