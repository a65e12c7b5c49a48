import Foundation
import MigrationCore
import MigrationWorker
import TestSupport
import Testing

@testable import MigrationInspector

#if os(Linux)
    extension StrangersTests {
        /// Tests of an app whose migrations attack the program that links it. They find the socket, the page and the
        /// streams of their process, and forge their contents.
        @Suite("An app whose code attacks the program", .enabled(if: Ordeal.isPossible), .timeLimit(.minutes(30)))
        struct HostileAppTests {
            private static var program: BuiltProgram {
                get async throws { try await StrangersPackage(name: "FaultyInspector").program("inspect-faults") }
            }

            /// An attack, and how its document ends.
            struct Attack: CustomTestStringConvertible {
                let name: String
                let cause: Crash.Cause?
                /// The cause in a trace if it differs. If `nil`, it is the same.
                let causeOfTrace: Crash.Cause??

                init(_ name: String, _ cause: Crash.Cause?, trace: Crash.Cause?? = .none) {
                    (self.name, self.cause, causeOfTrace) = (name, cause, trace)
                }

                var testDescription: String { name }
            }

            /// The attacks that are detected, with the causes of their failures. The cause is `nil` for an attack that
            /// passes as an answer.
            static let attacks = [
                Attack("a trace for an outcome", .brokenRule(.kind), trace: .some(nil)),
                Attack("a chain's name", .brokenRule(.kind)), Attack("no outline", .brokenRule(.kind)),
                Attack("the chains again", .brokenRule(.kind)),
                Attack("a change that was not asked for", .brokenRule(.kind)),
                Attack("what is known, unasked", .brokenRule(.kind), trace: .some(nil)),
                Attack("a migration that is none", .brokenRule(.kind)),
                Attack("a failure without a reason", .brokenRule(.sense), trace: .brokenRule(.kind)),
                Attack("a place beyond all documents", .unreadableAnswer), Attack("a line 0", .unreadableAnswer),
                Attack("reasons in one another", nil, trace: .brokenRule(.kind)),
                Attack("reasons deeper than documents", .brokenRule(.size), trace: .unreadableAnswer),
                Attack("arrays in one another", .brokenRule(.kind), trace: .brokenRule(.document)),
                Attack("text that many nodes have in common", .brokenRule(.kind), trace: .brokenRule(.document)),
                Attack("memory that is not sealed", .brokenRule(.memory)),
                Attack("memory that can be written to", .brokenRule(.memory)),
                Attack("memory that is shorter", .brokenRule(.memory)), Attack("a file", .brokenRule(.memory)),
                Attack("a pipe", .brokenRule(.memory)), Attack("no descriptor", .brokenRule(.memory)),
                Attack("sixty descriptors a message", .brokenRule(.descriptors)),
                Attack("two hundred descriptors", .brokenRule(.descriptors)),
                Attack("a frame of 4 GB", .brokenRule(.size)), Attack("blocks without number", .brokenRule(.size)),
                Attack("a block of 2^63 bytes", .brokenRule(.size)),
                Attack("what is known, without end", .brokenRule(.kind), trace: .brokenRule(.size)),
                Attack("a socket that is written to without end", .unreadableAnswer),
                Attack("descriptors that are closed", .disconnected), Attack("all descriptors closed", .disconnected),
                Attack("descriptors closed for good", .disconnected),
                Attack("another file in place of the socket", .disconnected),
                Attack("a socket that is shut down", .disconnected), Attack("a child that has the socket", .exit(4)),
                Attack("children", nil), Attack("a stop", .stopped), Attack("a tracer", nil),
                Attack("descriptors left open", nil), Attack("a limit of descriptors", nil),
            ]

            /// A folder with a document that attacks, among others that don't.
            private static func folder(_ attack: String) throws -> TemporaryFolder {
                let folder = try TemporaryFolder()
                for name in ["a", "c", "d"] {
                    try folder.write(#"{"version": 1, "name": "good", "fault": "none"}"#, to: "\(name).json")
                }
                try folder.write(#"{"version": 1, "attack": "\#(attack)", "siege": 1}"#, to: "b.json")
                return folder
            }

            /// Runs the program, and returns its report and its peak memory in bytes.
            private static func run(
                _ arguments: [String], in folder: TemporaryFolder
            ) async throws -> (report: JSONValue, memory: Int, run: Ordeal) {
                let program = try await program
                let run = try Ordeal(arguments + ["--format", "json"], in: folder, program: program.path)
                var memory = 0
                while try !run.hasEnded() {
                    let status = (try? String(contentsOfFile: "/proc/\(run.process)/status", encoding: .utf8)) ?? ""
                    if let line = status.firstMatch(of: /VmHWM:\s+(\d+) kB/), let kilobytes = Int(line.1) {
                        memory = max(memory, kilobytes << 10)
                    }
                    usleep(2000)
                }
                #expect([0, 1].contains(try run.end()), "\(run.errors)")
                return (try JSONValue(run.output), memory, run)
            }

            /// More memory than the largest allowed answer takes.
            private static let mostMemory = 200 << 20

            private static func expectFailure(_ result: JSONValue, _ cause: Crash.Cause?) {
                let failure = result["failure"]
                guard let cause else {
                    #expect(failure == .null)
                    return
                }
                #expect(failure["kind"].text == "crashed")
                #expect(failure["message"].text?.contains("\(Reason.crashed(Crash(cause)))") == true, "\(failure)")
            }

            @Test("an attack ends only its own document at once, with its cause", arguments: attacks)
            func check(_ attack: Attack) async throws {
                // There is no time limit that could end it.
                let (report, memory, run) = try await Self.run(
                    ["check", "--jobs", "1", "--time-limit", "0", "."], in: try Self.folder(attack.name))
                let results = report["results"].elements
                try #require(results.count == 4)
                for number in [0, 2, 3] { #expect(results[number]["outcome"].text == "migrated", "\(number)") }
                Self.expectFailure(results[1], attack.cause)
                #expect(memory > 0 && memory < Self.mostMemory, "\(memory)")
                try run.expectNothingLeft()
            }

            @Test("an attack has the same end in a trace as in a check", arguments: attacks)
            func trace(_ attack: Attack) async throws {
                let (trace, memory, run) = try await Self.run(
                    ["trace", "--no-experiments", "--time-limit", "0", "b.json"], in: try Self.folder(attack.name))
                Self.expectFailure(trace, attack.causeOfTrace ?? attack.cause)
                #expect(trace["source"].text == "b.json")
                #expect(memory > 0 && memory < Self.mostMemory, "\(memory)")
                try run.expectNothingLeft()
            }

            @Test(
                "code that attacks is limited in time, whatever it writes or claims",
                arguments: [
                    "streams that are written to without end", "marks without end", "a page that says anything",
                    "a page that says 2^63 bytes", "a page that says that it reads", "a page of another request",
                    "a page that is cut",
                ])
            func timeLimit(_ attack: String) async throws {
                let (report, memory, run) = try await Self.run(
                    ["check", "--jobs", "1", "--time-limit", "2", "."], in: try Self.folder(attack))
                let results = report["results"].elements
                try #require(results.count == 4)
                for number in [0, 2, 3] { #expect(results[number]["outcome"].text == "migrated", "\(number)") }
                #expect(results[1]["failure"]["message"].text == "\(Reason.timedOut(seconds: 2))")
                #expect(memory > 0 && memory < Self.mostMemory, "\(memory)")
                try run.expectNothingLeft()
            }

            @Test("an app that stopped its own process leaves none running when the program is killed")
            func stoppedAndOrphaned() async throws {
                let program = try await Self.program
                let run = try Ordeal(
                    ["check", "--jobs", "1", "--time-limit", "0", "."], in: try Self.folder("a stop"),
                    program: program.path
                )
                func hasStoppedChild() -> Bool {
                    let children =
                        (try? String(
                            contentsOfFile: "/proc/\(run.process)/task/\(run.process)/children", encoding: .utf8))
                        ?? ""
                    return children.split(separator: " ").contains { child in
                        let status = (try? String(contentsOfFile: "/proc/\(child)/stat", encoding: .utf8)) ?? ""
                        return status.contains(") T ")
                    }
                }
                while try !run.hasEnded(), !hasStoppedChild() { usleep(500) }
                kill(run.process, SIGKILL)
                _ = try run.end()
                try run.expectNothingLeft()
            }

            @Test("forged answers don't count for later documents")
            func answersWithoutEnd() async throws {
                let (report, memory, run) = try await Self.run(
                    ["check", "--jobs", "1", "."], in: try Self.folder("answers without end"))
                // The answers about its own document can't be distinguished from real ones.
                let outcomes = report["results"].elements.map { $0["outcome"].text }
                #expect(outcomes == ["migrated", "current", "migrated", "migrated"])
                #expect(memory > 0 && memory < Self.mostMemory, "\(memory)")
                try run.expectNothingLeft()
            }

            @Test(
                "an attack while chains are made is an error of the program at once",
                arguments: [
                    ("chains without losses", Crash.Cause.brokenRule(.sense)), ("a chain's name", .brokenRule(.kind)),
                    ("a frame of 4 GB", .brokenRule(.size)),
                    ("sixty descriptors a message", .brokenRule(.descriptors)), ("a stop", .stopped),
                    ("all descriptors closed", .disconnected),
                    ("a socket that is written to without end", .unreadableAnswer),
                ])
            func chains(_ attack: String, _ cause: Crash.Cause) async throws {
                let program = try await Self.program
                let folder = try Self.folder("children")
                let run = try program.run(["check", "."], in: folder.path, environment: ["FAULTY_CHAINS": attack])
                #expect(run.status == 70 && run.output.isEmpty)
                #expect(run.errors == "inspect-faults: \(WorkerError.chainsEnded(Crash(cause)))\n")
            }
        }
    }
#endif
