import DisplayText
import DocumentModel

/// The dates below the columns of a timeline, or the values that order its states. A label has a corner below the column
/// that it belongs to.
struct TimelineAxis: Sendable {
    struct Label: Sendable {
        let x: Int
        /// The text without the corner.
        let text: String
        /// Whether the corner is at the right end.
        let isRightAligned: Bool
    }

    private(set) var labels: [Label] = []

    init() {}

    init(
        _ timeline: Timeline, _ columns: [TimelineLine.Column], pitch: Int, documents: DocumentList, width: Int,
        glyphs: Glyphs
    ) {
        guard let first = columns.first, let last = columns.last, timeline.hasDates || timeline.order != nil else {
            return
        }
        let text = { (column: TimelineLine.Column, isLast: Bool) in
            timeline.axisText(at: isLast ? column.states.upperBound - 1 : column.states.lowerBound, documents) ?? ""
        }
        let size = { (text: String) in TextWidth.columns(of: text, repertoire: glyphs.repertoire) + 1 }
        var free = 0
        let opening = text(first, false)
        if !opening.isEmpty, size(opening) <= width {
            labels.append(Label(x: first.x, text: opening, isRightAligned: false))
            free = size(opening) + 1
        }
        var end = width
        var closing: Label?
        if columns.count > 1 {
            let ending = text(last, true)
            if ending.isEmpty {
            } else if last.x >= free, last.x + size(ending) <= width {
                closing = Label(x: last.x, text: ending, isRightAligned: false)
                end = last.x
            } else if last.x + 1 - size(ending) >= free {
                closing = Label(x: last.x + 1 - size(ending), text: ending, isRightAligned: true)
                end = last.x + 1 - size(ending)
            }
        }
        // In between, a value each, or the years, months or days that begin.
        let isEach = timeline.order != nil || pitch > size(opening)
        let lastDay = columns.last { text($0, false) != Timeline.now }.map { text($0, false) } ?? opening
        let length = isEach ? nil : Self.period(from: opening, to: lastDay)
        var shown = length.map { String(opening.prefix($0)) } ?? opening
        for column in columns.dropFirst().dropLast() {
            var label = text(column, false)
            if let length {
                label = String(label.prefix(length))
                guard label > shown, label != Timeline.now.prefix(length) else { continue }
            } else if label == shown {
                continue
            }
            guard !label.isEmpty, column.x >= free, column.x + size(label) < end else { continue }
            labels.append(Label(x: column.x, text: label, isRightAligned: false))
            shown = label
            free = column.x + size(label) + 1
        }
        if let closing { labels.append(closing) }
    }

    /// Returns the number of characters of a date that distinguish the years, months or days between two dates.
    private static func period(from first: String, to last: String) -> Int {
        if first.prefix(4) != last.prefix(4) { return 4 }
        return first.prefix(7) != last.prefix(7) ? 7 : 10
    }
}

extension Timeline {
    /// The name of the state on the disk.
    static let now = "now"

    /// Whether the states have dates.
    var hasDates: Bool { isHistory }

    /// Returns the day of a state, or the value that orders it.
    fileprivate func axisText(at position: Int, _ documents: DocumentList) -> String? {
        guard let state = state(at: position) else { return nil }
        guard order == nil else {
            return orderValues[state].map { $0.isDateWithTime ? String($0.prefix(10)) : $0.withoutMiddle(most: 16) }
        }
        return documents[state]?.revision?.day ?? Self.now
    }
}

extension String {
    /// Whether this is a date and a time as in ISO 8601.
    fileprivate var isDateWithTime: Bool { prefixMatch(of: /\d{4}-\d{2}-\d{2}T/) != nil }
}

/// A state in the order of a value.
public enum OrderedState {
    /// Returns the value that orders a state as text: a string without its quotes.
    public static func text(of value: DocumentNode) -> String {
        value.string.map { $0.withoutMiddle(most: 64) } ?? value.briefText
    }
}
