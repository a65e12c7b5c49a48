import DocumentModel
import DocumentSources
import Foundation
import MigrationCore
import MigrationWorker
import TestSupport
import Testing

@testable import CursesTerminal
@testable import InspectorUI
@testable import MigrationInspector

@Suite("Background work")
struct BackgroundWorkTests {
    private let folder = try! TemporaryFolder()

    /// Takes events until the wanted one arrives. Returns `nil` if it doesn't arrive within ten minutes.
    private func event(
        in mailbox: EventMailbox, _ isWanted: (InspectorEvent) -> Bool, each: (InspectorEvent) -> Void = { _ in }
    ) -> InspectorEvent? {
        let beginning = ContinuousClock.now
        while beginning.duration(to: .now) < .seconds(600) {
            let events = mailbox.drain()
            events.forEach(each)
            if let found = events.first(where: isWanted) { return found }
            usleep(2000)
        }
        return nil
    }

    private func isTrace(_ event: InspectorEvent) -> Bool { if case .traced = event { true } else { false } }

    #if os(Linux)
        /// A document whose chain runs the code that its lines name. The program that runs the tests is its own worker,
        /// with the chains of those tests.
        private func visit(_ name: String, _ lines: [String: [String]]) throws -> DocumentReference {
            let fields = ["visit": 1, "name": name].merging(lines as [String: Any]) { $1 }
            return GivenName(
                FilePath(try folder.write(JSONSerialization.data(withJSONObject: fields), to: "\(name).json"))
            ).document
        }

        @Test(
            "a slow document is reported once with what is known so far, and traced up to where it was stopped"
        )
        func stopped() throws {
            let mailbox = EventMailbox(waker: try #require(TerminalWaker()))
            let tracer = TraceWorker(opener: Opener(host: WorkerHost()), mailbox: mailbox)
            let id = FoundDocument.ID(7)
            tracer.trace(try visit("a", ["third": ["sleep 60"]]), of: id)
            var (known, isStopped) = ([MigrationTrace](), false)
            var reported: [RunProgress] = []
            let traced = event(in: mailbox, isTrace) { event in
                guard case .running(let document, let progress, let trace) = event else { return }
                #expect(document == id)
                // On a slow machine, other places can take long too.
                if let trace, progress.activity == .step(from: .number(2), to: .number(3)) {
                    known.append(trace)
                    #expect(progress.secondsHere >= 1)
                } else {
                    // Only new progress is reported.
                    reported.append(progress)
                }
                if !known.isEmpty, progress.seconds >= 2, !isStopped {
                    isStopped = true
                    tracer.stop()
                }
            }
            guard case .traced(id, let trace)? = traced else {
                Issue.record("\(traced as Any)")
                return
            }
            #expect(known.count == 1 && known.first?.steps.map(\.to) == [.number(2), .number(3)])
            #expect(known.first?.document?.root["name"]?.string == "a")
            #expect(reported.map(\.seconds) == reported.map(\.seconds).sorted())
            #expect(zip(reported, reported.dropFirst()).allSatisfy { $0 != $1 })
            #expect(trace.failure?.kind == .timedOut && trace.steps.map(\.to) == [.number(2), .number(3)])
        }

        @Test(
            "a single step can run again, and a trace gets its dropped documents back or reports that it can't"
        )
        func again() throws {
            let mailbox = EventMailbox(waker: try #require(TerminalWaker()))
            let tracer = TraceWorker(opener: Opener(host: WorkerHost()), mailbox: mailbox)
            let reference = try visit("again", [:])
            tracer.trace(reference, of: .init(1))
            guard case .traced(_, let trace)? = event(in: mailbox, isTrace) else {
                Issue.record("another event")
                return
            }
            #expect(trace.steps.count == 2 && trace.hasAllSnapshots)
            for (number, step) in trace.steps.enumerated() {
                let job = BackgroundJob.ID(serial: number)
                tracer.runStep(job, of: reference, to: step.to, supposing: Supposition())
                guard case .ranStep(job, let again?, let hash)? = event(in: mailbox, { _ in true }) else {
                    Issue.record("another event")
                    return
                }
                #expect(again.steps.count == 1 && again.steps.last?.to == step.to)
                #expect(again.steps.last?.before == step.before && again.steps.last?.after == step.after)
                #expect(hash != nil && hash == step.after?.root.valueHash)
            }
            var part = trace
            part.dropSnapshots(except: [0], SnapshotHashes(of: trace))
            #expect(!part.hasAllSnapshots)
            let whole = try tracer.completed(part, reference, supposing: Supposition())
            #expect(whole.hasAllSnapshots && whole.result == trace.result && whole.result != nil)
            try folder.write("{}", to: "again.json")
            #expect(throws: OtherMigration.self) { try tracer.completed(part, reference, supposing: Supposition()) }
        }

        @Test("a document that is no longer shown is ended without a report")
        func cancelled() throws {
            let mailbox = EventMailbox(waker: try #require(TerminalWaker()))
            let tracer = TraceWorker(opener: Opener(host: WorkerHost()), mailbox: mailbox)
            let quick = try visit("quick", [:])
            for isCancelled in [true, false] {
                let started = folder.path("started-\(isCancelled)")
                tracer.trace(try visit("slow", ["third": ["start \(started)", "sleep 1000"]]), of: .init(1))
                #expect(event(in: mailbox) { _ in FileManager.default.fileExists(atPath: started) } != nil)
                if isCancelled { tracer.cancel() }
                tracer.trace(quick, of: .init(2))
                let traced = event(in: mailbox, isTrace)
                guard case .traced(.init(2), let trace)? = traced else {
                    Issue.record("\(traced as Any)")
                    return
                }
                #expect(trace.outcome == .migrated)
                // The processes that its code started are gone with the worker (proc(5)).
                let stat = "/proc/\(try String(contentsOfFile: started, encoding: .utf8))/stat"
                let end = ContinuousClock.now + .seconds(300)
                var isGone = false
                while !isGone, ContinuousClock.now < end {
                    let state = (try? String(contentsOfFile: stat, encoding: .utf8))?.split(separator: ") ").last?.first
                    isGone = [nil, "Z", "X"].contains(state)
                    usleep(2000)
                }
                #expect(isGone)
            }
            // Stopping now doesn't affect the next document.
            tracer.stop()
            tracer.trace(quick, of: .init(3))
            guard case .traced(.init(3), let trace)? = event(in: mailbox, isTrace) else {
                Issue.record("another event")
                return
            }
            #expect(trace.outcome == .migrated)
        }
    #endif

    @Test("the bytes of a document are read, or reported as missing")
    func source() throws {
        let mailbox = EventMailbox(waker: try #require(TerminalWaker()))
        let tracer = TraceWorker(opener: Opener(host: WorkerHost(inProcess: [])), mailbox: mailbox)
        for (name, text) in [("a.json", "{"), ("missing.json", nil)] as [(String, String?)] {
            if let text { try folder.write(text, to: name) }
            tracer.readSource(GivenName(FilePath(folder.path(name))).document, of: .init(4))
            guard case .sourceRead(.init(4), let bytes)? = event(in: mailbox, { _ in true }) else {
                Issue.record("another event")
                return
            }
            #expect(bytes?.data == text.map { Data($0.utf8) })
        }
    }

    @Test("events wake the loop, and are taken once, in order")
    func mailbox() throws {
        let waker = try #require(TerminalWaker())
        let mailbox = EventMailbox(waker: waker)
        #expect(mailbox.drain().isEmpty && !waker.drain())
        for number in 0..<3 { mailbox.post(.notice("\(number)")) }
        #expect(waker.drain() && !waker.drain())
        let texts = mailbox.drain().map { if case .notice(let text) = $0 { text } else { "" } }
        #expect(texts == ["0", "1", "2"] && mailbox.drain().isEmpty)
    }

    @Test("jobs run concurrently, and a canceled one blocks no other and returns nothing")
    func jobs() throws {
        let mailbox = EventMailbox(waker: try #require(TerminalWaker()))
        let runner = JobRunner(mailbox: mailbox)
        let begun = Locked<Set<Int>>([])
        let ended = Locked<[Int]>([])
        func job(_ serial: Int, until isDone: @escaping @Sendable (() -> Bool) -> Bool) -> BackgroundJob {
            BackgroundJob(id: .init(serial: serial)) { isCancelled in
                begun.withLock { _ = $0.insert(serial) }
                while !isDone(isCancelled) { usleep(1000) }
                ended.withLock { $0.append(serial) }
                return isCancelled() ? nil : JobResult { _ in }
            }
        }
        runner.perform(job(1) { $0() })
        // A job that is canceled before its thread starts does nothing at all.
        runner.perform(job(2) { _ in begun.withLock { $0.contains(1) } })
        #expect(event(in: mailbox) { _ in true } != nil)
        #expect(ended.withLock { $0 } == [2])
        runner.cancel(.init(serial: 1))
        runner.perform(job(3) { _ in ended.withLock { $0.contains(1) } })
        #expect(event(in: mailbox) { _ in true } != nil)
        #expect(ended.withLock { $0 } == [2, 1, 3] && mailbox.drain().isEmpty)
    }
}
