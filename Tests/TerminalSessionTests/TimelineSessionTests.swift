import Foundation
import TestSupport
import Testing

@Suite("Sessions with the states of a document", .enabled(if: isInstalled("tmux"), "tmux is not installed"))
struct TimelineSessionTests {
    private static func poem(rating: Int, author: String) -> String {
        """
        {
          "version": 1,
          "author": "\(author)",
          "poem": "a mouse",
          "starRating": \(rating)
        }
        """
    }

    @Test("a user sees since which commit a poem fails, what the commit changed, and where else the value changed")
    func history() async throws {
        let git = try GitFolder()
        try git.commit(Self.poem(rating: 3, author: "Ann"), to: "poem.json", "begun")
        try git.commit(Self.poem(rating: 4, author: "Ann"), to: "poem.json", "better")
        try git.commit(Self.poem(rating: 9, author: "Ann"), to: "poem.json", "nine of five")
        try git.commit(Self.poem(rating: 9, author: "Bea"), to: "poem.json", "named")
        let terminal = try await TerminalSession()
        try terminal.enter("migration-inspector \(git.folder.path)")
        try await terminal.sees("poem.json ─", "Star rating 9 is no longer valid")
        try terminal.press("H")
        try await terminal.sees(
            "Timeline of poem.json", "5 of 5", "now  poem.json as it is on the disk", "v1────", "└now",
            "✓───────────✓───────────✗───────────✗──────────[✗]", "Last changed in", "author      \"Ann\" → \"Bea\"")
        try terminal.press("{")
        try await terminal.sees("nine of five", "fails since here", "starRating  4 → 9", "3 of 5")
        try terminal.press("f")
        try await terminal.sees("$.starRating in 5 states", "3 → 4", "4 → 9")
        try terminal.press("2")
        try await terminal.sees("2 of 5", ": better", "starRating  3 → 4")
        try terminal.press("Escape")
        try await terminal.sees("Documents", "better")
        try terminal.press("q")
        try await terminal.seesPrompt()
        try terminal.enter("clear; migration-inspector inspect --history \(git.path("poem.json"))")
        try await terminal.sees(
            "Timeline of poem.json", "4 of 4", "Ada Lovelace: named", "author      \"Ann\" → \"Bea\"")
        try terminal.press("q")
        try await terminal.seesPrompt()
        try git.git("rm", "--quiet", "poem.json")
        try git.commit("gone")
        try terminal.enter("clear; migration-inspector inspect --history \(git.path("poem.json"))")
        try await terminal.sees("5 of 5", "deleted since here", "Deleted here; [ goes to the state before")
        try terminal.press("B")
        try await terminal.sees("this state has no values that can be read; [ and ] go to others")
        try terminal.press("[")
        try await terminal.sees("4 of 5", "author      \"Ann\" → \"Bea\"")
        try terminal.press("q")
        try await terminal.seesPrompt()
    }

    @Test("a user sees a long history at once, goes to its ends, follows a number and plays it")
    func overview() async throws {
        let git = try GitFolder()
        for number in 0..<200 {
            let rating = number == 120 ? 9 : number % 6
            try git.commit(Self.poem(rating: rating, author: "A\(number)"), to: "poem.json", "change \(number)")
        }
        let terminal = try await TerminalSession()
        try terminal.enter("migration-inspector \(git.folder.path)/poem.json")
        try await terminal.sees("poem.json ─")
        try terminal.press("H")
        try await terminal.sees("201 of 201", "v1────", "✓✓✓✓✗✓✓✓✓", "now┘", "Last changed in", "→ \"A199\"")
        try terminal.press("g")
        try await terminal.sees("1 of 201", "The first state", ": change 0")
        // There is no value to follow until all are shown. The notice that says so goes by itself.
        try terminal.press("f", "v", "G", "f")
        try await terminal.sees("$.starRating in 201 states")
        try terminal.press("Escape")
        try await terminal.sees("$.starRating: 0 of 0 to 9", "█")
        try terminal.press("?")
        try await terminal.sees("Keys in timelines", "play through time, state by state")
        try terminal.press("Escape")
        try await terminal.sees("$.starRating: 0 of 0 to 9")
        try terminal.press("p", "+", "+")
        try await terminal.sees("playing", "of 201", "pace 5 of 5")
        try terminal.press("C-c")
        try await terminal.seesPrompt()
    }

    @Test("a user orders the lines of a log by date")
    func ordering() async throws {
        let folder = try TemporaryFolder()
        let lines = [(2, 5), (1, 4), (3, 3)].map { day, rating in
            #"{"version": 1, "author": "A", "poem": "p", "starRating": \#(rating), "at": "2024-03-0\#(day)T10:00:00Z"}"#
        }
        try folder.write(lines.joined(separator: "\n"), to: "log.jsonl")
        let terminal = try await TerminalSession()
        try terminal.enter("migration-inspector --order-by '$.at' \(folder.path("log.jsonl"))")
        try await terminal.sees("line 1", "line 3")
        try terminal.press("O")
        try await terminal.sees(
            "Timeline of log.jsonl", "2 of 3", "Changed from line 2", "starRating  4 → 5")
        try terminal.press("]")
        try await terminal.sees("Changed from line 1", "starRating  5 → 3")
        try terminal.press("q")
        try await terminal.seesPrompt()
    }
}
