import Foundation
import InspectorUI
import TestSupport
import Testing

@testable import MigrationInspector

/// A program of an app that declares its documents by a path, and its tour without naming the type.
private enum Declared: MigrationInspectorProgram {
    static let chains: [MigrationChain] = []
    static let demoData = "demo-data"
    static let tour = Tour([Tour.Stop("A stop", "It says something.")])
}

/// A program of an app that declares neither.
private enum Plain: MigrationInspectorProgram {
    static let chains: [MigrationChain] = []
}

@Suite("The documents and the tour of a program")
struct DeclaredDemoTests {
    /// What the program itself sees of a type's declarations.
    private func seen<App: MigrationInspectorProgram>(_ app: App.Type) -> (demo: DemoData, tour: Tour?) {
        (App.demoData.demoData, App.tour.tour)
    }

    @Test("a tour and a path that are declared without their types are used")
    func declared() throws {
        let (demo, tour) = seen(Declared.self)
        #expect(tour?.stops.map(\.title) == ["A stop"])
        let folder = try #require(try demo.open()).folder
        #expect(FileManager.default.fileExists(atPath: "\(folder)/poems/rating-9.json"))
    }

    @Test("a program that declares nothing has no documents and no tour")
    func plain() throws {
        let (demo, tour) = seen(Plain.self)
        #expect(tour == nil && demo.isEmpty)
        #expect(try demo.open() == nil)
    }

    @Test("files inside a program are in a folder as long as it is open")
    func files() throws {
        let files = DemoData(files: [.init("a/b/c.json", text: "{}"), .init("d.plist", base64: "AAE=")])
        var open = try files.open()
        let folder = try #require(open).folder.description
        #expect(try String(contentsOfFile: "\(folder)/a/b/c.json", encoding: .utf8) == "{}")
        #expect(try Data(contentsOf: URL(filePath: "\(folder)/d.plist")) == Data([0, 1]))
        open = nil
        #expect(!FileManager.default.fileExists(atPath: folder))
    }

    @Test("a file whose path leads out of the folder is refused", arguments: ["../x", "a/../../x", "/x", "a//x", ""])
    func outside(path: String) throws {
        #expect(throws: (any Error).self) { try DemoData(files: [.init(path, text: "")]).open() }
    }

    @Test("the program has the files of demo-data as they are")
    func embedded() throws {
        let script = BuiltProgram(path: Project.path("Tests/Support/embed-demo-data.py"))
        let made = try script.run()
        #expect(made.output == (try Project.text("Sources/migration-inspector/DemoFiles.swift")))
    }
}
