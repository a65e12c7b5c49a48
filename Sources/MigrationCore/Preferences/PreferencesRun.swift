import DocumentModel

/// One property list on its way from version 4 to version 5.
struct PreferencesRun {
    let chain: PreferencesChain
    let document: Document
    let source: String
    let target: DocumentVersion?

    /// A declared key that the document has.
    private struct Value {
        let key: PreferenceKey
        let member: DocumentNode.Member
        let reading: PreferenceReading
        let seconds: Double

        var path: DocumentPath { DocumentPath([.key(key.name)]) }

        var isCurrent: Bool { if case .current = reading { true } else { false } }
        var failure: MigrationFailure? { if case .failed(let failure) = reading { failure } else { nil } }
        var migrated: MigratedPreference? { if case .migrated(let migrated) = reading { migrated } else { nil } }
    }

    /// Everything that happens to the document.
    func trace() -> MigrationTrace {
        var trace = MigrationTrace(
            source: source, format: document.format, chain: chain.name, versions: chain.versions,
            target: target ?? chain.newestVersion, outcome: .failed, document: document)
        trace.warnings = document.root.duplicateNameWarnings
        guard document.format.isPropertyList, document.root.kind == .object else {
            let found = document.format.isPropertyList ? document.root.briefText : "JSON"
            trace.failure = MigrationFailure(
                kind: .typeMismatch, path: .root, culprit: .init(path: .root, certain: true),
                message: "Preferences are a property list with a dictionary at its root, but this is \(found)",
                location: document.root.location)
            return trace
        }
        let values = readings()
        let version = values.allSatisfy(\.isCurrent) ? PreferencesChain.step.to : PreferencesChain.step.from
        trace.detection = detection(version, values)
        guard let target = trace.target, chain.versions.contains(where: { $0.version == target }),
            !(version == PreferencesChain.step.to && target == PreferencesChain.step.from)
        else {
            trace.failure = chain.unreachableTarget(trace.target ?? .unversioned, from: version)
            return trace
        }
        let isMigrating = version != target
        trace.failure = values.lazy.compactMap(\.failure).first
        trace.parts = values.map { part($0, isMigrating: isMigrating) }
        if isMigrating {
            let migrated = values.compactMap(\.migrated)
            trace.dropped = migrated.flatMap(\.dropped)
            trace.warnings += migrated.flatMap(\.warnings)
            if !migrated.isEmpty { trace.steps = [step(values)] }
        }
        trace.outcome = trace.failure != nil ? .failed : isMigrating ? .migrated : .current
        // Keys that failed stay as they were beside those that migrated; where none did, nothing was reached.
        trace.result = trace.steps.last?.after ?? (trace.failure == nil ? document : nil)
        return trace
    }

    /// The declared keys that the document has, in its order.
    private func readings() -> [Value] {
        let clock = ContinuousClock()
        return document.root.members.compactMap { member in
            guard let key = chain.keys[ExactText(member.name)] else { return nil }
            let start = clock.now
            let reading = key.read(member.value)
            return Value(key: key, member: member, reading: reading, seconds: (clock.now - start).inSeconds)
        }
    }

    private func detection(_ version: DocumentVersion, _ values: [Value]) -> VersionDetection {
        let others = values.lazy.filter { !$0.isCurrent }.map(\.path.description)
        let names = others.prefix(3).joined(separator: ", ") + (others.count > 3 ? " and \(others.count - 3) more" : "")
        let verb = others.count == 1 ? "is" : "are"
        var attempts = chain.versions.reversed().map {
            VersionDetection.Attempt(version: $0.version, type: $0.type, path: nil, found: nil, reason: nil)
        }
        if version == PreferencesChain.step.to {
            attempts.removeLast()
        } else {
            attempts[0].reason = "\(names) \(verb) not as version 5 stores \(others.count == 1 ? "it" : "them")"
        }
        return VersionDetection(version: version, attempts: attempts)
    }

    /// The one step: all the keys that migrate, at once.
    private func step(_ values: [Value]) -> MigrationStep {
        var readings = values[...]
        var builder = DocumentBuilder()
        builder.beginObject()
        for member in document.root.members {
            var value = Document?.none
            if let next = readings.first, next.member.key.index == member.key.index {
                readings.removeFirst()
                if let migrated = next.migrated {
                    guard migrated.value != nil else { continue }
                    value = migrated.value
                }
            }
            builder.key(member.name)
            builder.append(value?.root ?? member.value)
        }
        builder.end()
        let seconds = values.reduce(0) { $0 + $1.seconds }
        return step(chain.versions, seconds: seconds, document, builder.finish(format: document.format))
    }

    private func step(
        _ versions: [ChainVersion], seconds: Double, _ before: Document, _ after: Document?
    ) -> MigrationStep {
        MigrationStep(
            from: versions[0].version, to: versions[1].version, fromType: versions[0].type, toType: versions[1].type,
            seconds: seconds, before: before, after: after)
    }

    // MARK: - Parts

    /// What happened to one key, told as of a document of its own: its paths begin at the value.
    private func part(_ value: Value, isMigrating: Bool) -> MigrationTrace {
        let before = Document(copying: value.member.value)
        let versions = [
            ChainVersion(version: PreferencesChain.step.from, type: "JSON string"),
            ChainVersion(version: PreferencesChain.step.to, type: value.key.typeName),
        ]
        var part = MigrationTrace(
            source: source, format: document.format, chain: value.key.typeName, versions: versions,
            target: target ?? chain.newestVersion, path: value.path, outcome: .current, document: before, result: before
        )
        part.detection.version = value.isCurrent ? PreferencesChain.step.to : PreferencesChain.step.from
        switch value.reading {
        case .current: break
        case .failed(let failure):
            part.outcome = .failed
            part.failure = failure.told(ofPartAt: value.path)
            part.result = nil
            // What could not be read did not get as far as the step.
            if failure.step != nil { part.steps = [step(versions, seconds: value.seconds, before, nil)] }
        case .migrated(let migrated):
            guard isMigrating else { break }
            part.outcome = .migrated
            part.dropped = migrated.dropped.map { DocumentPath(Array($0.components.dropFirst())) }
            part.warnings = migrated.warnings
            part.result = migrated.value
            if let after = migrated.value { part.steps = [step(versions, seconds: value.seconds, before, after)] }
        }
        return part
    }
}
