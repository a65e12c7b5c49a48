import DocumentModel

/// Detection by the `version` key of a ``Versionable`` type.
struct PayloadDetector<Value: Versionable>: ChainDetector {
    /// The cases, oldest first, which is the order of the stages.
    private var versions: [Value.Version] { Value.sortedVersions }

    func detect(in root: DocumentNode, decoder: DocumentDecoder) -> DetectedStage {
        let found = root.descendant(at: path(in: root, decoder))
        do {
            let version = try decoder.decode(VersionContainer<Value.Version>.self, from: root).version
            return DetectedStage(
                stage: versions.firstIndex(of: version), version: DocumentVersion(rawValue: version.rawValue),
                path: path(in: root, decoder), error: nil)
        } catch {
            guard let found, let version = unknownVersion(found) else { return DetectedStage(error: error) }
            return DetectedStage(version: version, path: path(in: root, decoder))
        }
    }

    func attempts(
        in root: DocumentNode, decoder: DocumentDecoder, detected: DetectedStage
    ) -> [VersionDetection.Attempt] {
        let path = path(in: root, decoder)
        let found = root.descendant(at: path)
        let oldestTried = detected.stage ?? 0
        return versions.indices.reversed().filter { $0 >= oldestTried }.map { index in
            let version = DocumentVersion(rawValue: versions[index].rawValue)
            let reason = found.map { "\(path) is \($0.briefText), not \(version)" } ?? "there is no version at \(path)"
            return VersionDetection.Attempt(
                version: version, type: Value.typeName(of: versions[index]), path: path,
                found: found.map { Document(copying: $0) }, reason: index == detected.stage ? nil : reason)
        }
    }

    /// Where the version is, as the document spells the key.
    private func path(in root: DocumentNode, _ decoder: DocumentDecoder) -> DocumentPath {
        let name = root.members.first { decoder.strategies.fieldName(ofKey: $0.name) == "version" }?.name
        return DocumentPath([.key(name ?? "version")])
    }

    /// A version of the right type that no case has.
    private func unknownVersion(_ node: DocumentNode) -> DocumentVersion? {
        if Value.Version.RawValue.self == String.self { return node.string.map(DocumentVersion.name) }
        return node.numberText.flatMap { Int($0) }.map(DocumentVersion.number)
    }
}

extension DocumentVersion {
    /// The version that a case with that raw value stands for.
    init(rawValue: some Any) {
        self =
            (rawValue as? any BinaryInteger).flatMap { Int(exactly: $0) }.map(DocumentVersion.number)
            ?? .name(String(describing: rawValue))
    }
}

extension Versionable {
    /// What a version is called among types: `Complex.v2`.
    static func typeName(of version: Version) -> String { "\(Self.self).\(version)" }
}
