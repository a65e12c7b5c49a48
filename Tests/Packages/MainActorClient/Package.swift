// swift-tools-version: 6.2

import PackageDescription

/// An app whose types belong to the main actor, as in new app targets by default. It is built twice from the same
/// sources: in Swift 5 mode and in Swift 6 mode.
let core = Target.Dependency.product(name: "MigrationCore", package: "MigrationInspector")
let documents = Target.Dependency.product(name: "DocumentModel", package: "MigrationInspector")

func settings(_ mode: SwiftLanguageMode) -> [SwiftSetting] {
    [.defaultIsolation(MainActor.self), .swiftLanguageMode(mode)]
}

let package = Package(
    name: "MainActorClient",
    platforms: [.macOS(.v13)],
    dependencies: [
        // Named, because the folder that the project was cloned into may be called anything.
        .package(name: "MigrationInspector", path: "../../..")
    ],
    targets: [
        .target(name: "Cellar", dependencies: [core], swiftSettings: settings(.v6)),
        .testTarget(name: "CellarTests", dependencies: ["Cellar", core, documents], swiftSettings: settings(.v6)),
        .target(name: "CellarOfSwift5", dependencies: [core], swiftSettings: settings(.v5)),
        .testTarget(
            name: "CellarOfSwift5Tests", dependencies: ["CellarOfSwift5", core, documents], swiftSettings: settings(.v5)
        ),
    ]
)
