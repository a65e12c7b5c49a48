import Foundation
import TestSupport
import Testing

@Suite("What a machine, a disk and other programs do", .serialized)
struct FaultTests {
    @Test("workers that are killed cost the documents they were at, and nothing else")
    func killedWorkers() throws {
        let documents = try Documents(copies: 12)
        let expected = try Ordeal(["check", "--format", "json", "--jobs", "2", "."], in: documents.folder)
        try expected.end()
        let outcomes = try Self.outcomes(expected.output)
        for seed in 0..<Ordeal.count(6) {
            var random = SeededGenerator(seed: UInt64(seed + 1))
            let run = try Ordeal(["check", "--format", "json", "--jobs", "2", "."], in: documents.folder)
            var killed = 0
            while try killed < 4 && !run.hasEnded() {
                run.sleep(.random(in: 0..<0.05, using: &random))
                // One that has not said its first word cannot be told from a program that ends while it makes its chains.
                guard let worker = run.workers().randomElement(using: &random), Self.work(of: worker) > 0.15 else {
                    continue
                }
                kill(worker, SIGKILL)
                killed += 1
            }
            let status = try run.end()
            #expect([0, 1].contains(status), "seed \(seed): \(run.errors)")
            let found = try Self.outcomes(run.output)
            #expect(found.count == outcomes.count, "seed \(seed)")
            #expect(zip(found, outcomes).filter { $0 != $1 }.count <= killed, "seed \(seed)")
            try run.expectNothingLeft()
        }
        #expect(try documents.differences() == [])
    }

    @Test("files that shrink, vanish or are replaced while they are read are failures of theirs alone")
    func changingFiles() throws {
        for seed in 0..<Ordeal.count(3) {
            var random = SeededGenerator(seed: UInt64(seed + 1))
            let documents = try Documents(copies: 4)
            let folder = documents.folder
            let large = Data("[".utf8) + Data(repeating: UInt8(ascii: " "), count: 4_000_000) + Data("]".utf8)
            for number in 0..<6 { try folder.write(large, to: "0/large-\(number).json") }
            let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter {
                $0.hasSuffix("son") || $0.hasSuffix("ite")
            }
            let run = try Ordeal(["check", "--format", "json", "--jobs", "2", "."], in: folder)
            while try !run.hasEnded() {
                guard let name = names.randomElement(using: &random) else { break }
                switch Int.random(in: 0..<4, using: &random) {
                case 0: truncate(folder.path(name), .random(in: 0..<100, using: &random))
                case 1: unlink(folder.path(name))
                case 2: try? Data("{\"version\": 1}".utf8).write(to: URL(filePath: folder.path(name)), options: .atomic)
                default:
                    try? Data(large.prefix(.random(in: 0..<large.count, using: &random))).write(
                        to: URL(filePath: folder.path(name)))
                }
                run.sleep(.random(in: 0..<0.01, using: &random))
            }
            #expect(try run.end() == 1, "seed \(seed): \(run.errors)")
            #expect(!run.output.contains("\"crashed\""), "seed \(seed)")
            try run.expectNothingLeft()
        }
    }

    @Test("a disk that is full keeps the document as it is, and leaves no other file", arguments: [0, 8, 64])
    func fullDisk(blocks: Int) throws {
        for arguments in [
            ["migrate", "--in-place", "poem.json"], ["migrate", "--output", "new.json", "poem.json"], ["check", "."],
        ] {
            let documents = try Documents(lines: 20_000)
            let run = try Ordeal(arguments, in: documents.folder, shell: "ulimit -f \(blocks); exec \"$@\"")
            let status = try run.end()
            if arguments[0] == "migrate" { #expect(status != 0, "\(arguments)") }
            #expect(try documents.differences() == [], "\(arguments)")
            try run.expectNothingLeft()
        }
        let store = try Documents(copies: 1)
        let run = try Ordeal(
            ["migrate", "--allow-dropped", "--output", "new.sqlite", "0/books.sqlite"], in: store.folder,
            shell: "ulimit -f \(blocks); exec \"$@\"")
        #expect(try run.end() != 0)
        #expect(try store.differences() == [])
        try run.expectNothingLeft()
    }

    /// What a shell does to give the program a disk of a megabyte, with a copy of the document on it: a file system in
    /// memory that only the shell and the program see. What is there too much afterwards is written to the output.
    private static let disk = """
        mkdir disk && exec /usr/bin/unshare -rm sh -c '
            mount -t tmpfs -o size=1m none disk && cp poem.json disk && "$@"
            status=$?
            cmp poem.json disk/poem.json || echo "left: another document"
            ls -A disk | grep -v poem.json$ | sed "s/^/left: /"
            exit $status' sh "$@"
        """

    /// Whether this user may have one.
    private static let hasDisks =
        (try? BuiltProgram(path: "/usr/bin/unshare").run("-rm", "mount", "-t", "tmpfs", "none", "/mnt"))?.status == 0

    @Test(
        "a small disk that is full keeps the document, and holds nothing else", .enabled(if: hasDisks),
        arguments: [
            ["migrate", "--in-place", "disk/poem.json"], ["migrate", "--output", "disk/new.json", "poem.json"],
            ["migrate", "--allow-dropped", "--output", "disk/new", "store"], ["check", "store"],
        ])
    func smallDisk(arguments: [String]) throws {
        let (documents, stores) = (try Documents(lines: 20_000), try Stores())
        for name in stores.names { try documents.folder.write(stores.folder.data(name), to: name) }
        usleep(100_000)
        let before = try documents.folder.names()
        let temporary = arguments[0] == "check" ? "export TMPDIR=$PWD/disk; " : ""
        let run = try Ordeal(arguments, in: documents.folder, shell: temporary + Self.disk)
        let status = try run.end()
        #expect(status == (arguments[0] == "check" ? 66 : 70), "\(run.output) \(run.errors)")
        #expect(!run.output.contains("left: "), "\(run.output)")
        #expect(try documents.folder.names() == (before + ["disk"]).sorted())
        try run.expectNothingLeft()
    }

    @Test("a folder that cannot be written to is checked and traced, and a document in it is not replaced")
    func readOnlyFolder() throws {
        let documents = try Documents(copies: 1)
        // The permissions of files do not apply to root, who has no way here as somebody else without a copy of the program.
        let programs = try TemporaryFolder()
        let program = programs.path("migration-inspector")
        // Written by this process it could not be run while another, started just then, still had it open.
        try #require(BuiltProgram(path: "/bin/cp").run(BuiltProgram.inspector.path, program).status == 0)
        let user = geteuid() == 0 ? "/usr/bin/setpriv --reuid=65534 --regid=65534 --clear-groups " : ""
        let folders =
            try FileManager.default.subpathsOfDirectory(atPath: documents.folder.path).map(documents.folder.path)
            .filter { FileManager.default.fileExists(atPath: $0 + "/.") } + [documents.folder.path]
        for folder in folders { chmod(folder, 0o555) }
        defer { for folder in folders { chmod(folder, 0o755) } }
        for (arguments, expected) in [
            (["check", "."], 1), (["trace", "0/poems/version-1.json"], 0), (["check", "0/books.sqlite"], 1),
            (["migrate", "--in-place", "0/poems/version-1.json"], 66),
        ] as [([String], Int32)] {
            let run = try Ordeal(
                arguments, in: documents.folder, program: program, shell: "export TMPDIR=/tmp; exec \(user)\"$@\"")
            #expect(try run.end() == expected, "\(arguments): \(run.errors)")
            try run.expectNothingLeft()
        }
        #expect(try documents.differences() == [])
    }

    @Test("a terminal that closes ends the screen and its workers")
    func closingTerminal() throws {
        let documents = try Documents(copies: 2)
        for seed in 0..<Ordeal.count(6) {
            var random = SeededGenerator(seed: UInt64(seed + 1))
            let terminal = try Terminal()
            let run = try Ordeal(["."], in: documents.folder, terminal: terminal)
            run.sleep(.random(in: 0..<0.8, using: &random))
            terminal.hangUp()
            let status = try run.end()
            #expect([-SIGHUP, 1, 70].contains(status), "seed \(seed): \(status)")
            try run.expectNothingLeft()
        }
        #expect(try documents.differences() == [])
    }

    @Test("2,000 sizes of the window, down to one cell, are all followed")
    func resizing() throws {
        let documents = try Documents(copies: 1)
        var random = SeededGenerator(seed: 7)
        let terminal = try Terminal()
        let settings = try terminal.settings()
        let run = try Ordeal(["."], in: documents.folder, terminal: terminal)
        try #require(terminal.shows("documents"))
        for number in 0..<2000 {
            let isSmall = number % 3 == 0
            terminal.resize(
                width: .random(in: 1...(isSmall ? 4 : 200), using: &random),
                height: .random(in: 1...(isSmall ? 3 : 60), using: &random))
            if number % 7 == 0 {
                terminal.press(["j", "\t", "\r", "s", "v", "z"].randomElement(using: &random) ?? "j")
            }
            usleep(500)
        }
        terminal.resize(width: 1, height: 1)
        usleep(50_000)
        terminal.resize(width: 100, height: 30)
        terminal.forget()
        try #require(try !run.hasEnded())
        #expect(try terminal.quit(run) == 0)
        #expect(
            try terminal.settings().replacing("rows 30; columns 100", with: "")
                == settings.replacing("rows 30; columns 100", with: ""))
        try run.expectNothingLeft()
    }

    @Test("random keys leave a screen that still answers, and memory that does not grow")
    func randomKeys() throws {
        let documents = try Documents(copies: 2)
        var random = SeededGenerator(seed: 11)
        let terminal = try Terminal()
        let run = try Ordeal(["."], in: documents.folder, terminal: terminal)
        try #require(terminal.shows("documents"))
        let keys =
            Array("jkhlvdseEnNfgGozZ?123[]<> /xyO\t\r\u{4}\u{15}\u{6}\u{2}\u{C}").map(String.init) + [
                "\u{1B}[A", "\u{1B}[B", "\u{1B}[6~",
            ]
        var tenths: [Int] = []
        let count = Ordeal.count(2000)
        for number in 1...count {
            terminal.press(keys.randomElement(using: &random) ?? "j")
            if number % 20 == 0 { usleep(4000) }
            if number % (count / 10) == 0 {
                run.sleep(0.3)
                tenths.append(Self.memory(of: run.process))
                terminal.forget()
            }
        }
        try #require(try !run.hasEnded(), "it ended with \(run.status ?? 0)")
        print("MB after each tenth of \(count) keys: \(tenths.map { $0 / 1_000_000 })")
        if count >= 20_000, let first = tenths.first, let last = tenths.last {
            #expect(last < first + first / 5 + 10_000_000, "\(tenths)")
        }
        #expect(try terminal.quit(run) == 0)
        try run.expectNothingLeft()
        #expect(try documents.differences() == [])
    }

    /// What came of each document of a report.
    private static func outcomes(_ report: String) throws -> [String] {
        let object = try JSONSerialization.jsonObject(with: Data(report.utf8)) as? [String: Any]
        let results = try #require(object?["results"] as? [[String: Any]] ?? object?["documents"] as? [[String: Any]])
        return results.map { "\($0["source"] ?? "") \($0["outcome"] ?? "")" }
    }

    /// How long a process has been at work, in seconds, by proc(5), which counts hundredths.
    private static func work(of process: pid_t) -> Double {
        let fields =
            (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8))?
            .split(separator: ") ").last?.split(separator: " ") ?? []
        return fields.count > 12 ? ((Double(fields[11]) ?? 0) + (Double(fields[12]) ?? 0)) / 100 : 0
    }

    /// What a process has in memory, in bytes.
    private static func memory(of process: pid_t) -> Int {
        let words =
            (try? String(contentsOfFile: "/proc/\(process)/statm", encoding: .utf8))?.split(separator: " ") ?? []
        return words.count > 1 ? (Int(words[1]) ?? 0) * Int(getpagesize()) : 0
    }
}
