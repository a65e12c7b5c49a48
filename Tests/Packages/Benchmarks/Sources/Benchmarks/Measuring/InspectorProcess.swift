import Foundation

/// Runs the inspector as a separate process, like a user or a script.
enum InspectorProcess {
    /// The environment variable that makes this program the inspector.
    static let variable = "BENCHMARKS_AS_INSPECTOR"

    /// An error for an inspector that ended in an unexpected way.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Runs the inspector to its end, and discards its output.
    ///
    /// - Parameters:
    ///   - status: The exit status that the documents should give.
    ///   - starter: The program that starts the inspector, with its arguments.
    static func run(_ arguments: String..., status: Int32 = 0, by starter: [String] = []) throws {
        let process = try start(arguments, by: starter)
        var ending: Int32 = 0
        while waitpid(process, &ending, 0) < 0, errno == EINTR {}
        try check(ending, arguments, status)
    }

    /// Runs the inspector to its end.
    ///
    /// - Parameter status: The exit status that the documents should give.
    /// - Returns: The most memory that the inspector and its workers were seen to use at one moment, in bytes.
    static func peakMemory(_ arguments: [String], status: Int32 = 0) throws -> Int {
        let process = try start(arguments)
        var peak = 0
        var ending: Int32 = 0
        while waitpid(process, &ending, WNOHANG) == 0 {
            peak = max(peak, memory(of: process))
            usleep(2_000)
        }
        try check(ending, arguments, status)
        return peak
    }

    /// Starts this program again as the inspector. Foundation's `Process` notices an end up to a tenth of a second
    /// late.
    ///
    /// - Parameters:
    ///   - variables: Additional environment variables.
    ///   - descriptors: The standard input, output and error, or none to use /dev/null.
    ///   - starter: The program that starts the inspector, with its arguments.
    static func start(
        _ arguments: [String], variables: [String: String] = [:], descriptors: [Int32] = [], by starter: [String] = []
    ) throws -> pid_t {
        guard let program = Bundle.main.executablePath else { throw Failure(description: "the program has no path") }
        let environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }.merging([variable: "1"]) { $1 }
        var words = (starter + [program] + arguments).map { strdup($0) } + [nil]
        var settings = environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { for text in words + settings { free(text) } }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for number in Int32(0)..<3 {
            if descriptors.isEmpty {
                posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
            } else {
                posix_spawn_file_actions_adddup2(&actions, descriptors[Int(number)], number)
            }
        }
        var process: pid_t = 0
        let code = posix_spawnp(&process, starter.first ?? program, &actions, nil, &words, &settings)
        guard code == 0 else { throw Failure(description: "'\(program)' does not start: error \(code)") }
        return process
    }

    /// - Parameter ending: The status from `waitpid`, with the exit status in its second byte and a signal in its
    ///   first.
    private static func check(_ ending: Int32, _ arguments: [String], _ status: Int32) throws {
        guard ending == status << 8 else {
            let how = ending & 0x7F == 0 ? "exit status \(ending >> 8)" : "signal \(ending & 0x7F)"
            throw Failure(
                description: "'\(arguments.joined(separator: " "))' ended with \(how), expected exit status \(status)")
        }
    }

    /// Returns the memory that a process and its children use now, in bytes: the private memory of each, and the
    /// largest shared memory of any of them once.
    private static func memory(of process: pid_t) -> Int {
        let sizes = ([process] + children(of: process)).map(sizes(of:))
        return sizes.map(\.own).reduce(0, +) + (sizes.map(\.shared).max() ?? 0)
    }

    private static func children(of process: pid_t) -> [pid_t] {
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
        return threads.flatMap { thread in
            let list = try? String(contentsOfFile: "/proc/\(process)/task/\(thread)/children", encoding: .utf8)
            return (list ?? "").split(separator: " ").compactMap { pid_t($0) }
        }
    }

    /// Returns RssAnon, and the sum of RssFile and RssShmem, from proc(5), which counts in kilobytes. Both are 0 for a
    /// process that has ended.
    private static func sizes(of process: pid_t) -> (own: Int, shared: Int) {
        let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
        var sizes = (own: 0, shared: 0)
        for line in status.split(separator: "\n") where line.hasPrefix("Rss") {
            let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" })
            let size = words.count > 1 ? (Int(words[1]) ?? 0) * 1_024 : 0
            if words[0] == "RssAnon:" { sizes.own += size } else { sizes.shared += size }
        }
        return sizes
    }
}
