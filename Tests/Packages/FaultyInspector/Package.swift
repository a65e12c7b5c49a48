// swift-tools-version: 6.2

import PackageDescription

/// An app whose migrations end the process in every possible way, and attack the program that runs it. It is built
/// twice from the same sources: as is, and with types that belong to the main actor.
let dependencies: [Target.Dependency] = [
    .product(name: "MigrationInspector", package: "MigrationInspector"), "CAttacks",
]

let package = Package(
    name: "FaultyInspector",
    platforms: [.macOS(.v13)],
    dependencies: [.package(name: "MigrationInspector", path: "../../..")],
    targets: [
        .target(name: "CAttacks"),
        .executableTarget(name: "inspect-faults", dependencies: dependencies),
        .executableTarget(
            name: "inspect-main-actor-faults", dependencies: dependencies,
            swiftSettings: [.defaultIsolation(MainActor.self)]),
    ],
    swiftLanguageModes: [.v6]
)
