import Foundation

/// A program that is run like a user or a script runs it: by its path, with arguments, in a folder.
public struct BuiltProgram: Sendable {
    /// The path of the executable.
    public let path: String

    /// Creates a program with the path of its executable.
    public init(path: String) { self.path = path }

    /// This project's program, as built for the tests.
    public static let inspector = BuiltProgram(
        path: Project.builtProducts.appending(path: "migration-inspector").path(percentEncoded: false))

    /// Runs the program and waits for its end.
    ///
    /// - Parameters:
    ///   - folder: The program's current folder, or `nil` for the project's folder.
    ///   - input: The text of at most 64 KB that the program reads from a pipe on standard input, or `nil` for no
    /// input.
    ///   - environment: Environment variables in addition to those that every test needs.
    public func run(
        _ arguments: String..., in folder: String? = nil, input: String? = nil, environment: [String: String] = [:]
    ) throws -> ProgramRun {
        try run(arguments, in: folder, input: input.map { Data($0.utf8) }, environment: environment)
    }

    /// Runs the program and waits for its end.
    public func run(
        _ arguments: [String], in folder: String? = nil, input: Data? = nil, environment: [String: String] = [:]
    ) throws -> ProgramRun {
        let start = try Start(self, arguments, in: folder, input: input, environment: environment)
        return try start.end(with: try Spawn.wait(for: start.child))
    }

    /// Runs a program that takes minutes, without blocking a thread that other tests could use.
    public func runForLong(_ arguments: [String], environment: [String: String] = [:]) async throws -> ProgramRun {
        let start = try Start(self, arguments, in: nil, input: nil, environment: environment)
        while true {
            if let status = try Spawn.statusIfEnded(start.child) { return try start.end(with: status) }
            try await Task.sleep(for: .milliseconds(100))
        }
    }

    /// A running program, and the files that it writes to.
    private struct Start {
        private let files: TemporaryFolder
        let child: pid_t

        init(
            _ program: BuiltProgram, _ arguments: [String], in folder: String?, input: Data?,
            environment: [String: String]
        ) throws {
            // Files take any amount of output, while a pipe that isn't read would block the program.
            let files = try TemporaryFolder()
            let output = try files.handle(forWriting: "output")
            let errors = try files.handle(forWriting: "errors")
            child = try Spawn.lock.withLock {
                let source = try input.map(BuiltProgram.pipe) ?? FileHandle(forReadingFrom: URL(filePath: "/dev/null"))
                var spawn = try Spawn()
                try spawn.connect([source, output, errors])
                return try spawn.start(
                    program.path, arguments, in: folder ?? Project.path(""),
                    environment: BuiltProgram.environment.merging(environment) { $1 })
            }
            self.files = files
        }

        func end(with status: Int32) throws -> ProgramRun {
            ProgramRun(status: status, outputData: try files.data("output"), errors: try files.text("errors"))
        }
    }

    /// The environment of the tests, reduced to the paths of programs and libraries and the home folder.
    package static let environment = ProcessInfo.processInfo.environment
        .filter { ["PATH", "HOME", "LD_LIBRARY_PATH"].contains($0.key) }
        .merging(["GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1"]) { $1 }

    /// A pipe that contains `data` and has no writer. It is filled before the program starts, so it can't lose its
    /// reader.
    private static func pipe(with data: Data) throws -> FileHandle {
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: data)
        try pipe.fileHandleForWriting.close()
        return pipe.fileHandleForReading
    }
}

/// The result of running a program.
public struct ProgramRun: Sendable {
    /// The exit status, or the negated number of the signal that ended the program.
    public let status: Int32
    /// The bytes written to standard output.
    public let outputData: Data
    /// The text written to standard error.
    public let errors: String

    /// The text written to standard output.
    public var output: String { String(decoding: outputData, as: UTF8.self) }

    /// The lines of standard output.
    public var lines: [String] { output.split(separator: "\n").map(String.init) }

    /// The lines of standard error.
    public var errorLines: [String] { errors.split(separator: "\n").map(String.init) }
}
