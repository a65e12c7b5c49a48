// swift-tools-version: 6.0

import PackageDescription

/// An app that was written for the VersionedCodable library. Only the import in its code was changed. It must build and
/// pass its tests, which MigrationCore promises.
let package = Package(
    name: "VersionedCodableClient",
    platforms: [.macOS(.v13)],
    products: [.library(name: "Anthology", targets: ["Anthology"])],
    dependencies: [
        // Named, because the folder that the project was cloned into may be called anything.
        .package(name: "MigrationInspector", path: "../../..")
    ],
    targets: [
        .target(
            name: "Anthology", dependencies: [.product(name: "MigrationCore", package: "MigrationInspector")]),
        .testTarget(
            name: "AnthologyTests",
            dependencies: ["Anthology", .product(name: "MigrationCore", package: "MigrationInspector")]),
    ]
)
