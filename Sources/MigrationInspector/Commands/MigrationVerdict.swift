import DocumentSources
import Foundation
import MigrationCore
import MigrationWorker

/// The decision about one of several documents that are migrated together.
enum MigrationVerdict: Sendable {
    /// The document is already current.
    case stays
    /// The document is replaced with this data. The warnings say what is lost.
    case becomes(Data, warnings: [String])
    /// The document prevents all of them from being written, for this reason.
    case refused(String)
}

extension Opener {
    /// Decides about a document that was migrated.
    ///
    /// - Parameter reply: The reply to the request to migrate it.
    func verdict(
        on document: DocumentReference, _ reply: WorkerReply<WrittenMigration>, _ limits: MigrateLimits
    ) -> MigrationVerdict {
        let (made, data): (MigratedDocument, Data?)
        switch reply {
        case .success(let migration): (made, data) = (migration.document, migration.data)
        case .failure(let error): return .refused("\(document.name): \(error)")
        }
        if made.result.outcome == .current { return .stays }
        if let refusal = made.refusalToWrite(document, limits) {
            return .refused(refusal)
        }
        // If a part of the document failed, it would stay in its old version.
        if let failure = made.result.failure {
            return .refused("\(document.place(of: failure)): \(document.relocated(failure).sentence)")
        }
        guard let data else { return .refused("\(document.name): \(made.reasonsForNoResult)") }
        var result = made.result
        if makesExperiments, !host.isInProcess { examine(&result, document) }
        if limits.isStrict, result.isDoubtful {
            return .refused("\(document.name): \(result.stepSentences.joined(separator: "; "))")
        }
        return .becomes(data, warnings: result.writingWarnings(document).map { "\(document.name): warning: \($0)" })
    }
}
