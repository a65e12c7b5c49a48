import DocumentModel

extension MigrationChain {
    /// The chain of a document without a version key, which is known by its shape. Its versions count from 1, oldest first.
    ///
    ///     MigrationChain(named: "User", shapes: ShapeVersions(UserV1.self)
    ///         .then(UserV2.self) { UserV2(name: $0.name, id: $0.email) })
    ///
    /// - Parameters:
    ///   - name: What the chain is called.
    ///   - shapes: The shapes, and how each is made from the one before.
    ///   - decoding: How the app decodes dates, data, keys and the like.
    ///   - encoding: How the app encodes them.
    public init<Newest>(
        named name: String, shapes: ShapeVersions<Newest>, decoding: DecodingStrategies = DecodingStrategies(),
        encoding: EncodingStrategies = EncodingStrategies()
    ) {
        let stages = shapes.shapes.enumerated().map { index, shape in
            ChainStage(
                version: .number(index + 1), type: shape.typeName, note: shape.note, code: shape,
                userInfo: decoding.userInfo)
        }
        self.init(
            StagedChain(
                name: name, stages: stages, detector: ShapeDetector(shapes: shapes.shapes),
                decoder: DocumentDecoder(strategies: decoding), encoder: DocumentEncoder(strategies: encoding)))
    }
}
