// swift-tools-version: 6.0

import PackageDescription

/// The rooms, in the order of the flow: a room imports only rooms above it.
let package = Package(
    name: "MigrationInspector",
    platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
    products: [
        .library(name: "DocumentModel", targets: ["DocumentModel"]),
        .library(name: "MigrationCore", targets: ["MigrationCore"]),
        .library(name: "MigrationInspector", targets: ["MigrationInspector"]),
        .executable(name: "migration-inspector", targets: ["migration-inspector"]),
        // For Tests/Packages/Fuzzing alone: a package can use only the products of another, and what reads bytes from
        // outside is in rooms that no product for apps has.
        .library(
            name: "FuzzedRooms",
            targets: [
                "DocumentModel", "MigrationCore", "DocumentSources", "MigrationWorker", "InspectorUI", "ExampleChains",
                "TestSupport",
            ]),
    ],
    targets: [
        .systemLibrary(
            name: "CNcurses",
            path: "CNcurses",
            providers: [.apt(["libncurses-dev"]), .brew(["ncurses"])]
        ),
        .systemLibrary(name: "CSQLite", path: "Sources/CSQLite", providers: [.apt(["libsqlite3-dev"])]),
        .target(name: "DocumentModel"),
        .target(name: "DisplayText", dependencies: ["DocumentModel"]),
        .target(name: "MigrationCore", dependencies: ["DocumentModel"]),
        .systemLibrary(name: "CProcess", path: "Sources/CProcess"),
        .target(
            name: "DocumentSources",
            dependencies: ["DocumentModel", "DisplayText", "MigrationCore", "CSQLite", "CProcess"]),
        .target(
            name: "MigrationWorker", dependencies: ["DocumentModel", "MigrationCore", "DocumentSources", "CProcess"]),
        .target(
            name: "InspectorUI",
            dependencies: ["DocumentModel", "MigrationCore", "DisplayText"]),
        .target(
            name: "CursesTerminal",
            dependencies: ["DocumentModel", "DisplayText", "InspectorUI", "CNcurses", "CProcess"]),
        .target(
            name: "MigrationInspector",
            dependencies: [
                "DocumentModel", "MigrationCore", "DocumentSources", "DisplayText", "MigrationWorker", "InspectorUI",
                "CursesTerminal", "CProcess",
            ]
        ),
        .target(name: "ExampleChains", dependencies: ["MigrationCore"]),
        .executableTarget(name: "migration-inspector", dependencies: ["MigrationInspector", "ExampleChains"]),
        .testTarget(name: "DocumentModelTests", dependencies: ["DocumentModel", "TestSupport", "SecondModule"]),
        .testTarget(name: "MigrationCoreTests", dependencies: ["MigrationCore", "DocumentModel", "TestSupport"]),
        .testTarget(
            name: "DocumentSourcesTests",
            dependencies: ["DocumentSources", "MigrationCore", "DocumentModel", "TestSupport"],
            exclude: ["Support/make-book-store.py"]
        ),
        .testTarget(
            name: "MigrationWorkerTests",
            dependencies: ["MigrationWorker", "MigrationCore", "DocumentModel", "ExampleChains", "TestSupport"]),
        .testTarget(name: "DisplayTextTests", dependencies: ["DisplayText"]),
        .testTarget(
            name: "InspectorUITests",
            dependencies: [
                "InspectorUI", "DisplayText", "DocumentSources", "MigrationCore", "DocumentModel", "TestSupport",
            ]),
        .testTarget(
            name: "ExampleChainsTests",
            dependencies: ["ExampleChains", "MigrationCore", "DocumentModel", "TestSupport"]),
        .testTarget(
            name: "CursesTerminalTests", dependencies: ["CursesTerminal", "InspectorUI", "CNcurses", "TestSupport"]),
        .testTarget(
            name: "MigrationInspectorTests",
            dependencies: [
                "MigrationInspector", "MigrationWorker", "MigrationCore", "DocumentModel", "TestSupport",
                "migration-inspector",
            ],
            exclude: ["DemoData/expected-results.jsonl"]
        ),
        .testTarget(name: "TerminalSessionTests", dependencies: ["TestSupport", "migration-inspector"]),
        .testTarget(name: "FaultTests", dependencies: ["DocumentModel", "TestSupport", "migration-inspector"]),
        .target(name: "TestSupport", dependencies: ["DocumentModel"], path: "Tests/TestSupport"),
        // For what it takes two modules to test.
        .target(name: "SecondModule", path: "Tests/SecondModule"),
    ],
    swiftLanguageModes: [.v6]
)

// Continuous integration asks for this. Another compiler may warn of more, and should still build the program.
if Context.environment["WARNINGS_AS_ERRORS"] != nil {
    for target in package.targets where target.type != .system {
        target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(["-warnings-as-errors"])]
    }
}
