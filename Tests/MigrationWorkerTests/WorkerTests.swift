import DocumentModel
import DocumentSources
import ExampleChains
import Foundation
import MigrationCore
import TestSupport
import Testing

@testable import MigrationWorker

#if os(Linux)
    /// The program that runs these tests is its own worker; see `Support/TestWorker.swift`.
    @Suite("Workers", .serialized)
    struct WorkerTests {
        private let visits = Visits()

        // MARK: - The environment of the app's code

        @Test("a worker has its own process, with the folder, arguments and variables of the program")
        func surroundings() throws {
            let host = WorkerHost(limits: WorkerLimits(memory: 3 << 30))
            let facts = try host.facts(visits)
            let process = try #require(facts["process"])
            #expect(process != "\(getpid())" && facts["session"] == process)
            #expect(facts["isMainThread"] == "true")
            #expect(facts["folder"] == FileManager.default.currentDirectoryPath)
            #expect(facts["arguments"] == CommandLine.arguments.joined(separator: " "))
            #expect(facts["input"] == "/dev/null")
            let descriptors = (facts["descriptors"] ?? "").split(separator: " ").compactMap { Int($0) }
            #expect(descriptors.prefix(3) == [0, 1, 2] && descriptors.count < 10)
            #expect(descriptors.dropFirst(3).allSatisfy { $0 >= 200 })
            // The page shared with the parent is not among the open files.
            let files = facts["files"]?.split(separator: "|").map(String.init) ?? []
            #expect(files.sorted() == [FileManager.default.currentDirectoryPath, "pipe", "pipe", "pipe", "socket"])
            #expect(facts["stack"] == "\(64 << 20)" && facts["core"] == "1" && facts["memory"] == "\(3 << 30)")
            #expect(facts["score"] == "1000")
            #expect(facts["workerVariable"] == "none" && facts["hashing"] == "1")
            #expect(facts["backtrace"] == (ProcessInfo.processInfo.environment["SWIFT_BACKTRACE"] ?? "enable=no"))
        }

        @Test("workers inherit the program's environment variables, except those of workers")
        func variables() async {
            await #expect(processExitsWith: .success) {
                let visits = Visits()
                let variables = [
                    "SWIFT_BACKTRACE": "enable=no,threads=all", "SWIFT_BACKTRACER": "a",
                    "SWIFT_DETERMINISTIC_HASHING": "0", "SWIFT_DETERMINISTIC_HASHING_": "b=c", "EMPTY": "",
                ]
                for (name, value) in variables { setenv(name, value, 1) }
                let facts = try WorkerHost().facts(visits, variables.keys.map { "variable \($0)" })
                for (name, value) in variables {
                    #expect(facts[name] == (name == "SWIFT_DETERMINISTIC_HASHING" ? "1" : value), "\(name)")
                }
                #expect(facts["workerVariable"] == "none")
                unsetenv("SWIFT_BACKTRACE")
                #expect(try WorkerHost().facts(visits)["backtrace"] == "enable=no")
            }
        }

        @Test("a worker may use any amount of memory with a limit of 0, and three quarters of the machine's by default")
        func memoryLimits() throws {
            #expect(try WorkerHost(limits: WorkerLimits(memory: 0)).facts(visits)["memory"] == "none")
            let quarter = ProcessInfo.processInfo.physicalMemory / 4
            #expect(try WorkerHost().facts(visits)["memory"] == "\(quarter * 3)")
        }

        @Test("a worker stays for the next document, and returns to its folder if the app's code left it")
        func folders() throws {
            let host = WorkerHost()
            let facts = try host.facts(visits)
            let gone = try host.facts(visits, ["go /proc"])
            #expect(gone["folder"] == "/proc" && gone["process"] == facts["process"])
            #expect(try host.facts(visits)["folder"] == facts["folder"])
        }

        @Test("a worker returns to a folder that may be entered but not listed")
        func unlistedFolder() async {
            await #expect(processExitsWith: .success) {
                let visits = Visits()
                for (name, lines) in [("away", ["go /"]), ("back", [])] { _ = try visits.visit(name, third: lines) }
                chmod(visits.folder.path, 0o711)
                chdir(visits.folder.path)
                // File permissions do not apply to root.
                if geteuid() == 0 { seteuid(65534) }
                try #require(open(".", O_RDONLY) < 0)
                let host = WorkerHost()
                for name in ["away", "back"] {
                    #expect(
                        try host.result(GivenName(FilePath("\(name).json")).document).outcome == .migrated, "\(name)")
                }
                if getuid() == 0 { seteuid(0) }
            }
        }

        @Test("a field of the newest type at the version's path gives a warning, and a field beside it does not")
        func hiddenFields() throws {
            let host = WorkerHost()
            let warning = Reason.field(
                path: try #require(DocumentPath("$.header.format")), problem: .hiddenField(type: "Clashing"))
            for _ in 0..<2 {
                #expect(try host.warningOfHiddenField(inNewestOf: "Billboard") == warning)
                #expect(try host.warningOfHiddenField(inNewestOf: "Titled billboard") == nil)
                #expect(try host.warningOfHiddenField(inNewestOf: "no such chain") == nil)
            }
        }

        @Test("documents are recognized without the fields of a type that traps when it is asked for them")
        func unaskableType() async {
            await #expect(processExitsWith: .success) {
                setenv("TEST_WORKER", "has a strict type", 1)
                let folder = try TemporaryFolder()
                let unknown = GivenName(FilePath(try folder.write("{\"zzz\": 1}", to: "a.json"))).document
                let host = WorkerHost()
                #expect(try host.unaskableTypes().isEmpty)
                for _ in 0..<2 { #expect(try host.result(unknown).outcome == .unrecognized) }
                let types = try host.unaskableTypes()
                #expect(types.map(\.chain) == ["Strict billboard"] && types.map(\.version.type) == ["Strict"])
                let known = GivenName(
                    FilePath(try folder.write(#"{"slogan": "Go on", "header": {"format": 1}}"#, to: "b.json")))
                let request = WorkerRequest(known.document, chain: "Strict billboard")
                guard case .success(let result)? = try host.reply(to: request, wanting: .outcome) else {
                    Issue.record("no answer")
                    return
                }
                #expect(result.outcome == .migrated)
            }
        }

        @Test("one worker serves everyone who asks for the chains, and it can be started in advance")
        func first() async {
            await #expect(processExitsWith: .success) {
                for isStartedBefore in [false, true] {
                    let host = WorkerHost()
                    if isStartedBefore { host.keepOneReady() }
                    let started = children(of: getpid())
                    #expect(started.count == (isStartedBefore ? 1 : 0))
                    let names = Collected<[String]>()
                    DispatchQueue.concurrentPerform(iterations: 4) { _ in
                        names.append((try? host.chains().map(\.name)) ?? [])
                    }
                    #expect(names.all.count == 4 && names.all.allSatisfy { $0.contains("Visit") })
                    #expect(
                        children(of: getpid()).count == 1
                            && (!isStartedBefore || children(of: getpid()) == started))
                    // One ready worker is enough.
                    host.keepOneReady()
                    #expect(children(of: getpid()).count == 1)
                    host.close()
                    #expect(children(of: getpid()).isEmpty)
                }
            }
        }

        @Test("a worker is kept ready for a person while other workers check documents")
        func keptOne() throws {
            let host = WorkerHost()
            host.keepOneReady()
            let kept = try host.facts(visits)["process"]
            let sign = visits.folder.path("sign")
            let waiting = try visits.visit("waiting", third: ["log \(visits.log)", "wait \(sign)"])
            let outcomes = Collected<MigrationOutcome?>()
            Thread.detachNewThread { outcomes.append(try? host.result(waiting).outcome) }
            #expect(waits { visits.logged > 0 })
            #expect(try host.facts(visits)["process"] == kept)
            try visits.folder.write("", to: "sign")
            #expect(waits { outcomes.all == [.migrated] })
        }

        @Test("a check delays the start of its worker while a person waits for an answer")
        func courtesy() throws {
            let host = WorkerHost()
            host.keepOneReady()
            _ = try host.chains()
            let sign = visits.folder.path("sign")
            let waiting = try visits.visit("waiting", third: ["log \(visits.log)", "wait \(sign)"])
            let before = ContinuousClock.now
            let traces = Collected<MigrationTrace?>()
            Thread.detachNewThread { traces.append(try? host.trace(waiting)) }
            #expect(waits { visits.logged > 0 })
            #expect(try host.result(try visits.visit("good")).outcome == .migrated)
            #expect(before.duration(to: .now) >= .milliseconds(100))
            try visits.folder.write("", to: "sign")
            #expect(waits { traces.all.map { $0?.outcome } == [.migrated] })
        }

        @Test("a worker is nowhere in a chain once it has answered")
        func idle() throws {
            let worker = try WorkerProcess(memoryLimit: 0)
            try worker.waitForChains()
            func ask<Answer>(_ wanted: Wanted<Answer>) throws {
                var answers = 0
                _ = try worker.ask([WorkerRequest(try visits.visit("a"))], wanting: wanted) { _, _ in
                    answers += 1
                    #expect(worker.page.seenPlace.phase == RunPlace.Phase.idle.rawValue)
                } turn: { _, _ in
                    .goOn
                }
                #expect(answers == 1)
            }
            try ask(.outcome)
            try ask(.trace)
        }

        @Test("a closed worker is gone, together with what the app's code started")
        func closing() throws {
            let host = WorkerHost()
            let facts = try host.facts(visits, ["start"])
            let (worker, started) = (try #require(facts["process"]), try #require(facts["started"]))
            #expect(processState(worker) != nil && processState(started) != nil)
            // It shares nothing with the worker except its standard streams.
            #expect(waits { processState(started) == "S" } && Fact.files(of: started).isEmpty)
            host.close()
            #expect(processState(worker) == nil)
            #expect(waits { [nil, "Z", "X"].contains(processState(started)) })
        }

        @Test("workers and what the app's code started are gone when their program is", .timeLimit(.minutes(30)))
        func lifeline() async throws {
            let path = visits.folder.path("facts")
            let looping = try visits.visit("loop", third: ["start \(visits.folder.path("started"))", "loop"])
            let file = looping.file.description
            await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, file = file as String] in
                let host = WorkerHost(limits: WorkerLimits(seconds: 0))
                let request = WorkerRequest(GivenName(FilePath(file)).document)
                _ = try host.reply(
                    to: request, wanting: .trace,
                    progress: { progress in
                        guard case .step(_, .number(3)) = progress.activity, progress.seconds >= 1 else { return }
                        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
                        let children = tasks.compactMap {
                            try? String(contentsOfFile: "/proc/self/task/\($0)/children", encoding: .utf8)
                        }
                        try? children.joined().write(toFile: path, atomically: true, encoding: .utf8)
                        kill(getpid(), SIGKILL)
                    })
            }
            let workers = try visits.folder.text("facts").split(separator: " ")
            #expect(!workers.isEmpty)
            let started = try visits.folder.text("started")
            #expect(waits { [nil, "Z", "X"].contains(processState(started)) })
            for worker in workers { #expect(waits { [nil, "Z", "X"].contains(processState(String(worker))) }) }
        }

        @Test("workers pause and resume on request, even those that are started meanwhile")
        func stopping() throws {
            let host = WorkerHost()
            let first = try #require(try host.facts(visits)["process"])
            WorkerHost.pause()
            defer { WorkerHost.resume() }
            #expect(waits { processState(first) == "T" })
            let second = WorkerHost()
            let answered = Collected<String>()
            Thread.detachNewThread {
                if let process = try? second.facts(visits)["process"] { answered.append(process) }
            }
            usleep(300_000)
            #expect(answered.all.isEmpty)
            WorkerHost.resume()
            #expect(waits { answered.all.count == 1 })
            #expect(waits { ["S", "R"].contains(processState(first)) })
            #expect(try host.facts(visits)["process"] == first)
        }

        // MARK: - Chains

        @Test("a worker reports the program's chains")
        func chains() throws {
            let chains = try WorkerHost().chains()
            #expect(chains.map(\.name) == TestWorker.chains.map(\.name))
            #expect(chains[0].versions.map(\.version) == [1, 2, 3].map { .number($0) })
            #expect(chains[0] == ChainDescription(MigrationChain(Visit.self)))
        }

        @Test("a worker that cannot make the chains is an error of the program, unlike one that does not answer")
        func noChains() async throws {
            for beginning in ["has no chains", "ends"] {
                await #expect(processExitsWith: .success) { [beginning = beginning as String] in
                    setenv("TEST_WORKER", beginning, 1)
                    switch #expect(throws: WorkerError.self, performing: { try WorkerHost().chains() }) {
                    case .chainsEnded(let crash):
                        #expect(beginning == "has no chains")
                        #expect(crash?.lastWords?.contains("Fatal error: two chains of one name") == true)
                    case .noAnswer(let crash): #expect(beginning == "ends" && crash == Crash(.exit(9)))
                    case .cannotStart, .cannotReceive, nil: Issue.record("another error")
                    }
                    // No document is delivered then, and the error ends the run.
                    let run = DocumentRun(host: WorkerHost(), wanting: .outcome, jobs: 2) { document in
                        WorkerRequest(document)
                    } output: {
                        $1
                    } deliver: { _, _ in
                        Issue.record("an outcome without a worker")
                    }
                    let document = GivenName(FilePath(Project.path("demo-data/poems/rating-9.json"))).document
                    for _ in 0..<3 { run.add(document) }
                    #expect(throws: WorkerError.self) { try run.finish() }
                }
            }
        }

        // MARK: - How workers end

        @Test(
            "a thread left running by an earlier document that ends the worker is not held against the next document",
            arguments: ["fatalError", "overflow", "access", "abort", "exit 0", "_exit 3", "signal 9", "signal 15"])
        func leftThread(ending: String) throws {
            let host = WorkerHost()
            let (mark, own) = (visits.folder.path("mark"), visits.folder.path("own"))
            #expect(try host.result(visits.visit("leaves", third: ["leave \(mark) \(ending)"])).outcome == .migrated)
            #expect(try host.result(visits.visit("meets", third: ["meet \(mark)"])).outcome == .migrated)
            // A thread that the document itself started is.
            let result = try host.result(visits.visit("both", third: ["leave \(own) \(ending)", "meet \(own)"]))
            guard case .crashed = result.failure?.reason else {
                Issue.record("\(result)")
                return
            }
        }

        @Test(
            "a document that ends its worker fails with the cause, the version and the step",
            arguments: [
                ("exit 3", Crash.Cause.exit(3)), ("exit 0", .exit(0)), ("abort", .abort), ("overflow", .trap),
                ("access", .badAccess), ("recursion", .stackOverflow), ("signal 15", .signal(15)),
                ("signal 9", .killed), ("raise 8", .arithmetic), ("raise 7", .badAccess), ("memory", .outOfMemory),
                ("garble", .unreadableAnswer),
            ])
        func endings(_ line: String, _ cause: Crash.Cause) throws {
            let host = WorkerHost(limits: WorkerLimits(memory: 2 << 30))
            let document = try visits.visit("ending", third: ["say it begins", line])
            let result = try host.result(document)
            #expect(result.outcome == .failed && result.chain == "Visit" && result.version == .number(1))
            #expect(result.target == .number(3))
            guard case .crashed(let crash, frame: nil) = result.failure?.reason else {
                Issue.record("\(result)")
                return
            }
            #expect(crash.cause == cause)
            // A worker that garbles its answer ends only when the answer arrives.
            if cause == .unreadableAnswer { return }
            #expect(result.versionPath?.description == "$.visit")
            #expect(result.failure?.step == MigrationFailure.Step(from: .number(2), to: .number(3)))
            if cause != .trap && cause != .outOfMemory {
                #expect(crash.lastWords == "it begins" && !crash.isVerdict)
            }
            if [.stackOverflow, .badAccess].contains(cause), !line.hasPrefix("raise") {
                let program = URL(filePath: CommandLine.arguments[0]).lastPathComponent
                #expect(crash.place?.hasPrefix("\(program)+0x") == true)
            }
        }

        @Test("the failure of a line of a file that ends its worker names the container")
        func endedByLine() throws {
            try visits.folder.write(#"{"visit": 1, "name": "a", "second": ["exit 1"]}"# + "\n", to: "visits.jsonl")
            let line = GivenName(FilePath(visits.folder.path("visits.jsonl#L1"))).document
            let result = try WorkerHost().result(line)
            #expect(result.failure?.reason == .crashed(Crash(.exit(1)), frame: nil))
            #expect(result.container == .jsonl)
        }

        @Test(
            "a worker that ends by itself leaves nothing running that the app's code started",
            arguments: ["exit 0", "signal 9"])
        func startedByEnding(line: String) throws {
            let output = try WorkerHost().trace(try visits.visit("ending", third: ["start", line])).output
            let words = output.flatMap { $0.text.split(whereSeparator: \.isWhitespace) }
            let started = try #require(words.firstIndex(of: "started").map { String(words[$0 + 1]) })
            #expect(waits { [nil, "Z", "X"].contains(processState(started)) })
        }

        @Test("a trap reports what Swift said and where in the app's code it happened")
        func verdicts() throws {
            let document = try visits.visit(
                "verdict", second: ["say unrelated", "fatalError unknown workout Swimming"])
            // The program of these tests is large, and the machine may be busy.
            var limits = WorkerLimits()
            limits.backtrace = .seconds(300)
            let trace = try WorkerHost(limits: limits).trace(document, sendsSteps: true)
            guard case .crashed(let crash, let frame) = trace.failure?.reason else {
                Issue.record("\(trace)")
                return
            }
            #expect(crash.cause == .trap && crash.isVerdict)
            #expect(
                crash.lastWords?.hasSuffix("Visit.swift:\(fatalErrorLine): Fatal error: unknown workout Swimming")
                    == true)
            #expect(frame?.hasSuffix("at Visit.swift:\(fatalErrorLine)") == true)
            #expect(trace.failure?.step?.to == .number(2))
            // A document that no person watches is not run again for its place in the code.
            guard case .crashed(_, nil) = try WorkerHost().trace(document).failure?.reason else {
                Issue.record("a place in the code, or no crash")
                return
            }
        }

        /// The line of the app's code that calls `fatalError`.
        private var fatalErrorLine: Int {
            let lines = (try? Project.text("Tests/MigrationWorkerTests/Support/Visit.swift"))?.split(
                separator: "\n", omittingEmptySubsequences: false)
            return (lines?.firstIndex { $0.contains("fatalError(rest)") } ?? -1) + 1
        }

        @Test("a crash while decoding names the value, and a crash during detection names the chain")
        func early() throws {
            let host = WorkerHost()
            let decoding = try host.result(try visits.visit("decoding", decoding: ["exit 4"]))
            #expect(decoding.version == .number(1) && decoding.failure?.step == nil)
            #expect(decoding.failure?.location.map { "\($0.line):\($0.column)" } == "1:14")
            let text = #"{"visitor": "exit 5"}"#
            let detecting = try visits.document(text, "visitor.json")
            let result = try host.result(detecting)
            #expect(result.chain == "Visitor" && result.version == nil && result.failure?.step == nil)
            #expect(result.failure?.reason == .crashed(Crash(.exit(5)), frame: nil))
            #expect(try host.trace(detecting).document?.source?.data == Data(text.utf8))
        }

        @Test("a lost worker's trace reaches the step that ended it, and runs each step once if steps are reported")
        func upToTheEnd() throws {
            let host = WorkerHost(limits: WorkerLimits(seconds: 5))
            let document = try visits.visit(
                "late", second: ["log \(visits.log)", "print 2"], third: ["print 3", "sleep 60"])
            for sendsSteps in [true, false] {
                let trace = try host.trace(document, sendsSteps: sendsSteps)
                #expect(visits.logged == (sendsSteps ? 1 : 3))
                #expect(trace.failure?.reason == .timedOut(seconds: 5))
                #expect(trace.steps.map(\.to) == [.number(2), .number(3)])
                #expect(trace.steps.map(\.from) == [.number(1), .number(2)])
                #expect(trace.steps.map(\.toType) == ["VisitV2", "Visit"])
                #expect(trace.steps[0].after?.root["title"]?.string == "late")
                #expect(trace.steps[1].before?.root["title"]?.string == "late")
                #expect(trace.detection.version == .number(1) && trace.target == .number(3))
                #expect(trace.detection.attempts.count == 3)
                #expect(trace.document?.root["name"]?.string == "late")
                #expect(trace.output.map(\.text) == ["2\n", "3\n"])
                #expect(trace.output.map { $0.step?.to } == [.number(2), .number(3)])
            }
        }

        @Test("a crash is traced with the document that caused it, not the one before it")
        func notOfTheOneBefore() throws {
            let host = WorkerHost()
            let first = try host.trace(try visits.visit("first"), sendsSteps: true)
            #expect(first.outcome == .migrated)
            let trace = try host.trace(try visits.visit("second", third: ["exit 3"]), sendsSteps: false)
            #expect(trace.failure?.reason == .crashed(Crash(.exit(3)), frame: nil))
            #expect(trace.document?.root["name"]?.string == "second")
            #expect(trace.steps.map { $0.before?.root["title"]?.string } == [nil, "second"])
        }

        @Test("a crash in the only requested step, or before the requested version, is traced that far")
        func target() throws {
            let document = try visits.visit("a", second: ["none"], third: ["exit 1"])
            let reason = Reason.crashed(Crash(.exit(1)), frame: nil)
            let trace = try WorkerHost().answer(to: WorkerRequest(document, target: .number(3)), wanting: .step)
            #expect(trace.failure?.reason == reason && trace.steps.map(\.to) == [.number(3)] && trace.document == nil)
            let early = WorkerRequest(try visits.visit("b", second: ["exit 1"]), target: .number(2))
            let result = try WorkerHost().answer(to: early, wanting: .outcome)
            #expect(result.failure?.reason == reason && result.target == .number(2))
            let whole = try WorkerHost().answer(to: WorkerRequest(document, target: .number(2)), wanting: .trace)
            #expect(whole.outcome == .migrated && whole.target == .number(2))
        }

        @Test("a worker does not time out while the program itself is stopped")
        func stopped() throws {
            let file = visits.folder.path("go")
            let document = try visits.visit("waits", second: ["wait \(file)"])
            let host = WorkerHost(limits: WorkerLimits(seconds: 1))
            var count = 0
            // To a clock, a sleeping program and a stopped one look the same.
            let reply = try host.reply(
                to: WorkerRequest(document), wanting: .outcome,
                progress: { _ in
                    count += 1
                    if count == 1 { Thread.sleep(forTimeInterval: 1.5) } else { close(creat(file, 0o600)) }
                })
            #expect(reply?.answer?.outcome == .migrated)
        }

        @Test("a crash while a column's chain is looked for is reported for the column, and its documents fail")
        func endedByColumn() throws {
            let store = visits.folder.path("visitors.sqlite")
            try StoreWriter.make(
                store, "CREATE TABLE T (ID INTEGER PRIMARY KEY, D TEXT)",
                "INSERT INTO T (D) VALUES ('{\"visitor\": \"exit 5\"}')")
            let cell = GivenName(FilePath(store + "#T/1/D")).document
            let reason = Reason.crashed(Crash(.exit(5)), frame: nil)
            #expect(try WorkerHost().answer(to: WorkerRequest(cell), wanting: .seriesChain) == .unknown(reason))
            let result = try WorkerHost().result(cell)
            #expect(result.failure?.reason == reason && result.container == .sqlite)
        }

        // MARK: - Output

        @Test("output is reported by stream, phase and step, and not for the next document")
        func printed() throws {
            let host = WorkerHost()
            let loud = try visits.visit(
                "loud", decoding: ["print a", "say b"], second: ["print c"], third: ["say d"], encoding: ["print e"])
            for _ in 0..<2 {
                let output = try host.trace(loud).output
                #expect(
                    output.map {
                        "\($0.phase?.rawValue ?? "-") \($0.step?.to.description ?? "-") \($0.stream) \($0.text)"
                    } == [
                        "decoding - stdout a\n", "decoding - stderr b\n", "step 2 stdout c\n", "encoding 2 stdout e\n",
                        "step 3 stderr d\n",
                    ])
            }
            #expect(try host.trace(try visits.visit("quiet")).output.isEmpty)
            // Output of a check, or from before it, is not reported for the document that is traced next.
            _ = try host.result(loud)
            #expect(try host.trace(try visits.visit("quiet")).output.isEmpty)
        }

        @Test("output is reported after a document closed its streams, and for a document that ends the worker")
        func closedOutput() throws {
            let host = WorkerHost()
            let closing = try visits.visit("closing", second: ["print a", "close"], third: ["say b"])
            #expect(try host.trace(closing).output.map(\.text) == ["a\n", "b\n"])
            #expect(try host.trace(closing).output.map(\.text).last == "b\n")
            let ending = try visits.visit("ending", second: ["print a"], third: ["print b", "exit 1"])
            let output = try WorkerHost().trace(ending).output
            #expect(output.map(\.text) == ["a\n", "b\n"])
            #expect(output.map { $0.step?.to } == [.number(2), .number(3)])
        }

        @Test("a lot of output does not block a worker, and the output of a check is discarded")
        func much() throws {
            let host = WorkerHost()
            let line = "print " + String(repeating: "x", count: 99_999)
            let document = try visits.visit("much", third: Array(repeating: line, count: 30))
            #expect(try host.result(document).outcome == .migrated)
            let output = try host.trace(document).output
            #expect(output.count == 1)
            #expect(output.first?.text.contains("\(3_000_000 - 2 * CapturedOutput.kept) bytes left out") == true)
        }
    }
#endif
