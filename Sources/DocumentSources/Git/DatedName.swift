import DocumentModel
import Foundation
import MigrationCore

/// A name of the form `FILE@2024-03-01`: the last committed state of the file at the end of that day, in UTC.
///
/// The state is one of those that lead to the present content, as of the day on which it was committed. `FILE` may also
/// be the name of a file in a branch, or of a document in a file, as for ``GitHistory``.
struct DatedName {
    private let name: FilePath
    private let day: String
    private let end: Date

    /// Parses a name, or returns nil if it doesn't end with `@` and a date.
    init?(_ name: FilePath) {
        let bytes = name.bytes
        guard let sign = bytes.lastIndex(of: UInt8(ascii: "@")), sign > 0,
            let day = String(validating: bytes[(sign + 1)...], as: UTF8.self), day.utf8.count == 10,
            let start = try? Date.ISO8601FormatStyle().year().month().day().parse(day),
            // Not every day that parses is one: February 30.
            start.formatted(Date.ISO8601FormatStyle().year().month().day()) == day
        else { return nil }
        self.name = FilePath(bytes[..<sign])
        self.day = day
        end = start + 24 * 60 * 60
    }

    /// The file in that state: a document, or one that holds several.
    var meaning: GitNaming.Meaning {
        get throws(GitProblem) {
            var first: String?
            var found: DocumentReference?
            let isCancelled = { false }
            try GitHistory(of: name, isCommittedOnly: true).find(isCancelled: isCancelled) { state in
                guard let revision = state.revision, revision.lane == 0 else { return }
                first = Self.day(of: revision)
                let date = try? Date.ISO8601FormatStyle().parse(revision.committed)
                if found == nil, let date, date < end { found = state }
            }
            guard let found else { throw .noState(day: day, first: first) }
            if let file = found.source as? GitFile, file.inside == nil, file.holdsSeveral,
                let documents = try GitNaming.meaning(of: FilePath(found.name))
            {
                return documents
            }
            return .document(
                found.changingSource { source in
                    guard var file = source as? GitFile else { return source }
                    file.revision = nil
                    return file
                })
        }
    }

    /// The day in UTC.
    private static func day(of revision: DocumentRevision) -> String? {
        (try? Date.ISO8601FormatStyle().parse(revision.committed)).map {
            $0.formatted(Date.ISO8601FormatStyle().year().month().day())
        }
    }
}
