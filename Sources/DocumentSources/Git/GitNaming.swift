import DocumentModel
import Foundation
import MigrationCore

/// The names of files in commits: `COMMIT:PATH`, in git's own notation.
struct GitNaming: Sendable {
    /// The prefix of paths from the root of the repository.
    private let prefix: FilePath

    /// Creates names for the files of a repository: paths from its root if the program runs inside it, or else whole
    /// paths.
    init(_ repository: GitRepository) {
        let here = try? GitRepository.containing(.currentFolder)
        prefix = here?.gitFolder == repository.gitFolder ? "" : repository.root.appending("")
    }

    /// Returns the name of the file at a path from the root.
    func name(of path: FilePath) -> FilePath { FilePath(prefix.bytes + path.bytes) }

    /// Returns the repository that contains or contained a file or folder, and its path from the root.
    static func locate(_ file: FilePath) throws(GitProblem) -> (GitRepository, FilePath) {
        if FileStatus(path: file)?.isFolder == true, let real = file.resolved {
            let repository = try GitRepository.containing(file)
            if real == repository.root { return (repository, "") }
            guard let path = repository.path(of: real) else { throw .noRepository }
            return (repository, path)
        }
        // The file, and folders on its path, may be gone.
        var missing: [FilePath] = [file.lastComponent]
        var folder = file.folder.bytes.isEmpty ? FilePath.currentFolder : file.folder
        while FileStatus(path: folder)?.isFolder != true, folder != .currentFolder, folder != "/" {
            let trimmed = FilePath(
                folder.bytes.last == UInt8(ascii: "/") ? Array(folder.bytes.dropLast()) : folder.bytes)
            missing.insert(trimmed.lastComponent, at: 0)
            folder = trimmed.folder.bytes.isEmpty ? .currentFolder : trimmed.folder
        }
        let repository = try GitRepository.containing(folder)
        guard let real = folder.resolved,
            let path = repository.path(of: missing.reduce(real) { $0.appending($1) })
        else { throw .noRepository }
        return (repository, path)
    }

    /// A path in a commit, as a name gives it.
    struct Place: Sendable {
        let repository: GitRepository
        /// The commit, as it was named.
        let commitName: String
        /// The full hash of the commit.
        let commit: String
        /// The path, as it was written.
        let written: FilePath
        /// The path from the root of the repository; empty for the root.
        let path: FilePath

        /// Returns the place of a path in the same commit.
        func with(written: FilePath, path: FilePath) -> Place {
            Place(
                repository: repository, commitName: commitName, commit: commit, written: written, path: path)
        }

        /// The places of the files that the beginnings of the path name, with the rest after a `#`, the longest first.
        var containers: [(place: Place, part: String)] {
            let (bytes, pathBytes) = (written.bytes, path.bytes)
            return bytes.indices.reversed().compactMap { mark in
                let length = bytes.count - mark
                guard bytes[mark] == UInt8(ascii: "#"), length <= pathBytes.count,
                    let part = String(validating: bytes[(mark + 1)...], as: UTF8.self)
                else { return nil }
                return (with(written: written.dropLast(length), path: path.dropLast(length)), part)
            }
        }

        var entry: GitRepository.Entry? {
            get throws(GitProblem) { try repository.entry(at: path, in: commit) }
        }

        var isFolder: Bool {
            get throws(GitProblem) {
                if case .other(.folder)? = try entry { true } else { path.bytes.isEmpty }
            }
        }
    }

    /// Returns the place that `COMMIT:PATH` names, or nil if the name has a different form. A path that begins with `/`,
    /// `./` or `../` is that of a file, any other begins at the root of the repository.
    static func place(named name: FilePath) throws(GitProblem) -> Place? {
        let bytes = name.bytes
        // A colon in braces belongs to the commit: HEAD@{2024-01-31 12:00:00}.
        var depth = 0
        let end = bytes.firstIndex { byte in
            if byte == UInt8(ascii: "{") { depth += 1 }
            if byte == UInt8(ascii: "}") { depth -= 1 }
            return byte == UInt8(ascii: ":") && depth <= 0
        }
        guard let colon = end, colon > 0, let commitName = String(validating: bytes[..<colon], as: UTF8.self) else {
            return nil
        }
        let written = FilePath(bytes[(colon + 1)...])
        let isFile =
            written.isAbsolute || [".", ".."].contains(written)
            || ["./", "../"].contains { written.bytes.starts(with: $0.utf8) }
        let (repository, path) =
            try isFile ? locate(written) : (GitRepository.containing(.currentFolder), written.withoutSlashAtEnd)
        do throws(GitProblem) {
            let commit = try repository.commit(named: commitName)
            return Place(
                repository: repository, commitName: commitName, commit: commit, written: written, path: path)
        } catch {
            // A name that only ends with a colon is that of a file rather than of a folder in a commit.
            if written.bytes.isEmpty, case .noSuchCommit = error { return nil }
            throw error
        }
    }
}

extension FilePath {
    /// The path without slashes at its end.
    var withoutSlashAtEnd: FilePath {
        var bytes = bytes[...]
        while bytes.last == UInt8(ascii: "/") { bytes = bytes.dropLast() }
        return FilePath(bytes)
    }
}
