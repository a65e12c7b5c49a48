import DocumentModel

/// One version of a chain, with the code to read it, migrate to it from the previous version, and write it.
final class ChainStage: Sendable {
    let version: DocumentVersion
    /// The name of the type.
    let type: String
    /// The chain author's note about the step to this version.
    let note: String?
    /// The path where a document of this version keeps the version key.
    let versionPath: DocumentPath?
    /// The paths of the values that make up the version, usually just ``versionPath``.
    let versionValues: [DocumentPath]
    /// The edits that make a document state this version, as far as they can be determined.
    let statement: [DocumentEdit]
    /// The app's code for the type.
    let code: any StageCode
    /// The top-level fields of a document of this version.
    let fields: KeptFields
    private let refusal = Locked<MissingNamesRefusal?>(nil)

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

    /// Decodes a document that states this version. Returns nil if the type refuses it.
    ///
    /// - Parameter reading: A reading in which nothing has been read yet.
    func attempt(_ reading: Reading) -> Any? {
        // Someone viewing a trace wants to see what the type does and prints, so the type must run.
        if !reading.detail.keepsSteps, refusal.withLock({ $0?.holds(for: reading) == true }) { return nil }
        do {
            return try code.decode(reading.root, reading.decoder, reading.record)
        } catch {
            if let refused = MissingNamesRefusal(reading) { refusal.withLock { $0 = refused } }
            return nil
        }
    }

    var chainVersion: ChainVersion { ChainVersion(version: version, type: type) }
}

/// The app's code for one version.
///
/// A document has a value of a different type at every stage, so values are passed as `Any`. A stage only gets values
/// returned by the previous stage, or by its own ``decode(_:_:_:)``.
///
/// Stages are generic structs that hold the app's type statically, together with the conformances that the app passed.
/// A closure would not work: a conformance may be isolated to the main actor, and a `@Sendable` closure cannot capture
/// such a type. For the same reason, no stage checks at run time whether a value is `Codable`. Off the main thread, the
/// answer would be no.
protocol StageCode: FieldSource {
    func decode(_ root: DocumentNode, _ decoder: DocumentDecoder, _ record: ReadRecord?) throws -> Any

    /// Makes a value of this stage from one of the previous stage. Not called for the oldest stage.
    func migrate(_ old: Any) throws -> Any

    func encode(_ value: Any, _ encoder: DocumentEncoder, _ format: DocumentFormat) throws -> Document
}

/// The code of a `Codable` type that is made from a value of another type.
struct CodableStage<Old, Value: Codable>: StageCode {
    /// Makes a value from one of the previous version, or nil if there is no previous version.
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

/// An error thrown if a value reaches a stage of another type. It means that the chain is put together wrongly, not
/// that the document is wrong.
struct StageMismatch: Error, CustomStringConvertible {
    var expected: String
    var found: String
    var description: String { "a value of \(found) came to the version of \(expected)" }

    /// Returns the value cast to the type of the stage.
    static func cast<Value>(_ value: Any, to type: Value.Type = Value.self) throws -> Value {
        func unboxed<Boxed>(_ boxed: Boxed) throws -> Value {
            // Nearly all values already have the type. Comparing the types is much faster than a cast, which looks for
            // conversions. Swift doesn't open an `Any` implicitly.
            Boxed.self == Value.self ? unsafeBitCast(boxed, to: Value.self) : try castOtherwise(boxed)
        }
        return try _openExistential(value, do: unboxed)
    }

    /// Casts a value of another type. If this were part of ``cast(_:to:)``, the runtime would look up `Value?` for
    /// every value, even if no cast is needed.
    @inline(never)
    private static func castOtherwise<Value>(_ value: Any) throws -> Value {
        guard let value = value as? Value else {
            throw StageMismatch(expected: typeName(Value.self), found: typeName(Swift.type(of: value)))
        }
        return value
    }
}

/// The error that a step threw, and the field of the document that it was working on, if the step knows it.
struct StepError: Error {
    let thrown: any Error
    let field: DocumentPath?
}
