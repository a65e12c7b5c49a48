import MigrationWorker

extension WorkerProgress {
    /// Returns what is running, for how long, and how to stop it.
    func words(_ glyphs: Glyphs) -> String { "\(words(arrow: glyphs.arrow)); \(InspectorKey.stop.name()) stops it" }

    /// A word shown in place of the outcome while there is none.
    static let word = "running"
}
