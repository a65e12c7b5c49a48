import DocumentModel

/// The shapes that a document without a version key had over time, oldest first, each made from the previous one.
///
///     ShapeVersions(UserV1.self)
///         .then(UserV2.self) { UserV2(name: $0.name, id: $0.email) }
///
/// A document has the newest shape that it decodes as. If types are not enough to distinguish two shapes, because one
/// ignores what is special about the other, state the keys that a shape has or lacks:
///
///     ShapeVersions(BookV1.self, forbidding: ["createdAt"])
///         .then(BookV2.self, requiring: ["createdAt"]) { BookV2(active: $0.active, createdAt: nil) }
public struct ShapeVersions<Newest: Codable>: Sendable {
    let shapes: [Shape]

    /// Starts with the oldest shape.
    ///
    /// - Parameters:
    ///   - requiring: Top-level keys that a document of this shape has, with any value, including null.
    ///   - forbidding: Top-level keys that a document of this shape does not have.
    public init(_ type: Newest.Type, requiring: [String] = [], forbidding: [String] = []) {
        shapes = [
            Shape(
                typeName: MigrationCore.typeName(type), required: requiring, forbidden: forbidding, note: nil,
                code: CodableStage<Never, Newest>())
        ]
    }

    private init(shapes: [Shape]) { self.shapes = shapes }

    /// Adds the next shape.
    ///
    /// - Parameters:
    ///   - requiring: Top-level keys that a document of this shape has, with any value, including null.
    ///   - forbidding: Top-level keys that a document of this shape does not have.
    ///   - note: A note for the user about the step to this shape.
    ///   - migrate: Makes a value of this shape from one of the previous shape. May throw
    ///     ``VersionedDecodingError/fieldNoLongerValid(_:)`` or any other error.
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

/// One shape, with its type erased.
struct Shape: StageCode {
    let typeName: String
    /// The keys that must be present, and those that must be absent.
    let required: [String]
    let forbidden: [String]
    let note: String?
    fileprivate let code: any StageCode

    /// Returns the fields that the type asks for, together with the required keys.
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

    /// Decodes a value of this shape, and throws an error if the document has another shape.
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
    /// Returns the same fields, with the given names required.
    fileprivate func requiring(_ names: [String]) -> TypeFields {
        var fields = requiring { $0.isRequired || names.contains($0.name) }
        for name in names { fields.note(name, required: true) }
        return fields
    }
}

extension MigrationChain {
    /// Creates the chain of a document without a version key, which is recognized by its shape. Its versions are
    /// numbered from 1, oldest first.
    ///
    ///     MigrationChain(named: "User", shapes: ShapeVersions(UserV1.self)
    ///         .then(UserV2.self) { UserV2(name: $0.name, id: $0.email) })
    ///
    /// - Parameters:
    ///   - name: The name of the chain.
    ///   - shapes: The shapes, and how to make each from the previous one.
    ///   - decoding: How the app decodes dates, data, and keys.
    ///   - encoding: How the app encodes them.
    ///   - intendedLosses: The values of the previous shape that the step *to* a shape is meant to lose, by the number
    ///     of the shape: `[2: ["$.notes", "$.legs[*].crew"]]`. A string that isn't a path is a programming error.
    ///   - isRepeatable: Whether the migrations have no side effects, so that experiments may run them many times.
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
