import DocumentModel
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

extension MigratedDocument {
    /// Returns the reason why the document must not be written, in words; nil if its result may be written.
    func refusalToWrite(_ document: DocumentReference, _ limits: MigrateLimits) -> String? {
        guard hasResult else {
            let reason = result.failure.map { document.relocated($0).sentence } ?? reasonsForNoResult
            return "\(document.place(of: result.failure)): \(reason)"
        }
        // A document that's already current is written unchanged, so it loses nothing.
        if result.outcome == .current { return nil }
        if let notReopened { return "\(document.name): \(notReopened.reopeningSentence)" }
        if !lost.isEmpty, !limits.allowsDropped { return "\(document.name): \(lossSentence)" }
        guard result.format == .json5, limits.keepsComments else { return nil }
        let losesComments = result.warnings.contains { if case .commentsLost = $0 { true } else { false } }
        return "\(document.name): \(CommandWords.wouldBecomeJSON(losesComments: losesComments))"
    }

    /// The sentence about what keeps the document from being written: fields that nothing reads, and names of which
    /// only the last value is read.
    private var lossSentence: String {
        let duplicates = result.warnings.compactMap { warning in
            if case .field(let path, .duplicateName(isLastRead: true, _, _)) = warning { path } else { nil }
        }
        let again = lost.filter(duplicates.contains)
        let unread = lost.filter { !duplicates.contains($0) }
        return [
            unread.isEmpty ? nil : unread.lossSentence(result.folds), again.isEmpty ? nil : again.duplicatesSentence,
        ]
        .compactMap(\.self).joined(separator: "; ")
    }
}

extension CheckResult {
    /// The warnings about a document that is written: what its migration loses, and what else the user should know.
    ///
    /// - Parameter document: The document, to give places in its file.
    func writingWarnings(_ document: DocumentReference) -> [String] {
        stepSentences + warnings.map { document.relocated($0).description }
    }
}
