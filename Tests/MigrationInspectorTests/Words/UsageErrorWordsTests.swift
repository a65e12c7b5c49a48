import DocumentSources
import ExampleChains
import MigrationCore
import MigrationWorker
import Testing

@testable import MigrationInspector

@Suite("Sentences about the command line")
struct UsageErrorWordsTests {
    @Test(
        "a usage error says what is wrong, and what would be right",
        arguments: [
            (.neitherCommandNorFile("chek"), "unknown command 'chek'; did you mean 'check'?"),
            (.neitherCommandNorFile("tarce"), "unknown command 'tarce'; did you mean 'trace'?"),
            (.neitherCommandNorFile("migrat"), "unknown command 'migrat'; did you mean 'migrate'?"),
            (.neitherCommandNorFile("CHECK"), "unknown command 'CHECK'; did you mean 'check'?"),
            (
                .neitherCommandNorFile("supercalifragilistic"),
                "'supercalifragilistic' is no command, and there is no such file or folder; commands are inspect, tour, check, trace, diff, shrink, migrate, scaffold, chains, completions, manual"
            ),
            (.notOneShell(count: 0), "completions takes one shell (bash, zsh, fish), but none is given"),
            (.notOneShell(count: 2), "completions takes one shell (bash, zsh, fish), but 2 are given"),
            (.unknown("chain", "x", known: []), "unknown chain 'x'"),
            (
                .unknownVersion(
                    .number(9), chains: [ChainDescription(ExampleChains.poem)]),
                "unknown version '9'; Poem has none, 1, 2, 3"
            ),
            (.foreign(.inPlace, of: .check), "check has no option --in-place; it belongs to migrate"),
            (
                .foreign(.format, of: .inspect),
                "inspect has no option --format; it belongs to check, trace, diff, chains"
            ),
            (.foreign(.jobs, of: .trace), "trace has no option --jobs; it belongs to check, migrate"),
            (.needlessValue(.inPlace), "--in-place takes no value"),
            (.missingValue(.format), "--format needs a value"),
            (.wrongValue(.jobs, found: "0"), "--jobs needs a number of processes; found '0'"),
            (
                .wrongValue(.timeLimit, found: "soon"),
                "--time-limit needs a number of seconds, or 0 for no limit; found 'soon'"
            ),
            (
                .wrongValue(.memoryLimit, found: "-1"),
                "--memory-limit needs a number of megabytes, or 0 for no limit; found '-1'"
            ),
            (.repeated(.to), "--to is given twice"),
            (.exclusive(.output, .inPlace), "--output and --in-place exclude one another"),
            (.noPath(.check), "check needs at least one file, folder or '-'"),
            (.needlessName(.chains, "b"), "chains takes one name; found also 'b'"),
            (.needlessPath(.tour, "b"), "tour takes no path; found 'b'"),
            (.noTour, "this program has no tour"),
            (.tourWithoutScreen, "the tour needs a terminal, and standard output is none"),
            (.notOne(.trace, count: 0), "trace takes one document, but none is given"),
            (.notOne(.shrink, count: 2), "shrink takes one document, but 2 are given"),
            (
                .severalNeedFolder,
                "several documents are written with --output FOLDER, or with --in-place, which replaces them and keeps the old ones"
            ),
            (
                .fileAndFolder("a/b"),
                "a/b would be a document, and a folder of others; migrate them into different folders"
            ),
            (.noFolder("a"), "a is a file, where --output needs a folder for several documents"),
            (
                .nameless("-"),
                "- is not a file of its own, so there is no name for it in a folder; migrate it alone, with --output FILE"
            ),
            (
                .sameName("a/x", "b/x", name: "c/x"),
                "a/x and b/x would both be written as c/x; migrate them into different folders"
            ),
            (
                .several(count: 2, in: "-", first: nil),
                "- holds 2 documents, one in each line; check takes them all; to name one, write them to a file (FILE#L1)"
            ),
            (
                .several(count: 2, in: "all.jsonl", first: "all.jsonl#L1"),
                "all.jsonl holds 2 documents, one in each line; name the one that is meant, as all.jsonl#L1"
            ),
            (.inPlaceOfInput, "--in-place needs a file, not standard input; use --output"),
            (
                .inPlaceOfPart("all.jsonl#L1", of: "all.jsonl"),
                "all.jsonl#L1 is only a part of all.jsonl, so --in-place cannot replace it; use --output"
            ),
            (
                .outputIsDocument,
                "--output names the document that is opened; --in-place replaces it, and keeps the old one"
            ),
            (.storeAmongSeveral("a.store"), "a.store: a store, which is migrated alone, with --output COPY"),
            (
                .outputInside("a/b", of: "a"),
                "a/b is in a, so what is written there would be migrated with it the next time; name a folder beside it"
            ), (.noReport, "check --merge needs at least one report, or '-'"),
            (
                .shardOfInput("-"),
                "- can be read only once, so nobody knows where its parts begin; name a file"
            ),
            (
                .inPlaceOfStore("a.store"),
                """
                a.store is a store, which other programs may have open, so --in-place never changes it; \
                --output COPY writes a migrated copy
                """
            ),
            (
                .storeNeedsOutput("a.store"),
                "a.store is a store, and a copy of it has to be a file; name it with --output COPY"
            ),
            (
                .unfitForTerminal("a.plist", .migrate),
                """
                a.plist contains bytes that could control the terminal, and its format cannot escape them; \
                redirect standard output to a file, or use --output
                """
            ),
            (
                .unfitForTerminal("a.plist", .shrink),
                """
                a.plist contains bytes that could control the terminal, and its format cannot escape them; \
                redirect standard output to a file
                """
            ),
        ] as [(UsageError, String)])
    func sentences(error: UsageError, sentence: String) {
        #expect(error.message == sentence)
    }
}
