import DocumentModel
import Foundation

/// The facts to know about a migrated document before it replaces the old one.
public struct MigratedDocument: Sendable, Hashable, Codable {
    /// The result of the migration.
    public var result: CheckResult
    /// Whether there is a document in the newest version. Preferences have one even if some keys failed.
    public var hasResult: Bool
    /// The dropped fields that are missing from the migrated document too.
    public var lost: [DocumentPath]
    /// Why there is no migrated document although nothing failed: the value was made, but could not be encoded.
    public var notEncodable: Reason?
    /// Why the migrated document cannot be written in the format of the original, as a sentence.
    public var notWritable: String?

    /// Why the document to be written does not open again. Nil if it does, or if that was not tried.
    public var notReopened: MigrationFailure?

    /// Creates a document of which only the outcome is known, without a migrated document.
    public init(_ result: CheckResult) {
        self.result = result
        hasResult = false
        lost = []
    }

    /// Creates the facts from the trace of a document.
    public init(_ trace: MigrationTrace) {
        self.init(CheckResult(trace))
        hasResult = trace.result != nil
        if hasResult { lost = trace.lost }
        notEncodable = trace.notEncodable
        notReopened = trace.reopens?.failure
    }

    /// Returns the document as it was migrated, and the bytes to write. The bytes are nil if there is no migrated
    /// document, or if the original is current.
    ///
    /// - Parameter check: Opens the bytes again.
    package static func made(
        from trace: MigrationTrace, check: (Data) -> CheckResult
    ) -> (document: MigratedDocument, data: Data?) {
        var document = MigratedDocument(trace)
        guard document.hasResult, document.result.outcome != .current else { return (document, nil) }
        do {
            let data = try trace.resultData()
            // A part that failed was kept as it was, and would fail again.
            if let data, trace.failure == nil { document.notReopened = check(data).failure }
            return (document, data)
        } catch {
            document.notWritable = String(describing: error)
            return (document, nil)
        }
    }
}
