import Testing

@testable import InspectorUI

/// Compares a screen with a picture, and shows both where they differ.
func expectPicture(_ shown: String, _ picture: String, sourceLocation: SourceLocation = #_sourceLocation) {
    guard shown != picture else { return }
    let shownLines = shown.split(separator: "\n", omittingEmptySubsequences: false)
    let lines = picture.split(separator: "\n", omittingEmptySubsequences: false)
    var difference = ""
    for row in 0..<max(shownLines.count, lines.count) {
        let actual = row < shownLines.count ? String(shownLines[row]) : "(no row)"
        let expected = row < lines.count ? String(lines[row]) : "(no row)"
        if actual != expected { difference += "row \(row)\n  expected \(expected)\n  shown    \(actual)\n" }
    }
    Issue.record(
        "The screen looks different:\n\(difference)\nThe whole screen:\n\(shown)", sourceLocation: sourceLocation)
}
