import DocumentModel

/// Why a key does not migrate.
struct PreferenceFailure: ReasonedError {
    var failure: MigrationFailure
    /// Whether a string that had to be JSON is none.
    var isNoJSON: Bool { if case .notJSON = failure.reason { true } else { false } }

    var reason: Reason { failure.reason }

    /// A value of the property list, at `path`, is not what its type reads.
    init(_ error: any Error, reading node: DocumentNode, at path: DocumentPath, _ record: ReadRecord) {
        self.init(Reason(error, in: node, record), at: .root, in: node, of: path, record: nil)
    }

    /// The value at `place` of a JSON text is not what its type reads.
    init(_ error: any Error, reading json: JSONPreference, at place: DocumentPath, _ record: ReadRecord) {
        let root = json.document.root
        let reason = Reason(error, in: root.descendant(at: place), record)
        self.init(reason, at: place, in: root, of: json.path, record: record)
        failure.location?.within = json.path
    }

    /// The conversion from the old type to the new one threw.
    init(converting error: any Error, in json: JSONPreference, _ record: ReadRecord) {
        let reason = Reason(error)
        let root = json.document.root
        let named = reason.path.flatMap { $0.isRoot ? nil : root.descendant(at: $0).map(\.path) }
        // Of a string that holds just one value, it can only be that.
        let culprit =
            named.map { MigrationFailure.Culprit(path: $0, certain: true) }
            ?? (root.kind.isContainer
                ? CulpritFinder(root: root, isCandidate: record.contains)
                    .likeliest(path: reason.path, message: reason.authorsMessage ?? "")
                : .init(path: .root, certain: false))
        failure = MigrationFailure(
            reason.changingPaths(json.path.appending), step: PreferencesChain.step,
            culprit: culprit.map { .init(path: json.path.appending($0.path), certain: $0.certain) },
            location: root.deepestDescendant(along: culprit?.path ?? reason.path ?? .root).node.location)
        failure.location?.within = json.path
    }

    /// A string is not JSON.
    init(notJSON error: DocumentParseError, at path: DocumentPath) {
        self.init(.notJSON(path: path, found: error.found, expected: error.expected), error.location, within: path)
    }

    /// The value at `path` is of another kind than its form.
    init(
        mismatch node: DocumentNode, expected: ExpectedValue, at path: DocumentPath, within string: DocumentPath? = nil
    ) {
        self.init(
            .mismatch(path: path, expected: expected, found: FoundValue(node)), node.location, within: string)
    }

    /// A name does not describe a key of the dictionary's type.
    init(
        name node: DocumentNode, of type: any LosslessStringConvertible.Type, at path: DocumentPath,
        within string: DocumentPath? = nil
    ) {
        self.init(
            .wrongName(path: path, type: "\(type)", found: FoundValue(node)), node.location, within: string)
    }

    private init(_ reason: Reason, _ location: SourceLocation?, within string: DocumentPath?) {
        failure = MigrationFailure(
            reason, culprit: reason.path.map { .init(path: $0, certain: true) }, location: location)
        failure.location?.within = string
    }

    /// A reason that is told of the value at `place` in `root`, which is itself the value at `base`.
    private init(
        _ reason: Reason, at place: DocumentPath, in root: DocumentNode, of base: DocumentPath, record: ReadRecord?
    ) {
        let place = place.appending(reason.path ?? .root)
        var culprit: MigrationFailure.Culprit?
        if reason.kind == .keyNotFound {
            let finder = CulpritFinder(root: root) { record?.contains($0) == false }
            culprit = finder.misspelling(of: place) { $0 }
        } else if root.descendant(at: place) != nil {
            culprit = .init(path: place, certain: true)
        }
        let path = base.appending(place)
        failure = MigrationFailure(
            reason.path == nil ? .ofPart(path: path, reason) : reason.changingPaths { _ in path },
            culprit: culprit.map { .init(path: base.appending($0.path), certain: $0.certain) },
            location: root.deepestDescendant(along: culprit?.path ?? place).node.location)
    }
}
