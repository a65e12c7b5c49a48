import DocumentModel
import Foundation

/// The versions of one kind of document, and the way from each to the next.
///
/// A chain opens documents as the app does, with the same code: it finds out which version a document is, decodes it,
/// and carries it forward step by step.
///
///     let chain = MigrationChain(Poem.self)
///     let trace = chain.trace(data, source: "poem.json")
///     if let failure = trace.failure { print(failure.message, failure.location ?? "") }
///
/// A chain calls the code of its types on the thread that makes it, or checks or traces with it. Where types belong to
/// the main actor, as all types of a target compiled with `-default-isolation MainActor` do, that has to be the main
/// thread.
///
/// ### Making one
/// - ``init(_:named:decoding:encoding:notes:intendedLosses:isRepeatable:)`` from a ``VersionedCodable`` type
/// - ``init(_:named:decoding:notes:intendedLosses:isRepeatable:fields:)`` from a ``Versionable`` type
/// - ``init(named:shapes:decoding:encoding:intendedLosses:isRepeatable:)`` from types that are tried newest first
/// - ``init(fallback:named:decoding:encoding:isRepeatable:)`` from a ``FallbackDecodable`` type
/// - ``init(preferences:keys:isRepeatable:)`` from the keys of an app's preferences
///
/// ### Opening documents
/// - ``check(_:source:to:)`` finds only the outcome; for many documents.
/// - ``trace(_:source:to:)`` records every step; for one that a person looks at.
///
/// ### Finding the chain of a document
/// - ``Swift/Collection/recognize(_:)``
public struct MigrationChain: Sendable {
    /// What the chain is called.
    public let name: String

    /// What kind of system is behind the chain.
    let system: any ChainSystem

    /// Whether the migrations of the chain have no effect but their result, so that experiments may run them again and
    /// again with a document that is changed in memory.
    public let isRepeatable: Bool

    /// The values of the version before that the step to each version is meant to lose.
    public let intendedLosses: [[DocumentPath]]

    /// A chain with that system behind it.
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

    /// Another system behind a chain that is otherwise the same.
    init(_ system: some ChainSystem, like other: MigrationChain) {
        name = other.name
        self.system = system
        isRepeatable = other.isRepeatable
        intendedLosses = other.intendedLosses
    }

    /// The versions, oldest first.
    public var versions: [ChainVersion] { system.versions }

    /// What the author says about the step to each version; nil where nothing is said.
    public var notes: [String?] { system.notes }

    /// Whether the documents between the steps are payloads, which the newest type decodes and writes anew in the end.
    package var isOfPayloads: Bool { (system as? StagedChain)?.finish != nil }

    /// Whether documents of the chain may be JSON5: whether the app's decoder allows that.
    public var allowsJSON5: Bool { system.decoder.strategies.allowsJSON5 }

    /// The newest version.
    public var newestVersion: DocumentVersion { versions.last?.version ?? .unversioned }

    /// Opens a document and says what came of it, without looking closer.
    ///
    /// - Parameters:
    ///   - document: The document.
    ///   - source: What to call it.
    ///   - target: The version to stop at; nil for the newest. One that the chain does not have is a failure of the
    ///     document.
    public func check(_ document: Document, source: String = "document", to target: DocumentVersion? = nil)
        -> CheckResult
    {
        CheckResult(system.run(document, source: source, to: target, found: nil, detail: .outcome))
    }

    /// Opens a document and records every step.
    ///
    /// - Parameters:
    ///   - document: The document.
    ///   - source: What to call it.
    ///   - target: The version to stop at; nil for the newest. One that the chain does not have is a failure of the
    ///     document.
    public func trace(_ document: Document, source: String = "document", to target: DocumentVersion? = nil)
        -> MigrationTrace
    {
        system.run(document, source: source, to: target, found: nil, detail: .trace)
    }

    /// Opens the bytes of a document and records every step. A text that is no document is a failure of the trace too.
    ///
    /// - Parameters:
    ///   - data: JSON or a property list, whichever the first bytes announce; JSON5 if the chain ``allowsJSON5``.
    ///   - source: What to call it.
    ///   - target: The version to stop at; nil for the newest.
    public func trace(_ data: Data, source: String = "document", to target: DocumentVersion? = nil) -> MigrationTrace {
        do {
            let document = try Document(parsing: SourceBytes(data), allowsJSON5: allowsJSON5)
            return trace(document, source: source, to: target)
        } catch {
            return malformed(error, source: source, target: target)
        }
    }

    /// The trace of a text that is no document.
    private func malformed(_ error: any Error, source: String, target: DocumentVersion?) -> MigrationTrace {
        var builder = TraceBuilder(system, nil, source: source, target: target, detail: .trace)
        builder.fail(MigrationFailure(parsing: error))
        builder.trace.format = (error as? DocumentParseError)?.format
        return builder.trace
    }

    /// Opens the bytes of a document and says what came of it, without looking closer.
    ///
    /// - Parameters:
    ///   - data: JSON or a property list, whichever the first bytes announce; JSON5 if the chain ``allowsJSON5``.
    ///   - source: What to call it.
    ///   - target: The version to stop at; nil for the newest.
    public func check(_ data: Data, source: String = "document", to target: DocumentVersion? = nil) -> CheckResult {
        do {
            let document = try Document(parsing: SourceBytes(data), allowsJSON5: allowsJSON5)
            return check(document, source: source, to: target)
        } catch {
            return CheckResult(malformed(error, source: source, target: target))
        }
    }

    /// Opens a document, and encodes what comes of it in the end.
    ///
    /// - Parameters:
    ///   - source: What to call it.
    ///   - target: The version to stop at; nil for the newest.
    package func migrate(
        _ document: Document, source: String = "document", to target: DocumentVersion? = nil
    ) -> (document: MigratedDocument, data: Data?) {
        MigratedDocument.made(
            from: system.run(document, source: source, to: target, found: nil, detail: .result)
        ) {
            check($0, source: source, to: target)
        }
    }

    /// Opens a document, and encodes what the app writes the next time it saves: the ``MigrationTrace/rewriting``. Keys of
    /// preferences are saved one by one, so a document of them has none.
    package func writing(_ document: Document, to target: DocumentVersion? = nil) -> MigrationTrace {
        system.run(document, source: "", to: target, found: nil, detail: .writing)
    }

    /// What is known of a document before it is decoded: its version. A trace without steps, to be told how it ended.
    package func detection(of document: Document, source: String, to target: DocumentVersion?) -> MigrationTrace {
        var builder = TraceBuilder(
            source: source, document: document, chain: name, versions: versions, target: target, detail: .trace)
        if let found = system.detection(of: system.reading(document, detail: .trace)) {
            builder.detect(found.version, at: found.path, attempts: found.attempts)
        }
        return builder.trace
    }
}

extension Sequence<MigrationChain> {
    /// Makes sure that documents can be opened with the chains as they are declared.
    ///
    /// - Throws: ``ChainDeclarationError`` for the first chain with a mistake.
    package func checkDeclarations() throws(ChainDeclarationError) {
        for chain in self { if let error = chain.system.declarationError { throw error } }
    }
}
