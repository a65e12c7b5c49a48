import Foundation

/// Tries inputs in this process, which an input may end.
struct Attempts {
    let target: FuzzTarget
    let note: Note

    func run(seed: UInt64, _ count: Int?, _ seconds: Double?) throws {
        let subject = try target.make()
        let end = seconds.map { ContinuousClock.now + .seconds($0) }
        for index in 0..<UInt64(count ?? (seconds == nil ? target.usualCount : .max)) {
            if index % 16 == 0, let end, ContinuousClock.now > end { break }
            note.seed = seed &+ index
            var random = SplitMix64(seed: note.seed)
            let input = subject.input(&random)
            note.input = input
            let depth = try subject.run(input)
            note[depth] += 1
        }
    }
}

/// Tries targets, each in a separate process, and reports the results.
struct Campaign {
    private let arguments: Arguments
    private let folder = FileManager.default.temporaryDirectory.appending(path: "Fuzzing-\(UUID().uuidString)")

    /// The number of failures after which a target is given up.
    private static let mostFailures = 5
    /// The time in seconds after which an input counts as failed.
    private static let patience = 30.0
    private static let leastParsed = 0.3
    private static let leastReached = 0.1
    /// The number of inputs below which shares aren't meaningful.
    private static let leastCount = 200

    init(_ arguments: Arguments) { self.arguments = arguments }

    /// - Returns: Whether all targets passed.
    func run(_ targets: [FuzzTarget]) throws -> Bool {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        print(Self.column("target") + "    inputs   parsed  reached   inputs/s")
        var isWell = true
        for target in targets where try !run(target, seconds: arguments.seconds.map { $0 / Double(targets.count) }) {
            isWell = false
        }
        return isWell
    }

    private func run(_ target: FuzzTarget, seconds: Double?) throws -> Bool {
        var (seed, count, failures) = (
            arguments.seed, arguments.count ?? (seconds == nil ? target.usualCount : .max), 0
        )
        var depths: [Depth: Int] = [:]
        let start = Date()
        var left: Double? { seconds.map { $0 - Date().timeIntervalSince(start) } }
        while count > 0, left.map({ $0 > 0 }) ?? true, failures < Self.mostFailures {
            let (note, failure) = try attempt(target, seed: seed, count, left)
            for depth in [Depth.refused, .parsed, .reached] { depths[depth, default: 0] += note[depth] }
            guard let failure else { break }
            failures += 1
            print("\(target.name): \(failure); try it with --seed \(note.seed) --count 1 \(target.name)")
            if let output = arguments.output { try keep(note, of: target, in: output) }
            count -= note.count + 1
            seed = note.seed &+ 1
        }
        let time = Date().timeIntervalSince(start)
        let tried = depths.values.reduce(0, +)
        let reached = Double(depths[.reached] ?? 0) / Double(max(1, tried))
        let parsed = Double(depths[.parsed] ?? 0) / Double(max(1, tried)) + reached
        print(
            Self.column(target.name)
                + String(
                    format: "%10d %7.1f%% %7.1f%% %10.0f", tried, parsed * 100, reached * 100, Double(tried) / time))
        fflush(nil)
        if tried == 0 { print("\(target.name): no input was tried") }
        let isShallow = tried >= Self.leastCount && (parsed < Self.leastParsed || reached < Self.leastReached)
        if isShallow { print("\(target.name): too few inputs came far enough; the generator has to be mended") }
        return failures == 0 && tried > 0 && !isShallow
    }

    /// Tries inputs until one fails or none is left.
    private func attempt(
        _ target: FuzzTarget, seed: UInt64, _ count: Int, _ seconds: Double?
    ) throws -> (Note, failure: String?) {
        let path = folder.appending(path: UUID().uuidString).path
        let note = try Note(path: path)
        let process = Process()
        process.executableURL = Bundle.main.executableURL
        process.arguments = ["--seed", "\(seed)", "--count", "\(count)"]
        if let seconds { process.arguments? += ["--seconds", "\(seconds)"] }
        process.arguments?.append(target.name)
        process.environment = Note.environment(path: path, folder: folder.path)
        try process.run()
        var (seen, since) = (-1, Date())
        while process.isRunning {
            usleep(50_000)
            if note.count != seen { (seen, since) = (note.count, Date()) }
            guard Date().timeIntervalSince(since) > Self.patience else { continue }
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            return (note, "took longer than \(Int(Self.patience)) seconds")
        }
        guard process.terminationReason == .exit else { return (note, "ended by signal \(process.terminationStatus)") }
        return (note, process.terminationStatus == 0 ? nil : "failed")
    }

    /// Writes the input that was being tried to a folder.
    private func keep(_ note: Note, of target: FuzzTarget, in output: String) throws {
        try FileManager.default.createDirectory(atPath: output, withIntermediateDirectories: true)
        try Data(note.input).write(to: URL(filePath: output).appending(path: "\(target.name)-\(note.seed)"))
    }

    static func column(_ text: String) -> String { text.padding(toLength: 10, withPad: " ", startingAt: 0) }
}
