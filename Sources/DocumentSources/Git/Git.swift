import DocumentModel
import Foundation
import MigrationCore

/// Runs the git program with fixed arguments: only log, diff-tree, rev-parse, rev-list, cat-file, hash-object and
/// config in other people's repositories, and fast-import in its own. Nothing that a repository's configuration names is
/// executed.
///
/// A repository may contain anything, because anyone may have created it. Known files on which git would block forever
/// are refused before git is started (``GitFiles``); apart from that, git is killed if it does nothing for a while. It
/// is also killed when this process ends (``ChildProgram``).
enum Git {
    /// Where to run git.
    enum Place {
        /// A folder. git finds the repository that contains it.
        case folder(FilePath)
        /// A repository without its work tree, so that files in the work tree, such as attributes, are not read.
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

    /// The path of the program, or nil if it isn't installed.
    private static let program = ChildProgram.path(of: "git")

    /// Overrides for the configuration of a repository: settings that would execute something or change the output.
    private static let overrides = [
        "core.fsmonitor=false", "core.hooksPath=/dev/null", "core.pager=cat", "pager.log=false", "diff.external=",
        "log.showSignature=false", "log.follow=false", "log.mailmap=false", "gpg.program=false",
        "core.sshCommand=false", "core.gitProxy=", "credential.helper=", "protocol.allow=never",
        "core.alternateRefsCommand=", "core.attributesFile=/dev/null",
    ]

    /// How long git may be idle while output is expected, in milliseconds.
    private static let patience: Int32 = 10_000

    /// Returns the environment: messages are in English, nothing is fetched, and there are no prompts.
    private static func environment(setting added: [FilePath]) -> [FilePath] {
        let replaced =
            [
                "LC_ALL", "LANGUAGE", "GIT_EXTERNAL_DIFF", "GIT_PAGER", "GIT_TERMINAL_PROMPT", "GIT_NO_LAZY_FETCH",
                "GIT_ALLOW_PROTOCOL", "GIT_OPTIONAL_LOCKS", "GIT_ASKPASS", "SSH_ASKPASS",
                // The variables that `git rev-parse --local-env-vars` lists. Hooks set them, perhaps for another
                // repository.
                "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_CONFIG", "GIT_CONFIG_PARAMETERS", "GIT_CONFIG_COUNT",
                "GIT_OBJECT_DIRECTORY", "GIT_DIR", "GIT_WORK_TREE", "GIT_IMPLICIT_WORK_TREE", "GIT_GRAFT_FILE",
                "GIT_INDEX_FILE", "GIT_NO_REPLACE_OBJECTS", "GIT_REPLACE_REF_BASE", "GIT_PREFIX",
                "GIT_SHALLOW_FILE", "GIT_COMMON_DIR", "GIT_INTERNAL_SUPER_PREFIX",
            ] + added.compactMap { $0.description.split(separator: "=").first.map(String.init) }
        return ChildProgram.environment(without: replaced) + added + [
            "LC_ALL=C", "GIT_TERMINAL_PROMPT=0", "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=", "GIT_OPTIONAL_LOCKS=0",
            // Without a work tree, git would look for attributes in the index. A missing index file counts as an empty
            // one.
            "GIT_INDEX_FILE=/dev/no-index",
        ]
    }

    /// Starts git.
    ///
    /// - Parameters:
    ///   - place: Where to run it.
    ///   - arguments: The command and its arguments.
    ///   - variables: Additional variables of the environment, as `NAME=VALUE`.
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

    /// Runs git and returns its output.
    ///
    /// - Parameters:
    ///   - input: What git reads on its standard input, before it writes anything.
    ///   - isCancelled: Called now and then. When it returns true, git is killed, and the error that is thrown has no
    ///     meaning.
    static func run(
        in place: Place, _ arguments: [FilePath], input: [UInt8] = [], isCancelled: () -> Bool = { false }
    ) throws(GitProblem) -> [UInt8] {
        try runWithComplaint(in: place, arguments, input: input, isCancelled: isCancelled).output
    }

    /// Runs git like ``run(in:_:input:isCancelled:)``, and also returns what it wrote on standard error.
    static func runWithComplaint(
        in place: Place, _ arguments: [FilePath], input: [UInt8] = [], isCancelled: () -> Bool = { false }
    ) throws(GitProblem) -> (output: [UInt8], complaint: [UInt8]) {
        let child = try start(in: place, arguments)
        if !input.isEmpty {
            // A git that waits for something else would leave this thread waiting too. If it stops reading, its status
            // says so.
            do throws(SystemFailure) {
                try WorkThread.start(name: "git") { [writer = child.inputWriter] in
                    _ = writer.write(input[...])
                    writer.end()
                }
            } catch {
                throw .notStarted(message: "\(error)")
            }
        }
        let (output, status) = child.finish(endsInput: input.isEmpty, isCancelled: isCancelled)
        guard status == 0 else { throw problem(of: child, in: place) }
        return (output, child.complaint)
    }

    /// Returns why git, which has ended, gave no answer.
    static func problem(of child: ChildProgram, in place: Place) -> GitProblem {
        child.wasIdle
            ? .noAnswer(seconds: Int(patience) / 1000, folder: (place.folder.resolved ?? place.folder).description)
            : GitProblem(complaint: child.complaint)
    }
}

extension GitProblem {
    /// Creates a problem from git's output on standard error.
    fileprivate init(complaint: [UInt8]) {
        let complaint = String(decoding: complaint, as: UTF8.self)
        // git prints these if it would have to fetch an object from the repository that this one was cloned from.
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
