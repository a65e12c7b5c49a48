import Foundation
import TestSupport
import Testing

@Suite("Saves while migrate replaces a document")
struct SavesMeanwhileTests {
    /// Whether strace is installed and allowed to trace.
    private static let isPossible =
        (try? BuiltProgram(path: "/usr/bin/strace").run("-o", "/dev/null", "true"))?.status == 0

    /// Stops `$0 migrate --in-place` after each system call that names the document or a file made for it (only the
    /// first of several equal calls in a row), saves the document like another program, and prints the remaining files.
    /// `$1` is the document.
    private static let script = """
        calls=link,linkat,rename,renameat,renameat2,unlink,unlinkat,openat,newfstatat,access,listxattr,fsync,readlink
        fresh() { rm -rf work; mkdir work; cp "$1" work/p.json; cd work; }
        save() {
            case $1 in
                replaces) echo saved > ../new; mv ../new p.json ;;
                writes) echo saved > p.json ;;
                removes) rm p.json ;;
            esac
        }
        fresh "$1"
        strace -o ../calls -e trace=$calls "$0" migrate --no-experiments --in-place p.json 2> /dev/null || exit 3
        cd ..
        awk '{ split($0, part, "("); count[part[1]]++ }
            /p\\.json|\\.migration-inspector-/ { if (part[1] != last) print part[1], count[part[1]]; last = part[1] }' calls |
            grep -v execve > places
        while read -r call number; do
            for kind in replaces writes removes; do
                fresh "$1"
                mkfifo ../log
                strace -D -o ../log -e trace=$call -e inject=$call:signal=STOP:when=$number \\
                    "$0" migrate --no-experiments --in-place p.json 2> ../errors &
                saves=0
                while read -r line; do
                    case $line in *'stopped by SIGSTOP'*) save $kind; saves=$((saves + 1)); kill -CONT $! ;; esac
                done < ../log
                wait $!
                echo "$call $number $kind $saves $?" $(for file in $(ls -A); do
                    cmp -s $file "$1" && echo $file=old || echo $file=$(head -c 5 $file); done)
                cd ..
                rm log
            done
        done < places
        """

    @Test(
        "a save during migrate --in-place is kept, and so is the old document if it was replaced",
        .enabled(if: isPossible, "strace is not installed, or may not trace"))
    func atEveryCall() throws {
        let folder = try TemporaryFolder()
        let document = try folder.write(
            #"{"version": 1, "author": "A", "poem": "B", "starRating": 5}"#, to: "document")
        let run = try BuiltProgram(path: "/bin/bash").run(
            "-c", Self.script, BuiltProgram.inspector.path, document, in: folder.path)
        try #require(run.status == 0, "\(run.errors)")
        var refused = 0
        for line in run.lines {
            let words = line.split(separator: " ").map(String.init)
            try #require(words.count >= 5 && words[3] == "1", "\(line)")
            let saved = words[2] == "removes" ? [] : ["p.json=saved"]
            // If the document isn't replaced, no other file is left.
            #expect(Set(words[5...]) == Set(saved + (words[4] == "0" ? ["p.json.bak=old"] : [])), "\(line)")
            if words[4] != "0" { refused += 1 }
        }
        #expect(run.lines.count > 30 && refused > 10 && refused < run.lines.count, "\(run.output)")
    }
}
