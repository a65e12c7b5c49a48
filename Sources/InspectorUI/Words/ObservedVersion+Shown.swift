import DocumentModel
import MigrationCore

extension ObservedVersion {
    /// Where a version was observed, and what that means: `observed at $.lockfileVersion; no chain, so nothing
    /// migrates`.
    var shownWords: String {
        (path.map { "observed at \($0.shown)" } ?? "no version observed") + "; " + Self.meaning
    }
}
