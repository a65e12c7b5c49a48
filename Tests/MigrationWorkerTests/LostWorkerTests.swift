import DocumentModel
import Foundation
import MigrationCore
import TestSupport
import Testing

@testable import MigrationWorker

#if os(Linux)
    @Suite("Lost workers")
    struct LostWorkerTests {
        private let visits = Visits()

        @Test("a worker whose answer cannot be read is lost in the last step it took")
        func spoiltAnswer() throws {
            let document = try visits.visit("a", third: ["spoil"])
            for failure in [try WorkerHost().result(document).failure, try WorkerHost().trace(document).failure] {
                let crash = Crash(.unreadableAnswer, lastWords: "no")
                #expect(failure?.reason == .crashed(crash, frame: nil))
                #expect(failure?.step == MigrationFailure.Step(from: .number(2), to: .number(3)))
            }
        }

        @Test(
            "a worker that sends an extra answer is lost after all documents are answered, and is replaced"
        )
        func oneAnswerTooMany() throws {
            let host = WorkerHost()
            var outcomes: [MigrationOutcome?] = []
            let document = try visits.visit("a", third: ["answer unrecognized"])
            try host.replies(to: [WorkerRequest(document)], wanting: .outcome) {
                #expect($0 == 0)
                outcomes.append($1.answer?.outcome)
            }
            #expect(outcomes == [.unrecognized])
            #expect(try host.result(try visits.visit("b")).outcome == .migrated)
        }

        @Test("a crashed document is not run again to find the place in the code once it is no longer wanted")
        func cancelledFrame() throws {
            var request = WorkerRequest(try visits.visit("a", third: ["log \(visits.log)", "fatalError"]))
            request.sendsSteps = true
            // Finding the place runs the document a second time.
            let cancelled = try WorkerHost().reply(
                to: request, wanting: .trace, isCancelled: { visits.logged == 2 })
            #expect(cancelled == nil)
            #expect(try WorkerHost().reply(to: request, wanting: .trace) != nil)
        }

        @Test("the search for what is known of a lost document ends when it is cancelled, even without a time limit")
        func cancelledKnowledge() throws {
            let request = WorkerRequest(try visits.visit("a", decoding: ["log \(visits.log)", "sleep 3"]))
            var place = RunPlace()
            place.chain = MigrationChain.mark(of: "Visit")
            (place.phase, place.first, place.stage) = (RunPlace.Phase.stepping.rawValue, 0, 1)
            let progress = WorkerProgress(
                shown: RunProgress(.step(from: .number(1), to: .number(2)), seconds: 1, secondsHere: 1), run: place)
            let known = try WorkerHost(limits: WorkerLimits(seconds: 0)).knownTrace(
                of: request, at: progress, isCancelled: { visits.logged > 0 })
            #expect(known.document == nil && known.failure?.reason == .timedOut(seconds: 1))
        }

        @Test("a worker that is killed before its first message is replaced at most twice", arguments: 1...3)
        func killedAtOnce(_ count: Int) async {
            await #expect(processExitsWith: .success) { [count = count as Int] in
                let folder = try TemporaryFolder()
                for number in 0..<count { try folder.write("", to: "\(number)") }
                setenv("TEST_WORKER", folder.path, 1)
                if count < 3 {
                    #expect(try WorkerHost().chains().isEmpty == false)
                } else if case .noAnswer(let crash)? = #expect(
                    throws: WorkerError.self, performing: { try WorkerHost().chains() })
                {
                    #expect(crash?.cause == .killed)
                } else {
                    Issue.record("another error")
                }
                #expect(try folder.names().isEmpty)
            }
        }
    }
#endif
