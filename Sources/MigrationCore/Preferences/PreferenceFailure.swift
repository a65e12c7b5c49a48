import DocumentModel

/// The reason a key does not migrate.
struct PreferenceFailure: Error {
    let failure: MigrationFailure

    /// Whether a string that should contain JSON does not.
    var isNoJSON: Bool { if case .field(_, .notJSON) = failure.reason { true } else { false } }

    /// Creates a failure for a problem with a value.
    ///
    /// - Parameters:
    ///   - string: The path of the string whose JSON contains the value, if any.
    ///   - location: The location of the problem, if it isn't the start of the value.
    init(
        _ problem: FieldProblem, at node: DocumentNode, in string: DocumentPath? = nil, location: SourceLocation? = nil
    ) {
        let path = node.path
        self.init(
            MigrationFailure(
                .field(path: path, problem: problem), culprit: .init(path: path, certain: true),
                location: location ?? node.location),
            in: string)
    }

    /// Creates a failure for a value that its type cannot decode. `record` is the record of what was read of it.
    init(_ error: any Error, reading node: DocumentNode, in string: DocumentPath? = nil, _ record: ReadRecord) {
        let reason = Reason(error, in: node, record)
        let root = node.document.root
        let place = node.path.appending(reason.path ?? .root)
        var culprit: MigrationFailure.Culprit?
        if reason.kind == .keyNotFound {
            culprit = CulpritFinder(root: root) { !record.contains($0) }.misspelling(of: place)
        } else if root.descendant(at: place) != nil {
            culprit = .init(path: place, certain: true)
        }
        self.init(
            MigrationFailure(
                reason.path == nil ? .ofPart(path: place, reason) : reason.changingPaths { _ in place },
                culprit: culprit, location: root.deepestDescendant(along: culprit?.path ?? place).node.location),
            in: string)
    }

    /// Creates a failure for an error thrown by the conversion from the old type to the new one.
    init(converting error: any Error, in json: JSONPreference, _ record: ReadRecord) {
        let root = json.document.root
        let reason = Reason(error, in: root)
        // If the string contains just a single value, it must be that.
        let culprit =
            root.kind.isContainer
            ? CulpritFinder(root: root, isCandidate: record.contains).culprit(of: reason)
            : MigrationFailure.Culprit(path: .root, certain: false)
        self.init(
            MigrationFailure(
                reason, step: PreferencesChain.step, culprit: culprit,
                location: root.deepestDescendant(along: culprit?.path ?? reason.path ?? .root).node.location),
            in: json.path)
    }

    /// Creates a failure with paths that start at the root of the preferences.
    private init(_ failure: MigrationFailure, in string: DocumentPath?) {
        var reported = string.map(failure.relocated(toWholeWithPartAt:)) ?? failure
        if let string { reported.location?.within = string }
        self.failure = reported
    }
}
