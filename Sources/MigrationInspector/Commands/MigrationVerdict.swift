import DocumentSources
import Foundation
import MigrationCore
import MigrationWorker

/// The decision about one of several documents that are migrated together.
enum MigrationVerdict: Sendable {
    /// The document is already current.
    case stays
    /// The document is replaced with this data.
    case becomes(Data)
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
            return .refused("\(document.place(of: failure)): \(document.tells(failure).sentence)")
        }
        if limits.isStrict {
            var result = made.result
            examine(&result, document)
            if result.isDoubtful {
                return .refused("\(document.name): \(result.stepSentences.joined(separator: "; "))")
            }
        }
        return data.map { .becomes($0) } ?? .refused("\(document.name): \(made.reasonsForNoResult)")
    }
}
