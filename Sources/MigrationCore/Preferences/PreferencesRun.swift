import DocumentModel

/// The run of one property list from version 4 to version 5.
struct PreferencesRun {
    let chain: PreferencesChain
    let document: Document
    let source: String
    let target: DocumentVersion?
    let observer: (any RunObserver)?

    /// A declared key that the document has.
    private struct Value {
        let key: StoredPreference
        let member: DocumentNode.Member
        let reading: PreferenceReading
        let seconds: Double

        var path: DocumentPath { DocumentPath([.key(key.name)]) }

        var isCurrent: Bool { if case .current = reading { true } else { false } }
        var failure: MigrationFailure? { if case .failed(let failure) = reading { failure } else { nil } }
        var migrated: MigratedPreference? { if case .migrated(let migrated) = reading { migrated } else { nil } }
    }

    /// Runs the document.
    func run() -> TraceBuilder {
        var builder = TraceBuilder(chain, document, source: source, target: target, detail: .trace)
        if let error = chain.declarationError {
            builder.fail(MigrationFailure(.declared(error)))
            return builder
        }
        guard document.format.isPropertyList, document.root.kind == .object else {
            let found = document.format.isPropertyList ? FoundValue(document.root) : nil
            builder.fail(
                MigrationFailure(
                    .notPreferences(found: found), culprit: .init(path: .root, certain: true),
                    location: document.root.location))
            return builder
        }
        let values = readings()
        let version = values.allSatisfy(\.isCurrent) ? PreferencesChain.step.to : PreferencesChain.step.from
        builder.detect(version) { attempts(version, values) }
        let goal = target ?? chain.newestVersion
        guard chain.versions.contains(where: { $0.version == goal }),
            !(version == PreferencesChain.step.to && goal == PreferencesChain.step.from)
        else {
            builder.fail(chain.unreachable(goal, from: version))
            return builder
        }
        let isMigrating = version != goal
        builder.trace.parts = values.map { part($0, isMigrating: isMigrating) }
        let failure = values.lazy.compactMap(\.failure).first
        let migrated = values.compactMap(\.migrated)
        if failure != nil { builder.trace.opening = .failedInParts }
        // If no key gets through the step, the step itself failed.
        if isMigrating, migrated.isEmpty, let failure, failure.step != nil {
            builder.step(
                chain.versions[0], chain.versions[1], seconds: values.reduce(0) { $0 + $1.seconds }, .failed(failure))
            return builder
        }
        guard isMigrating else { return builder }
        builder.trace.dropped = migrated.flatMap(\.dropped)
        builder.warn(migrated.flatMap(\.warnings))
        // Keys that failed stay as they were, next to those that migrated.
        if !migrated.isEmpty {
            builder.step(
                chain.versions[0], chain.versions[1], seconds: values.reduce(0) { $0 + $1.seconds },
                MigrationStep.Ending(encoding: chain.versions[1].type) { document(migrating: values) })
        }
        return builder
    }

    /// Reads the declared keys that the document has, in document order.
    private func readings() -> [Value] {
        var watch = Stopwatch(runs: true)
        return document.root.members.compactMap { member in
            guard let key = chain.keys[ExactText(member.name)] else { return nil }
            watch.restart()
            // Reading a value also migrates it.
            observer?.enter(chain.name, .decoding)
            let reading = key.read(member.value, for: observer)
            return Value(key: key, member: member, reading: reading, seconds: watch.seconds)
        }
    }

    private func attempts(_ version: DocumentVersion, _ values: [Value]) -> [VersionDetection.Attempt] {
        let others = values.lazy.filter { !$0.isCurrent }.map(\.path)
        let tried = version == PreferencesChain.step.to ? chain.versions.suffix(1) : chain.versions[...]
        return tried.inTrialOrder.map { tried in
            VersionDetection.Attempt(
                version: tried.version, type: tried.type,
                reason: tried.version == version
                    ? nil : .keysStoredDifferently(paths: Array(others.prefix(3)), count: others.count))
        }
    }

    /// Returns the document with all migrated keys replaced at once.
    private func document(migrating values: [Value]) -> Document {
        let migrated = Dictionary(
            values.compactMap { value in value.migrated.map { (value.member.key.id, $0) } },
            uniquingKeysWith: { first, _ in first })
        var builder = DocumentBuilder()
        builder.beginObject()
        for member in document.root.members {
            let new = migrated[member.key.id]
            // Null is not stored.
            if let new, new.value == nil { continue }
            builder.key(member.name)
            builder.append(new?.value?.root ?? member.value)
        }
        builder.end()
        return builder.finish(format: document.format)
    }

    // MARK: - Parts

    /// Returns the trace of one key as a separate document, with paths that start at its value.
    private func part(_ value: Value, isMigrating: Bool) -> MigrationTrace {
        let before = Document(copying: value.member.value)
        let versions = [
            ChainVersion(version: PreferencesChain.step.from, type: "JSON string"),
            ChainVersion(version: PreferencesChain.step.to, type: value.key.typeName),
        ]
        var part = TraceBuilder(
            source: source, document: before, chain: value.key.typeName, versions: versions, target: target,
            detail: .trace)
        part.detect(value.isCurrent ? PreferencesChain.step.to : PreferencesChain.step.from)
        switch value.reading {
        case .current: break
        case .failed(let failure):
            let failure = failure.reported(ofPartAt: value.path)
            // A value that could not be read did not get as far as the step.
            if failure.step == nil {
                part.fail(failure)
            } else {
                part.step(versions[0], versions[1], seconds: value.seconds, .failed(failure))
            }
        case .migrated(let migrated):
            guard isMigrating else { break }
            part.trace.dropped = migrated.dropped.map { $0.inside(value.path) }
            part.warn(migrated.warnings)
            part.step(
                versions[0], versions[1], seconds: value.seconds,
                migrated.value.map { .made($0) } ?? .madeUnencodable(.field(path: value.path, problem: .nullLeftOut)))
        }
        part.trace.path = value.path
        return part.trace
    }
}
