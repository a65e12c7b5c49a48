import MigrationWorker

extension WorkerProgress {
    /// What runs, for how long, and how to stop it.
    func words(_ glyphs: Glyphs) -> String { "\(words(arrow: glyphs.arrow)); \(InspectorKey.stop.name()) stops it" }

    /// What stands in place of an outcome while there is none.
    static let word = "running"
}
