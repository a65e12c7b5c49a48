import ExampleChains
import Foundation
import MigrationInspector

/// The program for the example chains, and the first one to embed the inspector.
struct Inspect: MigrationInspectorProgram {
    static let chains = ExampleChains.all
    static let demoData = DemoData.folder(named: "demo-data")
    static let demoDocument: String? = "poems/rating-9.json"
    static let tour: Tour? = .demoData
}

Inspect.main()
