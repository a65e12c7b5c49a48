import DocumentModel

/// The sections of a list, each a run of consecutive rows with the same heading, and the lines that rows take up when
/// every section has a heading.
///
/// A line is a heading or a row. Converting between the two takes a binary search, however many rows there are.
struct DocumentSections: Hashable, Sendable {
    /// The content of a line of the list.
    enum Line: Hashable, Sendable {
        /// The heading of the section that starts with this row.
        case heading(row: Int)
        case row(Int)
    }

    private(set) var rowCount = 0
    /// The first row of each section, in ascending order.
    private var starts: [Int] = []
    private var lastHeading: Int?
    /// Whether sections have headings. A list whose documents have the same heading needs none.
    var hasHeadings = false

    /// Appends a row that belongs to a heading.
    mutating func append(heading: Int) {
        if heading != lastHeading { starts.append(rowCount) }
        lastHeading = heading
        rowCount += 1
    }

    var lineCount: Int { rowCount + (hasHeadings ? starts.count : 0) }

    func line(ofRow row: Int) -> Int { hasHeadings ? row + sections(upTo: row) : row }

    /// Returns the content of a line of the list.
    func line(at line: Int) -> Line {
        guard hasHeadings else { return .row(line) }
        // A section's heading is on line s + h, where s is its first row and h is the number of headings before it.
        let headings = starts.indices.partitioningIndex { starts[$0] + $0 > line }
        guard headings > 0, starts[headings - 1] + headings - 1 == line else { return .row(line - headings) }
        return .heading(row: starts[headings - 1])
    }

    func isFirstOfSection(_ row: Int) -> Bool {
        let sections = sections(upTo: row)
        return sections > 0 && starts[sections - 1] == row
    }

    /// Returns the number of sections that start at or before this row.
    private func sections(upTo row: Int) -> Int { starts.partitioningIndex { $0 > row } }
}
