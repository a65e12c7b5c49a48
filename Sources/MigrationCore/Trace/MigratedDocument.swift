import DocumentModel
import Foundation

/// What is to be known of a migrated document before it is written in place of the old one.
public struct MigratedDocument: Sendable, Hashable {
    /// What came of the document.
    public var result: CheckResult
    /// Whether there is a document in the newest version: also of preferences some keys of which failed.
    public var hasResult: Bool
    /// Those of the dropped fields that the result does not have either.
    public var lost: [DocumentPath]
    /// Why there is no result though nothing failed: the value was made, and does not encode.
    public var notEncodable: Reason?
    /// Why the result cannot be written in the format of the document, in words.
    public var notWritable: String?

    /// Why what is to be written does not open again; nil where it does, or that was not tried.
    public var notReopened: MigrationFailure?

    /// A document of which only the outcome is known, and that has no result.
    public init(_ result: CheckResult) {
        self.result = result
        hasResult = false
        lost = []
    }

    /// What a trace says of its document.
    public init(_ trace: MigrationTrace) {
        self.init(CheckResult(trace))
        hasResult = trace.result != nil
        if hasResult { lost = trace.lost }
        notEncodable = trace.notEncodable
        notReopened = trace.reopens?.failure
    }

    /// A document as it was migrated, and the bytes to be written; nil where there is no result, or the document is
    /// current.
    ///
    /// - Parameter check: Opens the bytes again.
    package static func made(
        from trace: MigrationTrace, check: (Data) -> CheckResult
    ) -> (document: MigratedDocument, data: Data?) {
        var document = MigratedDocument(trace)
        guard document.hasResult, document.result.outcome != .current else { return (document, nil) }
        do {
            let data = try trace.resultData()
            // Where a part failed and was kept as it was, it fails again.
            if let data, trace.failure == nil { document.notReopened = check(data).failure }
            return (document, data)
        } catch {
            document.notWritable = String(describing: error)
            return (document, nil)
        }
    }
}
