import DocumentModel

/// One version of a chain, with what it takes to read it, to make it from the version before, and to write it.
final class ChainStage: Sendable {
    let version: DocumentVersion
    /// The name of the type.
    let type: String
    /// What the author of the chain says about the step to this version.
    let note: String?
    /// Where a document of this version keeps the version key.
    let versionPath: DocumentPath?
    /// The values that it is made of there: most often one, that at ``versionPath``.
    let versionValues: [DocumentPath]
    /// What makes a document say that it is of this version, as far as that can be told: its values are set.
    let statement: [DocumentEdit]
    /// The code of the type.
    let code: any StageCode
    /// The top-level fields that a document of this version has.
    let fields: KeptFields
    private let refusal = Locked<BlindRefusal?>(nil)

    init(
        version: DocumentVersion, type: String, note: String? = nil, versionPath: DocumentPath? = nil,
        versionValues: [DocumentPath]? = nil, statement: [DocumentEdit] = [], code: any StageCode,
        userInfo: [CodingUserInfoKey: any Sendable]
    ) {
        self.version = version
        self.type = type
        self.note = note
        self.versionPath = versionPath
        self.versionValues = versionValues ?? [versionPath].compactMap(\.self)
        self.statement = statement
        self.code = code
        fields = KeptFields(code, userInfo: userInfo)
    }

    /// The value of a document that says that it is of this version; nil where the type refuses it.
    ///
    /// - Parameter reading: Nothing has been read in it yet.
    func attempt(_ reading: Reading) -> Any? {
        // Whoever looks at a trace sees what the type does, and what it prints.
        if !reading.detail.keepsSteps, refusal.withLock({ $0?.holds(for: reading) == true }) { return nil }
        do {
            return try code.decode(reading.root, reading.decoder, reading.record)
        } catch {
            if let refused = BlindRefusal(reading) { refusal.withLock { $0 = refused } }
            return nil
        }
    }

    var chainVersion: ChainVersion { ChainVersion(version: version, type: type) }
}

/// The app's code for one version.
///
/// The values that a document takes on its way are of a different type at every stage, so they travel as `Any`; a stage
/// is handed only values that the stage before it, or its own ``decode(_:_:_:)``, returned.
///
/// Stages are generic structs that hold the app's type statically, and with it the conformances that the app handed
/// over with the type. A closure would not do: a conformance may belong to the main actor, and a `@Sendable` closure
/// refuses to capture such a type. For the same reason no stage asks at run time whether a value is `Codable`; away
/// from the main thread the answer would be no.
protocol StageCode: FieldSource {
    func decode(_ root: DocumentNode, _ decoder: DocumentDecoder, _ record: ReadRecord?) throws -> Any

    /// Makes a value of this stage from one of the stage before; not called for the oldest.
    func migrate(_ old: Any) throws -> Any

    func encode(_ value: Any, _ encoder: DocumentEncoder, _ format: DocumentFormat) throws -> Document
}

/// A `Codable` type that is made from a value of another.
struct CodableStage<Old, Value: Codable>: StageCode {
    /// Makes a value from an older one; nil where there is no older one.
    var make: (@Sendable (Old) throws -> Value)?

    func fields(userInfo: [CodingUserInfoKey: any Sendable]) -> TypeFields {
        TypeFields(of: Value.self, userInfo: userInfo)
    }

    func outline(userInfo: [CodingUserInfoKey: any Sendable]) -> VersionOutline {
        VersionOutline(of: Value.self, userInfo: userInfo)
    }

    func decode(_ root: DocumentNode, _ decoder: DocumentDecoder, _ record: ReadRecord?) throws -> Any {
        try decoder.decode(Value.self, from: root, recording: record)
    }

    func migrate(_ old: Any) throws -> Any { try make?(StageMismatch.cast(old)) ?? old }

    func encode(_ value: Any, _ encoder: DocumentEncoder, _ format: DocumentFormat) throws -> Document {
        try encoder.encode(StageMismatch.cast(value, to: Value.self), as: format)
    }
}

/// A value reached a stage that was made for another type. It means that a chain was put together wrongly, not that a
/// document is wrong.
struct StageMismatch: Error, CustomStringConvertible {
    var expected: String
    var found: String
    var description: String { "a value of \(found) came to the version of \(expected)" }

    /// The value as one of the stage's type.
    static func cast<Value>(_ value: Any, to type: Value.Type = Value.self) throws -> Value {
        func unboxed<Boxed>(_ boxed: Boxed) throws -> Value {
            // Nearly all values have the type already. To compare the types takes a fraction of the time of a cast, which
            // looks for conversions. Swift does not open an `Any` by itself.
            Boxed.self == Value.self ? unsafeBitCast(boxed, to: Value.self) : try castOtherwise(boxed)
        }
        return try _openExistential(value, do: unboxed)
    }

    /// Casts a value of another type. In ``cast(_:to:)`` the system would look up `Value?` for every value, whether or not
    /// it comes to this.
    @inline(never)
    private static func castOtherwise<Value>(_ value: Any) throws -> Value {
        guard let value = value as? Value else {
            throw StageMismatch(expected: typeName(Value.self), found: typeName(Swift.type(of: value)))
        }
        return value
    }
}

/// What a step threw, and the field of the document that it was at, where the step knows.
struct StepError: Error {
    let thrown: any Error
    let field: DocumentPath?
}
