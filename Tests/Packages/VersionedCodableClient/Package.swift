// swift-tools-version: 6.0

import PackageDescription

/// An app that was written for the VersionedCodable library. Of its code only the import was changed; that it builds and passes
/// its tests is the promise that MigrationCore keeps.
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
