import Foundation
import TestSupport

extension BuiltProgram {
    /// Runs the program as a user whom the permissions of files concern, which they do not concern root.
    func runObeyingPermissions(_ arguments: String..., in folder: String) throws -> ProgramRun {
        guard geteuid() == 0 else { return try run(arguments, in: folder) }
        // Root without the two capabilities that let it open every file (capabilities(7)).
        let without = ["--bounding-set=-dac_override,-dac_read_search", path]
        return try BuiltProgram(path: "/usr/bin/setpriv").run(without + arguments, in: folder)
    }

    /// Runs the program as the user and group `nobody`, which only root can do.
    func runAsNobody(_ arguments: String..., in folder: String) throws -> ProgramRun {
        let other = ["--reuid=65534", "--regid=65534", "--clear-groups", path]
        return try BuiltProgram(path: "/usr/bin/setpriv").run(other + arguments, in: folder)
    }
}
