import Foundation
import TestSupport
import Testing

@Suite("Whatever ends the program, what it writes is the old or the new, and nothing else is left", .serialized)
struct InterruptionTests {
    private let program = BuiltProgram.inspector
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A poem of a megabyte.
    private static let poem =
        #"{"version":1,"author":"A","poem":"\#(String(repeating: "rose ", count: 200_000))","starRating":5}"#

    /// Runs the program with a signal after so many seconds, and says how it ended.
    private func run(_ arguments: [String], signal: Int32, after seconds: Double) throws -> String {
        let script = """
            import subprocess, sys, time
            program = subprocess.Popen(sys.argv[3:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(float(sys.argv[2]))
            program.send_signal(int(sys.argv[1]))
            print(program.wait(), end="")
            """
        let run = try BuiltProgram(path: "/usr/bin/env").run(
            ["python3", "-c", script, "\(signal)", "\(seconds)", program.path] + arguments, in: folder.path)
        return run.output
    }

    /// Moments from the start of the program to a while behind its usual end.
    private func moments(count: Int, of arguments: [String]) throws -> [Double] {
        let start = ContinuousClock.now
        _ = try program.run(arguments, in: folder.path)
        let duration = start.duration(to: .now) / .seconds(1)
        return (0..<count).map { duration * 1.1 * Double($0) / Double(count) }
    }

    @Test("a document that is replaced", arguments: [SIGINT, SIGTERM, SIGHUP, SIGKILL])
    func document(signal: Int32) throws {
        let arguments = ["migrate", "a.json", "--in-place"]
        try folder.write(Self.poem, to: "a.json")
        for moment in try moments(count: 12, of: arguments) {
            for name in try folder.names() { unlink(folder.path(name)) }
            try folder.write(Self.poem, to: "a.json")
            let ending = try run(arguments, signal: signal, after: moment)
            #expect(ending == "\(-signal)" || ending == "0")
            if signal != SIGKILL {
                let names = try folder.names()
                #expect(names == ["a.json"] || names == ["a.json", "a.json.bak"])
            }
            // The next run makes of it what the first would have made.
            #expect(try program.run(arguments, in: folder.path).status == 0)
            #expect(try folder.names() == ["a.json", "a.json.bak"])
            #expect(try folder.text("a.json.bak") == Self.poem && folder.text("a.json").contains(#""version":3"#))
        }
    }

    @Test("a copy of a store", arguments: [SIGINT, SIGTERM, SIGHUP])
    func store(signal: Int32) throws {
        try StoreWriter.make(
            folder.path("a.store"), "CREATE TABLE T (ID INTEGER PRIMARY KEY, META)",
            "WITH RECURSIVE N(I) AS (SELECT 1 UNION ALL SELECT I + 1 FROM N WHERE I < 500) "
                + "INSERT INTO T SELECT I, '\(Poems.first)' FROM N")
        let arguments = ["migrate", "a.store", "--output", "b.store"]
        for moment in try moments(count: 12, of: arguments) {
            unlink(folder.path("b.store"))
            let ending = try run(arguments, signal: signal, after: moment)
            #expect(ending == "\(-signal)" || ending == "0")
            #expect(try ["a.store", "a.store b.store"].contains(folder.names().joined(separator: " ")))
        }
    }

    @Test("a file that is larger than files may be")
    func limit() throws {
        try folder.write(Self.poem, to: "a.json")
        try StoreWriter.make(
            folder.path("a.store"), "CREATE TABLE T (ID INTEGER PRIMARY KEY, META)",
            "INSERT INTO T VALUES (1, '\(Poems.first)'), (2, zeroblob(2000000))")
        for arguments in [
            "a.json --in-place", "a.json --output b.json", "a.store --column T.META --output b.store",
        ] {
            let script = "ulimit -f 600; exec '\(program.path)' migrate \(arguments)"
            let run = try BuiltProgram(path: "/bin/sh").run("-c", script, in: folder.path)
            #expect(run.status == 70, "\(run.errors)")
            #expect(try folder.names() == ["a.json", "a.store"])
        }
        #expect(try folder.text("a.json") == Self.poem)
    }

    @Test("a report that is read no further, also where a pipe without a reader is no signal", arguments: ["-", ""])
    func brokenPipe(handling: String) throws {
        try folder.write(String(repeating: Poems.first + "\n", count: 2000), to: "a.jsonl")
        let script = """
            trap \(handling.isEmpty ? "''" : handling) PIPE
            '\(program.path)' check a.jsonl --format jsonl | head -c 10 > /dev/null
            echo ${PIPESTATUS[0]}
            """
        let run = try BuiltProgram(path: "/usr/bin/env").run("bash", "-c", script, in: folder.path)
        #expect(run.output == "\(128 + SIGPIPE)\n" && run.errors == "")
    }
}
