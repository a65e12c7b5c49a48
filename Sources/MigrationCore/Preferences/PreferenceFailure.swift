import DocumentModel

/// Why a key does not migrate.
struct PreferenceFailure: Error {
    var failure: MigrationFailure
    /// Whether a string that had to be JSON is none.
    var isNoJSON = false

    /// A value of the property list, at `path`, is not what its type reads.
    init(_ error: any Error, reading node: DocumentNode, at path: DocumentPath) {
        failure = MigrationFailure(classifying: error)
        let place = failure.path ?? .root
        point(at: place, in: node, of: path, record: nil)
    }

    /// The value at `place` of a JSON text is not what its type reads.
    init(_ error: any Error, reading json: JSONPreference, at place: DocumentPath, _ record: ReadRecord) {
        failure = MigrationFailure(classifying: error)
        point(at: place.appending(failure.path ?? .root), in: json.document.root, of: json.path, record: record)
        failure.location?.within = json.path
    }

    /// The conversion from the old type to the new one threw.
    init(converting error: any Error, in json: JSONPreference, _ record: ReadRecord) {
        failure = MigrationFailure(classifying: error)
        failure.step = PreferencesChain.step
        let root = json.document.root
        let named = failure.path.flatMap { $0.isRoot ? nil : root.descendant(at: $0).map(\.path) }
        let culprit =
            named.map { MigrationFailure.Culprit(path: $0, certain: true) }
            ?? CulpritFinder(root: root, isCandidate: record.contains)
            .likeliest(path: failure.path, message: failure.message)
        let place = culprit?.path ?? failure.path ?? .root
        failure.location = root.deepestDescendant(along: place).node.location
        failure.location?.within = json.path
        failure.culprit = culprit.map { .init(path: json.path.appending($0.path), certain: $0.certain) }
        failure.path = json.path.appending(failure.path ?? .root)
    }

    /// A string is not JSON.
    init(notJSON error: DocumentParseError, at path: DocumentPath) {
        isNoJSON = true
        var location = error.location
        location?.within = path
        failure = MigrationFailure(
            kind: .dataCorrupted, path: path, culprit: .init(path: path, certain: true),
            message: "The string is not JSON: \(error.message)", location: location)
    }

    /// The value at `path` is of another kind than its form.
    init(mismatch node: DocumentNode, expected: String, at path: DocumentPath, within string: DocumentPath? = nil) {
        var location = node.location
        location?.within = string
        failure = MigrationFailure(
            kind: .typeMismatch, path: path, culprit: .init(path: path, certain: true),
            message: "Expected \(expected), but found \(node.briefText)", location: location)
    }

    private mutating func point(
        at place: DocumentPath, in root: DocumentNode, of base: DocumentPath, record: ReadRecord?
    ) {
        failure.path = base.appending(place)
        var culprit: MigrationFailure.Culprit?
        if failure.kind == .keyNotFound {
            let finder = CulpritFinder(root: root) { record?.contains($0) == false }
            culprit = finder.misspelling(of: place) { $0 }
        } else if root.descendant(at: place) != nil {
            culprit = .init(path: place, certain: true)
        }
        failure.location = root.deepestDescendant(along: culprit?.path ?? place).node.location
        failure.culprit = culprit.map { .init(path: base.appending($0.path), certain: $0.certain) }
    }
}
