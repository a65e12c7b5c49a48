import DocumentModel

/// The versions of one kind of document, and the way from each to the next.
///
/// A chain opens documents as the app does, with the same code: it finds out which version a document is, decodes it, and carries it forward
/// step by step.
///
///     let chain = MigrationChain(Poem.self)
///     let trace = chain.trace(try Document(parsing: bytes), source: "poem.json")
///     if let failure = trace.failure { print(failure.message, failure.location ?? "") }
///
/// ### Making one
/// - ``init(_:named:decoding:encoding:notes:)`` from a ``VersionedCodable`` type
/// - ``init(preferences:keys:)`` from the keys of an app's preferences
///
/// ### Opening documents
/// - ``check(_:source:to:)`` finds only the outcome; for many documents.
/// - ``trace(_:source:to:)`` records every step; for one that somebody looks at.
///
/// ### Finding the chain of a document
/// - ``Swift/Collection/recognize(_:)``
public struct MigrationChain: Sendable {
    /// What the chain is called.
    public let name: String

    /// What kind of system is behind the chain.
    let system: any ChainSystem

    /// A chain with that system behind it.
    init(_ system: some ChainSystem) {
        name = system.name
        self.system = system
    }

    /// The versions, oldest first.
    public var versions: [ChainVersion] { system.versions }

    /// The newest version.
    public var newestVersion: DocumentVersion { versions.last?.version ?? .unversioned }

    /// Opens a document and says what came of it, without looking closer.
    ///
    /// - Parameters:
    ///   - document: The document.
    ///   - source: What to call it.
    ///   - target: The version to stop at; nil for the newest. One that the chain does not have is a failure of the document.
    public func check(_ document: Document, source: String, to target: DocumentVersion? = nil) -> CheckResult {
        system.check(document, source: source, to: target)
    }

    /// Opens a document and records every step.
    ///
    /// - Parameters:
    ///   - document: The document.
    ///   - source: What to call it.
    ///   - target: The version to stop at; nil for the newest. One that the chain does not have is a failure of the document.
    public func trace(_ document: Document, source: String, to target: DocumentVersion? = nil) -> MigrationTrace {
        system.trace(document, source: source, to: target)
    }
}
