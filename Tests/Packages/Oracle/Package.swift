// swift-tools-version: 6.0

import PackageDescription

let package = Package(
    name: "Oracle",
    platforms: [.macOS(.v13)],
    dependencies: [.package(name: "MigrationInspector", path: "../../..")],
    targets: [
        .executableTarget(
            name: "Oracle",
            dependencies: [.product(name: "FuzzedRooms", package: "MigrationInspector")])
    ],
    swiftLanguageModes: [.v6]
)
