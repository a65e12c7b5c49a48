import DocumentModel
import Foundation
import MigrationCore

/// Sample files in a temporary folder, which is removed when the instance is destroyed.
package final class SampleFolder {
    /// A state of a file with a history.
    package struct State: Sendable {
        let author: String
        /// The date of the commit.
        let date: Date
        let subject: String
        let content: String

        package init(author: String, date: Date, subject: String, content: String) {
            self.author = author
            self.date = date
            self.subject = subject
            self.content = content
        }
    }

    private let folder: TemporaryItem
    /// The folder.
    package var path: FilePath { folder.content }

    /// Creates the folder with files in it.
    ///
    /// - Parameter files: The files, each with its path below the folder. Folders are created for them.
    /// - Throws: ``SourceError``, also for a path that leads out of the folder.
    package init(files: [(path: String, content: Data)] = []) throws(SourceError) {
        folder = try TemporaryItem(.folder, as: "sample")
        try Self.makeFolder(folder.content, as: "sample")
        for file in files {
            let source = FilePath(file.path)
            let names = file.path.split(separator: "/", omittingEmptySubsequences: false)
            guard !names.contains(where: { ["", ".", ".."].contains($0) }) else {
                throw SourceError(source, errno: EINVAL)
            }
            var folder = folder.content
            for name in names.dropLast() {
                folder = folder + "/" + String(name)
                if !FileStatus.exists(folder) { try Self.makeFolder(folder, as: source) }
            }
            try Self.write(file.content, to: self.folder.content + "/" + file.path, as: source)
        }
    }

    /// Adds a file with a history, in a git repository in the folder `history`. No configuration is read.
    ///
    /// - Parameters:
    ///   - name: The name of the file.
    ///   - states: Its states, oldest first.
    /// - Returns: The file, with the content of its last state.
    /// - Throws: ``SourceError``, with a ``GitProblem`` if git isn't installed or fails.
    package func addHistory(of name: String, _ states: [State]) throws(SourceError) -> FilePath {
        let source = FilePath(name)
        let work = path + "/history"
        let file = (work + "/").appending(source)
        let git = work + "/.git"
        // The minimum that git needs to recognize a repository.
        for path in [work, git, git + "/objects", git + "/refs"] { try Self.makeFolder(path, as: source) }
        try Self.write(Data("ref: refs/heads/main\n".utf8), to: git + "/HEAD", as: source)
        try Self.write(Data((states.last?.content ?? "").utf8), to: file, as: source)
        do throws(GitProblem) {
            let child = try Git.start(
                in: .folder(work), ["fast-import", "--quiet"],
                settingVariables: ["GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1"])
            let isTaken = child.write(Array(Self.stream(name: name, states).utf8))
            guard child.finish().status == 0, isTaken else { throw Git.problem(of: child, in: .folder(work)) }
        } catch {
            throw SourceError(source: name, reason: .git(error))
        }
        return file
    }

    private static func makeFolder(_ path: FilePath, as source: FilePath) throws(SourceError) {
        guard mkdir(path.cString, 0o700) == 0 else { throw SourceError(temporary: source, errno: errno) }
    }

    private static func write(_ content: Data, to path: FilePath, as source: FilePath) throws(SourceError) {
        let descriptor = open(path.cString, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SourceError(temporary: source, errno: errno) }
        defer { close(descriptor) }
        guard content.withUnsafeBytes({ OpenFile.writeAll($0, to: descriptor) }) else {
            throw SourceError(temporary: source, errno: errno)
        }
    }

    /// Returns the input for git-fast-import(1).
    private static func stream(name: String, _ states: [State]) -> String {
        states.map { state in
            let person = "\(state.author) <> \(Int(state.date.timeIntervalSince1970)) +0000"
            return """
                commit refs/heads/main
                author \(person)
                committer \(person)
                data \(state.subject.utf8.count)
                \(state.subject)
                M 100644 inline \(name)
                data \(state.content.utf8.count)
                \(state.content)

                """
        }.joined() + "done\n"
    }
}
