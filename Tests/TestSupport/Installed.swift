import Foundation

/// Returns whether a program that a test runs is in a folder of the tests' `PATH`.
package func isInstalled(_ program: String) -> Bool {
    let folders = BuiltProgram.environment["PATH"]?.split(separator: ":") ?? []
    return folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(program)") }
}
