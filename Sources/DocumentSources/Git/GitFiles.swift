import DocumentModel
import Foundation
import MigrationCore

/// Checks some of the files of a git repository before git is run.
enum GitFiles {
    /// The folders of a repository whose files git opens for any command.
    private static let folders: [FilePath] = ["", "info", "objects/info", "objects/pack"]

    /// Checks for named pipes and devices where git expects its own files. git would never finish reading them.
    ///
    /// - Parameter folder: The folder from which git searches upward for a repository.
    /// - Throws: ``GitProblem/isSpecialFile(path:_:)``.
    static func check(above folder: FilePath) throws(GitProblem) {
        guard var folder = folder.resolved else { return }
        while true {
            let inside = folder.appending(".git")
            try check(file: inside)
            // git takes nearly any folder with this file for a repository (gitrepository-layout(5)).
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
        // Opening a socket fails at once, and git itself keeps one there.
        guard case .isSpecialFile(let kind)? = FileStatus(path: file)?.refusal, kind != .socket else { return }
        throw .isSpecialFile(path: file.description, kind)
    }

    /// Returns the rest of a file's first line after `beginning`, or nil if there is no such file or its first line
    /// begins differently.
    private static func line(of file: FilePath, behind beginning: String) -> FilePath? {
        guard let file = try? OpenFile(path: file) else { return nil }
        let bytes = SourceBytes(capacity: Int(PATH_MAX) + beginning.utf8.count) { max(0, file.read(into: $0, at: 0)) }
        let line = bytes.data.prefix { $0 != 0x0A }
        return line.starts(with: beginning.utf8) ? FilePath(line.dropFirst(beginning.utf8.count)) : nil
    }
}

extension FilePath {
    /// Returns the file that a path relative to this folder leads to.
    fileprivate func joining(_ path: FilePath) -> FilePath { path.isAbsolute ? path : appending(path) }
}
