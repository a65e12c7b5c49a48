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

    func line(ofRow row: Int) -> Int {
        hasHeadings ? row + sections(upTo: row) : row
    }

    /// What is on a line of the list.
    func line(at line: Int) -> Line {
        guard hasHeadings else { return .row(line) }
        // The heading of a section is on the line of its first row and of the headings before it.
        var (low, high) = (0, starts.count)
        while low < high {
            let middle = (low + high) / 2
            if starts[middle] + middle <= line { low = middle + 1 } else { high = middle }
        }
        guard low > 0, starts[low - 1] + low - 1 == line else { return .row(line - low) }
        return .heading(row: starts[low - 1])
    }

    func isFirstOfSection(_ row: Int) -> Bool {
        let sections = sections(upTo: row)
        return sections > 0 && starts[sections - 1] == row
    }

    /// The sections that begin at this row or before it.
    private func sections(upTo row: Int) -> Int {
        var (low, high) = (0, starts.count)
        while low < high {
            let middle = (low + high) / 2
            if starts[middle] <= row { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
