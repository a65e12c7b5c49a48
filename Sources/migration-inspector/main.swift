import ExampleChains
import Foundation
import MigrationInspector

/// The program for the example chains, and the first one to embed the inspector.
struct Inspect: MigrationInspectorProgram {
    static let chains = ExampleChains.all
    /// The folder of a clone, or else the same files from inside the program.
    static let demoData = DemoData.folder(named: "demo-data").map { DemoData(folder: $0) } ?? .demoFiles
    static let demoDocument: String? = "poems/rating-9.json"
    static let tour = Tour.demoData
}

Inspect.main()
