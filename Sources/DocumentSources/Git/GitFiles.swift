import DocumentModel
import Foundation
import MigrationCore

/// The files in which git keeps a repository, as far as they are looked at before git is run.
enum GitFiles {
    /// The folders in it whose files git opens whatever it is asked.
    private static let folders: [FilePath] = ["", "info", "objects/info", "objects/pack"]

    /// Looks for named pipes and devices in the place of git's own files: git would read them without end.
    ///
    /// - Parameter folder: The folder from which git looks for a repository, upward.
    /// - Throws: ``GitProblem/isSpecialFile(path:_:)``.
    static func check(above folder: FilePath) throws(GitProblem) {
        guard var folder = folder.resolved else { return }
        while true {
            let inside = folder.appending(".git")
            try check(file: inside)
            // What has this file is a repository to git, as good as always (gitrepository-layout(5)).
            for candidate in [line(of: inside, behind: "gitdir: ").map(folder.joining) ?? inside, folder]
            where FileStatus.exists(candidate.appending("HEAD")) {
                try check(candidate)
                if let common = line(of: candidate.appending("commondir"), behind: "") {
                    try check(candidate.joining(common))
                }
                return
            }
            if folder == "/" { return }
            folder = folder.parent
        }
    }

    private static func check(_ repository: FilePath) throws(GitProblem) {
        for folder in folders.map(repository.appending) {
            for entry in FolderEntry.entries(ofFolder: folder) ?? [] where entry.type != .regular {
                try check(file: folder.appending(entry.name))
            }
        }
    }

    private static func check(file: FilePath) throws(GitProblem) {
        // To open a socket fails at once, and git keeps one of its own there.
        guard case .isSpecialFile(let kind)? = FileStatus(path: file)?.refusal, kind != .socket else { return }
        throw .isSpecialFile(path: file.description, kind)
    }

    /// What follows `beginning` in the first line of a file; nil where there is no such file, or it begins otherwise.
    private static func line(of file: FilePath, behind beginning: String) -> FilePath? {
        guard let file = try? OpenFile(path: file) else { return nil }
        let bytes = SourceBytes(capacity: Int(PATH_MAX) + beginning.utf8.count) { max(0, file.read(into: $0, at: 0)) }
        let line = bytes.data.prefix { $0 != 0x0A }
        return line.starts(with: beginning.utf8) ? FilePath(line.dropFirst(beginning.utf8.count)) : nil
    }
}

extension FilePath {
    /// The file that a path means which begins in this folder.
    fileprivate func joining(_ path: FilePath) -> FilePath { path.isAbsolute ? path : appending(path) }
}
