import DocumentModel

/// The shapes that a document without a version key had over time, oldest first, each made from the one before.
///
///     ShapeVersions(UserV1.self)
///         .then(UserV2.self) { UserV2(name: $0.name, id: $0.email) }
///
/// A document is of the newest shape that it decodes as. Where types alone cannot tell two shapes apart, because one
/// ignores what makes the other, say which keys a shape has or has not:
///
///     ShapeVersions(BookV1.self, forbidding: ["createdAt"])
///         .then(BookV2.self, requiring: ["createdAt"]) { BookV2(active: $0.active, createdAt: nil) }
public struct ShapeVersions<Newest: Codable>: Sendable {
    let shapes: [Shape]

    /// Begins with the oldest shape.
    ///
    /// - Parameters:
    ///   - requiring: Top-level keys that a document of the shape has, whatever their value, null included.
    ///   - forbidding: Top-level keys that a document of the shape has not.
    public init(_ type: Newest.Type, requiring: [String] = [], forbidding: [String] = []) {
        shapes = [
            Shape(
                typeName: MigrationCore.typeName(type), required: requiring, forbidden: forbidding, note: nil,
                code: CodableStage<Never, Newest>())
        ]
    }

    private init(shapes: [Shape]) { self.shapes = shapes }

    /// Goes on with the next shape.
    ///
    /// - Parameters:
    ///   - requiring: Top-level keys that a document of the shape has, whatever their value, null included.
    ///   - forbidding: Top-level keys that a document of the shape has not.
    ///   - note: What to tell a person who looks at the step to this shape.
    ///   - migrate: Makes a value of this shape from one of the shape before. May throw
    ///     ``VersionedDecodingError/fieldNoLongerValid(_:)`` or any error of its own.
    public func then<Next: Codable>(
        _ type: Next.Type, requiring: [String] = [], forbidding: [String] = [], note: String? = nil,
        migrate: @escaping @Sendable (Newest) throws -> Next
    ) -> ShapeVersions<Next> {
        let shape = Shape(
            typeName: MigrationCore.typeName(type), required: requiring, forbidden: forbidding, note: note,
            code: CodableStage(make: migrate))
        return ShapeVersions<Next>(shapes: shapes + [shape])
    }
}

/// One shape, its type erased.
struct Shape: StageCode {
    let typeName: String
    /// Keys that must be there, and keys that must not.
    let required: [String]
    let forbidden: [String]
    let note: String?
    fileprivate let code: any StageCode

    /// The fields that the type asks for, and those that must be there besides.
    func fields(userInfo: [CodingUserInfoKey: any Sendable]) -> TypeFields {
        code.fields(userInfo: userInfo).requiring(required)
    }

    func outline(userInfo: [CodingUserInfoKey: any Sendable]) -> VersionOutline {
        code.outline(userInfo: userInfo).requiring(required)
    }

    func migrate(_ old: Any) throws -> Any { try code.migrate(old) }

    func encode(_ value: Any, _ encoder: DocumentEncoder, _ format: DocumentFormat) throws -> Document {
        try code.encode(value, encoder, format)
    }

    /// The value of that shape; throws where the document is of another.
    func decode(_ root: DocumentNode, _ decoder: DocumentDecoder, _ record: ReadRecord?) throws -> Any {
        for name in required where root[name] == nil {
            throw ReasonError(
                reason: root.kind == .object
                    ? .field(path: DocumentPath([.key(name)]), problem: .missingKey)
                    : .field(path: .root, problem: .mismatch(expected: .object, found: FoundValue(root))))
        }
        for name in forbidden where root[name] != nil {
            throw ReasonError(reason: .field(path: DocumentPath([.key(name)]), problem: .forbiddenKeyPresent))
        }
        return try code.decode(root, decoder, record)
    }
}

extension TypeFields {
    /// The same fields, those of the given names required.
    fileprivate func requiring(_ names: [String]) -> TypeFields {
        var fields = requiring { $0.isRequired || names.contains($0.name) }
        for name in names { fields.note(name, required: true) }
        return fields
    }
}

extension MigrationChain {
    /// The chain of a document without a version key, which is known by its shape. Its versions count from 1, oldest
    /// first.
    ///
    ///     MigrationChain(named: "User", shapes: ShapeVersions(UserV1.self)
    ///         .then(UserV2.self) { UserV2(name: $0.name, id: $0.email) })
    ///
    /// - Parameters:
    ///   - name: What the chain is called.
    ///   - shapes: The shapes, and how each is made from the one before.
    ///   - decoding: How the app decodes dates, data and keys.
    ///   - encoding: How the app encodes them.
    ///   - intendedLosses: The values of the shape before that the step *to* a shape is meant to lose, by the number of
    ///     that: `[2: ["$.notes", "$.legs[*].crew"]]`. A text that is no path is a mistake in the program.
    ///   - isRepeatable: Whether the migrations have no effect but their result, so that experiments may run them many
    ///     times.
    public init<Newest>(
        named name: String, shapes: ShapeVersions<Newest>, decoding: DecodingStrategies = DecodingStrategies(),
        encoding: EncodingStrategies = EncodingStrategies(), intendedLosses: [Int: [String]] = [:],
        isRepeatable: Bool = true
    ) {
        let stages = shapes.shapes.enumerated().map { index, shape in
            ChainStage(
                version: .number(index + 1), type: shape.typeName, note: shape.note, code: shape,
                userInfo: decoding.userInfo)
        }
        self.init(
            StagedChain(
                name: name, stages: stages, detector: ShapeDetector(shapes: shapes.shapes),
                decoder: DocumentDecoder(strategies: decoding), encoder: DocumentEncoder(strategies: encoding)),
            intendedLosses: { $0.number.flatMap { intendedLosses[$0] } ?? [] }, isRepeatable: isRepeatable)
    }
}
