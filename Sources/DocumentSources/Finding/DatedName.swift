import DocumentModel
import Foundation
import MigrationCore

/// A name of the form `FILE@2024-03-01` or `FOLDER@2024-03-01`: what was committed at the end of that day.
///
/// It is what the last commit of the day, or of the days before, has on the line of first parents: a side that was
/// merged later is not part of it, whenever its commits were made. `FILE` may also be the name of a file in a branch, or
/// of a document in a file, as for ``GitHistory``. The day of a commit is that of its committer date where it was made,
/// which reports show.
struct DatedName {
    private let name: FilePath
    private let day: String

    /// Parses a name, or returns nil if it doesn't end with `@` and a date.
    init?(_ name: FilePath) {
        let bytes = name.bytes
        guard let sign = bytes.lastIndex(of: UInt8(ascii: "@")), sign > 0,
            let day = String(validating: bytes[(sign + 1)...], as: UTF8.self), day.utf8.count == 10,
            let start = try? Date.ISO8601FormatStyle().year().month().day().parse(day),
            // Not every day that parses is one: February 30.
            start.formatted(Date.ISO8601FormatStyle().year().month().day()) == day
        else { return nil }
        // A folder may be written with a slash at its end.
        let path = FilePath(bytes[..<sign])
        self.name = path == "/" ? path : path.withoutSlashAtEnd
        self.day = day
    }

    /// The file or folder in that state.
    var meaning: GitNaming.Meaning {
        get throws(GitProblem) {
            if let documents = try folder { return documents }
            let history = try GitHistory(of: name, isCommittedOnly: true)
            let isCancelled = { false }
            var names = [history.path]
            try history.find(isCancelled: isCancelled) { state in
                guard let revision = state.revision else { return }
                if !names.contains(where: { $0.description == revision.path }) { names.append(FilePath(revision.path)) }
            }
            guard let commit = try commit(of: history.repository, before: history.start) else {
                throw try problem(in: history.repository, from: history.start, at: names)
            }
            var found: DocumentReference?
            // The file may have had another name then, and may be gone since.
            for isThere in [true, false] {
                for name in names where found == nil {
                    guard try (history.repository.entry(at: name, in: commit) != nil) == isThere else { continue }
                    do throws(GitProblem) {
                        try history.ending(at: commit, named: name).find(isCancelled: isCancelled) { state in
                            if found == nil, state.revision?.lane == 0 { found = state }
                        }
                    } catch {
                        guard case .neverCommitted = error else { throw error }
                    }
                }
            }
            guard let found else { throw try problem(in: history.repository, from: history.start, at: names) }
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

    /// The meaning of the name of a folder in that state; nil if the name is not that of a folder, now or then.
    private var folder: GitNaming.Meaning? {
        get throws(GitProblem) {
            let (repository, path, start): (GitRepository, FilePath, String)
            var isFolder = FileStatus(path: name)?.isFolder == true
            if FileStatus(path: name) == nil, let place = try GitNaming.place(named: name) {
                (repository, path, start) = (place.repository, place.path, place.commit)
                isFolder = try place.isFolder
            } else {
                (repository, path) = try GitNaming.locate(name)
                guard let head = try? repository.commit(named: "HEAD") else { throw .noCommits }
                start = head
            }
            guard let commit = try commit(of: repository, before: start) else {
                guard isFolder else { return nil }
                throw try problem(in: repository, from: start, at: [path])
            }
            let place = GitNaming.Place(
                repository: repository, commitName: String(commit.prefix(12)), commit: commit,
                written: GitNaming(repository).name(of: path), path: path)
            if try place.isFolder { return .several(CommittedDocuments(place, isFolder: true)) }
            guard isFolder else { return nil }
            // It came after that day, or it was deleted then, or something else had the name.
            if try place.entry == nil, try commits(of: repository, from: commit, at: path).isEmpty {
                throw try problem(in: repository, from: start, at: [path])
            }
            return try GitNaming.meaning(of: place)
        }
    }

    /// Returns the last commit on the line of first parents up to the end of the day.
    private func commit(of repository: GitRepository, before start: String) throws(GitProblem) -> String? {
        try commits(of: repository, from: start).first { $0.day <= day }?.hash
    }

    /// Returns the commits on the line of first parents, newest first; with a path, those that changed something there.
    private func commits(
        of repository: GitRepository, from start: String, at path: FilePath? = nil
    ) throws(GitProblem) -> [(hash: String, day: String)] {
        let paths = path.map { $0.bytes.isEmpty ? [] : [$0] } ?? []
        let output = try repository.run(
            ["log", "--first-parent", "--format=%H %cI", "--end-of-options", FilePath(start), "--"] + paths)
        return output.split(separator: 0x0A).compactMap { line in
            let fields = String(decoding: line, as: UTF8.self).split(separator: " ")
            return fields.count == 2 ? (String(fields[0]), String(fields[1].prefix(10))) : nil
        }
    }

    /// Returns the problem that nothing has one of these names on that day, with the first day that has.
    private func problem(
        in repository: GitRepository, from start: String, at paths: [FilePath]
    ) throws(GitProblem) -> GitProblem {
        var first: String?
        for path in paths {
            let day = try commits(of: repository, from: start, at: path).last?.day
            first = [first, day].compactMap(\.self).min()
        }
        return .noState(day: day, first: first, isShallow: repository.isShallow)
    }
}
