// swift-tools-version: 6.2

import PackageDescription

/// An app whose migrations end the process in every way that there is; once as its types are, once with types that belong to the main
/// actor, from the same sources.
let inspector = Target.Dependency.product(name: "MigrationInspector", package: "MigrationInspector")

let package = Package(
    name: "FaultyInspector",
    platforms: [.macOS(.v13)],
    dependencies: [.package(name: "MigrationInspector", path: "../../..")],
    targets: [
        .executableTarget(name: "inspect-faults", dependencies: [inspector]),
        .executableTarget(
            name: "inspect-main-actor-faults", dependencies: [inspector],
            swiftSettings: [.defaultIsolation(MainActor.self)]),
    ],
    swiftLanguageModes: [.v6]
)
