import MigrationWorker

extension WorkerProgress {
    /// Whether a person waits for it.
    var isLong: Bool { seconds >= 1 }

    /// What runs, for how long, and how to stop it.
    func words(_ glyphs: Glyphs) -> String { "\(words(arrow: glyphs.arrow)); x stops it" }
}
