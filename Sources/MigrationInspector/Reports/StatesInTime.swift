import DocumentModel
import DocumentSources
import MigrationCore
import MigrationWorker

/// Documents that are states of one document, oldest first, and how their contents are seen.
struct StatesInTime: Sendable {
    let documents: [DocumentReference]
    let states: [HistoryState]
    /// The version of each document that opens; nil if it doesn't, or that isn't known.
    let versions: [DocumentVersion?]
    let opener: Opener
    /// Whether each state is shown in the shape of the newest version.
    let isMigrated: Bool

    /// Creates states from documents in the order in which they are found: the committed states of a file newest first,
    /// others oldest first.
    init(_ found: [(document: DocumentReference, version: DocumentVersion?)], opener: Opener, isMigrated: Bool) {
        // The unreadable rest of a packed state isn't a state.
        let found = found.filter { !$0.document.isRest }
        (self.opener, self.isMigrated) = (opener, isMigrated)
        guard found.contains(where: { $0.document.revision != nil }) else {
            (documents, versions) = (found.map(\.document), found.map(\.version))
            states = zip([HistoryState](inLine: found.count), documents)
                .map { HistoryState(before: $0.before, isDeleted: $1.isAbsent) }
            return
        }
        let before = found.map(\.document).statesBefore()
        documents = found.reversed().map(\.document)
        versions = found.reversed().map(\.version)
        states = found.indices.reversed().map { position in
            HistoryState(
                before: before[position].map { found.count - 1 - $0 },
                isDeleted: found[position].document.isAbsent)
        }
    }

    /// Returns the states of each document: those of each history, or all documents if none of them is committed.
    static func each(
        of found: [(document: DocumentReference, version: DocumentVersion?)], opener: Opener, isMigrated: Bool
    ) -> [StatesInTime] {
        var histories: [FilePath] = []
        var states: [FilePath: [(document: DocumentReference, version: DocumentVersion?)]] = [:]
        if found.contains(where: { $0.document.revision != nil }) {
            for state in found {
                if states[state.document.history] == nil { histories.append(state.document.history) }
                states[state.document.history, default: []].append(state)
            }
        }
        guard histories.count > 1 else { return [StatesInTime(found, opener: opener, isMigrated: isMigrated)] }
        return histories.map { StatesInTime(states[$0] ?? [], opener: opener, isMigrated: isMigrated) }
    }

    /// The position of the state with the present content; nil if there are no states.
    var newest: Int? { documents.indices.last { documents[$0].revision?.lane ?? 0 == 0 } }

    /// Returns the content of a state; nil if it cannot be read or, if it is seen migrated, does not migrate.
    func content(_ state: Int) -> Document? { opener.content(of: documents[state], isMigrated: isMigrated) }

    /// Returns the migration of an earlier state to the version of a later one, with what experiments find; nil if both
    /// have the same version, or it does not get there.
    func migration(_ earlier: Int, _ later: Int) -> MigrationTrace? {
        guard !isMigrated, let old = versions[earlier] else { return nil }
        return opener.migration(of: documents[earlier], in: old, to: versions[later])
    }

    /// Follows a value from the newest state that has it.
    ///
    /// - Returns: nil if no state has it.
    /// - Throws: ``UsageError`` if the selector means several values.
    func following(_ selector: DocumentSelector) throws -> ValueHistory? {
        // The states that lead to the present content come before those on sides.
        let line = newest.map { Array(sequence(first: $0) { states[$0].before.first }) } ?? []
        let sides = Set(documents.indices).subtracting(line).sorted(by: >)
        for state in line + sides where !states[state].isDeleted {
            guard let document = content(state) else { continue }
            switch selector.match(in: document.root) {
            case .missing: continue
            case .several(let count):
                throw UsageError.severalSelected(selector, count: count, in: documents[state].name)
            case .found(let node):
                return ValueHistory(
                    of: node.path, at: state, in: states, checkpoint: {}, read: content, migration: migration)
            }
        }
        return nil
    }
}

extension Opener {
    /// Returns the content of a document, as it is or in the newest version; nil if it cannot be read, or does not
    /// migrate.
    func content(of document: DocumentReference, isMigrated: Bool) -> Document? {
        guard isMigrated else { return try? Document(parsing: document.read(), allowsJSON5: true) }
        guard let trace = try? trace(document), trace.failure == nil, trace.chain != nil else { return nil }
        return trace.result
    }

    /// Returns the migration of a document from its version to another, with what experiments find; nil if they are the
    /// same, or it does not get there.
    func migration(
        of document: DocumentReference, in version: DocumentVersion, to target: DocumentVersion?
    ) -> MigrationTrace? {
        guard let target, target != version else { return nil }
        var opener = self
        opener.target = target
        guard let trace = try? opener.trace(document), trace.outcome == .migrated, trace.steps.last?.to == target
        else { return nil }
        return (try? opener.examining(trace, of: document)) ?? trace
    }
}
