import DocumentModel

/// Which rows of a list follow each other in one place, and the lines that rows take when every such run has a heading.
///
/// A line is a heading or a row. Finding one from the other is a binary search, however many rows there are.
struct DocumentSections: Hashable, Sendable {
    /// What stands on a line of the list.
    enum Line: Hashable, Sendable {
        /// The heading of the section that begins with this row.
        case heading(row: Int)
        case row(Int)
    }

    private(set) var rowCount = 0
    /// The rows that runs begin with, in ascending order.
    private var starts: [Int] = []
    private var lastPlace: Int?
    /// Where all documents are in one place, no heading is needed.
    var hasHeadings = false

    /// Adds a row in a place.
    mutating func append(place: Int) {
        if place != lastPlace { starts.append(rowCount) }
        lastPlace = place
        rowCount += 1
    }

    var lineCount: Int { rowCount + (hasHeadings ? starts.count : 0) }

    func line(ofRow row: Int) -> Int { hasHeadings ? row + sections(upTo: row) : row }

    /// What is on a line of the list.
    func line(at line: Int) -> Line {
        guard hasHeadings else { return .row(line) }
        // The heading of a section is on the line of its first row and of the headings before it.
        let headings = starts.indices.partitioningIndex { starts[$0] + $0 > line }
        guard headings > 0, starts[headings - 1] + headings - 1 == line else { return .row(line - headings) }
        return .heading(row: starts[headings - 1])
    }

    func isFirstOfSection(_ row: Int) -> Bool {
        let sections = sections(upTo: row)
        return sections > 0 && starts[sections - 1] == row
    }

    /// The sections that begin at this row or before it.
    private func sections(upTo row: Int) -> Int { starts.partitioningIndex { $0 > row } }
}
