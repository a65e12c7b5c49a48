// swift-tools-version: 6.0

import PackageDescription

/// An app that was written for the Versionable library, before Swift 6. Only the import in its code was changed. It
/// must build and pass its tests, which MigrationCore promises.
let package = Package(
    name: "VersionableClient",
    platforms: [.macOS(.v13)],
    products: [.library(name: "Pantry", targets: ["Pantry"])],
    dependencies: [
        // Named, because the folder that the project was cloned into may be called anything.
        .package(name: "MigrationInspector", path: "../../..")
    ],
    targets: [
        .target(
            name: "Pantry", dependencies: [.product(name: "MigrationCore", package: "MigrationInspector")],
            swiftSettings: [.swiftLanguageMode(.v5)]),
        .testTarget(
            name: "PantryTests",
            dependencies: ["Pantry", .product(name: "MigrationCore", package: "MigrationInspector")],
            swiftSettings: [.swiftLanguageMode(.v5)]),
    ]
)
