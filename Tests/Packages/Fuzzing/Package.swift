// swift-tools-version: 6.0

import PackageDescription

let package = Package(
    name: "Fuzzing",
    platforms: [.macOS(.v13)],
    dependencies: [.package(name: "MigrationInspector", path: "../../..")],
    targets: [
        .executableTarget(
            name: "Fuzzing",
            dependencies: [.product(name: "FuzzedRooms", package: "MigrationInspector")]),
        .executableTarget(
            name: "Soak",
            dependencies: [.product(name: "FuzzedRooms", package: "MigrationInspector")]),
    ],
    swiftLanguageModes: [.v6]
)
