/// The value that documents are put in order by.
public enum OrderKey: Hashable, Sendable, CustomStringConvertible {
    /// The value at a path in each document.
    case value(DocumentPath)
    /// The value in this column of the row that each document is in.
    case column(String)

    /// Parses a path, which begins with `$`, or the name of a column; returns nil for anything else.
    public init?(_ text: String) {
        if text.utf8.first == UInt8(ascii: "$") {
            guard let path = DocumentPath(text) else { return nil }
            self = .value(path)
        } else if text.isEmpty {
            return nil
        } else {
            self = .column(text)
        }
    }

    /// The path, or the column: `$.createdAt`, `column ZDATE`.
    public var description: String {
        switch self {
        case .value(let path): "\(path)"
        case .column(let name): "column \(name)"
        }
    }

    /// Whether it is a column.
    package var isColumn: Bool { if case .column = self { true } else { false } }
}
