import MigrationInspector

@main
struct Inspect: MigrationInspectorProgram {
    static let chains: [MigrationChain] = [MigrationChain(Task.self)]
}
