import DocumentModel
import DocumentSources
import Foundation
import MigrationCore

/// Failures in words.
enum FailureText {
    /// The kind, the path, the culprit and the message: `fieldNoLongerValid at $.rating (likely $.starRating): Star
    /// rating 9 is …`.
    static func sentence(for failure: MigrationFailure) -> String {
        var text = failure.kind.rawValue
        if let path = failure.path { text += " at \(path)" }
        if let culprit = failure.culprit, culprit.path != failure.path {
            text += culprit.certain ? " (\(culprit.path))" : " (likely \(culprit.path))"
        }
        return text + ": " + failure.message
    }

    /// `FILE:LINE:COLUMN`, which editors know how to open, also for a document that is a line of its file. A place
    /// inside a string of the document is none in the file, so it is said apart: `FILE (line 3, column 2 in $.key)`.
    static func place(of failure: MigrationFailure?, in document: DocumentReference) -> String {
        guard let location = failure?.location else { return document.name }
        guard location.within == nil else { return "\(document) (\(location))" }
        return document.place(line: location.line, column: location.column)
    }

    /// Fields in a sentence; of very many, the first twenty, and how many more.
    static func fields(_ paths: [DocumentPath]) -> String {
        Array(paths.prefix(20)).sentence(of: paths.count)
    }

    /// What an error of the program says to a person.
    static func words(for error: any Error) -> String {
        (error as? any LocalizedError)?.errorDescription ?? String(describing: error)
    }
}

extension DocumentReference {
    /// The reason, with places in it as those of the file that the document is a line of.
    func tells(_ reason: Reason) -> Reason { reason.told(ofFileWithDocumentAtLine: firstLine ?? 1) }

    /// The failure, with places in its reason as those of the file that the document is a line of.
    func tells(_ failure: MigrationFailure) -> MigrationFailure {
        var failure = failure
        failure.reason = tells(failure.reason)
        return failure
    }
}

extension MigrationTrace {
    /// Why nothing can be written though nothing failed.
    var reasonsForNoResult: String {
        if case .unrecognized(let reasons) = opening { return reasons.unrecognizedSentence }
        return notEncodable.map(\.unwrittenSentence) ?? "there is no result"
    }
}

extension Sequence<Reason> {
    /// Why no chain claims a document, in a few words: the chains that claim it alike, if that is so.
    var unrecognizedSentence: String {
        for reason in self {
            if case .tie = reason { return "\(reason); choose with --chain NAME" }
        }
        return "belongs to no chain this program knows"
    }
}
