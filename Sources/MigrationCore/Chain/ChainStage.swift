import DocumentModel

/// One version of a chain, with what it takes to read it, to make it from the version before, and to write it.
///
/// The values that a document takes on its way are of a different type at every stage, so they travel as `Any`; each stage is made with
/// its types known, and is only handed values that the stage before it, or its own ``decode``, returned.
struct ChainStage: Sendable {
    var version: DocumentVersion
    /// The name of the type.
    var type: String
    /// What the author of the chain says about the step to this version.
    var note: String?
    /// Where a document of this version keeps the version key.
    var versionPath: DocumentPath?
    /// The top-level fields that a document of this version has.
    var fields: @Sendable () -> TypeFields

    var decode: @Sendable (DocumentNode, DocumentDecoder, ReadRecord?) throws -> Any
    /// Makes a value of this stage from one of the stage before; nil for the oldest.
    var migrate: (@Sendable (Any) throws -> Any)?
    var encode: @Sendable (Any, DocumentEncoder, DocumentFormat) throws -> Document

    var chainVersion: ChainVersion { ChainVersion(version: version, type: type) }
}

/// A value reached a stage that was made for another type. It means that a chain was put together wrongly, not that a document is wrong.
struct StageMismatch: Error, CustomStringConvertible {
    var expected: String
    var found: String
    var description: String { "a value of \(found) came to the version of \(expected)" }
}

/// What a step threw, and the field of the document that it was at, where the step knows.
struct StepError: Error {
    let thrown: any Error
    let field: DocumentPath?
}
