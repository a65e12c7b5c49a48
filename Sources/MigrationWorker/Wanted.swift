import DocumentModel
import Foundation
import MigrationCore

/// The name of a kind of answer in requests to a worker.
enum WantedName: String, Sendable, Codable {
    case outcome, migration, trace, step, made, writing, detection, document, seriesChain, outline, store

    /// Whether it's requested for many documents, by callers that wait for all of them.
    var isOfMany: Bool { self == .outcome || self == .migration }

    /// Whether the answer is a trace.
    var isTrace: Bool {
        switch self {
        case .trace, .step, .made, .writing, .detection, .document: true
        case .outcome, .migration, .seriesChain, .outline, .store: false
        }
    }
}

/// The kind of answer wanted for a document, and its type. A reply of another kind is rejected.
public struct Wanted<Answer: Sendable>: Sendable {
    let name: WantedName
    /// Makes the answer in this process.
    let make: @Sendable (DocumentOpener, WorkerRequest) throws(DocumentEditError) -> Answer
    /// Extracts the answer from a worker's reply; returns nil if the reply is of another kind.
    let take: @Sendable (SentReply, inout ReplyReader.Context) throws(BrokenFrame) -> Answer?
    /// Makes the answer for a document whose worker was lost. It can call `trace` for the trace up to that point.
    let lost: @Sendable (WorkerRequest, _ trace: () throws(WorkerError) -> MigrationTrace) throws(WorkerError) -> Answer
}

extension Wanted {
    /// Returns the reply to a request, made in this process.
    func reply(of opener: DocumentOpener, to request: WorkerRequest) -> WorkerReply<Answer> {
        do throws(DocumentEditError) { return .success(try make(opener, request)) } catch { return .failure(error) }
    }
}

/// The answer for a document, or the reason why the document cannot be edited as requested.
public typealias WorkerReply<Answer> = Result<Answer, DocumentEditError>

extension Result where Failure == DocumentEditError {
    /// The answer; nil if the document cannot be edited as requested.
    public var answer: Success? { try? get() }
}

extension Wanted<CheckResult> {
    /// The outcome of a document.
    public static var outcome: Self {
        Self(name: .outcome) { opener, request throws(DocumentEditError) in
            try opener.check(request)
        } take: { reply, context throws(BrokenFrame) in
            guard case .result(let sent, let seconds, let versionCandidates) = reply else { return nil }
            var result = try context.result(sent)
            (result.seconds, result.versionCandidates) = (seconds, versionCandidates)
            return result
        } lost: { request, trace throws(WorkerError) in
            CheckResult(try trace(), in: request)
        }
    }
}

extension CheckResult {
    fileprivate init(_ trace: MigrationTrace, in request: WorkerRequest) {
        self.init(trace)
        container = request.document.container
    }
}

/// A migrated document, ready to be written.
public struct WrittenMigration: Sendable {
    /// The result of the migration.
    public var document: MigratedDocument
    /// The bytes to write; nil if there is nothing to write.
    public var data: Data?

    init(document: MigratedDocument, data: Data? = nil) { (self.document, self.data) = (document, data) }
}

extension Wanted<WrittenMigration> {
    /// The outcome of a document, and the migrated document as it is written.
    public static var migration: Self {
        Self(name: .migration) { opener, request throws(DocumentEditError) in
            try opener.migration(request)
        } take: { reply, context throws(BrokenFrame) in
            guard case .migration(let sent) = reply else { return nil }
            return try context.migration(sent)
        } lost: { request, trace throws(WorkerError) in
            WrittenMigration(document: MigratedDocument(CheckResult(try trace(), in: request)))
        }
    }
}

extension Wanted<MigrationTrace> {
    /// The whole trace with all steps.
    public static var trace: Self {
        traces(.trace) { opener, request throws(DocumentEditError) in try opener.trace(request, isShown: true) }
    }

    /// The last step on the way to the target, with the documents before and after it.
    public static var step: Self {
        traces(.step) { opener, request throws(DocumentEditError) in
            try opener.trace(request, isShown: false).withLastStepOnly
        } lost: {
            $0.withLastStepOnly
        }
    }

    /// The result of the last step: a trace without anything that the caller already knows.
    static var made: Self {
        traces(.made) { opener, request throws(DocumentEditError) in
            try opener.trace(request, isShown: false).withResultOnly
        } lost: {
            $0.withResultOnly
        }
    }

    /// The document as the app would write it on its next save: a trace whose result is that document.
    public static var writing: Self {
        traces(.writing) { opener, request throws(DocumentEditError) in try opener.writing(request) }
    }

    /// The state before the app's code decodes the document: a trace without steps.
    public static var detection: Self {
        traces(.detection) { opener, request throws(DocumentEditError) in try opener.detection(request) }
    }

    /// The document as it is read: a trace without a chain.
    public static var document: Self {
        traces(.document) { opener, request throws(DocumentEditError) in try opener.reading(request) }
    }

    private static func traces(
        _ name: WantedName,
        _ make: @escaping @Sendable (DocumentOpener, WorkerRequest) throws(DocumentEditError) -> MigrationTrace,
        lost: @escaping @Sendable (MigrationTrace) -> MigrationTrace = { $0 }
    ) -> Self {
        Self(name: name, make: make) { reply, context in
            if case .trace(let trace) = reply { context.trace(trace) } else { nil }
        } lost: { _, trace throws(WorkerError) in
            lost(try trace())
        }
    }
}

/// The chain that the documents of a series share, as far as it could be determined.
public enum SeriesChain: Sendable, Hashable, Codable {
    /// The name of the chain; nil if they share none.
    case known(String?)
    /// The chain could not be determined, for this reason.
    case unknown(Reason)
}

extension Wanted<SeriesChain> {
    /// The chain that the documents of a series share.
    public static var seriesChain: Self {
        Self(name: .seriesChain) { opener, request in
            opener.seriesChain(request)
        } take: { reply, _ in
            if case .chain(let chain) = reply { chain } else { nil }
        } lost: { _, trace throws(WorkerError) in
            .unknown(try trace().failure?.reason ?? .notRecorded)
        }
    }
}

extension Wanted<VersionOutline?> {
    /// The fields of the target version of the chain; nil if there is no such version.
    public static var outline: Self {
        Self(name: .outline) { opener, request in
            opener.outline(request)
        } take: { reply, _ in
            if case .outline(let outline) = reply { outline } else { nil }
        } lost: { _, _ in
            nil
        }
    }
}
