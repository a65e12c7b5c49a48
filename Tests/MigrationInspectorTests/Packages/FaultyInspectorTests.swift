import Foundation
import MigrationCore
import MigrationWorker
import TestSupport
import Testing

@testable import MigrationInspector

extension StrangersTests {
    /// Tests of an app whose migrations end the process in various ways, opened by a program that links it.
    @Suite("An app whose code ends the process")
    struct FaultyInspectorTests {
        private static let package = StrangersPackage(name: "FaultyInspector")

        private static let faults = [
            "fatalError", "index", "overflow", "precondition", "unwrap", "recursion", "loop", "sleep", "exit", "abort",
            "memory", "megabyte", "folder", "signal", "quiet",
            "garble", "environment",
        ]

        private static let harmless = ["megabyte", "folder", "environment"]

        /// A document for every fault, and ten good ones whose names sort among them.
        private static func folder() throws -> TemporaryFolder {
            let folder = try TemporaryFolder()
            for fault in faults {
                try folder.write(#"{"version": 1, "name": "a \#(fault)", "fault": "\#(fault)"}"#, to: "\(fault).json")
            }
            for number in 0..<10 {
                try folder.write(#"{"version": 1, "name": "good", "fault": "none"}"#, to: "good\(number).json")
            }
            try folder.write(
                #"{"version": 1, "name": "early", "fault": "none", "decoding": "index"}"#, to: "early.json")
            return folder
        }

        private static func check(_ program: BuiltProgram, isOptimized: Bool) throws {
            let folder = try folder()
            let run = try program.run(
                "check", "--format", "json", "--time-limit", "6", "--memory-limit", "1000", "--jobs", "2", ".",
                in: folder.path)
            #expect(run.status == 1)
            let results = try JSONValue(run.output)["results"].elements
            #expect(results.count == faults.count + 11)
            var named: [String: JSONValue] = [:]
            for result in results {
                let name = URL(filePath: result["source"].text ?? "").deletingPathExtension().lastPathComponent
                named[name] = result
            }
            for name in (0..<10).map({ "good\($0)" }) + harmless {
                #expect(named[name]?["outcome"].text == "migrated", "\(name)")
            }
            for name in faults where !harmless.contains(name) {
                let failure = try #require(named[name])["failure"]
                let kinds = ["loop": ["timedOut"], "sleep": ["timedOut"], "memory": ["crashed", "timedOut"]]
                #expect((kinds[name] ?? ["crashed"]).contains(failure["kind"].text ?? ""), "\(name)")
                // A broken answer is only noticed when it arrives, and by then the worker may be at another document.
                if name == "garble" { continue }
                #expect(failure["step"]["from"] == .number(2) && failure["step"]["to"] == .number(3), "\(name)")
                #expect(
                    named[name]?["version"] == .number(1) && named[name]?["versionPath"].text == "$.version", "\(name)")
            }
            func message(_ name: String) -> String { named[name]?["failure"]["message"].text ?? "" }
            #expect(message("fatalError").hasSuffix("Task.swift:70: Fatal error: unknown workout type a fatalError"))
            func sentence(_ cause: Crash.Cause) -> String { "\(Reason.crashed(Crash(cause)))" }
            #expect(message("exit") == sentence(.exit(3)))
            #expect(message("abort").hasPrefix(sentence(.abort)))
            #expect(message("recursion").hasPrefix(sentence(.stackOverflow)))
            #expect(message("loop") == "\(Reason.timedOut(seconds: 6))")
            #expect(message("signal") == sentence(.signal(15)))
            #expect(message("garble").contains(sentence(.unreadableAnswer)))
            if isOptimized {
                let place = try #require(message("overflow").firstMatch(of: /inspect-[\w-]+\+0x[0-9a-f]+/))
                #expect(message("overflow").hasPrefix("\(Reason.crashed(Crash(.trap, place: String(place.0))))"))
            } else {
                #expect(message("unwrap").contains("Fatal error: Unexpectedly found nil"))
                #expect(message("precondition").hasSuffix("Precondition failed: a title has no commas"))
            }
            let early = try #require(named["early"])
            #expect(early["failure"]["kind"].text == "crashed" && early["failure"]["step"] == .null)
            #expect(early["failure"]["location"]["column"] == .number(62))
            #expect(try folder.names().allSatisfy { !$0.contains("core") })
        }

        @Test(
            "code that ends the process fails only its own document, with its last message",
            .timeLimit(.minutes(30)), arguments: ["inspect-faults", "inspect-main-actor-faults"])
        func debug(_ name: String) async throws {
            try Self.check(try await Self.package.program(name), isOptimized: false)
        }

        @Test("code that ends the process is reported in an optimized build too", .timeLimit(.minutes(30)))
        func optimized() async throws {
            try Self.check(try await Self.package.program("inspect-faults", "-c", "release"), isOptimized: true)
        }

        @Test("code that ends the process is traced up to its step", .timeLimit(.minutes(30)))
        func trace() async throws {
            let program = try await Self.package.program("inspect-faults")
            let folder = try Self.folder()
            let trace = try program.run("trace", "--format", "json", "fatalError.json", in: folder.path).json()
            #expect(trace["detection"]["version"] == .number(1))
            #expect(trace["steps"].elements.map { $0["to"] } == [.number(2), .number(3)])
            #expect(trace["steps"].elements[0]["after"]["title"].text == "a fatalError")
            #expect(trace["steps"].elements[1]["before"]["title"].text == "a fatalError")
            #expect(trace["failure"]["kind"].text == "crashed")
            let crash = Crash(.trap, lastWords: "unknown workout type a fatalError", isVerdict: true)
            let end = Reason.crashed(crash, frame: "happen(_:_:) at Task.swift:70")
            #expect(trace["failure"]["message"].text?.hasSuffix("\(end)") == true)
            // Results that the worker sent before it was ended are not computed again.
            let late = try program.run(
                ["trace", "--no-experiments", "--format", "json", "--time-limit", "5", "sleep.json"], in: folder.path,
                environment: ["FAULTY_LOG": folder.path("log")]
            ).json()
            #expect(late["failure"]["kind"].text == "timedOut" && late["detection"]["attempts"].elements.count == 3)
            #expect(late["steps"].elements.map { $0["before"]["version"] } == [.number(1), .number(2)])
            #expect(try Data(contentsOf: URL(filePath: folder.path("log"))).count == 1)
            let early = try program.run("trace", "--format", "json", "early.json", in: folder.path).json()
            #expect(early["detection"]["version"] == .number(1) && early["steps"].elements.isEmpty)
            #expect(early["document"]["name"].text == "early")
            let loud = try program.run("trace", "--format", "json", "megabyte.json", in: folder.path)
            let printed = try loud.json()["output"].elements
            #expect(printed.map { $0["stream"].text } == ["stdout"])
            #expect(printed[0]["text"].text?.hasPrefix("xxx") == true)
            #expect(printed[0]["text"].text?.contains("983040 bytes left out") == true)
            #expect(printed[0]["phase"].text == "step" && printed[0]["step"]["to"] == .number(3))
            let talking = #"{"version": 1, "name": "a", "fault": "environment", "decoding": "environment"}"#
            try folder.write(talking, to: "talking.json")
            let talk = try program.run("trace", "--format", "json", "talking.json", in: folder.path).json()["output"]
                .elements
            #expect(talk.map { $0["phase"].text } == ["decoding", "step"])
            #expect(talk.map { $0["step"] == .null } == [true, false])
            #expect(loud.errors.hasPrefix("xxx"))
            let shell = BuiltProgram(path: "/bin/sh")
            let command = #"FAULTY_BYTES=$(printf '\377') exec "$0" trace environment.json"#
            let bytes = try shell.run("-c", command, program.path, in: folder.path)
            #expect(bytes.errors.contains("1 bytes"), "a variable that is not UTF-8 reaches the app's code as it is")
            let migrated = try program.run("migrate", "index.json", in: folder.path)
            #expect(migrated.status == 1 && migrated.output.isEmpty)
        }

        @Test("code that ends the process during version detection is reported", .timeLimit(.minutes(30)))
        func detection() async throws {
            let program = try await Self.package.program("inspect-faults")
            let folder = try TemporaryFolder()
            for (name, kind) in [("loop", "timedOut"), ("fatalError", "crashed")] {
                try folder.write(#"{"guest": "Edward", "fault": "\#(name)"}"#, to: "\(name).json")
                let arguments = ["--format", "json", "--time-limit", "15", "\(name).json"]
                let results = try program.run(["check"] + arguments, in: folder.path).json()["results"]
                let trace = try program.run(["trace"] + arguments, in: folder.path).json()
                for result in [results.elements[0], trace] {
                    let words: Comment = "\(name): \(result)"
                    #expect(result["chain"].text == "Guest" && result["outcome"].text == "failed", words)
                    #expect(result["failure"]["kind"].text == kind && result["failure"]["step"] == .null, words)
                }
                #expect(trace["document"]["guest"].text == "Edward" && trace["steps"].elements.isEmpty)
            }
        }

        #if os(Linux)
            @Test(
                "a check shows the document and step of code that runs for long in its progress line",
                .timeLimit(.minutes(30)))
            func progress() async throws {
                let program = try await Self.package.program("inspect-faults")
                let folder = try Self.folder()
                // A separate terminal. openpty(3) is in a header that Swift's module of the C library leaves out.
                let terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
                var (isLocked, number): (Int32, Int32) = (0, 0)
                try #require(ioctl(terminal, UInt(0x4004_5431), &isLocked) == 0)  // TIOCSPTLCK
                try #require(ioctl(terminal, UInt(0x8004_5430), &number) == 0)  // TIOCGPTN
                let side = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
                let process = Process()
                process.executableURL = URL(filePath: program.path)
                process.arguments = ["check", "--time-limit", "0", "good1.json", "loop.json"]
                process.currentDirectoryURL = URL(filePath: folder.path)
                process.standardOutput = FileHandle.nullDevice
                process.standardError = FileHandle(fileDescriptor: side, closeOnDealloc: true)
                try process.run()
                defer { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }
                var shown: [UInt8] = []
                try await Self.waits(for: "the progress line") {
                    var bytes = [UInt8](repeating: 0, count: 4096)
                    let count = read(terminal, &bytes, bytes.count)
                    if count > 0 { shown += bytes[..<count] }
                    let text = String(decoding: shown, as: UTF8.self)
                    return (1..<60).contains { text.contains("1 documents; loop.json \(Self.inStep($0).words())") }
                }
                kill(process.processIdentifier, SIGTERM)
                process.waitUntilExit()
                close(terminal)
            }
        #endif

        @Test("a worker is stopped, continued and ended together with the program", .timeLimit(.minutes(30)))
        func stopping() async throws {
            let process = Process()
            process.executableURL = URL(filePath: try await Self.package.program("inspect-faults").path)
            process.arguments = ["check", "--time-limit", "0", "loop.json"]
            let folder = try Self.folder()
            process.currentDirectoryURL = URL(filePath: folder.path)
            process.standardOutput = FileHandle.nullDevice
            try process.run()
            let program = process.processIdentifier
            var worker: pid_t?
            try await Self.waits(for: "a worker that runs") {
                worker = children(of: program).first
                return worker.map(Self.state) == "R"
            }
            let found = try #require(worker)
            for _ in 0..<2 {
                kill(program, SIGTSTP)
                try await Self.waits(for: "both stopped") { Self.state(program) == "T" && Self.state(found) == "T" }
                kill(program, SIGCONT)
                try await Self.waits(for: "both going on") { Self.state(program) != "T" && Self.state(found) == "R" }
            }
            kill(program, SIGTERM)
            try await Self.waits(for: "the worker's end") { [nil, "Z"].contains(Self.state(found)) }
            process.waitUntilExit()
        }

        @Test(
            "a worker is stopped and continued together with the screen", .enabled(if: Ordeal.isPossible),
            .timeLimit(.minutes(30)))
        func stoppingScreen() async throws {
            let terminal = try Terminal()
            // A program can only be stopped if it is a job of a shell.
            let shell = try Ordeal(
                ["--norc", "--noediting", "-i"], in: try Self.folder(), program: "/bin/bash", terminal: terminal)
            terminal.press("clear\n")
            try await Self.waits(for: "the shell") { terminal.output.contains("\u{1B}[H") }
            let settings = terminal.settings
            terminal.press("'\(try await Self.package.program("inspect-faults").path)' loop.json\n")
            // Before that, a worker lists the chains, and Ctrl-Z would stop only the program.
            try await Self.waits(for: "the screen") { terminal.output.contains("\u{1B}[?1049h") }
            var program: pid_t = 0
            let hasRunningWorker = { children(of: program).contains { Self.state($0) == "R" } }
            try await Self.waits(for: "a worker that runs") {
                program = children(of: shell.process).first ?? 0
                return hasRunningWorker()
            }
            for _ in 0..<2 {
                terminal.press("\u{1A}")
                try await Self.waits(for: "all stopped") {
                    Self.state(program) == "T" && children(of: program).allSatisfy { Self.state($0) == "T" }
                }
                #expect(terminal.settings == settings)
                #expect(terminal.isRestored())
                terminal.press("fg\n")
                try await Self.waits(for: "all going on") {
                    Self.state(program) != "T" && hasRunningWorker()
                }
            }
            terminal.press("q")
            try await Self.waits(for: "the end") { Self.state(program) == nil }
            #expect(terminal.settings == settings)
            terminal.press("exit\n")
            #expect(try shell.end() == 0)
            try shell.expectNothingLeft()
        }

        @Test(
            "the screen leaves no process running after its documents were shown", .enabled(if: Ordeal.isPossible),
            .timeLimit(.minutes(30)))
        func screen() async throws {
            let terminal = try Terminal()
            let settings = terminal.settings
            let run = try Ordeal(
                ["--memory-limit", "1000", "--time-limit", "2", "."], in: try Self.folder(),
                program: try await Self.package.program("inspect-faults").path, terminal: terminal)
            #expect(terminal.shows("loop.json"))
            for _ in 0..<Self.faults.count + 11 {
                terminal.press("j")
                try await Swift.Task.sleep(for: .milliseconds(300))
            }
            #expect(try !run.hasEnded())
            terminal.press("q")
            #expect(try run.end() == 0)
            #expect(terminal.isRestored())
            #expect(terminal.settings == settings)
            try run.expectNothingLeft()
        }

        /// The progress shown for a document that has been in its last step for this number of seconds.
        private static func inStep(_ seconds: Int) -> RunProgress {
            RunProgress(.step(from: .number(2), to: .number(3)), seconds: seconds, secondsHere: seconds)
        }

        /// The state of a process according to proc(5), or `nil` if there is no such process.
        private static func state(_ process: pid_t) -> Character? {
            let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
            return status?.split(separator: ") ").last?.first
        }

        private static func waits(for what: String, until condition: () throws -> Bool) async throws {
            #expect(try await awaits(120, until: condition), "\(what)")
        }

        @Test("code that ends the process ends the program with --in-process", .timeLimit(.minutes(30)))
        func inProcess() async throws {
            let program = try await Self.package.program("inspect-faults")
            let folder = try Self.folder()
            let good = try program.run("check", "--in-process", "good1.json", in: folder.path)
            #expect(good.status == 0)
            let loud = try program.run("check", "--in-process", "megabyte.json", in: folder.path)
            #expect(!loud.output.contains("xxx") && loud.errors.hasPrefix("xxx"))
            let bad = try program.run("check", "--in-process", "fatalError.json", in: folder.path)
            #expect(bad.status < 0 || bad.status > 128)
        }

        @Test("many documents that hang in the same step are given less time, with a message", .timeLimit(.minutes(30)))
        func manyHang() async throws {
            let program = try await Self.package.program("inspect-faults")
            let folder = try TemporaryFolder()
            for number in 0..<30 {
                try folder.write(#"{"version": 1, "name": "a", "fault": "sleep"}"#, to: "\(number).json")
            }
            let run = try program.run("check", "--time-limit", "0.5", "--jobs", "5", ".", in: folder.path)
            #expect(run.lines.count { $0.contains("\(Reason.timedOut(seconds: 0.05))") } >= 5)
            #expect(run.errors.contains(CommandWords.shortenedTime(onTheWayTo: .number(3), of: "Task")))
        }

        @Test(
            "each crash is reported with its own last message among many documents that print", .timeLimit(.minutes(30))
        )
        func lastWords() async throws {
            let program = try await Self.package.program("inspect-faults")
            let folder = try TemporaryFolder()
            for number in 0..<400 {
                // The messages of one document arrive while the parent is busy with the answers before it. Some documents
                // print and continue, and others end without a message.
                let fault = [9: "exit", 19: "fatalError"][number % 20] ?? (number % 2 == 0 ? "environment" : "none")
                try folder.write(
                    #"{"version": 1, "name": "number \#(number)", "fault": "\#(fault)"}"#, to: "\(number).json")
            }
            let run = try program.run("check", "--format", "json", "--jobs", "2", ".", in: folder.path)
            let results = try JSONValue(run.output)["results"].elements
            #expect(results.count == 400)
            var counts: [String: Int] = [:]
            for result in results {
                let name = URL(filePath: result["source"].text ?? "").deletingPathExtension().lastPathComponent
                let message = result["failure"]["message"].text ?? ""
                switch (Int(name) ?? 0) % 20 {
                case 19:
                    #expect(message.hasSuffix("Fatal error: unknown workout type number \(name)"))
                    counts["fatalError", default: 0] += 1
                case 9:
                    #expect(message == "\(Reason.crashed(Crash(.exit(3))))")
                    counts["exit", default: 0] += 1
                default: #expect(result["outcome"].text == "migrated", "\(message)")
                }
            }
            #expect(counts == ["fatalError": 20, "exit": 20])
        }

        @Test(
            "chains that can't be made are reported, and only needed by commands that use them",
            .timeLimit(.minutes(30)))
        func chains() async throws {
            let program = try await Self.package.program("inspect-faults")
            let folder = try Self.folder()
            let environment = ["FAULTY_CHAINS": "1"]
            let run = try program.run(["check", "good1.json"], in: folder.path, environment: environment)
            #expect(run.status == 70 && run.output.isEmpty)
            let words = try #require(
                run.errors.firstMatch(of: /[^ ]+Inspect\.swift:\d+: Fatal error: two chains of one name/))
            #expect(
                run.errors
                    == "inspect-faults: \(WorkerError.chainsEnded(Crash(.trap, lastWords: String(words.0), isVerdict: true)))\n"
            )
            let late = try program.run(
                ["check", "good1.json"], in: folder.path, environment: ["FAULTY_CHAINS": "sleep"])
            #expect(late.status == 70)
            #expect(late.errors == "inspect-faults: \(WorkerError.chainsEnded(nil))\n")
            #expect(try program.run(["--version"], environment: environment).status == 0)
        }

        @Test(
            "two preference keys with one name exit with status 70, and the chain and key are named",
            .timeLimit(.minutes(30)))
        func keysOfOneName() async throws {
            let program = try await Self.package.program("inspect-faults")
            let folder = try Self.folder()
            for options in [["check"], ["check", "--in-process"], ["chains"]] {
                let arguments = options + (options[0] == "check" ? ["good1.json"] : [])
                let run = try program.run(arguments, in: folder.path, environment: ["FAULTY_CHAINS": "keys"])
                #expect(run.status == 70 && run.output.isEmpty, "\(options)")
                let error = #"The chain "Cloakroom" declares the key "coat" more than once; each key is declared once"#
                #expect(run.errors.contains(error), "\(run.errors)")
            }
        }

        @Test(
            "a program that is killed leaves no worker running", .enabled(if: Ordeal.isPossible),
            .timeLimit(.minutes(30)))
        func killed() async throws {
            let program = try await Self.package.program("inspect-faults")
            let folder = try Self.folder()
            let child = Process()
            child.executableURL = URL(filePath: program.path)
            child.arguments = ["check", "--time-limit", "0", folder.path("loop.json")]
            child.standardOutput = FileHandle.nullDevice
            try child.run()
            var workers: [Int32] = []
            defer {
                if child.isRunning { kill(child.processIdentifier, SIGKILL) }
                for worker in workers where Self.isRunning(worker) { kill(worker, SIGKILL) }
            }
            try await Self.waits(for: "a worker") {
                workers = children(of: child.processIdentifier)
                return !workers.isEmpty
            }
            kill(child.processIdentifier, SIGKILL)
            child.waitUntilExit()
            try await Self.waits(for: "the end of the workers") { !workers.contains(where: Self.isRunning) }
        }

        private static func isRunning(_ process: Int32) -> Bool {
            // A process that has ended but was not waited for has no command line.
            ((try? Data(contentsOf: URL(filePath: "/proc/\(process)/cmdline")))?.isEmpty ?? true) == false
        }
    }
}
