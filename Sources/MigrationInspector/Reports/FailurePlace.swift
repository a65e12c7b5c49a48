import DocumentModel
import DocumentSources
import MigrationCore

extension DocumentReference {
    /// `FILE:LINE:COLUMN`, which editors know how to open, also for a document that is a line of its file. A place
    /// inside a string of the document is none in the file, so it is said apart: `FILE (line 3, column 2 in $.key)`.
    func place(of failure: MigrationFailure?) -> String {
        guard let location = failure?.location else { return name }
        guard location.within == nil else { return "\(self) (\(location))" }
        return place(line: location.line, column: location.column)
    }

    /// The reason, with places in it as those of the file that the document is a line of.
    func tells(_ reason: Reason) -> Reason { reason.told(ofFileWithDocumentAtLine: firstLine ?? 1) }

    /// The failure, with places in its reason as those of the file that the document is a line of.
    func tells(_ failure: MigrationFailure) -> MigrationFailure {
        var failure = failure
        failure.reason = tells(failure.reason)
        return failure
    }
}
