// swift-tools-version: 6.0

import PackageDescription

let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v13)],
    dependencies: [.package(name: "MigrationInspector", path: "../../..")],
    targets: [
        // Uses only Foundation, to show what an app pays that opens its documents without this project.
        .target(name: "Baseline"),
        .systemLibrary(name: "SQLiteOfTheSystem", providers: [.apt(["libsqlite3-dev"])]),
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                "Baseline", "SQLiteOfTheSystem",
                .product(name: "DocumentModel", package: "MigrationInspector"),
                .product(name: "MigrationInspector", package: "MigrationInspector"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
