import DocumentModel
import DocumentSources
import ExampleChains
import Foundation
import MigrationCore
import TestSupport
import Testing

@testable import MigrationWorker

#if os(Linux)
    extension WorkerTests {
        @Suite("Workers with many documents")
        struct BatchTests {
            private let visits = Visits()

            private func requests(_ documents: [DocumentReference]) -> [WorkerRequest] {
                documents.map { WorkerRequest($0) }
            }

            /// Runs documents and returns the outcome of each delivered document, in order of delivery.
            private func run(
                _ documents: [DocumentReference], jobs: Int, isOrdered: Bool, host: WorkerHost = WorkerHost(),
                onProgress: @escaping @Sendable (DocumentReference, WorkerProgress) -> Void = { _, _ in },
                onDelivery: @escaping @Sendable (_ count: Int) -> Void = { _ in }
            ) throws -> [(number: Int, source: String, outcome: MigrationOutcome)] {
                let delivered = Collected<(number: Int, source: String, outcome: MigrationOutcome)>()
                let run = DocumentRun(host: host, wanting: .outcome, jobs: jobs, isOrdered: isOrdered) { document in
                    WorkerRequest(document)
                } progress: {
                    onProgress($0, $1)
                } output: { document, reply in
                    reply.answer.map { (document.name, $0) }
                } deliver: { (number: Int, output: (String, CheckResult)?) in
                    guard let (name, result) = output, name == result.source else {
                        Issue.record("another document's outcome at \(number)")
                        return
                    }
                    delivered.append((number, name, result.outcome))
                    onDelivery(delivered.all.count)
                }
                for document in documents { run.add(document) }
                try run.finish()
                return delivered.all
            }

            @Test(
                "documents that hold more memory together than may be held at once are all opened", arguments: [1, 3])
            func heldMemory(jobs: Int) throws {
                let documents = try (0..<40).map { try visits.visit("held\($0)") }
                let delivered = Collected<Int>()
                let run = DocumentRun(
                    host: WorkerHost(), wanting: .outcome, jobs: jobs, byteCount: { _ in 1 << 19 },
                    request: { WorkerRequest($0) }, output: { $1.answer?.outcome },
                    deliver: { (number: Int, outcome: MigrationOutcome?) in
                        #expect(outcome == .migrated)
                        delivered.append(number)
                    })
                // Adding blocks while too much is held, for good if nothing is ever given back.
                Thread.detachNewThread { for document in documents { run.add(document) } }
                defer { run.cancel() }
                #expect(waits(30) { delivered.all.count == documents.count }, "\(delivered.all.count)")
                #expect(delivered.all == Array(documents.indices.prefix(delivered.all.count)))
            }

            // MARK: - One worker

            @Test("answers from before a worker ended are counted even while requests are still being sent")
            func sending() throws {
                // More than a socket buffers at once.
                let padding = String(repeating: " ", count: 50_000)
                let requests = try (0..<100).map { number in
                    let document = try visits.visit("\(number)", third: number == 3 ? ["exit 1"] : [])
                    let text = try String(contentsOfFile: document.file.description, encoding: .utf8)
                    return WorkerRequest(document, bytes: SourceBytes(text + padding))
                }
                var outcomes: [MigrationOutcome] = []
                let opened = try WorkerHost().replies(to: requests, wanting: .outcome) { number, reply in
                    // Meanwhile the worker answers two more requests and ends.
                    if number == 0 { usleep(500_000) }
                    if let result = reply.answer { outcomes.append(result.outcome) }
                }
                #expect(outcomes == [.migrated, .migrated, .migrated, .failed] && opened == 4)
            }

            @Test(
                "the last words of a crash are what was printed at the crashing document, and nothing printed before it"
            )
            func lastWords() throws {
                let host = WorkerHost()
                // The parent collects the output while a worker waits.
                let (say, wait) = ("say before", "sleep 0.05")
                var sequences: [[[String]]] = [
                    [], [[]], [[say]], [[say], []], [[say], [wait]], [[say, wait]], [[say, wait], [], []],
                    [[wait], [say], [wait], [wait]], [[], [say], [say]],
                ]
                // While several answers are outstanding, the parent looks at the output only now and then.
                sequences += (1..<12).map { Array(repeating: [], count: $0) + [[say]] }
                let behind = try (0..<20).map { try visits.visit("behind\($0)") }
                for (number, before) in sequences.enumerated() {
                    for words in [nil, "at the end"] {
                        let ending = (words.map { ["say \($0)"] } ?? []) + ["exit 1"]
                        let documents = try (before + [ending]).enumerated().map {
                            try visits.visit("\(number)-\($0)", third: $1)
                        }
                        var results: [CheckResult] = []
                        try host.replies(to: requests(documents + behind), wanting: .outcome) { _, reply in
                            if let result = reply.answer { results.append(result) }
                        }
                        #expect(results.count == before.count + 1)
                        let reason = Reason.crashed(Crash(.exit(1), lastWords: words), frame: nil)
                        #expect(results.last?.failure?.reason == reason, "\(before)")
                        // The same after a traced document, whose output is all marked.
                        #expect(try host.trace(try visits.visit("traced", third: [say])).output.count == 1)
                        let last = try host.result(documents[documents.count - 1])
                        #expect(last.failure?.reason == reason)
                    }
                }
            }

            @Test("requests are answered in order, up to one that ends the worker or cannot be read")
            func order() throws {
                let host = WorkerHost()
                let good = try (0..<5).map { try visits.visit("good\($0)") }
                let bad = try visits.visit("bad", second: ["exit 1"])
                let missing = GivenName(FilePath(visits.folder.path("missing.json"))).document
                for (documents, count) in [
                    (good, 5), ([good[0], good[1], bad, good[2], good[3]], 3), ([bad, good[0]], 1),
                    ([good[0], missing, good[1]], 2), ([missing], 1), ([bad, missing, good[0]], 2),
                    ([bad, good[0], missing], 1), ([], 0),
                ] {
                    var delivered: [Int] = []
                    let opened = try host.replies(to: requests(documents), wanting: .outcome) { number, reply in
                        delivered.append(number)
                        guard let result = reply.answer else {
                            Issue.record("another reply")
                            return
                        }
                        #expect(result.source == documents[number].name)
                        let expected: MigrationOutcome =
                            documents[number] == bad
                            ? .failed : documents[number] == missing ? .unreadable : .migrated
                        #expect(result.outcome == expected)
                    }
                    #expect(opened == count && delivered == Array(0..<count))
                }
            }

            @Test("each request is answered as asked, regardless of the requests before it")
            func requests() throws {
                let host = WorkerHost()
                let opener = DocumentOpener(
                    chains: [MigrationChain(Visit.self), Visitor.chain] + ExampleChains.all)
                var documents: [DocumentReference] = []
                try DocumentWalker([GivenName(FilePath(Project.path("demo-data")))]).walk { documents += $0 }
                documents.append(try visits.visit("a"))
                let large = String(repeating: "x", count: 300_000)
                documents.append(try visits.document(#"{"visit": 1, "name": "\#(large)"}"#, "large.json"))
                let recorded = MigrationChain(Visit.self).trace(Data(#"{"visit":3,"title":""}"#.utf8))
                documents.append(try visits.document(recorded.text, "trace.json"))
                var generator = SeededGenerator(seed: 7)
                var request = WorkerRequest(documents[0])
                var kinds: Set<String> = []
                func ask<Answer>(_ wanted: Wanted<Answer>, _ compare: (Answer, Answer, WorkerRequest) -> String) throws
                {
                    var requests: [WorkerRequest] = []
                    for _ in 0..<Int.random(in: 1...40, using: &generator) {
                        if generator.chance(60) { request.document = documents.randomElement(using: &generator)! }
                        // Most requests are like the one before, as in a check.
                        if generator.chance(10) {
                            request.chain = [nil, "Poem", "Visit"].randomElement(using: &generator)!
                        }
                        if generator.chance(10) {
                            request.target = [nil, .number(2), .unversioned].randomElement(using: &generator)!
                        }
                        if generator.chance(10) { request.opensTraces.toggle() }
                        if generator.chance(10) { request.sendsSteps.toggle() }
                        request.bytes = generator.chance(20) ? try? request.document.read() : nil
                        if request.document.problem == nil { requests.append(request) }
                    }
                    var answered = 0
                    try host.replies(to: requests, wanting: wanted) { number, reply in
                        #expect(number == answered)
                        answered += 1
                        let expected = wanted.reply(of: opener, to: requests[number])
                        guard case (.success(let answer), .success(let expected)) = (reply, expected) else {
                            Issue.record("\(requests[number]) is no change")
                            return
                        }
                        kinds.insert(compare(answer, expected, requests[number]))
                    }
                    #expect(answered == requests.count)
                }
                func compareTraces(_ trace: MigrationTrace, _ expected: MigrationTrace, _ request: WorkerRequest)
                    -> String
                {
                    #expect(Self.facts(trace) == Self.facts(expected), "\(request)")
                    return "trace"
                }
                for _ in 0..<60 {
                    switch Int.random(in: 0..<6, using: &generator) {
                    case 0, 1:
                        try ask(.outcome) { result, expected, _ in
                            #expect(result == expected)
                            return "result"
                        }
                    case 2:
                        try ask(.seriesChain) { chain, expected, _ in
                            #expect(chain == expected)
                            return chain == .known(nil) ? "no chain" : "chain"
                        }
                    case 3: try ask(.trace, compareTraces)
                    case 4: try ask(.step, compareTraces)
                    default: try ask([.detection, .document].randomElement(using: &generator)!, compareTraces)
                    }
                }
                #expect(kinds == ["result", "trace", "chain", "no chain"])
            }

            @Test("a trace file is opened as the trace it records only if the request asks for that")
            func recordedTraces() throws {
                let host = WorkerHost()
                let trace = MigrationChain(Visit.self).trace(
                    Data(#"{"visit": 3, "title": "a"}"#.utf8), source: "a.json")
                let document = try visits.document(trace.text, "trace.json")
                for opensTraces in [true, false, true] {
                    let opened = try host.answer(
                        to: WorkerRequest(document, opensTraces: opensTraces), wanting: .trace)
                    #expect(opened.outcome == (opensTraces ? .current : .unrecognized))
                    #expect(opened.source == (opensTraces ? "a.json" : document.name))
                }
            }

            /// The content of a trace, without times.
            private static func facts(_ trace: MigrationTrace) -> [String] {
                func text(_ document: Document?) -> String {
                    guard let document else { return "-" }
                    return document.source.map { String(decoding: $0.data, as: UTF8.self) }
                        ?? String(decoding: JSONWriter().data(document.root), as: UTF8.self)
                }
                var facts: [String] = ["\(trace.outcome)", trace.source, trace.chain ?? "-", text(trace.document)]
                facts.append("\(trace.target as Any) \(trace.detection.version as Any) \(trace.format as Any)")
                facts.append("\(trace.failure as Any) \(trace.dropped) \(trace.warnings)")
                facts.append("\(trace.detection.attempts.count) \(trace.parts.count)")
                for step in trace.steps {
                    facts.append("\(step.from) \(step.to) \(step.toType) \(step.failure as Any)")
                    facts.append(text(step.before))
                    facts.append(text(step.after))
                }
                return facts
            }

            @Test(
                "a document that ends its worker has the same result each time, and the next document gets a new worker"
            )
            func afterwards() throws {
                let host = WorkerHost()
                let bad = try visits.visit("bad", second: ["log \(visits.log)", "exit 1"])
                for _ in 0..<3 {
                    #expect(try host.result(bad).failure?.reason == .crashed(Crash(.exit(1)), frame: nil))
                }
                // Each time it runs once, for the outcome. Finding out what is known stops before the failing step.
                #expect(visits.logged == 3)
                #expect(try host.result(try visits.visit("good")).outcome == .migrated)
                // No document is to blame for a worker that ended while idle.
                let idle = try #require(try host.facts(visits)["process"].flatMap { pid_t($0) })
                kill(idle, SIGKILL)
                // The main thread ends before the other threads; the process ends with the last one.
                #expect(waits { processState("\(idle)") == "Z" && threadCount(of: idle) == 1 })
                #expect(try host.result(try visits.visit("good")).outcome == .migrated)
            }

            // MARK: - Time

            @Test(
                "time in which the program was stopped does not count against a document's limit",
                .timeLimit(.minutes(30)))
            func stoppedProgram() async throws {
                let file = try visits.visit("slow", second: ["sleep 6"]).file.description
                await #expect(processExitsWith: .success) { [file = file as String] in
                    let host = WorkerHost(limits: WorkerLimits(seconds: 4))
                    _ = try host.chains()
                    let stop = Process()
                    stop.executableURL = URL(filePath: "/bin/sh")
                    stop.arguments = ["-c", "sleep 0.5; kill -STOP $PPID; sleep 5; kill -CONT $PPID"]
                    try stop.run()
                    let result = try host.result(GivenName(FilePath(file)).document)
                    #expect(result.outcome == .migrated)
                }
            }

            @Test("each document has its own time limit, and the step that exceeds it is named")
            func timeLimits() throws {
                let host = WorkerHost(limits: WorkerLimits(seconds: 4))
                var left = try (0..<6).map { try visits.visit("slow\($0)", second: ["sleep 0.8"]) }
                // If a busy machine stalls, the requests after the current one are taken back.
                while !left.isEmpty {
                    let opened = try host.replies(to: requests(left), wanting: .outcome) { _, reply in
                        guard reply.answer?.outcome == .migrated else {
                            Issue.record("\(reply)")
                            return
                        }
                    }
                    left.removeFirst(opened)
                }
                let hanging = try visits.visit("hanging", second: ["sleep 60"])
                let result = try host.result(hanging)
                #expect(result.failure?.reason == .timedOut(seconds: 4))
                #expect(result.failure?.step == MigrationFailure.Step(from: .number(1), to: .number(2)))
                #expect(try host.shortenedSteps().isEmpty)
                // Without a limit, a document takes as long as it needs.
                let unlimited = WorkerHost(limits: WorkerLimits(seconds: 0))
                #expect(try unlimited.result(try visits.visit("long", second: ["sleep 1.5"])).outcome == .migrated)
            }

            @Test("each document gets exactly one outcome, whether its answer or its time limit comes first")
            func noTime() throws {
                let documents = try (0..<30).map { try visits.visit("\($0)") }
                for seconds in [1e-9, 1e-7, 1e-5, 1e-4, 1e-3] {
                    let host = WorkerHost(limits: WorkerLimits(seconds: seconds))
                    let delivered = try run(documents, jobs: 1, isOrdered: true, host: host)
                    #expect(delivered.map(\.number) == Array(0..<30))
                    for document in documents.prefix(5) {
                        let reason = try host.result(document).failure?.reason
                        #expect(
                            reason == nil || reason == .timedOut(seconds: seconds)
                                || reason == .timedOut(seconds: seconds / 10))
                    }
                }
            }

            @Test("a request that is stopped at any moment is answered once or has timed out")
            func stoppedAtTheEnd() throws {
                let host = WorkerHost()
                let request = WorkerRequest(try visits.visit("quick"))
                for asked in 0..<20 {
                    var count = 0
                    let reply = try host.reply(
                        to: request, wanting: .trace,
                        isStopped: {
                            count += 1
                            return count > asked
                        })
                    let trace = try #require(reply?.answer)
                    #expect(trace.outcome == .migrated || trace.failure?.kind == .timedOut)
                }
            }

            @Test("a step that timed out 20 times gets a tenth of the time limit, and other steps keep theirs")
            func shortened() throws {
                let host = WorkerHost(limits: WorkerLimits(seconds: 5))
                let hanging = try visits.visit("hanging", third: ["sleep 60"])
                var request = WorkerRequest(hanging)
                request.sendsSteps = true
                var place = RunPlace()
                _ = try host.reply(
                    to: request, wanting: .trace, isStopped: { place.stage == 2 }, progress: { place = $0.run })
                // With the next two, these 18 make 20.
                for _ in 0..<18 { host.countTimeout(at: place) }
                for number in 19...22 {
                    let reason = try host.result(hanging).failure?.reason
                    #expect(reason == .timedOut(seconds: number <= 20 ? 5 : 0.5), "number \(number)")
                    #expect(try host.shortenedSteps().isEmpty == (number <= 20), "number \(number)")
                }
                let shortened = try host.shortenedSteps()
                #expect(shortened.map(\.chain) == ["Visit"] && shortened.map(\.version) == [.number(3)])
                let elsewhere = try visits.visit("elsewhere", second: ["sleep 60"])
                #expect(try host.result(elsewhere).failure?.reason == .timedOut(seconds: 5))
            }

            @Test("requests stopped by a person do not count as timeouts, however many there are")
            func stopped() throws {
                let host = WorkerHost(limits: WorkerLimits(seconds: 8))
                var request = WorkerRequest(try visits.visit("a", third: ["sleep 60"]))
                request.sendsSteps = true
                var last: RunPlace?
                for _ in 0...WorkerHost.mostTimeouts {
                    _ = try host.reply(
                        to: request, wanting: .trace, isStopped: { last?.stage == 2 }, progress: { last = $0.run })
                    #expect(last?.stage == 2)
                }
                #expect(try host.shortenedSteps().isEmpty)
                let descriptor = WorkerPage.makeDescriptor()
                defer { close(descriptor) }
                let page = try #require(WorkerPage(descriptor: descriptor))
                page.place.pointee = try #require(last)
                #expect(host.limit(of: page, at: request) == 8)
            }

            @Test("requests that a person watches run past the limit until they are stopped or cancelled")
            func stoppedOrCancelled() throws {
                let host = WorkerHost(limits: WorkerLimits(seconds: 0.1))
                let request = WorkerRequest(try visits.visit("a", third: ["sleep 60"]))
                var last: WorkerProgress?
                let stopped = try host.reply(
                    to: request, wanting: .trace,
                    isStopped: {
                        last.map { $0.isLong && $0.activity == .step(from: .number(2), to: .number(3)) } ?? false
                    },
                    progress: { progress in
                        #expect(progress.seconds >= last?.seconds ?? 0 && progress.secondsHere <= progress.seconds)
                        #expect(progress.isLong == (progress.seconds >= 1))
                        last = progress
                    })
                let seconds = try #require(last?.seconds)
                #expect(seconds >= 1 && last?.isInAppCode == true)
                guard case .success(let trace)? = stopped else {
                    Issue.record("\(stopped as Any)")
                    return
                }
                #expect(trace.failure?.reason == .timedOut(seconds: Double(seconds)) && trace.steps.count == 2)
                #expect(try host.shortenedSteps().isEmpty)
                var asked = 0
                let cancelled = try host.reply(
                    to: request, wanting: .trace,
                    isCancelled: {
                        asked += 1
                        return asked > 3
                    }, isStopped: { false })
                #expect(cancelled == nil && asked == 4)
            }

            @Test("progress names the version being read or the step, and the time spent there")
            func places() throws {
                let host = WorkerHost(limits: WorkerLimits(seconds: 0))
                var places: [RunProgress.Activity] = []
                var (known, seconds) = (MigrationTrace?.none, 0)
                let document = try visits.visit("a", decoding: ["sleep 1.2"], second: ["sleep 1.2"])
                var request = WorkerRequest(document)
                request.sendsSteps = true
                _ = try host.reply(
                    to: request, wanting: .trace,
                    progress: { progress in
                        guard progress.secondsHere >= 1, places.last != progress.activity else { return }
                        places.append(progress.activity)
                        if places.count == 2 {
                            seconds = progress.seconds
                            known = try? host.knownTrace(of: request, at: progress)
                        }
                    })
                #expect(places == [.decoding(.number(1)), .step(from: .number(1), to: .number(2))])
                #expect(known?.steps.map(\.to) == [.number(2)] && known?.document != nil)
                #expect(seconds >= 2 && known?.failure?.reason == .timedOut(seconds: Double(seconds)))
            }

            // MARK: - Several workers

            @Test("each document gets one outcome, in order, whatever happens to the workers", arguments: [1, 3])
            func oneEach(_ jobs: Int) throws {
                let host = WorkerHost(limits: WorkerLimits(seconds: 10))
                let documents = try (0..<150).map { number in
                    let line = [40: "exit 1", 41: "sleep 1.3", 90: "sleep 60", 149: "signal 9"][number] ?? "none"
                    return try visits.visit("\(number)", third: ["log \(visits.log)", line])
                }
                let delivered = try run(documents, jobs: jobs, isOrdered: true, host: host)
                #expect(delivered.map(\.number) == Array(0..<150))
                #expect(delivered.map(\.source) == documents.map(\.name))
                #expect(delivered.filter { $0.outcome != .migrated }.map(\.number) == [40, 90, 149])
                // No document is opened twice although some requests were taken back, except for one whose worker may
                // have been killed by what another document left running.
                #expect([150, 151].contains(visits.logged))
            }

            @Test("documents queued after a slow one are taken back and still opened only once")
            func slow() throws {
                let names = Collected<String>()
                // A batch holds several documents once some were quick. One document does not end until all others
                // are delivered.
                let sign = visits.folder.path("sign")
                let documents = try (0..<100).map { number in
                    try visits.visit("\(number)", second: number == 60 ? ["sleep 1.5", "wait \(sign)"] : nil)
                }
                let delivered = try run(documents, jobs: 2, isOrdered: false) { document, progress in
                    if progress.isLong { names.append(document.name) }
                } onDelivery: { [visits] count in
                    if count == 99 { _ = try? visits.folder.write("", to: "sign") }
                }
                #expect(delivered.count == 100 && Set(delivered.map(\.number)).count == 100)
                #expect(delivered.allSatisfy { $0.outcome == .migrated })
                #expect(names.all.contains(documents[60].name) && delivered.last?.number == 60)
            }

            /// A run that records only the numbers of delivered documents.
            private func numbering(
                into delivered: Collected<Int>, jobs: Int
            ) -> DocumentRun<DocumentReference, CheckResult, DocumentReference> {
                DocumentRun(host: WorkerHost(), wanting: .outcome, jobs: jobs) { document in
                    WorkerRequest(document)
                } output: { document, _ in
                    document
                } deliver: { number, _ in
                    delivered.append(number)
                }
            }

            @Test("documents that no worker has started are dropped when a run is cancelled")
            func cancelled() throws {
                let delivered = Collected<Int>()
                let run = numbering(into: delivered, jobs: 1)
                run.add(try visits.visit("first", second: ["log \(visits.log)", "sleep 1"]))
                #expect(waits { visits.logged == 1 })
                for number in 0..<20 { run.add(try visits.visit("\(number)", second: ["log \(visits.log)"])) }
                run.cancel()
                try run.finish()
                #expect(delivered.all == [0] && visits.logged == 1)
            }

            @Test("a run reports a pause after its last delivery, even if one document is delivered at a time")
            func pauses() throws {
                for host in [WorkerHost(), WorkerHost(inProcess: [MigrationChain(Visit.self)])] {
                    let events = Collected<Int>()
                    let run = DocumentRun(host: host, wanting: .outcome, jobs: 0) { document in
                        WorkerRequest(document)
                    } output: { document, _ in
                        document
                    } deliver: { number, _ in
                        events.append(number)
                    } pause: {
                        events.append(-1)
                    }
                    let document = try visits.visit("quick")
                    // The calling thread acts as the main thread, on which in-process work runs.
                    let adder = Collected<Bool>()
                    Thread.detachNewThread {
                        for _ in 0..<3 { run.add(document) }
                        adder.append((try? run.finish()) != nil)
                    }
                    #expect(
                        waits {
                            host.runOnMainThread()
                            return adder.all == [true]
                        })
                    #expect(events.all.filter { $0 >= 0 } == [0, 1, 2] && events.all.last == -1)
                }
            }

            @Test(
                "a run accepts documents until too many outcomes wait for the slowest, and then waits for room or cancellation"
            )
            func room() throws {
                // The most outcomes that may wait: 4 batches of 256 for each job.
                let most = 1024
                let document = try visits.visit("quick")
                for isCancelled in [false, true] {
                    let (delivered, added) = (Collected<Int>(), Collected<Int>())
                    let run = numbering(into: delivered, jobs: 1)
                    let sign = visits.folder.path("go-\(isCancelled)")
                    run.add(try visits.visit("waiting", second: ["log \(visits.log)", "wait \(sign)"]))
                    for _ in 1..<most { run.add(document) }
                    Thread.detachNewThread {
                        run.add(document)
                        added.append(delivered.all.count)
                    }
                    usleep(50_000)
                    #expect(added.all.isEmpty && delivered.all.isEmpty)
                    if isCancelled { run.cancel() } else { try visits.folder.write("", to: "go-\(isCancelled)") }
                    #expect(waits { added.all.count == 1 })
                    if isCancelled { try visits.folder.write("", to: "go-\(isCancelled)") }
                    try run.finish()
                    #expect(isCancelled || added.all[0] >= most / 2)
                    #expect(isCancelled ? delivered.all == [0] : delivered.all == Array(0...most))
                    run.cancel()
                    run.add(document)
                    #expect(delivered.all.count == (isCancelled ? 1 : most + 1))
                }
            }
        }
    }
#endif
