import DocumentModel
import Testing

@testable import DocumentSources

extension DocumentStore {
    /// The names of the cells of a column, without the name of the file.
    func names(_ table: String, _ column: String) throws -> [String] {
        try cells(table, column).map { String($0.name.dropFirst(file.description.count)) }
    }

    /// The cells of a column.
    func cells(_ table: String, _ column: String) throws -> [DocumentReference] {
        var cells: [DocumentReference] = []
        try forEachCell(of: StoreColumn(table: table, column: column)) { cells += $0 }
        return cells
    }

    /// The contents of the cells of a column, each read by its name as a person would type it.
    func texts(_ table: String, _ column: String) throws -> [String] {
        try cells(table, column).map { cell in
            let named = GivenName(FilePath(cell.name)).document
            #expect(named == cell)
            let bytes = try named.read()
            return bytes.string(in: 0..<bytes.count)
        }
    }
}
