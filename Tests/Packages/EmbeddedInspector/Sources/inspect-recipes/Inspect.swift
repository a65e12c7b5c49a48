import MigrationInspector

@main struct Inspect: MigrationInspectorProgram {
    static let chains: [MigrationChain] = [MigrationChain(Recipe.self)]
}
