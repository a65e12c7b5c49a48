import DocumentModel
import ExampleChains
import Foundation
import MigrationCore
import Testing

@testable import MigrationWorker

@Suite("The place where a worker is or was lost")
struct WorkerLocationTests {
    private static let poem = ChainDescription(ExampleChains.poem)
    private static let steps: [RunPlace.Phase] = [.stepping, .encoding, .finishing]
    private static let phases: [RunPlace.Phase] = [.idle, .describing, .detecting, .decoding] + steps

    private func run(_ phase: RunPlace.Phase, _ first: Int32, _ stage: Int32, chain: String = "Poem") -> RunPlace {
        var run = RunPlace()
        run.chain = MigrationChain.mark(of: chain)
        (run.phase, run.first, run.stage) = (phase.rawValue, first, stage)
        return run
    }

    private func place(_ phase: RunPlace.Phase, _ first: Int32, _ stage: Int32, chain: String = "Poem")
        -> WorkerLocation
    {
        WorkerLocation(run(phase, first, stage, chain: chain), among: ExampleChains.all.map(ChainDescription.init))
    }

    /// The documents before and after the steps from version 1 on.
    private static let documents = try! (1...3).map { try Document(json: "{\"version\":\($0),\"poem\":\"a\"}") }

    /// The trace that is known of a version 1 document after some steps.
    private func known(steps count: Int) -> MigrationTrace {
        MigrationTrace(
            source: "a", chain: "Poem", versions: Self.poem.versions, target: .number(3),
            detection: VersionDetection(version: .number(1), path: DocumentPath("$.version")),
            steps: (0..<count).map { index in
                MigrationStep(
                    from: .number(index + 1), to: .number(index + 2), fromType: "", toType: "", seconds: 0,
                    before: Self.documents[index], ending: .made(Self.documents[index + 1]))
            },
            dropped: [.root], document: Self.documents[0], rewriting: .made(Self.documents[2]))
    }

    @Test("the time at a place starts when it is reached, and that of the document goes on")
    func time() throws {
        let descriptor = WorkerPage.makeDescriptor()
        defer { close(descriptor) }
        let page = try #require(WorkerPage(descriptor: descriptor))
        var watch = ProgressWatch(chains: [Self.poem])
        let turns: [(RunPlace, seconds: Int, here: Int)] = [
            (run(.detecting, -1, -1), 2, 0), (run(.detecting, -1, -1), 5, 3), (run(.decoding, 1, 1), 6, 0),
            (run(.stepping, 1, 2), 7, 0), (run(.stepping, 1, 2), 9, 2), (run(.stepping, 1, 3), 10, 0),
        ]
        for (place, seconds, here) in turns {
            page.place.pointee = place
            let progress = watch.progress(on: page, after: .seconds(seconds))
            #expect(progress.seconds == seconds && progress.secondsHere == here, "\(progress.activity)")
        }
    }

    @Test("a place is in a step only in the phases of a step, after the document's own version")
    func step() {
        for phase in Self.phases {
            for (first, stage) in [(-1, -1), (-1, 2), (1, 0), (1, 1), (1, 2), (1, 3), (1, 4), (4, 5)]
                as [(Int32, Int32)]
            {
                let place = place(phase, first, stage)
                let isStep = Self.steps.contains(phase) && first == 1 && [2, 3].contains(stage)
                #expect(place.phase == phase && place.chain == Self.poem)
                #expect(place.step == (isStep ? Int(stage) : nil), "\(phase) \(first) \(stage)")
                let step = MigrationFailure.Step(from: .number(Int(stage) - 1), to: .number(Int(stage)))
                #expect(place.failureStep == (isStep ? step : nil), "\(phase) \(first) \(stage)")
                #expect(place.stage == ((0..<4).contains(stage) ? Int(stage) : nil))
            }
        }
        let unknown = place(.stepping, 1, 2, chain: "Poet")
        #expect(unknown.chain == nil && unknown.step == nil && unknown.failureStep == nil && unknown.stage == nil)
        var none = run(.idle, 1, 2)
        none.phase = 99
        #expect(WorkerLocation(none, among: [Self.poem]).phase == .idle)
    }

    @Test("progress names the versions of the chain")
    func progress() {
        func reported(_ phase: RunPlace.Phase, _ first: Int32, _ stage: Int32, _ share: Double = 1)
            -> RunProgress.Activity
        {
            place(phase, first, stage).activity(readShare: share)
        }
        #expect(
            reported(.idle, -1, -1, 0) == .reading(share: 0) && reported(.idle, -1, -1, 0.999) == .reading(share: 0.999)
        )
        #expect(reported(.idle, -1, -1) == .reporting && reported(.idle, 1, 3) == .reporting)
        #expect(reported(.describing, -1, 2) == .describing)
        #expect(reported(.detecting, -1, 2) == .detecting)
        for phase in [.decoding] + Self.steps {
            #expect(reported(phase, 1, 1) == .decoding(.number(1)), "\(phase)")
            #expect(reported(phase, -1, -1) == .detecting, "\(phase)")
        }
        for phase in Self.steps {
            #expect(reported(phase, 0, 1) == .step(from: .unversioned, to: .number(1)), "\(phase)")
            #expect(reported(phase, 1, 3) == .step(from: .number(2), to: .number(3)), "\(phase)")
        }
    }

    @Test("progress is long from one second on, and is in the app's code except for reading and reporting")
    func progressKinds() {
        for (seconds, isLong) in [(0, false), (1, true), (2, true)] {
            #expect(RunProgress(.detecting, seconds: seconds, secondsHere: 0).isLong == isLong)
        }
        let places: [(RunProgress.Activity, Bool)] = [
            (.reading(share: 0.5), false), (.detecting, true), (.describing, true), (.decoding(.number(1)), true),
            (.step(from: .number(1), to: .number(2)), true), (.reporting, false),
        ]
        for (place, isAppCode) in places {
            #expect(RunProgress(place, seconds: 1, secondsHere: 1).isInAppCode == isAppCode, "\(place)")
        }
    }

    @Test("attempts to find out what came before a place go only as far as is sure to finish")
    func attempts() {
        func reported(_ phase: RunPlace.Phase, _ first: Int32, _ stage: Int32) -> [String] {
            place(phase, first, stage).attempts.map { "\($0.wanted.name) \($0.target?.description ?? "-")" }
        }
        #expect(reported(.stepping, 1, 3) == ["trace 2", "detection -", "document -"])
        #expect(reported(.finishing, 0, 1) == ["trace none", "detection -", "document -"])
        #expect(reported(.decoding, 1, 1) == ["detection -", "document -"])
        #expect(reported(.detecting, -1, 2) == ["document -"])
    }

    @Test("a place is reached by a trace that holds every step before it")
    func reached() {
        let undetected = MigrationTrace(source: "a")
        #expect(place(.detecting, -1, 1).isReached(by: undetected))
        #expect(!place(.decoding, 1, 1).isReached(by: undetected) && !place(.stepping, 1, 2).isReached(by: undetected))
        #expect(place(.decoding, 1, 1).isReached(by: known(steps: 0)))
        for (stage, count) in [(2, 0), (3, 1)] as [(Int32, Int)] {
            for steps in 0...2 {
                #expect(place(.stepping, 1, stage).isReached(by: known(steps: steps)) == (steps == count))
            }
        }
    }

    @Test("the step that was lost ends the trace, after the known steps")
    func traceOfStep() throws {
        for (stage, count) in [(2, 0), (3, 1)] {
            let trace = place(.stepping, 1, Int32(stage)).trace(
                known(steps: count), failingBecause: .timedOut(seconds: 2), node: 3)
            #expect(trace.outcome == .failed && trace.steps.count == count + 1)
            let step = try #require(trace.steps.last)
            #expect(step.from == .number(stage - 1) && step.to == .number(stage))
            #expect(step.fromType == "PoemV\(stage - 1)" && step.toType == (stage == 2 ? "PoemV2" : "Poem"))
            #expect(
                step.note == (stage == 2 ? "the star rating becomes love, meh or hate" : Self.poem.note(onStepTo: 3)))
            #expect(step.note != nil)
            #expect(step.before?.identity == Self.documents[count].identity && step.after == nil)
            #expect(trace.failure?.reason == .timedOut(seconds: 2))
            #expect(trace.failure?.step == .init(from: .number(stage - 1), to: .number(stage)))
            #expect(trace.failure?.location == nil)
            #expect(trace.dropped.isEmpty && trace.rewriting == nil && trace.result == nil)
            #expect(trace.detection.version == .number(1) && trace.document?.identity == Self.documents[0].identity)
        }
        // If the trace has no version, the place provides it.
        let unknown = MigrationTrace(source: "a", opening: .unrecognized([]), document: Self.documents[0])
        let trace = place(.encoding, 1, 2).trace(unknown, failingBecause: .timedOut(seconds: 2), node: -1)
        #expect(trace.detection.version == .number(1) && trace.outcome == .failed && trace.steps.count == 1)
        #expect(trace.steps[0].before?.identity == Self.documents[0].identity)
    }

    @Test("a failure before the first step is located at the value decoded last, and nowhere during detection")
    func traceOfDecoding() {
        let reason = Reason.timedOut(seconds: 2)
        let poem = Self.documents[0].root["poem"]
        for (node, location) in [(4, poem?.location), (-1, nil), (999, nil)] as [(Int64, DocumentModel.SourceLocation?)]
        {
            let trace = place(.decoding, 1, 1).trace(known(steps: 2), failingBecause: reason, node: node)
            #expect(trace.steps.isEmpty && trace.failure == MigrationFailure(reason, location: location), "\(node)")
            #expect(trace.failure?.step == nil && trace.dropped.isEmpty && trace.rewriting == nil)
        }
        let trace = place(.detecting, -1, 1).trace(
            MigrationTrace(source: "a", document: Self.documents[0]), failingBecause: reason, node: 4)
        #expect(trace.failure == MigrationFailure(reason) && trace.detection.version == nil)
    }
}

@Suite("Crash causes")
struct CrashCauseTests {
    private func crash(
        _ ending: Int32, _ kind: WorkerFault.Kind = .other, because cause: Crash.Cause? = nil, module: String = "",
        offset: UInt64 = 0, said: String = ""
    ) -> Crash {
        var fault = WorkerFault()
        (fault.kind, fault.offset) = (kind.rawValue, offset)
        withUnsafeMutableBytes(of: &fault.module) { $0.copyBytes(from: module.utf8) }
        var errors = CapturedOutput()
        errors.append(said.utf8)
        return LostWorker(
            isFirst: true, ending: ending, cause: cause, place: RunPlace(), node: -1, fault: fault,
            output: [CapturedOutput(), errors], known: nil
        ).crash
    }

    @Test("the cause of a crash follows from the signal or the exit status")
    func endings() {
        let causes: [(Int32, Crash.Cause)] = [
            (0, .exit(0)), (1, .exit(1)), (255, .exit(255)), (-SIGILL, .trap), (-SIGTRAP, .trap), (-SIGABRT, .abort),
            (-SIGSEGV, .badAccess), (-SIGBUS, .badAccess), (-SIGFPE, .arithmetic), (-SIGKILL, .killed),
            (-SIGHUP, .signal(SIGHUP)), (-SIGTERM, .signal(SIGTERM)),
        ]
        for (ending, cause) in causes { #expect(crash(ending).cause == cause, "\(ending)") }
    }

    @Test("the cause of a crash is the fault that the worker noted, or else what was wrong with its answer")
    func noted() {
        #expect(crash(-SIGSEGV, .stackOverflow).cause == .stackOverflow)
        for ending in [0, -SIGSEGV, -SIGILL, -SIGKILL] as [Int32] {
            #expect(crash(ending, .outOfMemory).cause == .outOfMemory)
            for cause in [Crash.Cause.unreadableAnswer, .brokenRule(.kind), .disconnected, .stopped] {
                #expect(crash(ending, .outOfMemory, because: cause).cause == .outOfMemory)
                #expect(crash(ending, because: cause).cause == cause)
            }
        }
        // A worker that continued after a fault and then exited has an exit status.
        #expect(crash(3, .stackOverflow).cause == .exit(3))
    }

    @Test("a crash has a place if the instruction and its module are known, and has the last words of the output")
    func place() {
        #expect(crash(-SIGILL, module: "inspect", offset: 0xBEEF).place == "inspect+0xbeef")
        #expect(crash(-SIGILL, module: "inspect").place == nil && crash(-SIGILL, offset: 1).place == nil)
        #expect(crash(1).lastWords == nil && !crash(1).isVerdict)
        #expect(crash(1, said: "a\nb\n").lastWords == "b" && !crash(1, said: "a\nb\n").isVerdict)
        #expect(crash(1, said: "Fatal error: no\n").isVerdict)
    }
}
