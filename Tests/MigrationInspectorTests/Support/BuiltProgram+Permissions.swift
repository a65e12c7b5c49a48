import Foundation
import TestSupport

extension BuiltProgram {
    /// Runs the program as a user who is subject to file permissions. Root isn't, so as root, the program runs as user
    /// 65534 (nobody), who gets the files in the folder.
    func runObeyingPermissions(_ arguments: String..., in folder: TemporaryFolder) throws -> ProgramRun {
        try runObeyingPermissions(arguments, in: folder)
    }

    /// Runs the program as a user who is subject to file permissions.
    func runObeyingPermissions(_ arguments: [String], in folder: TemporaryFolder) throws -> ProgramRun {
        guard geteuid() == 0 else { return try run(arguments, in: folder.path) }
        let user: uid_t = 65534
        for name in [""] + (FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []) {
            guard lchown(folder.path(name), user, user) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        }
        // The user may not be able to reach the built program. A separate process copies it, because a file that this
        // process has open for writing can't be run, and programs that other tests start in the meantime would keep it
        // open too.
        let programs = try TemporaryFolder()
        defer { withExtendedLifetime(programs) {} }
        let script = """
            cp "$0" "$1" && exec /usr/bin/setpriv --reuid=\(user) --regid=\(user) --clear-groups "$@"
            """
        let program = programs.path("migration-inspector")
        return try BuiltProgram(path: "/bin/sh").run(["-c", script, path, program] + arguments, in: folder.path)
    }

    /// Runs the program as the user and group `nobody`, which only root can do.
    func runAsNobody(_ arguments: String..., in folder: String) throws -> ProgramRun {
        let other = ["--reuid=65534", "--regid=65534", "--clear-groups", path]
        return try BuiltProgram(path: "/usr/bin/setpriv").run(other + arguments, in: folder)
    }
}
