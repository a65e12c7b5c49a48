import Foundation
import TestSupport
import Testing

@Suite("Signals at any moment", .serialized, .enabled(if: Ordeal.isPossible))
struct SignalTests {
    /// Signals that end a program without a fault.
    private static let requests: [Int32] =
        [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU]
        + [16, 29, 30, 34, 50, 64]  // SIGSTKFLT, SIGIO, SIGPWR and real-time signals, not available everywhere.

    /// Signals that leave a program no time to clean up: SIGKILL, and those for faults.
    private static let sudden: [Int32] = [SIGKILL, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS]

    /// Every signal that ends a program.
    private static let signals = requests + sudden + [SIGPIPE, SIGXFSZ]

    @Test("check and trace end on a signal, keep every file and leave no others")
    func reports() throws {
        let documents = try Documents(copies: 3)
        let whole = try seconds(["check", "."], documents)
        for seed in 0..<Ordeal.count(Self.signals.count) {
            var random = SeededGenerator(seed: UInt64(seed + 1))
            let signal = Self.signals[seed % Self.signals.count]
            let arguments = seed % 3 == 2 ? ["trace", "0/poems/version-1.json"] : ["check", "--jobs", "2", "."]
            let run = try Ordeal(arguments, in: documents.folder)
            run.sleep(.random(in: 0..<whole, using: &random))
            try run.signal(signal)
            let status = try run.end()
            #expect([-signal, 0, 1].contains(status), "seed \(seed), signal \(signal): \(status) \(run.errors)")
            try nothingLeft(run, "seed \(seed), signal \(signal)")
        }
        #expect(try documents.differences() == [])
    }

    @Test("a stop and a continuation change nothing about a check")
    func stopping() throws {
        let documents = try Documents(copies: 3)
        let expected = try Ordeal(["check", "--format", "json", "."], in: documents.folder)
        try expected.end()
        let whole = try seconds(["check", "--format", "json", "."], documents)
        for seed in 0..<Ordeal.count(4) {
            var random = SeededGenerator(seed: UInt64(seed + 1))
            let run = try Ordeal(["check", "--format", "json", "."], in: documents.folder)
            for signal in [SIGTSTP, SIGCONT, SIGSTOP, SIGCONT] {
                run.sleep(.random(in: 0..<whole / 4, using: &random))
                try run.signal(signal)
            }
            #expect(try run.end() == expected.status, "seed \(seed)")
            #expect(run.output == expected.output, "seed \(seed)")
            try nothingLeft(run, "seed \(seed)")
        }
    }

    @Test("migrate leaves the document or its newest version on a signal, and no other file")
    func migrating() throws {
        let model = try Documents(lines: 5_000)
        let before = try model.folder.data("poem.json")
        // Without experiments, more of the signals come while something is written.
        let migrate = ["migrate", "--no-experiments"]
        let whole = try seconds(migrate + ["--output", "new.json", "poem.json"], model)
        let newest = try model.folder.data("new.json")
        try #require(newest != before)
        for seed in 0..<Ordeal.count(2 * Self.signals.count) {
            var random = SeededGenerator(seed: UInt64(seed + 1))
            let isInPlace = seed % 2 == 0
            let folder = try Documents(lines: 5_000).folder
            let arguments = migrate + (isInPlace ? ["--in-place"] : ["--output", "new.json"]) + ["poem.json"]
            let signal = Self.signals[seed / 2 % Self.signals.count]
            let run = try Ordeal(arguments, in: folder)
            run.sleep(.random(in: 0..<whole * 1.1, using: &random))
            try run.signal(signal)
            let status = try run.end()
            let reported = "seed \(seed), signal \(signal), status \(status) \(run.errors)"
            #expect([-signal, 0].contains(status), "\(reported)")
            if Self.sudden.contains(signal) {
                #expect(try [before, newest].contains(folder.data("poem.json")), "\(reported)")
                // A file that was being written may be left. The next run removes it.
                let again = try Ordeal(arguments, in: folder)
                #expect(try again.end() == 0, "\(reported) \(again.errors)")
                try nothingLeft(again, reported)
            } else {
                try nothingLeft(run, reported)
            }
            let isDone = status == 0 || Self.sudden.contains(signal)
            var allowed = [
                isInPlace ? ["poem.json": newest, "poem.json.bak": before] : ["poem.json": before, "new.json": newest]
            ]
            if Self.sudden.contains(signal), !isInPlace {
                // The signal came after everything was written, so the next run made a backup of it.
                allowed.append(["poem.json": before, "new.json": newest, "new.json.bak": newest])
            }
            if !isDone { allowed.append(["poem.json": before]) }
            if !isDone, isInPlace { allowed.append(["poem.json": before, "poem.json.bak": before]) }
            let files = try folder.names().reduce(into: [:]) { $0[$1] = try folder.data($1) }
            #expect(allowed.contains(files), "\(reported) \(files.keys.sorted())")
        }
    }

    @Test("migrate leaves a store unchanged on a signal, with a complete copy or none")
    func migratingStore() throws {
        let stores = try Stores()
        let arguments = ["migrate", "--no-experiments", "--allow-dropped", "--output", "new", "store"]
        let start = Date()
        try Ordeal(arguments, in: stores.folder).end()
        let whole = Date().timeIntervalSince(start)
        let newest = try stores.folder.data("new")
        for seed in 0..<Ordeal.count(Self.requests.count) {
            var random = SeededGenerator(seed: UInt64(seed + 1))
            unlink(stores.folder.path("new"))
            let signal = Self.requests[seed % Self.requests.count]
            let run = try Ordeal(arguments, in: stores.folder)
            run.sleep(.random(in: 0..<whole * 1.1, using: &random))
            try run.signal(signal)
            let status = try run.end()
            let reported = "seed \(seed), signal \(signal), status \(status) \(run.errors)"
            #expect([-signal, 0].contains(status), "\(reported)")
            try nothingLeft(run, reported)
            let differences = try stores.differences()
            #expect(differences == ["new"] || status != 0 && differences == [], "\(reported)")
            if differences == ["new"] { #expect(try stores.folder.data("new") == newest, "\(reported)") }
        }
    }

    @Test("an incomplete copy of a store is removed on any signal that ends the program", arguments: requests)
    func copying(signal: Int32) throws {
        let stores = try Stores()
        for arguments in [
            ["check", "store"], ["migrate", "--no-experiments", "--allow-dropped", "--output", "new", "store"],
        ] {
            var status: Int32 = 0
            // If the program finished its copy before the signal, it is started again.
            for _ in 0..<10 where status >= 0 {
                unlink(stores.folder.path("new"))
                let run = try Ordeal(arguments, in: stores.folder)
                while try !run.hasEnded(), try run.temporaryNames.isEmpty, try stores.folder.names() == stores.names {
                    usleep(200)
                }
                try run.signal(signal)
                status = try run.end()
                try nothingLeft(run, "\(arguments)")
            }
            #expect(status == -signal, "\(arguments)")
            #expect(try stores.differences() == [], "\(arguments)")
        }
    }

    @Test("the screen restores the terminal on a signal, and leaves no files")
    func screens() throws {
        let documents = try Documents(copies: 2)
        for seed in 0..<Ordeal.count(Self.signals.count) {
            var random = SeededGenerator(seed: UInt64(seed + 1))
            let signal = Self.signals[seed % Self.signals.count]
            let terminal = try Terminal()
            let settings = terminal.settings
            let run = try Ordeal(["."], in: documents.folder, terminal: terminal)
            let end = Date() + .random(in: 0..<1, using: &random)
            while Date() < end {
                run.sleep(0.02)
                terminal.press(["j", "k", "\t", "\r", "v", "s"].randomElement(using: &random) ?? "j")
            }
            try run.signal(signal)
            let status = try run.end()
            #expect(status == -signal, "seed \(seed), signal \(signal): \(status)")
            try nothingLeft(run, "seed \(seed), signal \(signal)")
            if signal != SIGKILL {
                #expect(terminal.settings == settings, "seed \(seed), signal \(signal)")
                #expect(terminal.isRestored(), "seed \(seed), signal \(signal)")
            }
        }
        #expect(try documents.differences() == [])
    }

    private func nothingLeft(_ run: Ordeal, _ reported: String) throws {
        do { try run.expectNothingLeft() } catch { Issue.record("\(reported): \(error)") }
    }

    /// Returns how long an undisturbed run takes.
    private func seconds(_ arguments: [String], _ documents: Documents) throws -> Double {
        let start = Date()
        try Ordeal(arguments, in: documents.folder).end()
        return Date().timeIntervalSince(start)
    }
}
