import Foundation
import TestSupport
import Testing

@Suite("Faults of the machine, the disk and other programs", .serialized, .enabled(if: Ordeal.isPossible))
struct FaultTests {
    @Test("killed workers fail only the documents they were opening")
    func killedWorkers() throws {
        let documents = try Documents(copies: 12)
        let expected = try Ordeal(["check", "--format", "json", "--jobs", "2", "."], in: documents.folder)
        try expected.end()
        let outcomes = try Self.outcomes(expected.output)
        try #require(!outcomes.isEmpty)
        var killedInAll = 0
        for seed in 0..<Ordeal.count(6) {
            var random = SeededGenerator(seed: UInt64(seed + 1))
            let run = try Ordeal(["check", "--format", "json", "--jobs", "2", "."], in: documents.folder)
            var killed = 0
            while try killed < 4 && !run.hasEnded() {
                run.sleep(.random(in: 0..<0.05, using: &random))
                // A worker before its first message looks like a program that ends while it makes its chains.
                guard let worker = run.workers().randomElement(using: &random), Self.work(of: worker) > 0.15 else {
                    continue
                }
                kill(worker, SIGKILL)
                killed += 1
            }
            let status = try run.end()
            #expect([0, 1].contains(status), "seed \(seed): \(run.errors)")
            let found = try Self.outcomes(run.output)
            #expect(found.map(\.source) == outcomes.map(\.source), "seed \(seed)")
            let others = zip(found, outcomes).filter { $0 != $1 }.map(\.0)
            #expect(others.count <= killed && others.allSatisfy { $0.outcome == "failed" }, "seed \(seed): \(others)")
            try run.expectNothingLeft()
            killedInAll += killed
        }
        #expect(killedInAll > 0)
        #expect(try documents.differences() == [])
    }

    @Test("files that shrink, vanish or are replaced while they are read fail without affecting others")
    func changingFiles() throws {
        for seed in 0..<Ordeal.count(3) {
            var random = SeededGenerator(seed: UInt64(seed + 1))
            let documents = try Documents(copies: 4)
            let folder = documents.folder
            let large = Data("[".utf8) + Data(repeating: UInt8(ascii: " "), count: 4_000_000) + Data("]".utf8)
            for number in 0..<6 { try folder.write(large, to: "0/large-\(number).json") }
            let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter {
                !$0.hasPrefix("3/") && ($0.hasSuffix(".json") || $0.hasSuffix(".sqlite"))
            }
            // Nothing happens to the files in this folder.
            let quiet = try Ordeal(["check", "--format", "json", "./3"], in: folder)
            try quiet.end()
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
            let expected = try Self.outcomes(quiet.output)
            try #require(!expected.isEmpty)
            #expect(try Self.outcomes(run.output).filter { $0.source.hasPrefix("./3/") } == expected, "seed \(seed)")
            try run.expectNothingLeft()
        }
    }

    @Test("a document saved during a migration of its folder keeps the saved text, in its file or its backup")
    func savesWhileMigrating() throws {
        let folder = try TemporaryFolder()
        let poem = try String(decoding: Project.data("demo-data/poems/version-1.json"), as: UTF8.self)
        let count = 600
        for number in 0..<count { try folder.write(poem, to: "poem-\(number).json") }
        for seed in 0..<Ordeal.count(3) {
            var random = SeededGenerator(seed: UInt64(seed + 1))
            var saved: [Int: String] = [:]
            // Without experiments, most of the run is writing.
            let run = try Ordeal(["migrate", "--no-experiments", "--in-place", "."], in: folder)
            while try !run.hasEnded() {
                let number = Int.random(in: 0..<count, using: &random)
                let text = poem.replacing(/"author": *"[^"]*"/, with: "\"author\": \"Save \(saved.count)\"")
                try #require(text != poem)
                try folder.write(text, to: "saving")
                try #require(rename(folder.path("saving"), folder.path("poem-\(number).json")) == 0)
                saved[number] = text
            }
            #expect([0, 1].contains(try run.end()), "seed \(seed): \(run.errors)")
            for (number, text) in saved {
                let texts = try ["", ".bak"].compactMap { suffix in
                    let name = "poem-\(number).json\(suffix)"
                    return FileManager.default.fileExists(atPath: folder.path(name)) ? try folder.text(name) : nil
                }
                #expect(texts.contains(text), "seed \(seed), poem \(number): \(run.errors)")
                // A migrated file is made from what it replaced, not from what was read before a save.
                if texts.count == 2, texts[0].contains(/"version": *3/) {
                    #expect(Self.author(texts[0]) == Self.author(texts[1]), "seed \(seed), poem \(number)")
                }
            }
            try run.expectNothingLeft()
            for name in try folder.names() where name.hasSuffix(".bak") { unlink(folder.path(name)) }
            for number in saved.keys { try folder.write(poem, to: "poem-\(number).json") }
        }
    }

    /// Returns the name of the author of a poem of any version.
    private static func author(_ poem: String) -> Substring? {
        poem.firstMatch(of: /"author":\s*(?:\{\s*"name":\s*)?"([^"]*)"/)?.1
    }

    /// Makes the names of temporary files lead to another user's files, as fast as possible.
    private static let swapper = """
        import os, sys
        names = [n % (sys.argv[2],) for n in (".migration-inspector-%s.tmp", "migration-inspector-%s", "migration-inspector-0")]
        while True:
            for name in names:
                try: os.mkdir(name)
                except OSError: pass
                try: os.rename(name, name + "-away")
                except OSError: pass
                try: os.symlink(sys.argv[1], name)
                except OSError: pass
                for end in ("", "-away"):
                    try: os.unlink(name + end)
                    except OSError: pass
                    try: os.rmdir(name + end)
                    except OSError: pass
        """

    @Test(
        "another user of a shared temporary folder can't trick the program into removing files",
        .enabled(if: geteuid() == 0))
    func sharedTemporaryFolder() throws {
        let (shared, precious) = (try TemporaryFolder(), try TemporaryFolder())
        chmod(shared.path, 0o1777)
        for name in ["store", "store-wal", "store-mine"] { try precious.write("precious", to: name) }
        let swapper = Process()
        swapper.executableURL = URL(filePath: "/usr/bin/setpriv")
        swapper.arguments = [
            "--reuid=65534", "--regid=65534", "--clear-groups", "python3", "-c", Self.swapper, precious.path, "a",
        ]
        swapper.currentDirectoryURL = URL(filePath: shared.path)
        try swapper.run()
        defer {
            swapper.terminate()
            swapper.waitUntilExit()
        }
        let stores = try Stores()
        try stores.folder.copy("demo-data/poems/version-1.json", to: "poems/1.json")
        for _ in 0..<Ordeal.count(10) {
            for arguments in [["check", "store"], ["migrate", "--in-place", "poems"]] {
                let run = try Ordeal(
                    arguments, in: stores.folder, shell: "export TMPDIR=\(shared.path); exec \"$@\"")
                let status = try run.end()
                // One of the names may be a folder of the other user. Then the next name is used.
                #expect([0, 1, 66].contains(status), "\(run.errors)")
            }
        }
        #expect(try precious.names() == ["store", "store-mine", "store-wal"])
    }

    @Test(
        "leftovers of a killed run in a folder with another name are removed by the next run",
        .enabled(if: geteuid() == 0, "only root can give a folder to another user"))
    func otherTemporaryFolder() throws {
        let shared = try TemporaryFolder()
        chmod(shared.path, 0o1777)
        let name = "migration-inspector-\(geteuid())"
        try #require(mkdir(shared.path(name), 0o755) == 0 && chown(shared.path(name), 65534, 65534) == 0)
        try #require(mkdir(shared.path(name + "-left"), 0o700) == 0)
        try shared.write("copy", to: name + "-left/.migration-inspector-1.tmp")
        try #require(mkdir(shared.path(name + "-theirs"), 0o700) == 0)
        try shared.write("theirs", to: name + "-theirs/.migration-inspector-1.tmp")
        try #require(chown(shared.path(name + "-theirs"), 65534, 65534) == 0)
        let folder = try TemporaryFolder()
        try folder.copy("demo-data/poems/version-1.json", to: "1.json")
        let run = try Ordeal(["check", "1.json"], in: folder, shell: "export TMPDIR=\(shared.path); exec \"$@\"")
        #expect(try run.end() == 0)
        #expect(try shared.names() == [name, name + "-theirs"])
        #expect(try shared.text(name + "-theirs/.migration-inspector-1.tmp") == "theirs")
    }

    /// Existing folders with the name of the program's temporary folder.
    enum Taken: CaseIterable { case nothing, ownFolder, foldersOfOthers }

    @Test(
        "temporary files are in a folder that only this user may enter, for any umask and existing folder",
        arguments: Taken.allCases)
    func privateFolder(taken: Taken) throws {
        let temporary = try TemporaryFolder()
        chmod(temporary.path, 0o1777)
        let name = "migration-inspector-\(geteuid())"
        if taken != .nothing {
            try #require(mkdir(temporary.path(name), 0o700) == 0 && chmod(temporary.path(name), 0o777) == 0)
        }
        if taken == .foldersOfOthers {
            // Only root can give a folder to another user.
            guard geteuid() == 0, chown(temporary.path(name), 65534, 65534) == 0 else { return }
            chmod(temporary.path(name), 0o700)
        }
        let folder = try TemporaryFolder()
        let poem = #"{"version": 1, "author": "A", "poem": "B", "starRating": 5}"#
        try folder.write("\(poem)\n\(poem)\n", to: "a.jsonl")
        try folder.write("touch \"$0.opened\"; exec sleep 1000", to: "editor")
        let shell = "umask 000; export VISUAL=\"sh \(folder.path("editor"))\" TMPDIR=\(temporary.path); exec \"$@\""
        let terminal = try Terminal()
        let run = try Ordeal(["a.jsonl"], in: folder, shell: shell, terminal: terminal)
        let end = Date() + 60
        while !FileManager.default.fileExists(atPath: folder.path("editor.opened")) {
            try #require(Date() < end)
            terminal.press("\u{0F}")
            usleep(50_000)
        }
        let made = try temporary.names().filter { taken == .nothing || $0 != name }
        #expect(made.count == 1 && made.allSatisfy { $0.hasPrefix(name) })
        for name in made {
            let facts = try FileManager.default.attributesOfItem(atPath: temporary.path(name))
            #expect(facts[.posixPermissions] as? Int == 0o700 && facts[.ownerAccountID] as? Int == Int(geteuid()))
        }
        try run.signal(SIGTERM)
        #expect(try run.end() == -SIGTERM)
        try run.expectNothingLeft()
        #expect(try temporary.names() == (taken == .nothing ? [] : [name]))
    }

    @Test("table and column names are escaped on the terminal in every line of migrate")
    func namesOnTerminal() throws {
        let folder = try TemporaryFolder()
        let script = """
            import sqlite3
            name = "T\\x1b]0;x\\x07\\x9b31m\\u202e\\u2028\\r\\nforged\\x7f"
            store = sqlite3.connect("store")
            store.execute(f'CREATE TABLE "{name}" (ID INTEGER PRIMARY KEY, "{name}" TEXT)')
            poem = '{"version": 1, "author": "A", "poem": "B", "starRating": %d}'
            store.executemany(f'INSERT INTO "{name}" VALUES (?, ?)', ((i, poem % (i % 6)) for i in range(1, 301)))
            store.commit()
            store.execute("VACUUM INTO 'broken'")
            broken = sqlite3.connect("broken")
            broken.execute(f'UPDATE "{name}" SET "{name}" = ? WHERE ID < 4', (poem % 9,))
            broken.execute(f'CREATE VIRTUAL TABLE "F{name}" USING fts5(a)')
            broken.commit()
            store.execute("VACUUM INTO 'indexed'")
            indexed = sqlite3.connect("indexed")
            indexed.execute(f'CREATE TRIGGER "{name}2" AFTER UPDATE ON "{name}" BEGIN SELECT 1; END')
            indexed.commit()
            """
        let made = try BuiltProgram(path: "/usr/bin/env").run("python3", "-c", script, in: folder.path)
        try #require(made.status == 0, "\(made.errors)")
        for (arguments, status, words) in [
            (["store"], 0, ["migrating ", "300 migrated"]),
            (["broken"], 1, ["migrating ", "Star rating 9", "3 cannot"]),
            (["indexed"], 1, ["trigger"]), (["store", "--column", "A.B"], 66, ["forged"]),
        ] as [([String], Int32, [String])] {
            let terminal = try Terminal()
            let run = try Ordeal(
                ["migrate", "--output", "new-" + arguments[0]] + arguments, in: folder, terminal: terminal)
            #expect(try run.end() == status, "\(arguments)")
            #expect(terminal.isQuiet())
            let output = terminal.output
            for word in words + ["\\u{1B}]0;x"] { #expect(output.contains(word), "\(word) in \(output)") }
            // The program itself draws only line ends, and the start of a line that replaces another.
            let rest = output.replacing("\r\u{1B}[K", with: "").replacing("\r\n", with: "")
            let raw = rest.unicodeScalars.filter {
                [.control, .format, .lineSeparator].contains($0.properties.generalCategory)
            }
            #expect(raw.isEmpty, "\(arguments): \(raw.map { String($0.value, radix: 16) })")
            #expect(!output.contains("\nforged"))
        }
    }

    @Test("a log index that is truncated while its store is read costs lines of the report, but doesn't crash")
    func indexCutShort() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a.sqlite")
        let writer = try StoreWriter(
            path, "PRAGMA journal_mode = WAL", "CREATE TABLE T (ID INTEGER PRIMARY KEY, J TEXT)",
            "WITH RECURSIVE N(I) AS (SELECT 1 UNION ALL SELECT I + 1 FROM N WHERE I < 5000) "
                + "INSERT INTO T SELECT I, '{\"version\": 1, \"author\": \"A\", \"poem\": \"B\", \"starRating\": 5}' FROM N"
        )
        defer { writer.quit() }
        let length = off_t(try folder.data("a.sqlite-shm").count)
        for _ in 0..<Ordeal.count(4) {
            let run = try Ordeal(["check", "a.sqlite"], in: folder)
            while try !run.hasEnded() {
                truncate(path + "-shm", 0)
                run.sleep(0.001)
                truncate(path + "-shm", length)
                run.sleep(0.01)
            }
            #expect([0, 1, 66].contains(try run.end()), "\(run.errors)")
            try run.expectNothingLeft()
        }
    }

    @Test("a full disk keeps the document as it is, and no other file is left", arguments: [0, 8, 64, 600])
    func fullDisk(blocks: Int) throws {
        let shell = "ulimit -f \(blocks); exec \"$@\""
        for arguments in [
            ["migrate", "--no-experiments", "--in-place", "poem.json"],
            ["migrate", "--no-experiments", "--output", "new.json", "poem.json"], ["check", "."],
        ] {
            let documents = try Documents(lines: 20_000)
            let run = try Ordeal(arguments, in: documents.folder, shell: shell)
            // A report is small enough for any disk that isn't completely full.
            #expect(try run.end() == (arguments[0] == "check" && blocks > 0 ? 0 : 70), "\(arguments): \(run.errors)")
            #expect(try documents.differences() == [], "\(arguments)")
            try run.expectNothingLeft()
        }
        let stores = try Stores()
        let run = try Ordeal(
            ["migrate", "--no-experiments", "--allow-dropped", "--output", "new", "store"], in: stores.folder,
            shell: shell)
        #expect(try run.end() == 70, "\(run.errors)")
        #expect(try stores.differences() == [])
        try run.expectNothingLeft()
    }

    @Test("a report whose reader ends exits with SIGPIPE, even if that signal is ignored", arguments: ["-", ""])
    func brokenPipe(handling: String) throws {
        let folder = try TemporaryFolder()
        try folder.write(String(repeating: #"{"version": 1, "a": 1}"# + "\n", count: 2000), to: "a.jsonl")
        let script = """
            trap \(handling.isEmpty ? "''" : handling) PIPE
            '\(BuiltProgram.inspector.path)' check a.jsonl --format jsonl | head -c 10 > /dev/null
            echo ${PIPESTATUS[0]}
            """
        let run = try BuiltProgram(path: "/usr/bin/env").run("bash", "-c", script, in: folder.path)
        #expect(run.output == "\(128 + SIGPIPE)\n" && run.errors == "")
    }

    /// A shell script that gives the program a disk of one megabyte with a copy of the document. The disk is a file
    /// system in memory that only the shell and the program see. The script then prints each file that is left on it.
    private static let disk = """
        mkdir disk && exec /usr/bin/unshare -rm sh -c '
            mount -t tmpfs -o size=1m none disk && cp poem.json disk && "$@"
            status=$?
            cmp poem.json disk/poem.json || echo "left: another document"
            ls -A disk | grep -v poem.json$ | sed "s/^/left: /"
            exit $status' sh "$@"
        """

    /// Whether this user may mount such a disk.
    private static let hasDisks =
        (try? BuiltProgram(path: "/usr/bin/unshare").run("-rm", "mount", "-t", "tmpfs", "none", "/mnt"))?.status == 0

    @Test(
        "a small disk that is full keeps the document, and holds no other file", .enabled(if: hasDisks),
        arguments: [
            ["migrate", "--no-experiments", "--in-place", "disk/poem.json"],
            ["migrate", "--no-experiments", "--output", "disk/new.json", "poem.json"],
            ["migrate", "--no-experiments", "--allow-dropped", "--output", "disk/new", "store"], ["check", "store"],
        ])
    func smallDisk(arguments: [String]) throws {
        let (documents, stores) = (try Documents(lines: 20_000), try Stores())
        for name in stores.names { try documents.folder.write(stores.folder.data(name), to: name) }
        // The program waits before it reads a store that was just written.
        usleep(100_000)
        let before = try documents.folder.names()
        let temporary = arguments[0] == "check" ? "export TMPDIR=$PWD/disk; " : ""
        let run = try Ordeal(arguments, in: documents.folder, shell: temporary + Self.disk)
        let status = try run.end()
        #expect(status == 70, "\(run.output) \(run.errors)")
        if arguments[0] == "check" { #expect(run.errors.contains("disk/ has no room for temporary files")) }
        #expect(!run.output.contains("left: "), "\(run.output)")
        #expect(try documents.folder.names() == (before + ["disk"]).sorted())
        try run.expectNothingLeft()
    }

    @Test("a folder for temporary files can have any bytes in its name", .enabled(if: Ordeal.isPossible))
    func strangeTemporaryFolder() throws {
        let stores = try Stores()
        let run = try Ordeal(
            ["check", "store"], in: stores.folder,
            shell: #"mkdir t$'\xFF\n'; export TMPDIR=$PWD/t$'\xFF\n'; "$@"; s=$?; ls -A t*; exit $s"#)
        #expect(try run.end() == 0 && run.output.contains("1 migrated"), "\(run.output) \(run.errors)")
        #expect(!run.output.contains("migration-inspector"), "\(run.output)")
    }

    @Test("a read-only folder is checked and traced, and a document in it is not replaced")
    func readOnlyFolder() throws {
        let documents = try Documents(copies: 1)
        // File permissions don't apply to root. Another user may not have access to the folder of the built program, so
        // that user runs a copy.
        let programs = try TemporaryFolder()
        let program = programs.path("migration-inspector")
        // A file can't be run while it is open for writing. If this process made the copy, another process that a test
        // starts at that moment could keep it open.
        try #require(BuiltProgram(path: "/bin/cp").run(BuiltProgram.inspector.path, program).status == 0)
        let user = geteuid() == 0 ? "/usr/bin/setpriv --reuid=65534 --regid=65534 --clear-groups " : ""
        // Every user can write to the folder for temporary files.
        let temporary = try TemporaryFolder()
        chmod(temporary.path, 0o777)
        let folders =
            try FileManager.default.subpathsOfDirectory(atPath: documents.folder.path).map(documents.folder.path)
            .filter { FileManager.default.fileExists(atPath: $0 + "/.") } + [documents.folder.path]
        for folder in folders { chmod(folder, 0o555) }
        defer { for folder in folders { chmod(folder, 0o755) } }
        for (arguments, expected) in [
            (["check", "."], 1), (["trace", "0/poems/version-1.json"], 0), (["check", "0/store-of-books.sqlite"], 1),
            (["migrate", "--in-place", "0/poems/version-1.json"], 66),
        ] as [([String], Int32)] {
            let run = try Ordeal(
                arguments, in: documents.folder, program: program,
                shell: "export TMPDIR=\(temporary.path); exec \(user)\"$@\"")
            #expect(try run.end() == expected, "\(arguments): \(run.errors)")
            try run.expectNothingLeft()
            #expect(try temporary.names() == [], "\(arguments)")
        }
        #expect(try documents.differences() == [])
    }

    /// Returns a copy of the program that every user may run, and documents for it.
    private static func publicCopy() throws -> (folder: TemporaryFolder, program: String) {
        let folder = try TemporaryFolder()
        // A file can't be run while it is open for writing. If this process made the copy, another process that a test
        // starts at that moment could keep it open.
        let program = folder.path("migration-inspector")
        try #require(BuiltProgram(path: "/bin/cp").run(BuiltProgram.inspector.path, program).status == 0)
        try #require(
            BuiltProgram(path: "/bin/cp").run("-r", Project.path("demo-data/poems"), folder.path("poems")).status == 0)
        return (folder, program)
    }

    @Test(
        "a limit on processes and threads ends the program with a message about it",
        .enabled(if: geteuid() == 0, "only root can become a user without other processes"), arguments: 0...9)
    func noThreads(limit: Int) throws {
        let (folder, program) = try Self.publicCopy()
        let packed = folder.path("packed.gz")
        try #require(
            BuiltProgram(path: "/bin/sh").run("-c", "gzip -c poems/version-1.json > packed.gz", in: folder.path).status
                == 0)
        // The limit doesn't apply to root.
        let user = "/usr/bin/setpriv --reuid=65534 --regid=65534 --clear-groups /usr/bin/prlimit --nproc=\(limit)"
        let temporary = try TemporaryFolder()
        chmod(temporary.path, 0o777)
        for (arguments, input) in [
            (["check", "--jobs", "3", "poems"], ""), (["trace", "poems/version-1.json"], ""),
            (["diff", "poems/version-1.json", "poems/version-2.json"], ""), (["check", "-"], "< \(packed)"),
            (["migrate", "-"], "< \(packed)"),
        ] {
            let run = try Ordeal(
                arguments, in: folder, program: program,
                shell: "export TMPDIR=\(temporary.path); exec \(user) \"$@\" \(input)")
            let status = try run.end()
            #expect([0, 1, 66, 70].contains(status), "\(arguments): \(status) \(run.errors)")
            if status >= 66 { #expect((run.output + run.errors).contains("ulimit -u"), "\(arguments): \(run.errors)") }
            if limit == 0 { #expect(status == 70, "\(arguments)") }
            try run.expectNothingLeft()
        }
    }

    @Test("a program that may open few files works, or reports the limit it reached", arguments: 8...48)
    func fewDescriptors(limit: Int) throws {
        let (folder, program) = try Self.publicCopy()
        let run = try Ordeal(
            ["check", "--jobs", "2", "poems"], in: folder, program: program, shell: "ulimit -n \(limit); exec \"$@\"")
        let status = try run.end()
        #expect(status == 1 && run.errors.isEmpty || status == 70 && run.errors.contains("ulimit -n"), "\(run.errors)")
        if limit >= 44 { #expect(status == 1, "\(run.errors)") }
        try run.expectNothingLeft()
    }

    @Test("a limit on open files is not reported as a failure of a store, git or gzip")
    func fewDescriptorsElsewhere() throws {
        let (git, stores) = (try GitFolder(), try Stores())
        try git.folder.copy("demo-data/poems/version-1.json", to: "poem.json")
        try git.commit("one")
        for name in stores.names { try git.folder.write(stores.folder.data(name), to: name) }
        try #require(BuiltProgram(path: "/bin/sh").run("-c", "gzip -k poem.json", in: git.folder.path).status == 0)
        // The program waits before it reads a store that was just written.
        usleep(100_000)
        for arguments in [
            ["check", "store"], ["check", "HEAD:poem.json"], ["check", "--history", "poem.json"],
            ["check", "poem.json.gz"], ["trace", "poem.json.gz"],
        ] {
            var statuses: Set<Int32> = []
            // Once a limit is enough for a few runs in a row, so is every higher one.
            var successes = 0
            for limit in 6...40 where successes < 4 {
                let run = try Ordeal(arguments, in: git.folder, shell: "ulimit -n \(limit); exec \"$@\"")
                let status = try run.end()
                statuses.insert(status)
                successes = status == 0 ? successes + 1 : 0
                #expect(
                    status == 0 && run.errors.isEmpty || status == 70 && run.errors.contains("ulimit -n"),
                    "\(arguments) \(limit): \(status) \(run.errors)")
                try run.expectNothingLeft()
            }
            #expect(statuses == [0, 70], "\(arguments)")
        }
    }

    @Test("a program with a small stack reports that or works", arguments: [64, 96, 112, 128, 256, 1024])
    func smallStack(kilobytes: Int) throws {
        let (folder, program) = try Self.publicCopy()
        let run = try Ordeal(
            ["check", "poems"], in: folder, program: program, shell: "ulimit -s \(kilobytes); exec \"$@\"")
        let status = try run.end()
        #expect(status == 1 && kilobytes >= 128 || status == 70 && run.errors.contains("ulimit -s"), "\(run.errors)")
        try run.expectNothingLeft()
    }

    @Test("a program without /proc reports what is missing", .enabled(if: hasDisks))
    func noProcesses() throws {
        let run = try BuiltProgram(path: "/usr/bin/unshare").run(
            "-rm", "sh", "-c", "mount -t tmpfs none /proc && exec \"$@\"", "sh", BuiltProgram.inspector.path, "check",
            "demo-data/poems")
        #expect(run.status == 70 && run.output.isEmpty)
        #expect(run.errors.contains("there is no /proc/self/cmdline; 'mount -t proc proc /proc' mounts it"))
    }

    @Test("a program with closed standard streams doesn't write to files opened in their place")
    func closedStreams() throws {
        let (folder, program) = try Self.publicCopy()
        let poem = "poems/version-1.json"
        let expected = try BuiltProgram(path: program).run("migrate", poem, in: folder.path)
        try #require(expected.status == 0)
        for closed in ["<&-", ">&-", "2>&-", "<&- >&-", ">&- 2>&-", "<&- >&- 2>&-"] {
            let run = try Ordeal(
                ["migrate", "--output", "new.json", poem], in: folder, program: program, shell: "exec \"$@\" \(closed)")
            #expect(try run.end() == 0, "\(closed): \(run.errors)")
            #expect(try folder.data("new.json") == expected.outputData, "\(closed)")
            try run.expectNothingLeft()
            unlink(folder.path("new.json"))
            // A report that can't be written is an error.
            let check = try Ordeal(["check", poem], in: folder, program: program, shell: "exec \"$@\" \(closed)")
            #expect(try check.end() == (closed.contains(">&-") && closed != "2>&-" ? 70 : 0), "\(closed)")
            try check.expectNothingLeft()
        }
    }

    @Test("the screen leaves no copy of a store if it ends while copying", arguments: [nil, SIGTERM, SIGINT])
    func unfinishedCopy(signal: Int32?) throws {
        let stores = try Stores()
        // Large enough that the copy isn't finished before the program ends.
        try #require(truncate(stores.folder.path("store-wal"), 512 << 20) == 0)
        usleep(100_000)
        let terminal = try Terminal()
        let run = try Ordeal(["."], in: stores.folder, terminal: terminal)
        let end = Date() + 60
        while try run.temporaryNames.isEmpty {
            try #require(Date() < end)
            usleep(1000)
        }
        if let signal { try run.signal(signal) } else { terminal.press("q") }
        #expect(try run.end() == (signal.map { -$0 } ?? 0))
        try run.expectNothingLeft()
    }

    @Test(
        "a signal that ends the program while an editor has a copy open ends both, and leaves no copy",
        arguments: [SIGINT, SIGTERM, SIGHUP, SIGKILL])
    func signalWhileEditing(signal: Int32) throws {
        let folder = try TemporaryFolder()
        let poem = #"{"version": 1, "author": "A", "poem": "B", "starRating": 5}"#
        try folder.write("\(poem)\n\(poem)\n", to: "a.jsonl")
        try folder.write("touch \"$0.opened\"; exec sleep 1000", to: "editor")
        let temporary = try TemporaryFolder()
        let shell = "export VISUAL=\"sh \(folder.path("editor"))\" TMPDIR=\(temporary.path); exec \"$@\""
        let terminal = try Terminal()
        let run = try Ordeal(["a.jsonl"], in: folder, shell: shell, terminal: terminal)
        let end = Date() + 60
        while !FileManager.default.fileExists(atPath: folder.path("editor.opened")) {
            try #require(Date() < end)
            terminal.press("\u{0F}")
            usleep(50_000)
        }
        #expect(try temporary.names() == ["migration-inspector-\(geteuid())"])
        try run.signal(signal)
        #expect(try run.end() == -signal)
        try run.expectNothingLeft()
        if signal == SIGKILL {
            // If a worker that lost its parent left a temporary file, the next run that needs one removes it.
            let next = try Ordeal(
                ["migrate", "--in-place", "a.jsonl"], in: folder, shell: "export TMPDIR=\(temporary.path); exec \"$@\"")
            #expect(try next.end() == 0, "\(next.errors)")
        }
        #expect(try temporary.names() == [])
    }

    @Test(
        "a git process that doesn't respond ends together with the program",
        arguments: [SIGINT, SIGTERM, SIGHUP, SIGKILL])
    func signalWhileGitWorks(signal: Int32) throws {
        let folder = try TemporaryFolder()
        try folder.write("#!/bin/sh\ntouch \"$0.started\"; sleep 1000 & exec sleep 1000", to: "bin/git")
        chmod(folder.path("bin/git"), 0o755)
        let run = try Ordeal(
            ["check", "HEAD:a.json"], in: folder, shell: "export PATH=\"$PWD/bin:$PATH\"; exec \"$@\"")
        let end = Date() + 60
        while !FileManager.default.fileExists(atPath: folder.path("bin/git.started")) {
            try #require(Date() < end)
            usleep(1000)
        }
        try run.signal(signal)
        #expect(try run.end() == -signal)
        try run.expectNothingLeft()
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
            // A hangup before the program has set up the terminal is a failure to do so.
            #expect([-SIGHUP, 1, 70].contains(status), "seed \(seed): \(status)")
            try run.expectNothingLeft()
        }
        #expect(try documents.differences() == [])
    }

    @Test("the screen follows 2,000 window sizes, down to a single cell")
    func resizing() throws {
        let documents = try Documents(copies: 1)
        var random = SeededGenerator(seed: 7)
        let terminal = try Terminal()
        let settings = terminal.settings
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
        for (width, height) in [(100, 30), (180, 50), (80, 24)] {
            terminal.resize(width: 1, height: 1)
            try #require(terminal.isQuiet())
            terminal.forget()
            terminal.resize(width: width, height: height)
            // The cursor moves to the last column and the last row.
            #expect(terminal.shows("\u{1B}[\(width)G") && terminal.shows("\u{1B}[\(height);"), "\(width)x\(height)")
        }
        try #require(try !run.hasEnded())
        #expect(try terminal.quit(run) == 0)
        #expect(terminal.settings == settings)
        try run.expectNothingLeft()
    }

    @Test("random keys leave a responsive screen, and memory doesn't grow")
    func randomKeys() throws {
        let documents = try Documents(copies: 2)
        var random = SeededGenerator(seed: 11)
        let terminal = try Terminal()
        let run = try Ordeal(["."], in: documents.folder, terminal: terminal)
        try #require(terminal.shows("documents"))
        let keys =
            Array("jkhlvdseEnNfgGozZ?123[]<> /xyOCauDMS}R\t\r\u{4}\u{15}\u{6}\u{2}\u{C}").map(String.init) + [
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
        let (first, last) = (try #require(tenths.first), try #require(tenths.last))
        #expect(first > 0 && last < first + first / 5 + 10_000_000, "bytes after each tenth: \(tenths)")
        let status = try terminal.quit(run)
        #expect(status == 0, "it ended with \(status) behind \(terminal.output.suffix(400))")
        try run.expectNothingLeft()
        #expect(try documents.differences() == [])
    }

    /// The outcome of a document.
    private struct Outcome: Equatable {
        let source: String
        let outcome: String
    }

    /// Returns the outcome of each document in a report.
    private static func outcomes(_ report: String) throws -> [Outcome] {
        let object = try JSONSerialization.jsonObject(with: Data(report.utf8)) as? [String: Any]
        let results = try #require(object?["results"] as? [[String: Any]])
        return try results.map {
            Outcome(
                source: try #require($0["source"] as? String), outcome: try #require($0["outcome"] as? String))
        }
    }

    /// Returns the CPU time of a process in seconds, from proc(5), which counts hundredths.
    private static func work(of process: pid_t) -> Double {
        let fields =
            (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8))?
            .split(separator: ") ").last?.split(separator: " ") ?? []
        return fields.count > 12 ? ((Double(fields[11]) ?? 0) + (Double(fields[12]) ?? 0)) / 100 : 0
    }

    /// Returns the resident memory of a process in bytes.
    private static func memory(of process: pid_t) -> Int {
        let words =
            (try? String(contentsOfFile: "/proc/\(process)/statm", encoding: .utf8))?.split(separator: " ") ?? []
        return words.count > 1 ? (Int(words[1]) ?? 0) * Int(getpagesize()) : 0
    }
}
