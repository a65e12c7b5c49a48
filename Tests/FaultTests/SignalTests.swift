import Foundation
import TestSupport
import Testing

@Suite("Signals at any moment", .serialized)
struct SignalTests {
    /// Signals that end a program which has no fault.
    private static let requests: [Int32] =
        [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU]
        + [16, 29, 30, 34, 50, 64]  // SIGSTKFLT, SIGIO, SIGPWR and real-time signals: not everywhere.

    /// Those that tell of a fault, which leave a program no time to clean up.
    private static let faults: [Int32] = [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS]

    /// Every signal that ends a program, but SIGKILL.
    private static let signals = requests + faults + [SIGPIPE, SIGXFSZ]

    @Test("check and trace end, and leave every file as it is and nothing behind")
    func reports() throws {
        let documents = try Documents(copies: 6)
        let whole = try seconds(["check", "."], documents)
        for seed in 0..<Ordeal.count(24) {
            var random = SeededGenerator(seed: UInt64(seed + 1))
            let signal = seed % 8 == 7 ? SIGKILL : Self.signals[seed % Self.signals.count]
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
        let documents = try Documents(copies: 6)
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

    @Test("migrate leaves the document or its newest version, and no other file")
    func migrating() throws {
        for seed in 0..<Ordeal.count(24) {
            var random = SeededGenerator(seed: UInt64(seed + 1))
            let isInPlace = seed % 2 == 0
            let documents = try Documents(lines: 20_000)
            let (folder, before) = (documents.folder, try documents.folder.data("poem.json"))
            let arguments = ["migrate"] + (isInPlace ? ["--in-place"] : ["--output", "new.json"]) + ["poem.json"]
            let signal = seed % 6 == 5 ? SIGKILL : Self.signals[(seed * 7) % Self.signals.count]
            let run = try Ordeal(arguments, in: folder)
            run.sleep(.random(in: 0..<0.15, using: &random))
            try run.signal(signal)
            let status = try run.end()
            let isSudden = signal == SIGKILL || Self.faults.contains(signal)
            let told: Comment = "seed \(seed), signal \(signal), status \(status) \(run.errors) \(try folder.names())"
            #expect([-signal, 0].contains(status), told)
            if !isSudden { try nothingLeft(run, "seed \(seed), signal \(signal)") }
            let now = try folder.data("poem.json")
            if status == 0, isInPlace {
                #expect(now != before, told)
            } else if !isInPlace {
                #expect(now == before, told)
            }
            // Either whole version, whatever happened.
            #expect(now == before || now.last == before.last, told)
            if isSudden {
                // Nobody could clean up; the next run does.
                let again = try Ordeal(arguments, in: folder)
                #expect(try again.end() == 0, "\(told) \(again.errors)")
            }
            let allowed = ["new.json", "poem.json", "poem.json.bak"].filter {
                isInPlace ? $0 != "new.json" : $0 != "poem.json.bak"
            }
            #expect(try folder.names().allSatisfy(allowed.contains), told)
        }
    }

    @Test("a copy of a store that is not whole yet is gone, whatever asks the program to end", arguments: requests)
    func copying(signal: Int32) throws {
        let stores = try Stores()
        for arguments in [["check", "store"], ["migrate", "--allow-dropped", "--output", "new", "store"]] {
            let run = try Ordeal(arguments, in: stores.folder)
            while try !run.hasEnded(), try run.temporaryNames.isEmpty, try stores.folder.names() == stores.names {
                usleep(200)
            }
            try run.signal(signal)
            let status = try run.end()
            #expect(status == -signal, "\(arguments)")
            try nothingLeft(run, "\(arguments)")
            #expect(try stores.differences() == [], "\(arguments)")
        }
    }

    @Test("the screen gives the terminal back, and leaves nothing behind")
    func screens() throws {
        let documents = try Documents(copies: 2)
        for seed in 0..<Ordeal.count(24) {
            var random = SeededGenerator(seed: UInt64(seed + 1))
            let signal = seed % 12 == 11 ? SIGKILL : Self.signals[seed % Self.signals.count]
            let terminal = try Terminal()
            let settings = try terminal.settings()
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
                #expect(try terminal.settings() == settings, "seed \(seed), signal \(signal)")
                usleep(20_000)
                #expect(terminal.isRestored, "seed \(seed), signal \(signal)")
            }
        }
        #expect(try documents.differences() == [])
    }

    private func nothingLeft(_ run: Ordeal, _ told: String) throws {
        do { try run.expectNothingLeft() } catch { Issue.record("\(told): \(error)") }
    }

    /// How long a run takes that nothing happens to.
    private func seconds(_ arguments: [String], _ documents: Documents) throws -> Double {
        let start = Date()
        try Ordeal(arguments, in: documents.folder).end()
        return Date().timeIntervalSince(start)
    }
}
