import DocumentModel

/// Detection by the version key: what ``VersionDetector`` finds, told in terms of stages.
struct VersionKeyDetector: ChainDetector {
    private let detector: VersionDetector
    /// For each type, newest first, where it keeps its version.
    private let paths: [DocumentPath?]

    init(_ detector: VersionDetector, encoding: EncodingStrategies) {
        self.detector = detector
        paths = detector.types.map { $0.spec.versionPath(encoding: encoding) }
    }

    func detect(in root: DocumentNode, decoder: DocumentDecoder) -> DetectedStage {
        let finding = find(in: root, decoder: decoder)
        if let match = finding.match {
            let version = DocumentVersion(detector.types[match].version)
            return DetectedStage(
                stage: detector.types.count - 1 - match, version: version,
                path: version == .unversioned ? nil : place(at: match, in: root, decoder: decoder))
        }
        let found = detector.types.indices.first { finding.reading(of: detector.types[$0])?.version != nil }
        return DetectedStage(
            version: found.map { DocumentVersion(finding.reading(of: detector.types[$0])?.version) },
            path: found.flatMap { place(at: $0, in: root, decoder: decoder) },
            error: finding.error(tried: detector.types))
    }

    /// Where the type at `index` found a version in the document.
    private func place(at index: Int, in root: DocumentNode, decoder: DocumentDecoder) -> DocumentPath? {
        if let path = paths[index], root.descendant(at: path) != nil { return path }
        // The app decodes keys that it would not encode like this, so the place shows only in what is read.
        let record = ReadRecord()
        let spec = detector.types[index].spec
        let version = try? spec.readVersion { try decoder.decode($0, from: root, recording: record) }
        return (0..<root.endIndex).lazy.map { DocumentNode(document: root.document, index: $0) }
            .first { record.contains($0) && $0.numberText.flatMap(Double.init) == version.map(Double.init) }?.path
    }

    func attempts(
        in root: DocumentNode, decoder: DocumentDecoder, detected: DetectedStage
    ) -> [VersionDetection.Attempt] {
        let finding = find(in: root, decoder: decoder)
        // Types older than the one that fits were not looked at.
        let tried = finding.match.map { detector.types.prefix(through: $0) } ?? detector.types[...]
        return zip(tried, paths).enumerated().map { index, pair in
            let type = pair.0
            let path = index == finding.match ? detected.path ?? pair.1 : pair.1
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
        let reading = finding.reading(of: type)
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
    static func versionPath(encoding strategies: EncodingStrategies) -> DocumentPath? {
        // Two numbers that no spec would write of its own accord.
        let probes = [1_734_921, 5_820_337]
        let encoder = DocumentEncoder(strategies: strategies)
        guard let first = try? encoder.encode(Self(withVersion: probes[0])),
            let second = try? encoder.encode(Self(withVersion: probes[1]))
        else { return nil }
        return (0..<first.nodeCount).lazy.map { DocumentNode(document: first, index: $0) }
            .filter { $0.numberText == String(probes[0]) }.map(\.path)
            .first { second.root.descendant(at: $0)?.numberText == String(probes[1]) }
    }
}
