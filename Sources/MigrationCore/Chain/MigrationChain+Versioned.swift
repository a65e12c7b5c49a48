import DocumentModel

extension MigrationChain {
    /// Creates the chain of a versioned type: that type and all its previous versions.
    ///
    ///     MigrationChain(Poem.self)
    ///     MigrationChain(Album.self, named: "Photo album", decoding: DecodingStrategies(matching: AlbumStore.decoder))
    ///
    /// - Parameters:
    ///   - type: The newest version of the type.
    ///   - name: The name of the chain. The default is the name of the type.
    ///   - decoding: How the app decodes dates, data, and keys.
    ///   - encoding: How the app encodes them.
    ///   - notes: Notes for the user about the step *to* a version, by that version.
    ///   - intendedLosses: The values of the previous version that the step *to* a version is meant to lose, by that
    ///     version: `[4: ["$.notes", "$.legs[*].crew"]]`. A string that isn't a path is a programming error.
    ///   - isRepeatable: Whether the migrations have no side effects, so that experiments may run them many times.
    public init<Newest: VersionedCodable>(
        _ type: Newest.Type, named name: String? = nil, decoding: DecodingStrategies = DecodingStrategies(),
        encoding: EncodingStrategies = EncodingStrategies(), notes: [Int: String] = [:],
        intendedLosses: [Int: [String]] = [:], isRepeatable: Bool = true
    ) {
        let detector = VersionKeyDetector<Newest>(decoding: decoding, encoding: encoding)
        let types = VersionDetector(type).types
        let stages = types.indices.inChainOrder.map { index in
            types[index].stage(
                detector.versions[index], detector.statements[index], detector.written(ofType: index),
                decoding: decoding, notes)
        }
        self.init(
            StagedChain(
                name: name ?? typeName(type), stages: stages,
                detector: detector,
                decoder: DocumentDecoder(strategies: decoding),
                encoder: DocumentEncoder(strategies: encoding)),
            intendedLosses: { $0.number.flatMap { intendedLosses[$0] } ?? [] },
            isRepeatable: isRepeatable)
    }
}

extension VersionedCodable {
    /// Returns the stage of this type.
    fileprivate static func stage(
        _ documentVersion: DocumentVersion, _ statement: VersionStatement?, _ written: [DocumentEdit],
        decoding: DecodingStrategies, _ notes: [Int: String]
    ) -> ChainStage {
        ChainStage(
            version: documentVersion, type: typeName(Self.self), note: version.flatMap { notes[$0] },
            versionPath: statement?.path, versionValues: statement?.values ?? [], statement: written,
            code: VersionedStage<Self>(), userInfo: decoding.userInfo)
    }
}

/// The code of a versioned type.
private struct VersionedStage<Value: VersionedCodable>: StageCode {
    func fields(userInfo: [CodingUserInfoKey: any Sendable]) -> TypeFields {
        TypeFields(of: Value.self, userInfo: userInfo)
    }

    func outline(userInfo: [CodingUserInfoKey: any Sendable]) -> VersionOutline {
        VersionOutline(of: Value.self, userInfo: userInfo)
    }

    func decode(_ root: DocumentNode, _ decoder: DocumentDecoder, _ record: ReadRecord?) throws -> Any {
        try decoder.decode(Value.self, from: root, recording: record)
    }

    func migrate(_ old: Any) throws -> Any {
        try Value(from: StageMismatch.cast(old, to: Value.PreviousVersion.self))
    }

    func encode(_ value: Any, _ encoder: DocumentEncoder, _ format: DocumentFormat) throws -> Document {
        try encoder.encode(versioned: StageMismatch.cast(value, to: Value.self), as: format)
    }
}
