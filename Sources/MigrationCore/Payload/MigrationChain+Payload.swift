import DocumentModel

extension MigrationChain {
    /// The chain of a ``Versionable`` type: each case of its version is a step with its own before and after.
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
    ///   - name: What the chain is called; the name of the type unless you say otherwise.
    ///   - decoding: How the app decodes dates, data and keys.
    ///   - notes: What to tell a person who looks at the step *to* a version.
    ///   - intendedLosses: The values of the version before that the step *to* a version is meant to lose, as paths:
    ///     `["$.notes", "$.legs[*].crew"]`. A text that is no path is a mistake in the program.
    ///   - isRepeatable: Whether the migrations have no effect but their result, so that experiments may run them many
    ///     times.
    ///   - fields: The top-level fields of each version, by which documents are recognized. Without it, any version is
    ///     taken to have some of the fields of the type.
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
    /// The chain of a ``Versionable`` type, which finds out versions as `detector` does.
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
                    index: index, declared: fields.map { $0(version).typeFields }, newest: newest,
                    isNewest: version == Value.version),
                userInfo: decoding.userInfo)
        }
        self.init(
            name: name ?? typeName(type), stages: stages, detector: detector,
            decoder: DocumentDecoder(strategies: decoding), encoder: DocumentEncoder(),
            finish: finish)
    }
}

/// The code of one version of a ``Versionable`` type. The value of every stage is the document as it is by then.
private struct PayloadStage<Value: Versionable>: StageCode {
    /// The place of the version among the sorted ones.
    let index: Int
    /// The fields, if the author of the chain named them.
    let declared: TypeFields?
    /// The fields of the type itself.
    let newest: KeptFields
    let isNewest: Bool

    func fields(userInfo: [CodingUserInfoKey: any Sendable]) -> TypeFields {
        declared ?? (isNewest ? newest.value : newest.value.requiring { _ in false })
    }

    /// Of an older version nothing is known but what the author of the chain said: its closures take what is there.
    func outline(userInfo: [CodingUserInfoKey: any Sendable]) -> VersionOutline {
        isNewest
            ? VersionOutline(of: Value.self, userInfo: userInfo)
            : declared.map { VersionOutline($0) } ?? .unknown
    }

    func decode(_ root: DocumentNode, _ decoder: DocumentDecoder, _ record: ReadRecord?) throws -> Any {
        // The closures are handed the whole document; what they read is not known.
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
    /// What every document of the version has.
    public var required: [String]
    /// What a document of the version may have.
    public var optional: [String]

    /// Fields that must be there, and fields that may be. The version key need not be named.
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
