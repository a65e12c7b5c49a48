import Foundation

/// A git work tree for one test, with commits an hour apart.
public final class GitFolder {
    /// The folder of the work tree.
    public let folder: TemporaryFolder
    private var commitCount = 0

    /// Makes an empty repository.
    ///
    /// - Parameter options: Options for `git init`.
    public init(_ options: String...) throws {
        folder = try TemporaryFolder()
        try git(["init", "--quiet", "--initial-branch=main"] + options)
    }

    /// Returns the path of a file in the folder.
    public func path(_ name: String) -> String { folder.path(name) }

    /// Runs git, and returns its output without the last line end.
    @discardableResult
    public func git(_ arguments: String...) throws -> String { try git(arguments) }

    /// Runs git, and returns its output without the last line end.
    @discardableResult
    public func git(_ arguments: [String]) throws -> String {
        try git(arguments, at: "\(1_700_000_000 + commitCount * 3600) +0000")
    }

    /// Runs git, which takes this for the current time, as in `2024-03-01T12:00:00+02:00`.
    @discardableResult
    public func gitAt(_ time: String, _ arguments: String...) throws -> String { try git(arguments, at: time) }

    private func git(_ arguments: [String], at time: String) throws -> String {
        let run = try BuiltProgram(path: "/usr/bin/env").run(
            ["git", "-C", folder.path] + arguments, in: folder.path,
            environment: [
                "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1", "GIT_AUTHOR_NAME": "Ada Lovelace",
                "GIT_AUTHOR_EMAIL": "ada@example.com", "GIT_COMMITTER_NAME": "Ada Lovelace",
                "GIT_COMMITTER_EMAIL": "ada@example.com", "GIT_AUTHOR_DATE": time, "GIT_COMMITTER_DATE": time,
            ])
        guard run.status == 0 else { throw GitFailure(description: "git \(arguments): \(run.errors)") }
        return run.output.hasSuffix("\n") ? String(run.output.dropLast()) : run.output
    }

    /// A git command that failed, with its error output.
    public struct GitFailure: Error, CustomStringConvertible {
        public let description: String
    }

    /// Commits everything in the folder, and returns the hash.
    @discardableResult
    public func commit(_ subject: String = "a change") throws -> String {
        commitCount += 1
        try git("add", "--all")
        try git("commit", "--quiet", "--allow-empty", "--message", subject)
        return try git("rev-parse", "HEAD")
    }

    /// Writes a file, commits it, and returns the hash.
    @discardableResult
    public func commit(_ text: String, to name: String, _ subject: String = "a change") throws -> String {
        try folder.write(text, to: name)
        return try commit(subject)
    }
}
