// swift-tools-version: 6.0

import PackageDescription

/// An app whose documents fail in ways that are known beforehand, for judging what the inspector says about them.
let package = Package(
    name: "ProvenInspector",
    platforms: [.macOS(.v13)],
    dependencies: [.package(name: "MigrationInspector", path: "../../..")],
    targets: [
        .executableTarget(
            name: "proven-inspector",
            dependencies: [.product(name: "MigrationInspector", package: "MigrationInspector")])
    ],
    swiftLanguageModes: [.v6]
)
