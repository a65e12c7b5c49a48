import DocumentModel
import DocumentSources
import MigrationCore

extension DocumentReference {
    /// Returns `FILE:LINE:COLUMN`, which editors can open, even for a document that is a line of its file. A location
    /// within a string of the document isn't one in the file, so it's given separately: `FILE (line 3, column 2 in
    /// $.key)`.
    func place(of failure: MigrationFailure?) -> String {
        guard let location = failure?.location else { return name }
        guard location.within == nil else { return "\(self) (\(location))" }
        return place(line: location.line, column: location.column)
    }

    /// Returns the reason with its locations converted to the file that the document is a line of.
    func relocated(_ reason: Reason) -> Reason { reason.relocated(toFileWithDocumentAtLine: firstLine ?? 1) }

    /// Returns the failure with the locations in its reason converted to the file that the document is a line of.
    func relocated(_ failure: MigrationFailure) -> MigrationFailure {
        var failure = failure
        failure.reason = relocated(failure.reason)
        return failure
    }
}
