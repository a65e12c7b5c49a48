import DocumentSources
import Foundation
import MigrationCore
import MigrationWorker

/// What is to be done about one of several documents that are migrated together.
enum MigrationVerdict: Sendable {
    /// It is current already.
    case stays
    /// It becomes this.
    case becomes(Data)
    /// It keeps all of them from being written, for this reason.
    case refused(String)
}

extension Opener {
    /// What is to be done about a document that was traced.
    func verdict(on document: DocumentReference, _ trace: MigrationTrace, _ limits: MigrateLimits) -> MigrationVerdict {
        if trace.outcome == .current { return .stays }
        if let refusal = trace.refusalToWrite(document, allowsDropped: limits.allowsDropped) {
            return .refused(refusal)
        }
        // A part of it failed, and would stay as it was.
        if let failure = trace.failure {
            return .refused("\(document.place(of: failure)): \(document.tells(failure).sentence)")
        }
        do {
            if limits.isStrict {
                let losses = try examining(trace, of: document)?.losses ?? []
                if !losses.isEmpty {
                    return .refused("\(document.name): \(losses.lossSentences.joined(separator: "; "))")
                }
            }
            return try trace.resultData().map { .becomes($0) }
                ?? .refused("\(document.name): \(trace.reasonsForNoResult)")
        } catch {
            return .refused("\(document.name): \(Console.words(for: error))")
        }
    }
}
