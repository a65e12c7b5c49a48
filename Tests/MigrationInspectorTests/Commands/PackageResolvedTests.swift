import TestSupport
import Testing

@Suite("Package.resolved files from Swift Package Manager and Xcode")
struct PackageResolvedTests {
    private let program = BuiltProgram.inspector

    /// Migrates a file called Package.resolved that a check finds in a folder.
    private func migrate(_ text: String) throws -> String {
        let folder = try TemporaryFolder()
        try folder.write(text, to: "App/Package.resolved")
        let check = try program.run("check", ".", "--format", "json", in: folder.path)
        let result = try check.json()["results"][0]
        #expect(result["chain"] == "Package.resolved" && result["dropped"] == [] && result["warnings"] == [])
        let run = try program.run("migrate", "App/Package.resolved", in: folder.path)
        #expect(run.errors == "" && run.status == 0)
        return run.output
    }

    @Test("a Package.resolved file of version 1 migrates a branch, a version, a local package and explicit nulls")
    func first() throws {
        let migrated = try migrate(
            """
            {
              "object": {
                "pins": [
                  {
                    "package": "Alamofire",
                    "repositoryURL": "https://github.com/Alamofire/Alamofire.git",
                    "state": {
                      "branch": null,
                      "revision": "f82c23a8a7ef8dc1a49a8bfc6a96883e79121864",
                      "version": "5.5.0"
                    }
                  },
                  {
                    "package": "NIO",
                    "repositoryURL": "git@github.com:apple/swift-nio",
                    "state": {
                      "branch": "main",
                      "revision": "6aa9347d9bc5bbfe6a84983aec955c17ffea96ef",
                      "version": null
                    }
                  },
                  {
                    "package": "Local",
                    "repositoryURL": "/Users/ada/Local",
                    "state": {
                      "branch": null,
                      "revision": "9cb486020ebf03bfa5b5df985387a14a98744537",
                      "version": "1.0.0"
                    }
                  }
                ]
              },
              "version": 1
            }

            """)
        let pins = try JSONValue(migrated)["pins"].elements
        #expect(pins.map { $0["identity"] } == ["alamofire", "swift-nio", "local"])
        #expect(pins.map { $0["kind"] } == ["remoteSourceControl", "remoteSourceControl", "localSourceControl"])
        #expect(
            pins[0]["state"] == ["revision": "f82c23a8a7ef8dc1a49a8bfc6a96883e79121864", "version": "5.5.0"])
        #expect(
            pins[1]["state"] == ["branch": "main", "revision": "6aa9347d9bc5bbfe6a84983aec955c17ffea96ef"])
        #expect(migrated.hasSuffix("\n  \"version\": 3\n}\n"))
    }

    @Test("a Package.resolved file of version 2 keeps its spaces around colons, and a registry pin without a revision")
    func second() throws {
        let text = """
            {
              "pins" : [
                {
                  "identity" : "combine-schedulers",
                  "kind" : "remoteSourceControl",
                  "location" : "https://github.com/pointfreeco/combine-schedulers",
                  "state" : {
                    "revision" : "882ac01eb7ef9e36d4467eb4b1151e74fcef85ab",
                    "version" : "0.9.1"
                  }
                },
                {
                  "identity" : "mona.linkedlist",
                  "kind" : "registry",
                  "location" : "",
                  "state" : {
                    "version" : "1.2.0"
                  }
                }
              ],
              "version" : 2
            }

            """
        #expect(try migrate(text) == text.replacing("\"version\" : 2\n", with: "\"version\" : 3\n"))
    }

    @Test("a Package.resolved file of version 3 stays as it is, with or without an origin hash")
    func third() throws {
        let text = """
            {
              "originHash" : "5a1e7c4d3b2f69080b9c1d2e3f405162738495a6b7c8d9e0f102132435465768",
              "pins" : [
                {
                  "identity" : "swift-collections",
                  "kind" : "remoteSourceControl",
                  "location" : "https://github.com/apple/swift-collections.git",
                  "state" : {
                    "revision" : "671108c96644956dddcd89dd59c203dcdb36cec7",
                    "version" : "1.1.4"
                  }
                }
              ],
              "version" : 3
            }

            """
        #expect(try migrate(text) == text)
        let withoutHash = text.replacing(/\ +"originHash".*\n/, with: "")
        #expect(try migrate(withoutHash) == withoutHash)
    }
}
