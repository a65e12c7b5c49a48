import DocumentModel

/// A chain of stages that a document passes through one by one.
final class StagedChain: ChainSystem {
    let name: String
    /// The stages, oldest first; there is at least one.
    let stages: [ChainStage]
    let versions: [ChainVersion]
    let detector: any ChainDetector
    let decoder: DocumentDecoder
    let encoder: DocumentEncoder
    /// The code that decodes and encodes the value of the newest stage in chains of payloads, where the values of the
    /// stages are documents.
    let finish: (any StageCode)?

    init(
        name: String, stages: [ChainStage], detector: any ChainDetector, decoder: DocumentDecoder,
        encoder: DocumentEncoder, finish: (any StageCode)? = nil
    ) {
        self.name = name
        self.stages = stages
        versions = stages.map(\.chainVersion)
        self.detector = detector
        self.decoder = decoder
        self.encoder = encoder
        self.finish = finish
    }

    var notes: [String?] { stages.map(\.note) }

    func outline(ofVersion index: Int) -> VersionOutline {
        stages[index].code.outline(userInfo: decoder.strategies.userInfo)
    }

    /// Whether any version is stated under a key of the document.
    private var hasVersionKey: Bool { stages.contains { !$0.versionValues.isEmpty } }

    func detection(of reading: Reading) -> DetectedStage? { detector.detect(reading) }

    func claim(_ reading: Reading) -> DetectedStage? {
        guard hasVersionKey else { return nil }
        reading.observer?.enter(name, .detecting)
        let detected = detector.detect(reading)
        // For payloads, it isn't known what the closures read.
        if finish == nil, let index = detected.stage { reading.observer?.note(.decoding, stage: index) }
        if finish == nil, let index = detected.stage, detected.isStated, let value = stages[index].attempt(reading) {
            detected.decoded = .init(value, reading)
            detected.isWhole = reading.isWhole(but: detected.versionValues(of: stages[index]))
        }
        return detected
    }

    func fit(
        of reading: Reading, claim: DetectedStage?
    ) -> (fit: ChainFit, found: DetectedStage?) {
        reading.observer?.enter(name, .detecting)
        let detected = claim ?? detector.detect(reading)
        let strategies = decoder.strategies
        func fit(_ version: ChainFit.StatedVersion, _ stage: ChainStage) -> ChainFit {
            let versionNames = Set(stage.versionValues.compactMap(\.firstKey).map { strategies.fieldName(ofKey: $0) })
            let index = stages.firstIndex { $0.version == stage.version } ?? -1
            let fields = stage.fields.value(of: name, stage: index, for: reading.observer)
            let found = fields.names(in: reading.root, strategies)
            // If elements have no fields, the fit depends on whether they decode as the type.
            if fields.fields.isEmpty, found.otherCount > 0, found.names.isEmpty, detected.isWhole(as: stage, in: self) {
                return ChainFit(
                    version: version, type: stage.type,
                    shares: .init(nameCount: found.otherCount, knownCount: found.otherCount, present: 1))
            }
            return ChainFit(
                version: version, type: stage.type,
                shares: .init(fields, found.names, and: found.otherCount, except: versionNames),
                root: fields.nesting.isEmpty ? reading.root.insteadOfObject : nil)
        }
        func best(_ version: ChainFit.StatedVersion) -> ChainFit {
            let fits = stages.inTrialOrder.map { fit(version, $0) }
            // If several fit equally well, the newest counts.
            return fits.dropFirst().reduce(fits[0]) { $1.shares.sum > $0.shares.sum ? $1 : $0 }
        }
        let missing = hasVersionKey ? ChainFit.StatedVersion.missing : .notAsked
        guard let version = detected.version, detected.isStated else {
            return (best(detected.unreadableVersion(in: reading.root) ?? missing), detected)
        }
        guard let stage = detected.stage else { return (best(.unknown(version)), detected) }
        let claimed = fit(.known(version), stages[stage])
        if claimed.isConvincing { return (claimed, detected) }
        // A document that lacks most fields of the version it states may have the fields of another.
        let other = best(missing)
        return (other.isConvincing ? other : claimed, detected)
    }

    func run(
        _ document: Document, source: String, to target: DocumentVersion?, found: DetectedStage?, detail: RunDetail,
        for observer: (any RunObserver)?
    ) -> MigrationTrace {
        let target = target.map { target in versions.first { $0.version.isMeant(by: target) }?.version ?? target }
        var run = ChainRun(
            chain: self, document: document, source: source, target: target, detail: detail, for: observer)
        run.run(from: found)
        guard run.needsTrace else { return run.takeTrace() }
        // The cause of a failure after the first step shows only in the intermediate documents, which a check doesn't
        // make.
        return self.run(document, source: source, to: target, found: nil, detail: .trace, for: observer)
    }
}

extension DetectedStage {
    /// Returns the value where the version should be, if it cannot be read as one.
    fileprivate func unreadableVersion(in root: DocumentNode) -> ChainFit.StatedVersion? {
        guard case .noVersion(_, let reason) = misfit, let path = path ?? reason.path, !path.isRoot,
            let node = root.descendant(at: path)
        else { return nil }
        return .unreadable(node.briefText)
    }

    /// Returns whether the document was decoded as the given stage, which is an array or a dictionary, and all of it
    /// was read.
    fileprivate func isWhole(as stage: ChainStage, in chain: StagedChain) -> Bool {
        guard let index = self.stage, chain.stages[index] === stage, let decoded else { return false }
        return !stage.fields.value.nesting.isEmpty && decoded.reading.dropped.isEmpty
    }
}

extension Reading {
    /// Returns whether everything was read except the values at `paths`, which make up the version.
    func isWhole(but paths: [DocumentPath]) -> Bool { dropped.allSatisfy { isOnlyVersion(at: $0, paths) } }

    /// Returns whether the value at `place` contains nothing except the values at `paths`.
    private func isOnlyVersion(at place: DocumentPath, _ paths: [DocumentPath]) -> Bool {
        guard paths.contains(where: { $0.hasPrefix(place) }), let node = root.descendant(at: place) else {
            return false
        }
        return node.nodes.allSatisfy { node in
            node.kind == .key || paths.contains { $0.hasPrefix(node.path) || node.path.hasPrefix($0) }
        }
    }
}

extension DetectedStage {
    /// Returns the paths of the values in which a document of the given stage states its version.
    func versionValues(of stage: ChainStage) -> [DocumentPath] { path.map { [$0] } ?? stage.versionValues }
}

extension DocumentPath {
    /// The first component, if it is a key.
    fileprivate var firstKey: String? { if case .key(let name) = components.first { name } else { nil } }
}

extension DocumentNode {
    /// The value, unless it is an object.
    var insteadOfObject: FoundValue? { kind == .object ? nil : FoundValue(self) }
}
