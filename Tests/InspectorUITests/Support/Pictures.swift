import Testing

@testable import InspectorUI

/// Compares a screen with a picture, and shows both if they differ.
///
/// - Parameter sentences: The texts that replace each `«name»` in the picture. A text is cut off at the border after
///   it, except at the right end of a panel's upper border and at the end of the last line, where it keeps its length.
func expectPicture(
    _ shown: String, _ picture: String, _ sentences: [String: String] = [:],
    sourceLocation: SourceLocation = #_sourceLocation
) {
    let shownLines = shown.split(separator: "\n", omittingEmptySubsequences: false)
    let lines = picture.split(separator: "\n", omittingEmptySubsequences: false).map { filled($0, sentences) }
    guard shownLines.map(String.init) != lines else { return }
    var difference = ""
    for row in 0..<max(shownLines.count, lines.count) {
        let actual = row < shownLines.count ? String(shownLines[row]) : "(no row)"
        let expected = row < lines.count ? lines[row] : "(no row)"
        if actual != expected { difference += "row \(row)\n  expected \(expected)\n  shown    \(actual)\n" }
    }
    Issue.record(
        "The screen looks different:\n\(difference)\nThe whole screen:\n\(shown)", sourceLocation: sourceLocation)
}

/// Returns a line of a picture with the sentence in place of its name.
private func filled(_ line: Substring, _ sentences: [String: String]) -> String {
    if let place = line.firstMatch(of: /(─+)( [^─«]*)«(\w+)» ┤/) {
        let words = place.2 + (sentences[String(place.3)] ?? "") + " ┤"
        return line[..<place.range.lowerBound] + String(repeating: "─", count: max(0, place.0.count - words.count))
            + words + line[place.range.upperBound...]
    }
    if let place = line.firstMatch(of: /«(\w+)»$/) {
        return line[..<place.range.lowerBound] + (sentences[String(place.1)] ?? "")
    }
    guard let place = line.firstMatch(of: /«(\w+)»([^│┃]*) (?=[│┃])/) else { return String(line) }
    let text = (sentences[String(place.1)] ?? "") + place.2.reversed().drop { $0 == " " }.reversed()
    let width = place.0.count - 1
    let cut =
        text.count > width ? text.prefix(width - 1) + "›" : text + String(repeating: " ", count: width - text.count)
    return line[..<place.range.lowerBound] + cut + " " + line[place.range.upperBound...]
}
