import DocumentModel

extension MigrationChain {
    /// Creates the chain of a ``Versionable`` type. Each case of its version is a step with its own document before and
    /// after.
    ///
    ///     MigrationChain(Complex.self, fields: { version in
    ///         switch version {
    ///         case .v1: PayloadFields()
    ///         case .v2: PayloadFields(required: ["text"])
    ///         case .v3: PayloadFields(required: ["text", "number"])
    ///         }
    ///     })
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - name: The name of the chain. The default is the name of the type.
    ///   - decoding: How the app decodes dates, data, and keys.
    ///   - notes: Returns a note for the user about the step *to* a version.
    ///   - intendedLosses: Returns the values of the previous version that the step *to* a version is meant to lose, as
    ///     paths: `["$.notes", "$.legs[*].crew"]`. A string that isn't a path is a programming error.
    ///   - isRepeatable: Whether the migrations have no side effects, so that experiments may run them many times.
    ///   - fields: Returns the top-level fields of each version, by which documents are recognized. Without it, every
    ///     older version is assumed to have some of the fields of the type.
    public init<Value: Versionable>(
        _ type: Value.Type, named name: String? = nil, decoding: DecodingStrategies = DecodingStrategies(),
        notes: (Value.Version) -> String? = { _ in nil }, intendedLosses: (Value.Version) -> [String] = { _ in [] },
        isRepeatable: Bool = true, fields: ((Value.Version) -> PayloadFields)? = nil
    ) {
        let losses = Dictionary(
            Value.sortedVersions.map { (DocumentVersion(rawValue: $0.rawValue), intendedLosses($0)) },
            uniquingKeysWith: { first, _ in first })
        self.init(
            StagedChain(
                type, named: name, detector: PayloadDetector<Value>(), decoding: decoding, notes: notes, fields: fields),
            intendedLosses: { losses[$0] ?? [] }, isRepeatable: isRepeatable)
    }
}

extension StagedChain {
    /// Creates the chain of a ``Versionable`` type with the given detector.
    convenience init<Value: Versionable>(
        _ type: Value.Type, named name: String? = nil, detector: any ChainDetector, decoding: DecodingStrategies,
        notes: (Value.Version) -> String? = { _ in nil }, fields: ((Value.Version) -> PayloadFields)? = nil
    ) {
        let finish = CodableStage<Never, Value>()
        let newest = KeptFields(finish, userInfo: decoding.userInfo)
        let path = DocumentPath([.key("version")])
        let stages = Value.sortedVersions.enumerated().map { index, version in
            let documentVersion = DocumentVersion(rawValue: version.rawValue)
            return ChainStage(
                version: documentVersion, type: Value.typeName(of: version), note: notes(version), versionPath: path,
                statement: documentVersion.document.map { [.set(path, $0)] } ?? [],
                code: PayloadStage<Value>(
                    index: index, declared: fields.map { $0(version).typeFields }, versionPath: path, newest: newest,
                    isNewest: version == Value.version),
                userInfo: decoding.userInfo)
        }
        self.init(
            name: name ?? typeName(type), stages: stages, detector: detector,
            decoder: DocumentDecoder(strategies: decoding), encoder: DocumentEncoder(),
            finish: finish)
    }
}

/// The code of one version of a ``Versionable`` type. The value of every stage is the document at that point.
private struct PayloadStage<Value: Versionable>: StageCode {
    /// The index of the version among the sorted versions.
    let index: Int
    /// The fields, if the author of the chain declared them.
    let declared: TypeFields?
    /// The path of the version, which a declaration may leave out.
    let versionPath: DocumentPath
    /// The fields of the type itself.
    let newest: KeptFields
    let isNewest: Bool

    func fields(userInfo: [CodingUserInfoKey: any Sendable]) -> TypeFields {
        declared ?? (isNewest ? newest.value : newest.value.requiring { _ in false })
    }

    /// Returns the declared fields for an older version, because its closures accept any document.
    func outline(userInfo: [CodingUserInfoKey: any Sendable]) -> VersionOutline {
        isNewest
            ? VersionOutline(of: Value.self, userInfo: userInfo)
            : declared.map { VersionOutline($0).noting(versionPath) } ?? .unknown
    }

    func decode(_ root: DocumentNode, _ decoder: DocumentDecoder, _ record: ReadRecord?) throws -> Any {
        // The closures get the whole document. What they read is not known.
        record?.insert(allOf: root)
        return root.document
    }

    func migrate(_ old: Any) throws -> Any {
        try Value.migrated(StageMismatch.cast(old), to: Value.sortedVersions[index], isExplained: true)
    }

    func encode(_ value: Any, _ encoder: DocumentEncoder, _ format: DocumentFormat) throws -> Document {
        try StageMismatch.cast(value)
    }
}

/// The top-level fields of one version of a payload, by which documents are recognized.
///
///     .init(required: ["text"], optional: ["number"])
public struct PayloadFields: Sendable, Hashable {
    /// The fields that every document of the version has.
    public var required: [String]
    /// The fields that a document of the version may have.
    public var optional: [String]

    /// Creates lists of required and optional fields. You can leave out the version key.
    public init(required: [String] = [], optional: [String] = []) {
        self.required = required
        self.optional = optional
    }

    var typeFields: TypeFields {
        var fields = TypeFields()
        for name in required { fields.note(name, required: true) }
        for name in optional { fields.note(name, required: false) }
        return fields
    }
}
