import DocumentModel
import Foundation
import MigrationCore

/// A sample file with a history, in a new git repository in a temporary folder. The folder is removed when the instance
/// is destroyed.
package final class SampleHistory {
    /// A state of the file.
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
    /// The file, with the content of its last state.
    package let file: FilePath

    /// Creates the repository without reading any configuration.
    ///
    /// - Parameters:
    ///   - name: The name of the file.
    ///   - states: Its states, oldest first.
    /// - Throws: ``SourceError``, with a ``GitProblem`` if git isn't installed or fails.
    package init(name: String, states: [State]) throws(SourceError) {
        let source = FilePath(name)
        folder = try TemporaryItem(.folder, as: source)
        let work = folder.content
        file = (work + "/").appending(source)
        let git = work + "/.git"
        // The minimum that git needs to recognize a repository.
        for path in [work, git, git + "/objects", git + "/refs"] where mkdir(path.cString, 0o700) != 0 {
            throw SourceError(source, errno: errno)
        }
        try Self.write("ref: refs/heads/main\n", to: git + "/HEAD", as: source)
        try Self.write(states.last?.content ?? "", to: file, as: source)
        do throws(GitProblem) {
            let child = try Git.start(
                in: .folder(work), ["fast-import", "--quiet"],
                settingVariables: ["GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1"])
            let isTaken = child.write(Array(Self.stream(name: name, states).utf8))
            guard child.finish().status == 0, isTaken else { throw Git.problem(of: child, in: .folder(work)) }
        } catch {
            throw SourceError(source: name, reason: .git(error))
        }
    }

    private static func write(_ text: String, to path: FilePath, as source: FilePath) throws(SourceError) {
        guard let file = fopen(path.cString, "wx") else { throw SourceError(source, errno: errno) }
        let isWritten = fputs(text, file) >= 0
        guard fclose(file) == 0, isWritten else { throw SourceError(source, errno: errno) }
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
