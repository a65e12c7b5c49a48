import DocumentModel

extension MigrationChain {
    /// The chain of a versioned type: that type and all its previous versions.
    ///
    ///     MigrationChain(Poem.self)
    ///     MigrationChain(Album.self, named: "Photo album", decoding: DecodingStrategies(matching: AlbumStore.decoder))
    ///
    /// - Parameters:
    ///   - type: The newest version of the type.
    ///   - name: What the chain is called; the name of the type unless you say otherwise.
    ///   - decoding: How the app decodes dates, data, keys and the like.
    ///   - encoding: How the app encodes them.
    ///   - notes: What to tell a person who looks at the step *to* a version, by that version.
    public init<Newest: VersionedCodable>(
        _ type: Newest.Type, named name: String? = nil, decoding: DecodingStrategies = DecodingStrategies(),
        encoding: EncodingStrategies = EncodingStrategies(), notes: [Int: String] = [:]
    ) {
        let detector = VersionDetector(type)
        var stages = detector.types.reversed().map { $0.stage(decoding: decoding, encoding: encoding) }
        for index in stages.indices {
            if case .number(let version) = stages[index].version { stages[index].note = notes[version] }
        }
        stages[0].migrate = nil
        self.init(
            StagedChain(
                name: name ?? String(describing: type), stages: stages,
                detector: VersionKeyDetector(detector, encoding: encoding),
                decoder: DocumentDecoder(strategies: decoding),
                encoder: DocumentEncoder(strategies: encoding)))
    }
}

extension VersionedCodable {
    /// The stage that this type stands for.
    fileprivate static func stage(decoding: DecodingStrategies, encoding: EncodingStrategies) -> ChainStage {
        let fields = OnceComputed { TypeFields(of: Self.self, userInfo: decoding.userInfo) }
        return ChainStage(
            version: DocumentVersion(version), type: String(describing: Self.self),
            versionPath: spec.versionPath(encoding: encoding),
            fields: { fields.value },
            decode: { node, decoder, record in try decoder.decode(Self.self, from: node, recording: record) },
            migrate: { old in
                guard let old = old as? PreviousVersion else {
                    throw StageMismatch(expected: "\(PreviousVersion.self)", found: "\(Swift.type(of: old))")
                }
                return try Self(from: old)
            },
            encode: { value, encoder, format in
                guard let value = value as? Self else {
                    throw StageMismatch(expected: "\(Self.self)", found: "\(Swift.type(of: value))")
                }
                return try encoder.encode(versioned: value, as: format)
            })
    }
}
