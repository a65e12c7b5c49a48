// swift-tools-version: 6.0

import PackageDescription

/// An app whose documents fail in known ways, for judging the inspector's claims about them.
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
