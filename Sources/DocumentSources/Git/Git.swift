import DocumentModel
import Foundation
import MigrationCore

/// The git program, which is run with fixed arguments: of other people's repositories only log, diff-tree, rev-parse and
/// cat-file, in its own fast-import, and in such a way that nothing runs that the configuration of a repository names.
///
/// Whoever made a repository may have put anything into it. What git would wait for without end is refused before it is
/// started (``GitFiles``), as far as its name is known; beyond that git is ended once it does nothing for a while. All
/// of it ends with this process (``ChildProgram``).
enum Git {
    /// Where git works.
    enum Place {
        /// A folder: git finds out which repository it lies in.
        case folder(FilePath)
        /// A repository, without its work tree: what lies there, such as files of attributes, is not read.
        case repository(FilePath)

        fileprivate var folder: FilePath {
            switch self {
            case .folder(let folder), .repository(let folder): folder
            }
        }

        fileprivate var arguments: [FilePath] {
            switch self {
            case .folder(let folder): ["-C", folder]
            case .repository(let folder): ["-C", folder, "--git-dir", folder, "--bare"]
            }
        }
    }

    /// Where the program is; nil where it is not installed.
    private static let program = ChildProgram.path(of: "git")

    /// What a repository may have configured, overridden: what would be run, and what would change the output.
    private static let overrides = [
        "core.fsmonitor=false", "core.hooksPath=/dev/null", "core.pager=cat", "pager.log=false", "diff.external=",
        "log.showSignature=false", "log.follow=false", "log.mailmap=false", "gpg.program=false",
        "core.sshCommand=false", "core.gitProxy=", "credential.helper=", "protocol.allow=never",
        "core.alternateRefsCommand=", "core.attributesFile=/dev/null",
    ]

    /// How long git may do nothing while an answer is expected, in milliseconds.
    private static let patience: Int32 = 10_000

    /// The environment: messages in English, nothing fetched, nobody asked.
    private static func environment(setting added: [FilePath]) -> [FilePath] {
        let replaced =
            [
                "LC_ALL", "LANGUAGE", "GIT_EXTERNAL_DIFF", "GIT_PAGER", "GIT_TERMINAL_PROMPT", "GIT_NO_LAZY_FETCH",
                "GIT_ALLOW_PROTOCOL", "GIT_OPTIONAL_LOCKS", "GIT_ASKPASS", "SSH_ASKPASS",
                // What `git rev-parse --local-env-vars` lists: set in hooks, and of another repository perhaps.
                "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_CONFIG", "GIT_CONFIG_PARAMETERS", "GIT_CONFIG_COUNT",
                "GIT_OBJECT_DIRECTORY", "GIT_DIR", "GIT_WORK_TREE", "GIT_IMPLICIT_WORK_TREE", "GIT_GRAFT_FILE",
                "GIT_INDEX_FILE", "GIT_NO_REPLACE_OBJECTS", "GIT_REPLACE_REF_BASE", "GIT_PREFIX",
                "GIT_SHALLOW_FILE", "GIT_COMMON_DIR", "GIT_INTERNAL_SUPER_PREFIX",
            ] + added.compactMap { $0.description.split(separator: "=").first.map(String.init) }
        return ChildProgram.environment(without: replaced) + added + [
            "LC_ALL=C", "GIT_TERMINAL_PROMPT=0", "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=", "GIT_OPTIONAL_LOCKS=0",
            // Without a work tree git would look for attributes in the index. A file that is not there is an empty one.
            "GIT_INDEX_FILE=/dev/no-index",
        ]
    }

    /// Starts git.
    ///
    /// - Parameters:
    ///   - place: Where it is to run.
    ///   - arguments: The command, and what stands behind it.
    ///   - variables: Of the environment, as `NAME=VALUE`.
    static func start(
        in place: Place, _ arguments: [FilePath], settingVariables variables: [FilePath] = []
    ) throws(GitProblem) -> ChildProgram {
        guard let program else { throw .notInstalled }
        let fixed =
            place.arguments + ["--no-pager", "--literal-pathspecs"] + overrides.flatMap { ["-c", FilePath($0)] }
        do {
            return try ChildProgram(
                program, fixed + arguments, environment: environment(setting: variables), patience: patience)
        } catch {
            throw .notStarted(message: "\(error)")
        }
    }

    /// Runs git, and gives what it prints.
    ///
    /// - Parameter isCancelled: Asked now and then; when it returns true, git is ended, and what is thrown says nothing.
    static func run(
        in place: Place, _ arguments: [FilePath], isCancelled: () -> Bool = { false }
    ) throws(GitProblem) -> [UInt8] {
        let child = try start(in: place, arguments)
        let (output, status) = child.finish(isCancelled: isCancelled)
        guard status == 0 else { throw problem(of: child, in: place) }
        return output
    }

    /// Why git, which has ended, gave no answer.
    static func problem(of child: ChildProgram, in place: Place) -> GitProblem {
        child.wasIdle
            ? .noAnswer(seconds: Int(patience) / 1000, folder: (place.folder.resolved ?? place.folder).description)
            : GitProblem(complaint: child.complaint)
    }
}

extension GitProblem {
    /// What git says went wrong, on standard error.
    fileprivate init(complaint: [UInt8]) {
        let complaint = String(decoding: complaint, as: UTF8.self)
        // What git says where it would fetch an object from a repository that this one was cloned from.
        if complaint.contains("lazy fetching disabled") || complaint.contains("promisor remote") {
            self = .notHere
            return
        }
        let lines = complaint.split(separator: "\n")
        let first =
            lines.first { $0.hasPrefix("fatal: ") }.map { String($0.dropFirst(7)) } ?? lines.first.map(String.init)
        self =
            switch first {
            case let text? where text.hasPrefix("not a git repository"): .noRepository
            case let text? where text.contains("dubious ownership") || text.hasPrefix("unsafe repository"): .unsafe
            case let text? where text.contains("does not have any commits yet"): .noCommits
            case let text?: .failed(message: text)
            case nil: .failed(message: "git ended without a word")
            }
    }
}
