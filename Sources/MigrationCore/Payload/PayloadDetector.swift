import DocumentModel

/// Detection by the `version` key of a ``Versionable`` type.
struct PayloadDetector<Value: Versionable>: ChainDetector {
    /// The cases, oldest first, like the stages.
    private var versions: [Value.Version] { Value.sortedVersions }

    func detect(_ reading: Reading) -> DetectedStage {
        let (root, decoder, record) = (reading.root, reading.plainDecoder, ReadRecord())
        let path = path(in: root, decoder)
        let found = root.descendant(at: path)
        do {
            let version = try decoder.decode(VersionContainer<Value.Version>.self, from: root, recording: record)
                .version
            let stage = versions.firstIndex(of: version)
            return DetectedStage(
                stage: stage, version: DocumentVersion(rawValue: version.rawValue), path: path,
                warnings: Value.orderWarnings, attempts: { attempts(stage, path, found) })
        } catch {
            let version = found.flatMap(unknownVersion)
            return DetectedStage(
                version: version, path: version.map { _ in path },
                misfit: version == nil ? .noVersion(error, Reason(error, in: root, record)) : nil,
                attempts: { attempts(nil, path, found) })
        }
    }

    private func attempts(_ stage: Int?, _ path: DocumentPath, _ found: DocumentNode?) -> [VersionDetection.Attempt] {
        Value.attempts(stage, path, found) { version, type in
            guard let found else { return .noVersion(path: path, type: type) }
            if let other = unknownVersion(found) {
                return .otherVersion(path: path, type: type, found: other, expected: version)
            }
            return .notAVersion(path: path, type: type, found: FoundValue(found))
        }
    }

    /// Returns the path of the version, with the key as spelled in the document.
    private func path(in root: DocumentNode, _ decoder: DocumentDecoder) -> DocumentPath {
        let name = root.members.first { decoder.strategies.fieldName(ofKey: $0.name) == "version" }?.name
        return DocumentPath([.key(name ?? "version")])
    }

    /// Returns a version of the right type that no case has.
    private func unknownVersion(_ node: DocumentNode) -> DocumentVersion? {
        if Value.Version.RawValue.self == String.self { return node.string.map(DocumentVersion.name) }
        return node.numberText.flatMap { Int($0) }.map(DocumentVersion.number)
    }
}

extension DocumentVersion {
    /// Creates the version for a case with the given raw value.
    init(rawValue: some Any) {
        self =
            (rawValue as? any BinaryInteger).flatMap { Int(exactly: $0) }.map(DocumentVersion.number)
            ?? .name(String(describing: rawValue))
    }

    /// The value under the version key of a document, or nil for a document without a version.
    var document: Document? {
        switch self {
        case .number(let number): try? Document(json: "\(number)")
        case .written(_, let text), .name(let text): Document(text: text)
        case .values(_, let values): values
        case .unversioned: nil
        }
    }
}

extension Versionable {
    /// Warnings about the order of the versions.
    fileprivate static var orderWarnings: [Reason] {
        guard let (first, second) = versionsOutOfOrder else { return [] }
        return [
            .versionsOutOfOrder(
                type: MigrationCore.typeName(Self.self), first: DocumentVersion(rawValue: first.rawValue),
                second: DocumentVersion(rawValue: second.rawValue))
        ]
    }

    /// Returns the name of a version among types: `Complex.v2`.
    static func typeName(of version: Version) -> String { "\(MigrationCore.typeName(Self.self)).\(version)" }

    /// Returns the versions that are tried until the one at `stage` among the sorted versions fits, newest first.
    /// `reason` returns why another version does not fit.
    static func attempts(
        _ stage: Int?, _ path: DocumentPath? = nil, _ found: DocumentNode? = nil,
        reason: (_ version: DocumentVersion, _ type: String) -> Reason
    ) -> [VersionDetection.Attempt] {
        Array(sortedVersions.enumerated()).inTrialOrder.filter { $0.offset >= stage ?? 0 }.map { index, version in
            let (version, type) = (DocumentVersion(rawValue: version.rawValue), typeName(of: version))
            return VersionDetection.Attempt(
                version: version, type: type, path: path, found: found.map { Document(copying: $0) },
                reason: index == stage ? nil : reason(version, type))
        }
    }
}
