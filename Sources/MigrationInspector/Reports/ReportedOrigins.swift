import DocumentModel
import MigrationCore

/// The origins of what a change shows, in words.
struct ReportedOrigins {
    /// The origin of the value itself; nil if it isn't known, or if the values inside have their own.
    let own: String?
    /// The origins of values inside a new object or array. More than ten values whose paths differ only in positions,
    /// or in the keys of one level, are shown as one if they have the same words.
    let inside: [(place: String, words: String)]

    /// Creates the words for a change of a step.
    ///
    /// - Parameters:
    ///   - origins: The origins of all values of the step.
    ///   - after: The document that the step made.
    init(_ reported: ReportedChange, _ origins: OriginWords, in after: Document?) {
        let change = reported.change
        let isNew = change.kind == .added || change.kind == .changed
        let isWhole = isNew && !reported.isFolded && change.new?.kind.isContainer == true
        let inside = isWhole ? Self.inside(change.path, origins, in: after) : []
        own = isNew && inside.isEmpty ? origins.of(reported.path) : nil
        self.inside = inside
    }

    private static func inside(
        _ path: DocumentPath, _ origins: OriginWords, in after: Document?
    ) -> [(place: String, words: String)] {
        let paths = origins.paths(inside: path)
        guard let root = after?.root else {
            return paths.compactMap { path in origins.of(path).map { ("\(path)", $0) } }
        }
        var folds = PathFolds()
        return folds.fold(paths, in: root).flatMap { path -> [(place: String, words: String)] in
            let members = folds.entries[path]?.paths ?? [path]
            let common = Set(members.map { origins.of($0, shownAs: path) })
            if members != [path], common.count == 1, let words = common.first ?? nil {
                return [("\(path)\(folds.words(path))", words)]
            }
            return members.compactMap { path in origins.of(path).map { ("\(path)", $0) } }
        }
    }
}
