import DocumentModel
import Foundation
import TestSupport
import Testing

/// Tests of packages that depend on this one. They are left out unless the environment variable `STRANGERS` asks for
/// them, because each package is built by the package manager.
@Suite(
    "Packages that depend on this one",
    .enabled(
        if: ProcessInfo.processInfo.environment["STRANGERS"] != nil,
        "they build their packages, which takes minutes; STRANGERS=1 runs them"))
enum StrangersTests {}

/// A package that depends on this one like any other client: built by the package manager, apart from the tests.
struct StrangersPackage {
    /// The path of its folder.
    let path: String

    /// Creates the package of that name in Tests/Packages.
    init(name: String) { path = Project.path("Tests/Packages/\(name)") }

    /// Creates the package in a folder.
    init(path: String) { self.path = path }

    /// What Package.swift reads: with other flags, everything in the folder for builds would be built again.
    private static let environment = ProcessInfo.processInfo.environment.filter { $0.key == "WARNINGS_AS_ERRORS" }

    /// The program that runs the `swift` of the running tests' compiler, found through the `PATH`.
    private static let swift = BuiltProgram(path: "/usr/bin/env")

    /// Returns the folder for builds, in which what a package depends on is built already: that of the tests, or that of
    /// the optimized packages, which have one of their own.
    private static func scratchPath(_ arguments: [String]) -> String {
        arguments.contains("release")
            ? Project.path(".build-release")
            : Project.builtProducts.deletingLastPathComponent().deletingLastPathComponent().path(percentEncoded: false)
    }

    /// The command that was started last. The next waits until it has ended, because two builds cannot share a folder.
    private static let lastCommand = Locked<Task<ProgramRun, any Error>?>(nil)

    /// Runs the package manager on the package: `swift COMMAND`.
    func swift(_ command: String, _ arguments: [String]) async throws -> ProgramRun {
        // The cached plan of the last build doesn't include new files of the dependencies. The folder is locked by the
        // package manager that runs the tests, which builds nothing meanwhile.
        let location = [
            "--disable-build-manifest-caching", "--ignore-lock", "--package-path", path, "--scratch-path",
            Self.scratchPath(arguments),
        ]
        let task = Self.lastCommand.withLock { last in
            let task = Task { [last] in
                _ = await last?.result
                return try await Self.swift.runForLong(
                    ["swift", command] + location + arguments, environment: Self.environment)
            }
            last = task
            return task
        }
        return try await task.value
    }

    /// The builds that were started, each for all tests that need its program.
    private static let builds = Locked<[[String]: Task<BuiltProgram, any Error>]>([:])

    /// Builds the package, unless another test has, and returns its program with the given name.
    ///
    /// - Throws: ``BuildFailure`` with the compiler's messages.
    func program(_ program: String, _ options: String...) async throws -> BuiltProgram {
        let task = Self.builds.withLock { builds in
            let key = [path, program] + options
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
