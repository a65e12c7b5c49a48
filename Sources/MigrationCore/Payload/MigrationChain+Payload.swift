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
    ///   - decoding: How the app decodes dates, data, keys and the like.
    ///   - notes: What to tell a person who looks at the step *to* a version.
    ///   - fields: The top-level fields of each version, by which documents are recognised. Without it, any version is taken to have
    ///     some of the fields of the type.
    public init<Value: Versionable>(
        _ type: Value.Type, named name: String? = nil, decoding: DecodingStrategies = DecodingStrategies(),
        notes: (Value.Version) -> String? = { _ in nil }, fields: ((Value.Version) -> PayloadFields)? = nil
    ) {
        self.init(
            StagedChain(
                type, named: name, detector: PayloadDetector<Value>(), decoding: decoding, notes: notes, fields: fields)
        )
    }
}

extension StagedChain {
    /// The chain of a ``Versionable`` type, which finds out versions as `detector` does.
    init<Value: Versionable>(
        _ type: Value.Type, named name: String? = nil, detector: any ChainDetector, decoding: DecodingStrategies,
        notes: (Value.Version) -> String? = { _ in nil }, fields: ((Value.Version) -> PayloadFields)? = nil
    ) {
        let newest = OnceComputed { TypeFields(of: Value.self, userInfo: decoding.userInfo) }
        let stages = Value.sortedVersions.enumerated().map { index, version in
            let declared = fields.map { $0(version).typeFields }
            let isNewest = version == Value.version
            return Value.stage(at: index, note: notes(version)) {
                declared ?? (isNewest ? newest.value : newest.value.allOptional)
            }
        }
        self.init(
            name: name ?? String(describing: type), stages: stages, detector: detector,
            decoder: DocumentDecoder(strategies: decoding), encoder: DocumentEncoder(),
            finish: { payload, decoder, record in
                try decoder.decode(Value.self, from: payload.root, recording: record)
            },
            encodeFinished: { value, encoder, format in
                guard let value = value as? Value else {
                    throw StageMismatch(expected: "\(Value.self)", found: "\(Swift.type(of: value))")
                }
                return try encoder.encode(value, as: format)
            })
    }
}

extension Versionable {
    /// The stage of the version at `index` among the sorted ones.
    fileprivate static func stage(
        at index: Int, note: String?, fields: @escaping @Sendable () -> TypeFields
    ) -> ChainStage {
        let version = sortedVersions[index]
        return ChainStage(
            version: DocumentVersion(rawValue: version.rawValue), type: typeName(of: version), note: note,
            versionPath: DocumentPath([.key("version")]), fields: fields,
            decode: { node, _, record in
                // The closures are handed the whole document; what they look at nobody knows.
                record?.insert(allOf: node)
                return node.document
            },
            migrate: { try migrated(payload($0), to: sortedVersions[index], isExplained: true) },
            encode: { value, _, _ in try payload(value) })
    }
}

/// The value of every stage of a payload chain is the document as it is by then.
private func payload(_ value: Any) throws -> Document {
    guard let document = value as? Document else {
        throw StageMismatch(expected: "\(Document.self)", found: "\(type(of: value))")
    }
    return document
}
