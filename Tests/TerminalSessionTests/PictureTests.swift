import Foundation
import TestSupport
import Testing

@Suite("Pictures in the README", .enabled(if: isInstalled("tmux"), "tmux is not installed"))
struct PictureTests {
    private static let folder = "Sources/MigrationInspector/MigrationInspector.docc/Resources"

    /// Returns the lines of text in a picture, with each word in its column.
    private static func lines(ofPicture name: String) throws -> [String] {
        let picture = try Project.text("\(folder)/\(name)")
        #expect(try Project.text("README.md").contains("\(folder)/\(name)"))
        var lines: [Int: [Character]] = [:]
        let word = /<text x="([\d.]+)" y="(\d+)"[^>]*>([^<]*)</
        for match in picture.matches(of: word) {
            let column = Int(((Double(match.1) ?? 0) - 14) / 8.4 + 0.5)
            let row = ((Int(match.2) ?? 0) - 27) / 18
            let text = match.3.replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&amp;", with: "&")
            var line = lines[row] ?? []
            line += Array(repeating: " ", count: max(0, column - line.count))
            lines[row] = line + text
        }
        return (0..<24).map { String(lines[$0] ?? []) }
    }

    @Test(
        "the pictures in the README, made by make-pictures.py, match the program",
        arguments: ["screen-dark.svg", "screen-light.svg"])
    func areOfToday(name: String) async throws {
        let terminal = try await TerminalSession(width: 118, height: 24)
        try terminal.enter("migration-inspector demo-data/poems")
        try await terminal.sees("rating-9.json ─", "proof: opens with 5", "1 of 7 problems")
        for line in try Self.lines(ofPicture: name) where !line.isEmpty { try await terminal.sees(line) }
        try terminal.press("q")
        try await terminal.seesPrompt()
    }
}
