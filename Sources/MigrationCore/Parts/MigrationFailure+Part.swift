import DocumentModel

extension MigrationFailure {
    /// The failure as it is told of a part of the document: paths begin at `part`.
    func told(ofPartAt part: DocumentPath) -> MigrationFailure {
        changingPaths { path in
            path.hasPrefix(part) ? DocumentPath(Array(path.components.dropFirst(part.components.count))) : path
        }
    }

    /// The failure of the part at `part` as it is told of the whole document.
    package func told(ofWholeWithPartAt part: DocumentPath) -> MigrationFailure { changingPaths { part.appending($0) } }

    private func changingPaths(_ change: (DocumentPath) -> DocumentPath) -> MigrationFailure {
        var failure = self
        failure.reason = reason.changingPaths(change)
        failure.culprit = culprit.map { Culprit(path: change($0.path), certain: $0.certain) }
        failure.location?.within = location?.within.map(change)
        return failure
    }
}
