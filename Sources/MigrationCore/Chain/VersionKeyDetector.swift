import DocumentModel

/// Detection by the version key: what ``VersionDetector`` finds, told in terms of stages.
struct VersionKeyDetector<Newest: VersionedCodable>: ChainDetector {
    /// For each type, newest first, where it keeps its version.
    private let paths: [DocumentPath?]

    init(encoding: EncodingStrategies) {
        paths = VersionDetector(Newest.self).types.map { $0.spec.versionPath(encoding: encoding) }
    }

    func detect(_ reading: Reading) -> DetectedStage {
        let (root, decoder) = (reading.root, reading.decoder)
        let detector = VersionDetector(Newest.self)
        let finding = detector.find { spec in try spec.readVersion { try decoder.decode($0, from: root) } }
        let attempts = { self.attempts(in: root, finding, detector, decoder) }
        if let match = finding.match {
            let version = DocumentVersion(detector.types[match].version)
            return DetectedStage(
                stage: detector.types.count - 1 - match, version: version,
                path: version == .unversioned
                    ? nil : finding.place.flatMap { place(of: $0, detector, in: root, decoder) },
                attempts: attempts)
        }
        let found = finding.readings.first { $0.version != nil }
        return DetectedStage(
            version: found.map { DocumentVersion($0.version) },
            path: found.flatMap { place(of: $0.spec, detector, in: root, decoder) },
            misfit: misfit(finding, detector, in: root, decoder), attempts: attempts)
    }

    /// Why no version could be read; nil where one was, but none that a type has.
    private func misfit(
        _ finding: VersionDetector.Finding, _ detector: VersionDetector, in root: DocumentNode,
        _ decoder: DocumentDecoder
    ) -> DetectedStage.Misfit? {
        let error = finding.error(tried: detector.types)
        if case VersionedDecodingError.unsupportedVersion = error { return nil }
        // The error's own words say little; once more, with a record that knows what it is about.
        for spec in finding.readings.map(\.spec) {
            let record = ReadRecord()
            do {
                _ = try spec.readVersion { try decoder.decode($0, from: root, recording: record) }
            } catch let again where Reason(again) == Reason(error) {
                return .noVersion(error, Reason(again, in: root, record))
            } catch {}
        }
        return .noVersion(error, Reason(error))
    }

    /// Where documents keep the version that `spec` reads.
    private func path(of spec: any VersionPathSpec.Type, _ detector: VersionDetector) -> DocumentPath? {
        detector.types.firstIndex { $0.spec == spec }.flatMap { paths[$0] }
    }

    /// Where `spec` found a version in the document.
    private func place(
        of spec: any VersionPathSpec.Type, _ detector: VersionDetector, in root: DocumentNode,
        _ decoder: DocumentDecoder
    ) -> DocumentPath? {
        if let path = path(of: spec, detector), root.descendant(at: path) != nil { return path }
        // The app decodes keys that it would not encode like this, so the place shows only in what is read.
        let record = ReadRecord()
        let version = try? spec.readVersion { try decoder.decode($0, from: root, recording: record) }
        return root.nodes
            .first { record.contains($0) && $0.numberText.flatMap(Double.init) == version.map(Double.init) }?.path
    }

    private func attempts(
        in root: DocumentNode, _ finding: VersionDetector.Finding, _ detector: VersionDetector,
        _ decoder: DocumentDecoder
    ) -> [VersionDetection.Attempt] {
        // Types older than the one that fits were not looked at.
        let tried = finding.match.map { detector.types.prefix(through: $0) } ?? detector.types[...]
        // An answer at the newest type's place counts for all types.
        let decided = finding.place
        return tried.enumerated().map { index, type in
            let isMatch = index == finding.match
            let asked = finding.reading(of: type) == nil ? decided ?? type.spec : type.spec
            let path =
                isMatch
                ? decided.flatMap { place(of: $0, detector, in: root, decoder) } ?? path(of: decided ?? asked, detector)
                : path(of: asked, detector)
            let found = path.flatMap { root.descendant(at: $0) }
            return VersionDetection.Attempt(
                version: DocumentVersion(type.version), type: String(describing: type), path: path,
                found: found.map { Document(copying: $0) },
                reason: isMatch ? nil : reason(type, path, found, finding))
        }
    }

    /// Why a document is not of `type`.
    private func reason(
        _ type: any VersionedCodable.Type, _ path: DocumentPath?, _ found: DocumentNode?,
        _ finding: VersionDetector.Finding
    ) -> Reason {
        let name = String(describing: type)
        if let other = (finding.reading(of: type) ?? finding.readings.first)?.version {
            return .otherVersion(
                path: path, type: name, found: .number(other), expected: DocumentVersion(type.version))
        }
        if let found, !found.isNull { return .notAVersion(path: path, type: name, found: FoundValue(found)) }
        return type.version == nil
            ? .notAVersion(path: path, type: name, found: nil) : .noVersion(path: path, type: name)
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
        return first.root.nodes.lazy
            .filter { $0.numberText == String(probes[0]) }.map(\.path)
            .first { second.root.descendant(at: $0)?.numberText == String(probes[1]) }
    }
}
