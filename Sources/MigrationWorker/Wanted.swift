import DocumentModel
import Foundation
import MigrationCore

/// How what is wanted of a document is named to a worker.
enum WantedName: String, Sendable, Codable {
    case outcome, migration, trace, step, made, writing, detection, document, seriesChain, outline, store

    /// Whether it is asked of many documents, by programs that wait for all.
    var isOfMany: Bool { self == .outcome || self == .migration }
}

/// What is wanted of a document, and the type of what answers that. A reply of another kind cannot be had for it.
public struct Wanted<Answer: Sendable>: Sendable {
    let name: WantedName
    /// Does it in this process.
    let make: @Sendable (DocumentOpener, WorkerRequest) throws(DocumentEditError) -> Answer
    /// The answer in what a worker says; nil for one of another kind.
    let take: @Sendable (SentReply, inout ReplyReader.Context) throws(BrokenFrame) -> Answer?
    /// The answer for a document whose worker is lost, where its trace up to there may be asked for.
    let lost: @Sendable (WorkerRequest, _ trace: () throws(WorkerError) -> MigrationTrace) throws(WorkerError) -> Answer
}

extension Wanted {
    /// The reply to a request, made in this process.
    func reply(of opener: DocumentOpener, to request: WorkerRequest) -> WorkerReply<Answer> {
        do throws(DocumentEditError) { return .success(try make(opener, request)) } catch { return .failure(error) }
    }
}

/// What came of a document; or why that cannot be changed as asked.
public typealias WorkerReply<Answer> = Result<Answer, DocumentEditError>

extension Result where Failure == DocumentEditError {
    /// What came of the document; nil where it cannot be changed as asked.
    public var answer: Success? { try? get() }
}

extension Wanted<CheckResult> {
    /// What comes of it.
    public static var outcome: Self {
        Self(name: .outcome) { opener, request throws(DocumentEditError) in
            try opener.check(request)
        } take: { reply, context throws(BrokenFrame) in
            guard case .result(let sent) = reply else { return nil }
            return try context.result(sent)
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

/// A document in its newest version, as it is to be written.
public struct WrittenMigration: Sendable {
    /// What is to be known of it.
    public var document: MigratedDocument
    /// Its bytes; nil where nothing is to be written.
    public var data: Data?

    init(document: MigratedDocument, data: Data? = nil) { (self.document, self.data) = (document, data) }
}

extension Wanted<WrittenMigration> {
    /// What comes of it, and the document that does, as it is written.
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
    /// Every step.
    public static var trace: Self {
        traces(.trace) { opener, request throws(DocumentEditError) in try opener.trace(request, isShown: true) }
    }

    /// The last step on the way to the target, alone, with its before and after.
    public static var step: Self {
        traces(.step) { opener, request throws(DocumentEditError) in
            try opener.trace(request, isShown: false).withLastStepOnly
        } lost: {
            $0.withLastStepOnly
        }
    }

    /// What that step makes: a trace without what is known to the one who asks.
    static var made: Self {
        traces(.made) { opener, request throws(DocumentEditError) in
            try opener.trace(request, isShown: false).withResultOnly
        } lost: {
            $0.withResultOnly
        }
    }

    /// What the app writes the next time it saves the document: a trace whose result that is.
    public static var writing: Self {
        traces(.writing) { opener, request throws(DocumentEditError) in try opener.writing(request) }
    }

    /// What is known before the app's code decodes it: a trace without steps.
    public static var detection: Self {
        traces(.detection) { opener, request throws(DocumentEditError) in try opener.detection(request) }
    }

    /// The document as it is read: a trace that knows no chain.
    public static var document: Self {
        traces(.document) { opener, request throws(DocumentEditError) in try opener.reading(request) }
    }

    private static func traces(
        _ name: WantedName,
        _ make: @escaping @Sendable (DocumentOpener, WorkerRequest) throws(DocumentEditError) -> MigrationTrace,
        lost: @escaping @Sendable (MigrationTrace) -> MigrationTrace = { $0 }
    ) -> Self {
        Self(name: name, make: make) { reply, context throws(BrokenFrame) in
            guard case .trace(let sent) = reply else { return nil }
            return try context.trace(sent)
        } lost: { _, trace throws(WorkerError) in
            lost(try trace())
        }
    }
}

/// What was found out about the chain that the documents of a series share.
public enum SeriesChain: Sendable, Hashable, Codable {
    /// Its name; nil where they share none.
    case known(String?)
    /// It was not found out, for this reason.
    case unknown(Reason)
}

extension Wanted<SeriesChain> {
    /// The chain that the documents of its series share.
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
    /// The fields of the target, which is a version of the chain; nil where there is no such version.
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
