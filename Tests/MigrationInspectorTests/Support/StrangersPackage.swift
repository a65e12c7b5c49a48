import DocumentModel
import Foundation
import TestSupport
import Testing

/// Tests of packages that depend on this one. They are left out unless the environment variable `STRANGERS` asks for
/// them, because each package is built apart.
@Suite(
    "Packages that depend on this one",
    .enabled(
        if: ProcessInfo.processInfo.environment["STRANGERS"] != nil,
        "they are built apart, which takes minutes; STRANGERS=1 runs them"))
enum StrangersTests {}

/// A package that depends on this one like any other client: built by the package manager, apart from the tests.
struct StrangersPackage {
    /// The name of its folder in Tests/Packages.
    let name: String

    /// The program that runs the `swift` of the running tests' compiler, found through the `PATH`.
    private static let swift = BuiltProgram(path: "/usr/bin/env")

    /// The folder for builds. It is beside that of the tests, so packages are built only once and are deleted together
    /// with it. All packages share it, because most of their code is in common dependencies, and the package manager
    /// builds one at a time.
    private static let scratchPath = Project.builtProducts.appending(path: "strangers").path(percentEncoded: false)

    /// Runs the package manager on the package: `swift COMMAND`.
    func swift(_ command: String, _ arguments: [String]) async throws -> ProgramRun {
        // The cached plan of the last build doesn't include new files of the dependencies.
        let location = [
            "--disable-build-manifest-caching", "--package-path", Project.path("Tests/Packages/\(name)"),
            "--scratch-path", Self.scratchPath,
        ]
        return try await Self.swift.runForLong(["swift", command] + location + arguments)
    }

    /// The builds that were started, each for all tests that need its program.
    private static let builds = Locked<[[String]: Task<BuiltProgram, any Error>]>([:])

    /// Builds the package, unless another test has, and returns its program with the given name.
    ///
    /// - Throws: ``BuildFailure`` with the compiler's messages.
    func program(_ program: String, _ options: String...) async throws -> BuiltProgram {
        let task = Self.builds.withLock { builds in
            let key = [name, program] + options
            let task = builds[key] ?? Task { try await build(program, options) }
            builds[key] = task
            return task
        }
        return try await task.value
    }

    private func build(_ program: String, _ options: [String]) async throws -> BuiltProgram {
        let build = try await swift("build", ["--product", program] + options)
        guard build.status == 0 else { throw BuildFailure(description: build.output + build.errors) }
        let folder = try await swift("build", ["--show-bin-path"] + options).output.trimmingCharacters(
            in: .whitespacesAndNewlines)
        return BuiltProgram(path: "\(folder)/\(program)")
    }

    struct BuildFailure: Error, CustomStringConvertible {
        let description: String
    }
}
