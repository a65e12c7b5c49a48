import Foundation
import TestSupport

/// A package that depends on this one as anybody's may: built by the package manager, apart from the tests.
struct StrangersPackage {
    /// The name of its folder in Tests/Packages.
    let name: String

    /// Where the package manager that belongs to the running tests' compiler is found, as it would be typed.
    private static let swift = BuiltProgram(path: "/usr/bin/env")

    /// The build lies beside that of the tests, so that it is made only once, and is gone when that is. All packages have
    /// the same, since most of it is what they depend on; the package manager builds one of them at a time.
    private static let scratchPath = Project.builtProducts.appending(path: "strangers").path(percentEncoded: false)

    /// Runs the package manager on the package: `swift COMMAND`.
    func swift(_ command: String, _ arguments: [String]) async throws -> ProgramRun {
        // The cached plan of the last build does not know of files that are new in what the package depends on.
        let location = [
            "--disable-build-manifest-caching", "--package-path", Project.path("Tests/Packages/\(name)"),
            "--scratch-path", Self.scratchPath,
        ]
        return try await Self.swift.runForLong(["swift", command] + location + arguments)
    }

    /// Builds the package, and gives the program of that name in it.
    ///
    /// - Throws: ``BuildFailure`` with what the compiler said.
    func program(_ program: String, _ options: String...) async throws -> BuiltProgram {
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
