import Foundation
import TestSupport
import Testing

@Suite("Sessions with the demo-data", .enabled(if: isInstalled("tmux"), "tmux is not installed"))
struct PoemSessionTests {
    @Test("a user filters for a failing poem, and sees its field and line", arguments: [(120, 36), (80, 24)])
    func failingPoem(width: Int, height: Int) async throws {
        let terminal = try await TerminalSession(width: width, height: height)
        try terminal.enter("migration-inspector demo-data")
        try await terminal.sees("Documents", "q quit")

        try terminal.type("/rating-9")
        try terminal.press("Enter")
        try await terminal.sees("1/1", "Poem · version 1", "fieldNoLongerValid", "names $.rating")
        try await terminal.sees(
            "Star rating 9 is no longer valid", "starRating  9  ◀", #"5 │   "starRating": 9"#, "line 5, column 17")

        try terminal.press("Escape")
        try await terminal.seesNo("1/1")
        try terminal.press("q")
        try await terminal.seesPrompt()
    }

    @Test("a user fixes a failing poem with the keys on the screen, and checks the written file")
    func mending() async throws {
        let terminal = try await TerminalSession()
        try terminal.enter("cd $(mktemp -d) && migration-inspector")
        try await terminal.sees("proof: opens with 5", "rating-9.json ─")
        try terminal.press("C")
        try await terminal.sees("1  $.starRating is 5  (opens)")
        try terminal.press("1")
        try await terminal.sees("what if $.starRating is 5")
        try terminal.press("w", "m")
        try await terminal.sees("Write to: rating-9.mended.json")
        try terminal.press("Enter")
        try await terminal.sees("written: rating-9.mended.json")
        try terminal.press("w", "m", "Enter")
        try await terminal.sees("that file exists")
        try terminal.press("Escape")
        try await terminal.seesNo("that file exists")
        try terminal.press("q")
        try await terminal.seesPrompt()
        try terminal.enter("migration-inspector check rating-9.mended.json")
        try await terminal.sees("rating-9.mended.json: ✓ Poem 1 → 3")
    }

    @Test("a user opens another folder after a mistyped name, and returns")
    func otherFolder() async throws {
        let terminal = try await TerminalSession()
        try terminal.enter("migration-inspector demo-data/poems")
        try await terminal.sees("Documents", "q quit")
        try terminal.press("F")
        try await terminal.sees("Open: demo-data/poems")
        try terminal.press("C-w")
        try terminal.type("demo-data/posted/")
        try terminal.press("Enter")
        try await terminal.sees("no such file or folder:", "demo-data/posted/")
        try terminal.press("BSpace")
        try terminal.press("Tab")
        try await terminal.sees("demo-data/posted-letters/")
        try terminal.press("Enter")
        try await terminal.sees("Letter", "Documents")
        try terminal.press("F", "Up", "Up")
        try await terminal.sees("Open: demo-data/poems")
        try terminal.press("Enter")
        try await terminal.sees("rating-9.json", "Poem")
        try terminal.press("q")
        try await terminal.seesPrompt()
    }

    @Test("a user fixes a document in an editor, and sees its migration at once")
    func editing() async throws {
        let terminal = try await TerminalSession(environment: ["VISUAL": "sed -i s/9/4/"])
        try terminal.enter(
            "cd $(mktemp -d) && cp -r \(Project.folder.path(percentEncoded: false))demo-data/poems . && migration-inspector poems/rating-9.json"
        )
        try await terminal.sees("Star rating 9 is no longer valid")
        try terminal.press("C-o")
        try await terminal.sees("Step 1 → 2", #""love""#)
        try terminal.press("q")
        try await terminal.seesPrompt()
    }

    @Test("a user saves a document in another program and rebuilds the inspector, and continues at the same place")
    func rebuilding() async throws {
        let folder = try TemporaryFolder()
        let poem = try String(
            contentsOf: Project.folder.appending(path: "demo-data/poems/rating-9.json"), encoding: .utf8)
        try folder.write(poem, to: "a.json")
        try folder.write(poem, to: "b.json")
        // Copied by the shell, because a program written by this process may still be open in a child that is being
        // started.
        let terminal = try await TerminalSession()
        try terminal.enter("cd \(folder.path) && cp $(command -v migration-inspector) inspect && ./inspect .")
        try await terminal.sees("a.json ─", "b.json")
        try terminal.press("Down")
        try await terminal.sees("b.json ─", "starRating  9  ◀")
        try folder.write(poem.replacing("9", with: "4"), to: "b.json")
        try await terminal.sees("b.json ─", #""love""#)
        let script =
            #"printf '#!/bin/sh\necho "shows $MIGRATION_INSPECTOR_VIEW"\n' > new; chmod +x new; mv new inspect"#
        _ = try BuiltProgram(path: "/bin/sh").run("-c", script, in: folder.path)
        try await terminal.sees("R new build")
        try terminal.press("R")
        try await terminal.sees("shows {", #""title":"b.json""#, #""stop":1"#)
        try await terminal.seesPrompt()
    }

    @Test("a user adds and removes documents on disk, and sees both in the list")
    func comingAndGoing() async throws {
        let folder = try TemporaryFolder()
        let poem = try String(
            contentsOf: Project.folder.appending(path: "demo-data/poems/rating-9.json"), encoding: .utf8)
        for name in ["b.json", "d.json"] { try folder.write(poem, to: name) }
        let terminal = try await TerminalSession()
        try terminal.enter("migration-inspector \(folder.path)")
        try await terminal.sees("b.json ─", "✗ b.json", "✗ d.json")
        try folder.write(poem.replacing("9", with: "4"), to: "sub/c.json")
        try await terminal.sees("✓ c.json", "✗ b.json", "✗ d.json")
        try FileManager.default.removeItem(atPath: folder.path("d.json"))
        try await terminal.sees("⊘ d.json")
        try folder.write(poem.replacing("9", with: "5"), to: "sub/c.json")
        try folder.write(poem.replacing("9", with: "4"), to: "d.json")
        try await terminal.sees("✓ d.json", "✓ c.json")
    }

    @Test("a user copies a path, and tmux receives it")
    func copying() async throws {
        let terminal = try await TerminalSession()
        try terminal.enter("migration-inspector demo-data/poems/rating-9.json")
        try await terminal.sees("starRating  9  ◀")
        try terminal.press("y", "p")
        try await terminal.sees("Sent to the terminal", "$.starRating")
        try await terminal.hasCopied("$.starRating")
    }

    @Test("a user opens a truncated text, and sees where it ends")
    func malformed() async throws {
        let terminal = try await TerminalSession()
        try terminal.enter("migration-inspector demo-data/poems/wrong-cut-short.json")
        try await terminal.sees("malformed", #"11 │     "Nothing beside rema"#)
    }

    @Test("a user moves from problem to problem")
    func problems() async throws {
        let terminal = try await TerminalSession()
        try terminal.enter("migration-inspector demo-data/poems")
        try await terminal.sees("✗ 1 of 7 problems")
        for problem in ["version-7-too-new.json ─", "wrong-author-misspelt.json ─", "wrong-cut-short.json ─"] {
            try terminal.press("e")
            try await terminal.sees(problem)
        }
        try await terminal.sees("malformed")
        try terminal.press("E")
        try await terminal.sees("wrong-author-misspelt.json ─", "keyNotFound")
    }

    @Test("a user steps through a migration, and sees the changes of each step")
    func steps() async throws {
        let terminal = try await TerminalSession()
        try terminal.enter("migration-inspector demo-data/poems/version-none.json")
        try await terminal.sees("● none", "Poem · ")
        try terminal.press("Home", "[", "[", "[", "[")
        try await terminal.sees("Overview")
        try terminal.press("Right")
        try await terminal.sees("Step none → 1", #""Anonymous""#)
        try terminal.press("Right")
        try await terminal.sees("Step 1 → 2", #""love""#)
        try terminal.press("Right")
        try await terminal.sees("Step 2 → 3", "lines")
        try terminal.press("Left")
        try await terminal.sees("Step 1 → 2")
    }

    @Test("a user filters for failed documents, and then shows all again")
    func filterByOutcome() async throws {
        let terminal = try await TerminalSession()
        try terminal.enter("migration-inspector demo-data/poems")
        try await terminal.sees("✓ version-none.json", "✗ 1 of 7 problems", "1/14")
        try terminal.press("f")
        try await terminal.sees("1/7")
        try await terminal.seesNo("✓ version")
        try terminal.press("Escape")
        try await terminal.sees("✓ version-none.json", "/14")
    }

    @Test("a user searches the source text")
    func search() async throws {
        let terminal = try await TerminalSession()
        try terminal.enter("migration-inspector demo-data/posted-letters/version-2.json")
        try await terminal.sees("Source", "q quit")
        try terminal.press("s")
        try terminal.type("/cards")
        try terminal.press("Enter")
        try await terminal.sees("Come to tea on Thursday, and bring the cards.", "n")
        try terminal.type("/nowhere to be found")
        try terminal.press("Enter")
        try await terminal.seesRow("that says nothing was found", pressing: "n") { $0.contains("nowhere to be found") }
    }

    @Test("a user opens the help, and returns to the document")
    func help() async throws {
        let terminal = try await TerminalSession()
        try terminal.enter("migration-inspector demo-data/poems")
        try await terminal.sees("rating-9.json ─")
        try terminal.press("?")
        try await terminal.sees("Keys and signs")
        try terminal.press("q")
        try await terminal.seesNo("Keys and signs")
        try await terminal.sees("rating-9.json ─")
    }

    @Test("a user clicks on a document")
    func mouse() async throws {
        let terminal = try await TerminalSession()
        try terminal.enter("migration-inspector demo-data/poems")
        let screen = try await terminal.sees("✓ version-1.json", "rating-9.json ─")
        let row = try #require(screen.split(separator: "\n").firstIndex { $0.contains("✓ version-1.json") })
        try terminal.click(column: 6, row: row + 1)
        try await terminal.sees("version-1.json ─")
    }
}
