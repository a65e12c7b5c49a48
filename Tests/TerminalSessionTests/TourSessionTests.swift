import Foundation
import TestSupport
import Testing

@Suite("Sessions with the tour", .enabled(if: isInstalled("tmux"), "tmux is not installed"))
struct TourSessionTests {
    /// The title of each stop, and the keys that it waits for.
    private static let stops: [(title: String, keys: [String])] = [
        ("Versions, steps, a chain", ["Tab"]), ("The signs of the list", ["Down", "Up"]), ("A version key", ["Left"]),
        ("A version by shape", ["Left"]), ("One step, and what it changed", ["d", "d"]),
        ("A chain of three", ["Right", "Right", "Right"]), ("A migration that plays", ["p"]),
        ("Where a value came from", ["2", "Down"]), ("A failure, and its proof", ["t", "t"]),
        ("Passing values", ["C", "1", "u"]), ("A repair", ["s", "a", "u"]), ("A field that is dropped", ["2", "Down"]),
        ("Closures, and a loss inside a step", ["Right"]),
        ("A document of no chain", ["D", "Escape"]),
        ("Preferences", ["Left", "2", "Down", "Enter"]), ("Rows of a store", ["f", "Escape"]),
        ("A history", ["H", "{"]),
        ("Your own documents", []),
    ]

    /// Text on the screen of each stop's document, in the panels above that of the tour, which may contain it too.
    private static let awaited = [
        "already current", "v1 ✗ 2", "Step 1 → 2", "Step 1 → 2", "{1}", "Step none → 1", "─ ● 3", "← starRating",
        "proved", "opens with", "◀ repair:", "dropped", "Step 1 → 2", "Why not", "Step 4 → 5", "deleted", "great",
        "limerick.json",
    ]

    /// The states of the document with a history, all of them checked.
    private static let history = "✓───────────✓───────────✓───────────✗───────────✗──────────[✗]"

    @Test(
        "a user takes the tour through the demo-data, and presses the keys of each stop",
        arguments: [(120, 36), (80, 24)])
    func demoData(width: Int, height: Int) async throws {
        let terminal = try await TerminalSession(width: width, height: height)
        try terminal.enter("migration-inspector tour")
        for (number, stop) in Self.stops.enumerated() {
            try await terminal.sees("Tour  \(stop.title)", "stop \(number + 1) of \(Self.stops.count)")
            // The results that a key needs may not have arrived yet.
            try await terminal.sees(Self.awaited[number], above: "Tour  ")
            for key in stop.keys {
                if key == "{" { try await terminal.sees("Timeline of limerick.json", Self.history) }
                try terminal.press(key)
            }
            if !stop.keys.isEmpty { try await terminal.sees("✓ Press", ". next") }
            if stop.title == "A history" { try await terminal.sees("Praise, by hand", "fails since here") }
            if number < Self.stops.count - 1 { try terminal.press(".") }
        }
        try terminal.press("T")
        try await terminal.seesNo("stop 18 of 18")
        // The tour continues where it was left.
        try terminal.press("T")
        try await terminal.sees("stop 18 of 18")
        try terminal.press(",")
        try await terminal.sees("Tour  A history")
        try terminal.press("q")
        try await terminal.seesPrompt()
    }

    @Test("the tour deletes its repository when it ends, and reads no configuration of the user")
    func repository() async throws {
        let (home, temporary) = (try TemporaryFolder(), try TemporaryFolder())
        try home.write("[core\nbroken", to: ".gitconfig")
        let terminal = try await TerminalSession(environment: ["HOME": home.path, "TMPDIR": temporary.path])
        try terminal.enter("GIT_CONFIG_GLOBAL=\(home.path("nowhere")) migration-inspector tour")
        try await terminal.sees("Tour  Versions, steps, a chain")
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path).count == 1)
        try terminal.press("q")
        try await terminal.seesPrompt()
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path).isEmpty)
    }

    @Test("the tour is refused without a terminal")
    func withoutTerminal() async throws {
        let run = try BuiltProgram.inspector.run("tour")
        #expect(run.status == 64 && run.errors.contains("the tour needs a terminal"))
    }
}
