import DocumentModel

/// Detection by the version key: what ``VersionDetector`` finds, told in terms of stages.
struct VersionKeyDetector: ChainDetector {
    private let detector: VersionDetector
    /// For each type, newest first, where it keeps its version.
    private let paths: [DocumentPath?]

    init(_ detector: VersionDetector) {
        self.detector = detector
        paths = detector.types.map { $0.spec.versionPath }
    }

    func detect(in root: DocumentNode, decoder: DocumentDecoder) -> DetectedStage {
        let finding = find(in: root, decoder: decoder)
        if let match = finding.match {
            let version = DocumentVersion(detector.types[match].version)
            return DetectedStage(
                stage: detector.types.count - 1 - match, version: version,
                path: version == .unversioned ? nil : paths[match])
        }
        let found = finding.readings.first { $0.version != nil }
        return DetectedStage(
            version: found.map { DocumentVersion($0.version) }, path: found?.spec.versionPath,
            error: finding.error(tried: detector.types))
    }

    func attempts(
        in root: DocumentNode, decoder: DocumentDecoder, detected: DetectedStage
    ) -> [VersionDetection.Attempt] {
        let finding = find(in: root, decoder: decoder)
        // Types older than the one that fits were not looked at.
        let tried = finding.match.map { detector.types.prefix(through: $0) } ?? detector.types[...]
        return zip(tried, paths).enumerated().map { index, pair in
            let (type, path) = pair
            let found = path.flatMap { root.descendant(at: $0) }
            return VersionDetection.Attempt(
                version: DocumentVersion(type.version), type: String(describing: type), path: path,
                found: found.map { Document(copying: $0) },
                reason: index == finding.match ? nil : reason(type, path, found, finding))
        }
    }

    private func find(in root: DocumentNode, decoder: DocumentDecoder) -> VersionDetector.Finding {
        detector.find { spec in
            try spec.readVersion { try decoder.decode($0, from: root) }
        }
    }

    /// Why a document is not of `type`, in words.
    private func reason(
        _ type: any VersionedCodable.Type, _ path: DocumentPath?, _ found: DocumentNode?,
        _ finding: VersionDetector.Finding
    ) -> String {
        let place = path?.description ?? "where \(type) keeps its version"
        let reading = finding.readings.first { $0.spec == type.spec }
        guard let version = type.version else {
            return reading?.version.map { "\(type) has no version, but \(place) is \($0)" }
                ?? "there is something else than a version at \(place)"
        }
        if let other = reading?.version { return "\(place) is \(other), not \(version)" }
        if let found, !found.isNull { return "\(place) is \(found.briefText), which is no version" }
        return "there is no version at \(place)"
    }
}

extension VersionPathSpec {
    /// Where this kind of place is in a document: found by writing two versions and looking for what differs.
    static var versionPath: DocumentPath? {
        // Two numbers that no spec would write of its own accord.
        let probes = [1_734_921, 5_820_337]
        let encoder = DocumentEncoder()
        guard let first = try? encoder.encode(Self(withVersion: probes[0])),
            let second = try? encoder.encode(Self(withVersion: probes[1]))
        else { return nil }
        return (0..<first.nodeCount).lazy.map { DocumentNode(document: first, index: $0) }
            .filter { $0.numberText == String(probes[0]) }.map(\.path)
            .first { second.root.descendant(at: $0)?.numberText == String(probes[1]) }
    }
}
