// swift-tools-version: 6.0

import PackageDescription

let package = Package(
    name: "EmbeddedInspector",
    platforms: [.macOS(.v13)],
    dependencies: [
        // The folder that you cloned Migration Inspector into, seen from this one.
        .package(name: "MigrationInspector", path: "../../..")
    ],
    targets: [
        .executableTarget(
            name: "inspect-recipes",
            dependencies: [.product(name: "MigrationInspector", package: "MigrationInspector")])
    ]
)
