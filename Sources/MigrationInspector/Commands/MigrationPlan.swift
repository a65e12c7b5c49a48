import DocumentModel
import DocumentSources
import Foundation
import MigrationCore
import MigrationWorker

/// What becomes of several documents: all of them are migrated before the first one is written.
struct MigrationPlan: Sendable {
    /// The number of documents that are current already, or belong to no chain.
    var currentCount = 0
    /// The number of documents to write.
    private(set) var migratedCount = 0
    /// The number of documents that cannot be written.
    private(set) var refusedCount = 0
    /// The first reasons why documents cannot be written.
    private(set) var refusals: [String] = []
    /// What documents lose that are written.
    private(set) var warnings: [String] = []

    var documentCount: Int { currentCount + migratedCount + refusedCount }

    /// The maximum number of reasons to keep.
    private static let mostRefusals = 20

    mutating func add(_ other: MigrationPlan) {
        currentCount += other.currentCount
        migratedCount += other.migratedCount
        refusedCount += other.refusedCount
        refusals += other.refusals
        warnings += other.warnings
    }

    private mutating func refuse(_ reason: String) {
        refusedCount += 1
        if refusals.count < Self.mostRefusals { refusals.append(reason) }
    }

    /// Says why documents cannot be written, naming only the first of them.
    func complainOfRefusals(naming most: Int = mostRefusals) {
        for refusal in refusals.prefix(most) { Console.complain(refusal) }
        let unnamed = refusedCount - min(refusals.count, most)
        if unnamed > 0 { Console.complain("and \(unnamed) more") }
    }
}

/// One of several documents that are migrated together.
struct PlannedDocument<Target: Sendable>: Sendable {
    let reference: DocumentReference
    /// The bytes of the document, if they are already in memory.
    var bytes: SourceBytes?
    /// The file or store that the document is written to.
    let target: Target
    /// Why the document cannot be written with the others, even if it migrates; nil if it can.
    var refusal: String?
}

extension MigrationPlan {
    /// Migrates documents.
    ///
    /// - Parameters:
    ///   - title: The current work, to put before the number of documents.
    ///   - find: Calls the given closure with each document.
    ///   - keep: Called with each document to write and its data, or nil for one that cannot be written. Keeps the data
    ///     until the plan is known. Called by one thread at a time.
    /// - Throws: ``SourceError`` if the program lacks a resource; ``WorkerError``; the errors of `find` and `keep`,
    ///   except that a store refuses a value, which is a reason not to write the document.
    init<Target: Sendable>(
        _ title: String, opener: Opener, limits: MigrateLimits, progress: ProgressLine,
        find: (_ add: @escaping (PlannedDocument<Target>) -> Void) throws -> Void,
        keep: @escaping @Sendable (PlannedDocument<Target>, Data?) throws -> Void
    ) throws {
        let failure = FirstError()
        let plan = Locked(MigrationPlan())
        let count = { @Sendable in "\(title): \(plan.withLock { $0.documentCount }) documents" }
        typealias Document = PlannedDocument<Target>
        let run = DocumentRun<Document, WrittenMigration, (document: Document, verdict: MigrationVerdict)>(
            host: opener.host, wanting: .migration, jobs: opener.jobs, byteCount: { $0.reference.held?.count ?? 0 },
            request: { opener.request(for: $0.reference, bytes: $0.bytes) },
            progress: { document, work in
                progress.show { "\(count()); \(document.reference.name) \(work.shown.words())" }
            },
            output: { document, reply in
                if let refusal = document.refusal { return (document, .refused(refusal)) }
                // The document may migrate once this program gets the resources that it lacks.
                if case .success(let migration) = reply,
                    case .unreadable(let problem)? = migration.document.result.failure?.reason, problem.isShortage
                {
                    failure.keep { throw SourceError(source: document.reference.name, reason: problem) }
                }
                return (document, opener.verdict(on: document.reference, reply, limits))
            },
            deliver: { _, made in
                failure.keep {
                    try plan.withLock { plan in
                        switch made.verdict {
                        case .stays: plan.currentCount += 1
                        case .refused(let reason):
                            try keep(made.document, nil)
                            plan.refuse(reason)
                        case .becomes(let data, let warnings):
                            do {
                                try keep(made.document, data)
                                plan.migratedCount += 1
                                plan.warnings += warnings
                            } catch let error as SourceError {
                                guard case .store(.refusedValue) = error.reason else { throw error }
                                plan.refuse("\(error)")
                            }
                        }
                    }
                }
                progress.show(count)
            })
        defer { progress.clear() }
        do { try find(run.add) } catch {
            run.cancel()
            try? run.finish()
            throw error
        }
        try run.finish()
        try failure.rethrow()
        self = plan.withLock { $0 }
    }
}
