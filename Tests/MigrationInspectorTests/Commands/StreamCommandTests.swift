import DocumentModel
import ExampleChains
import Foundation
import MigrationCore
import TestSupport
import Testing

@testable import DocumentSources
@testable import MigrationInspector

@Suite("Commands in a pipeline")
struct StreamCommandTests {
    private let program = BuiltProgram.inspector

    /// Runs a script in which `$0` is the program.
    private func bash(_ script: String, in folder: TemporaryFolder) throws -> ProgramRun {
        try BuiltProgram(path: "/bin/bash").run("-c", script, program.path, in: folder.path)
    }

    private func linesFolder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.write("\(Poems.first)\n\n\(Poems.broken)\n", to: "poems.txt")
        return folder
    }

    @Test(
        "check reads JSON Lines from standard input, pipes and named pipes, packed and unpacked",
        arguments: [
            ("cat poems.txt | $0 check -", "-"), ("$0 check - < poems.txt", "-"),
            ("gzip -c poems.txt | $0 check -", "-"), ("$0 check /dev/stdin < poems.txt", "/dev/stdin"),
            ("cat poems.txt | $0 check /dev/stdin", "/dev/stdin"),
            ("mkfifo pipe; cat poems.txt > pipe & $0 check pipe", "pipe"),
            ("exec 7< poems.txt; $0 check /dev/fd/7", "/dev/fd/7"),
            ("gzip -c poems.txt > poems.jsonl.gz; $0 check poems.jsonl.gz", "poems.jsonl.gz"),
        ])
    func sources(script: String, name: String) throws {
        let run = try bash(script, in: linesFolder())
        #expect(run.lines[0] == "\(name)#L1: ✓ Poem 1 → 3")
        #expect(run.lines[1].hasPrefix("\(name):3:53: ✗ Poem 1 ✗ 2: fieldNoLongerValid at $.rating"))
        #expect(run.lines[2] == "2 documents: 0 current, 1 migrated, 1 failed, 0 unrecognized, 0 unreadable")
        #expect(run.status == 1 && run.errors == "")
    }

    @Test("check reads a process substitution by the name that the shell gives it")
    func substitution() throws {
        let run = try bash("$0 check <(cat poems.txt)", in: linesFolder())
        #expect(run.lines[0].hasPrefix("/dev/fd/") && run.lines[0].hasSuffix("#L1: ✓ Poem 1 → 3"))
        let diff = try bash("$0 diff <(echo '[1]') <(echo '[2]')", in: linesFolder())
        #expect(diff.lines == ["~ $[0]: 1 → 2"] && diff.status == 1)
    }

    @Test("check prints results while its input is still being written")
    func live() throws {
        // The writing program continues only once it has seen the first result.
        let script = """
            mkfifo results; exec 5<> results
            { cat poems.txt; cat poems.txt; read -r line <&5; echo "$line" >&2; } | $0 check - > results
            """
        let run = try bash("timeout 60 bash -c '\(script)' $0", in: linesFolder())
        #expect(run.errors == "-#L1: ✓ Poem 1 → 3\n" && run.status == 1)
    }

    @Test("check as a filter writes only results and a summary, even for empty input")
    func filter() throws {
        let folder = try linesFolder()
        let run = try bash("$0 check --format jsonl - < poems.txt", in: folder)
        #expect(run.lines.count == 3 && run.lines[2].hasPrefix(#"{"summary":{"documents":2,"current":0,"migrated":1,"#))
        #expect(run.status == 1 && run.errors == "")
        for input in ["", "\n \n"] {
            let none = try program.run("check", "--format", "jsonl", "-", input: input)
            #expect(none.lines.count == 1 && none.lines[0].hasPrefix(#"{"summary":{"documents":0,"#))
            #expect(none.status == 1 && none.errors.contains(CommandWords.noDocuments(in: ["-"])))
        }
    }

    @Test("check gives back the memory of the lines that it has checked, as it may hold only 4 MiB of them")
    func heldLines() throws {
        let script = """
            yes '{"version":1,"author":"A","starRating":5,"poem":"'"$(printf '%080000d' 0)"'"}' | head -n 100 |
                timeout 60 "$0" check - | tail -n 1
            """
        let run = try bash(script, in: try TemporaryFolder())
        #expect(run.output.hasPrefix("100 documents: 0 current, 100 migrated"), "\(run.errors)")
    }

    @Test("checking many lines takes no more memory than checking a few", .timeLimit(.minutes(30)))
    func memory() throws {
        // The largest sum of the private memory of all processes of a run, in kilobytes.
        let script = #"""
            yes '{"version":1,"author":"A","starRating":5,"poem":"'"$(printf '%08000d' 0)"'"}' | head -n $1 |
                { "$0" check - > out & p=$!; most=0
                while kill -0 $p 2> /dev/null; do
                    sum=0
                    for process in $p $(cat /proc/$p/task/*/children 2> /dev/null); do
                        size=$(grep -s '^Pss_Anon' /proc/$process/smaps_rollup | tr -cd 0-9); sum=$((sum + ${size:-0}))
                    done
                    [ $sum -gt $most ] && most=$sum; sleep 0.05
                done; echo $most; tail -n 1 out; }
            """#
        let folder = try TemporaryFolder()
        let most = try ["600", "5000"].map { count in
            let run = try BuiltProgram(path: "/usr/bin/timeout")
                .run("300", "/bin/bash", "-c", script, program.path, count, in: folder.path)
            #expect(
                run.lines.last?.hasPrefix("\(count) documents: 0 current, \(count) migrated") == true, "\(run.errors)")
            return try #require(run.lines.first.flatMap { Int($0) })
        }
        // The lines of the second run are 35 MB larger.
        #expect(most[1] - most[0] < 20_000, "\(most)")
    }

    @Test("a command for one document reports several, and how to name one if that is possible")
    func several() throws {
        let folder = try linesFolder()
        for command in ["trace", "migrate", "shrink"] {
            let run = try bash("$0 \(command) - < poems.txt", in: folder)
            #expect(run.status == 64 && run.outputData.isEmpty)
            #expect(run.errors.contains(UsageError.several(count: 2, in: "-", first: nil).message))
        }
        let run = try bash("gzip -c poems.txt > p.jsonl.gz; $0 trace p.jsonl.gz; $0 trace p.jsonl.gz#L3", in: folder)
        #expect(run.errors.contains(UsageError.several(count: 2, in: "p.jsonl.gz", first: "p.jsonl.gz#L1").message))
        #expect(run.output.hasPrefix("p.jsonl.gz#L3 (json): Poem, version 1"))
    }

    @Test("a packed file with data after its last member is checked in part, and not replaced")
    func behindLastMember() throws {
        let folder = try TemporaryFolder()
        try folder.write(Poems.first, to: "one.json")
        let script = """
            (gzip -c one.json; echo more) > a.json.gz; (tr -d '\\n' < one.json; echo) > lines
            (gzip -c lines; gzip -c lines; cat lines) > b.jsonl.gz; sha256sum *.gz > sums
            for name in a.json.gz b.jsonl.gz; do
                $0 check $name | grep -c '✓'; $0 check $name > /dev/null; echo $?
                $0 migrate --in-place $name; echo $?; $0 migrate --in-place --keep-going $name lines; echo $?
            done; sha256sum -c --quiet sums && ls
            """
        let run = try bash(script, in: folder)
        #expect(run.output == "1\n1\n1\n1\n2\n1\n1\n1\na.json.gz\nb.jsonl.gz\nlines\nlines.bak\none.json\nsums\n")
    }

    @Test("the readable part of a packed file is shown and compared, also from a commit and standard input")
    func readablePart() throws {
        let folder = try TemporaryFolder()
        try folder.write(Poems.first, to: "one.json")
        let script = """
            (gzip -c one.json; echo more) > a.json.gz; git init -q . && git add a.json.gz
            git -c user.name=a -c user.email=b commit -qm c; size=$(gzip -c one.json | wc -c)
            for name in a.json.gz HEAD:a.json.gz -; do
                $0 trace $name < a.json.gz 2> errors | head -1; echo ${PIPESTATUS[0]}; grep -c "first $size bytes" errors
                $0 diff $name one.json < a.json.gz 2> errors; echo $?; grep -c "first $size bytes" errors
                $0 migrate $name < a.json.gz 2> errors; echo $?; grep -c "first $size bytes.*nothing was written" errors
            done
            """
        let run = try bash(script, in: folder)
        let expected = ["a.json.gz", "HEAD:a.json.gz", "-"].flatMap {
            ["\($0) (json): Poem, version 1 at $.version", "1", "1", "2", "1", "1", "1"]
        }
        #expect(run.lines == expected)
    }

    @Test("a packed document is not fixed as long as the data after it can't be read")
    func baselineOfPacked() throws {
        let folder = try TemporaryFolder()
        try folder.write(Poems.first, to: "one.json")
        let script = """
            (gzip -c one.json; echo more) > a.json.gz; $0 check --format json a.json.gz > base
            $0 check --baseline base a.json.gz | grep beside; gzip -c one.json > a.json.gz
            $0 check --baseline base a.json.gz | grep beside
            """
        let run = try bash(script, in: folder)
        #expect(
            run.lines == [
                "failures beside base: 1 known, 0 new, 0 mended, 0 not met again",
                "failures beside base: 0 known, 0 new, 1 mended, 0 not met again",
            ])
    }

    @Test("a file that unpacks to more than the limit is refused, and the limit can be raised")
    func sizeLimit() throws {
        let folder = try TemporaryFolder()
        let script = """
            (head -c 3000000 /dev/zero | tr '\\0' ' '; echo '{}') > a; gzip -c a > a.json.gz
            (cat a; echo) | tr '\\n' ' ' > b; gzip -c b > b.jsonl.gz
            for name in a.json.gz b.jsonl.gz; do
                $0 check --size-limit 2 $name | head -1; $0 check --size-limit 4 $name | grep -c "more than"
                $0 check --size-limit 2 - < $name | head -1
            done
            """
        let run = try bash(script, in: folder)
        let words = "✗ unreadable: \(SourceProblem.gzip(.tooLarge(limit: 2 << 20)))"
        #expect(run.output == "a.json.gz: \(words)\n0\n-: \(words)\nb.jsonl.gz: \(words)\n0\n-: \(words)\n")
    }

    @Test("a git object that unpacks to more than the limit is refused too")
    func sizeLimitOfGit() throws {
        let folder = try TemporaryFolder()
        let script = """
            (head -c 3000000 /dev/zero | tr '\\0' ' '; echo '{}') > a.json; git init -q . && git add a.json
            git -c user.name=a -c user.email=b commit -qm c
            $0 check --size-limit 2 HEAD:a.json | head -1; $0 check --size-limit 4 HEAD:a.json | grep -c "more than"
            """
        let run = try bash(script, in: folder)
        #expect(run.output == "HEAD:a.json: ✗ unreadable: \(SourceProblem.git(.tooLarge(limit: 2 << 20)))\n0\n")
    }

    @Test("migrate writes a gzip file packed, to standard output and in place")
    func packedMigration() throws {
        let folder = try TemporaryFolder()
        try folder.write(Poems.first, to: "a.json")
        let script = """
            $0 migrate a.json > plain; gzip -kn a.json
            $0 migrate a.json.gz | gzip -cd | cmp - plain && $0 migrate - < a.json.gz | gzip -cd | cmp - plain &&
            $0 migrate --in-place a.json.gz && gzip -cd a.json.gz | cmp - plain && gzip -cd < a.json.gz.bak | cmp - a.json
            """
        let run = try bash(script, in: folder)
        #expect(run.status == 0 && run.output == "", "\(run.output) \(run.errors)")
    }

    @Test("check ends with SIGPIPE when its reader ends")
    func head() throws {
        let folder = try linesFolder()
        let run = try bash("yes '\(Poems.first)' | $0 check - | head -n 1; echo ${PIPESTATUS[1]}", in: folder)
        #expect(run.lines == ["-#L1: ✓ Poem 1 → 3", "141"] && run.errors == "")
    }
}
