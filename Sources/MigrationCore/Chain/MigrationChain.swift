import DocumentModel
import Foundation

/// The versions of one kind of document, and the steps from each to the next.
///
/// A chain opens documents as the app does, with the same code: it determines the version of a document, decodes it,
/// and migrates it step by step.
///
///     let chain = MigrationChain(Poem.self)
///     let trace = chain.trace(data, source: "poem.json")
///     if let failure = trace.failure { print(failure.message, failure.location ?? "") }
///
/// A chain calls the code of its types on the thread that creates it, or checks or traces with it. If types are
/// isolated to the main actor, as are all types of a target compiled with `-default-isolation MainActor`, that must be
/// the main thread.
///
/// ### Creating a chain
/// - ``init(_:named:decoding:encoding:notes:intendedLosses:isRepeatable:)`` from a ``VersionedCodable`` type
/// - ``init(_:named:decoding:notes:intendedLosses:isRepeatable:fields:)`` from a ``Versionable`` type
/// - ``init(named:shapes:decoding:encoding:intendedLosses:isRepeatable:)`` from types that are tried newest first
/// - ``init(fallback:named:decoding:encoding:isRepeatable:)`` from a ``FallbackDecodable`` type
/// - ``init(preferences:keys:isRepeatable:)`` from the keys of an app's preferences
///
/// ### Opening documents
/// - ``check(_:source:to:)`` determines only the outcome. Use it for many documents.
/// - ``trace(_:source:to:)`` records every step. Use it for a document that someone looks at.
///
/// ### Finding the chain of a document
/// - ``Swift/Collection/recognize(_:)``
public struct MigrationChain: Sendable {
    /// The name of the chain.
    public let name: String

    /// The kind of system that the chain uses.
    let system: any ChainSystem

    /// What observes the runs of the chain, or nil if nothing does.
    package var observer: (any RunObserver)?

    /// Whether the migrations of the chain have no side effects, so that experiments may run them repeatedly with a
    /// document that is changed in memory.
    public let isRepeatable: Bool

    /// The values of the previous version that the step to each version is meant to lose.
    public let intendedLosses: [[DocumentPath]]

    /// Creates a chain that uses the given system.
    init(
        _ system: some ChainSystem, intendedLosses: (DocumentVersion) -> [String] = { _ in [] }, isRepeatable: Bool
    ) {
        name = system.name
        self.system = system
        self.isRepeatable = isRepeatable
        self.intendedLosses = system.versions.map { version in
            intendedLosses(version.version).map { text in
                guard let path = DocumentPath(text) else {
                    preconditionFailure("\"\(text)\" is no path; one is written like $.legs[*].crew")
                }
                return path
            }
        }
    }

    /// Creates a chain that uses another system, and is otherwise the same.
    init(_ system: some ChainSystem, like other: MigrationChain) {
        name = other.name
        self.system = system
        observer = other.observer
        isRepeatable = other.isRepeatable
        intendedLosses = other.intendedLosses
    }

    /// The versions, oldest first.
    public var versions: [ChainVersion] { system.versions }

    /// The author's note about the step to each version, or nil if there is none.
    public var notes: [String?] { system.notes }

    /// Whether the documents between the steps are payloads. The newest type decodes the last one and writes the
    /// result.
    package var isOfPayloads: Bool { (system as? StagedChain)?.finish != nil }

    /// Whether documents of the chain may be JSON5, which depends on the app's decoder.
    public var allowsJSON5: Bool { system.decoder.strategies.allowsJSON5 }

    /// The newest version.
    public var newestVersion: DocumentVersion { versions.last?.version ?? .unversioned }

    /// Opens a document and returns only the outcome.
    ///
    /// - Parameters:
    ///   - document: The document.
    ///   - source: The name of the document in the result.
    ///   - target: The version to stop at, or nil for the newest. A version that the chain does not have makes the
    ///     document fail.
    public func check(_ document: Document, source: String = "document", to target: DocumentVersion? = nil)
        -> CheckResult
    {
        CheckResult(run(document, source: source, to: target, detail: .outcome))
    }

    /// Opens a document and records every step.
    ///
    /// - Parameters:
    ///   - document: The document.
    ///   - source: The name of the document in the trace.
    ///   - target: The version to stop at, or nil for the newest. A version that the chain does not have makes the
    ///     document fail.
    public func trace(_ document: Document, source: String = "document", to target: DocumentVersion? = nil)
        -> MigrationTrace
    {
        run(document, source: source, to: target, detail: .trace)
    }

    /// Opens the bytes of a document and records every step. Text that isn't a document is recorded as a failure too.
    ///
    /// - Parameters:
    ///   - data: JSON or a property list, as its first bytes show, or JSON5 if the chain ``allowsJSON5``.
    ///   - source: The name of the document in the trace.
    ///   - target: The version to stop at, or nil for the newest.
    public func trace(_ data: Data, source: String = "document", to target: DocumentVersion? = nil) -> MigrationTrace {
        do {
            let document = try Document(parsing: SourceBytes(data), allowsJSON5: allowsJSON5)
            return trace(document, source: source, to: target)
        } catch {
            return malformed(error, source: source, target: target)
        }
    }

    /// Returns the trace of text that isn't a document.
    private func malformed(_ error: any Error, source: String, target: DocumentVersion?) -> MigrationTrace {
        var builder = TraceBuilder(system, nil, source: source, target: target, detail: .trace)
        builder.fail(MigrationFailure(parsing: error))
        builder.trace.format = (error as? DocumentParseError)?.format
        return builder.trace
    }

    /// Opens the bytes of a document and returns only the outcome.
    ///
    /// - Parameters:
    ///   - data: JSON or a property list, as its first bytes show, or JSON5 if the chain ``allowsJSON5``.
    ///   - source: The name of the document in the result.
    ///   - target: The version to stop at, or nil for the newest.
    public func check(_ data: Data, source: String = "document", to target: DocumentVersion? = nil) -> CheckResult {
        do {
            let document = try Document(parsing: SourceBytes(data), allowsJSON5: allowsJSON5)
            return check(document, source: source, to: target)
        } catch {
            return CheckResult(malformed(error, source: source, target: target))
        }
    }

    /// Opens a document, and encodes the result.
    ///
    /// - Parameters:
    ///   - source: The name of the document in the result.
    ///   - target: The version to stop at, or nil for the newest.
    package func migrate(
        _ document: Document, source: String = "document", to target: DocumentVersion? = nil
    ) -> (document: MigratedDocument, data: Data?) {
        MigratedDocument.made(from: run(document, source: source, to: target, detail: .result)) {
            check($0, source: source, to: target)
        }
    }

    /// Opens a document, and encodes the document that the app writes the next time it saves, as
    /// ``MigrationTrace/rewriting``. Preferences have none, because their keys are saved one by one.
    package func writing(_ document: Document, to target: DocumentVersion? = nil) -> MigrationTrace {
        run(document, source: "", to: target, detail: .writing)
    }

    /// Runs a document through the chain, starting from an earlier detection if there is one.
    func run(
        _ document: Document, source: String, to target: DocumentVersion?, found: DetectedStage? = nil,
        detail: RunDetail
    ) -> MigrationTrace {
        system.run(document, source: source, to: target, found: found, detail: detail, for: observer)
    }

    /// Returns what is known about a document before it is decoded: its version. The trace has no steps yet; how it
    /// ended is filled in later.
    package func detection(of document: Document, source: String, to target: DocumentVersion?) -> MigrationTrace {
        var builder = TraceBuilder(
            source: source, document: document, chain: name, versions: versions, target: target, detail: .trace)
        if let found = system.detection(of: system.reading(document, detail: .trace, for: observer)) {
            builder.detect(found.version, at: found.path, attempts: found.attempts)
        }
        return builder.trace
    }
}

extension Sequence<MigrationChain> {
    /// Checks that the declarations of the chains are valid.
    ///
    /// - Throws: ``ChainDeclarationError`` for the first invalid chain.
    package func checkDeclarations() throws(ChainDeclarationError) {
        for chain in self { if let error = chain.system.declarationError { throw error } }
    }
}
