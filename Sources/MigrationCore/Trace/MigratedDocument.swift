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
    }

    /// A document as it was migrated, and the bytes to be written; nil where there is no result, or the document is
    /// current.
    package static func made(from trace: MigrationTrace) -> (document: MigratedDocument, data: Data?) {
        var document = MigratedDocument(trace)
        guard document.hasResult, document.result.outcome != .current else { return (document, nil) }
        do { return (document, try trace.resultData()) } catch {
            document.notWritable = String(describing: error)
            return (document, nil)
        }
    }
}
