import DocumentModel
import Foundation
import MigrationCore

/// A SQLite database whose cells are documents: a store of SwiftData or Core Data, or any other.
///
///     let store = try DocumentStore("Library.store")
///     for column in try store.documentColumns() {
///         try store.forEachCell(of: column) { references in … }
///     }
///
/// A store may be open in other programs, which see nothing of this: neither the file nor its log, the log's index or
/// its journal are changed in any way, and no lock is held between two questions but the one that every reader of a log
/// holds. What was committed last is what is read.
///
/// Nothing that a store says is run: its triggers and views are off, and virtual tables are not looked at.
public struct DocumentStore: DocumentSource {
    static var container: DocumentContainer? { .sqlite }

    /// The file, as it was given.
    public let file: FilePath
    let shared: SharedStore

    /// The store in a file. Stores are kept open for the next caller, so this costs nothing where one is open already.
    ///
    /// - Throws: ``SourceError`` where there is no such file; whether it is a store shows when it is first asked.
    public init(_ file: FilePath) throws(SourceError) {
        self.file = file
        shared = try OpenStores.shared.store(at: file)
    }

    /// Whether the file at `path` begins as a SQLite database does.
    static func isStore(_ path: FilePath) -> Bool {
        if OpenStores.shared.contains(path) { return true }
        return (try? OpenFile(path: path).head()).map(StoreHeader.begins) ?? false
    }

    static func source(in file: FoundFile) throws(SourceError) -> DocumentStore? {
        if file.ending == .document || file.ending == .lines { return nil }
        // A store that is open must be opened by SQLite alone, and so must what belongs to it; see ``StoreAccess``.
        if OpenStores.shared.contains(file.path) { return try DocumentStore(file.path) }
        if let store = StoreFiles.store(ofFileBeside: file.path) {
            throw SourceError(file.path, .store(.belongsToStore(path: store.description)))
        }
        if StoreHeader.begins(try file.head()) { return try DocumentStore(file.path) }
        // One that is packed is told so by what packed it.
        if Gzip.begins(try file.head()) { return nil }
        guard file.ending == .store, file.isGiven, let status = FileStatus(path: file.path) else { return nil }
        throw SourceError(file.path, .store(.notDatabase(byteCount: status.byteCount)))
    }

    static func source(at file: FilePath) throws(SourceError) -> DocumentStore { try DocumentStore(file) }

    // MARK: - Columns

    /// The columns that hold documents.
    ///
    /// - Parameter names: The columns to take, as `TABLE.COLUMN`; where none is named, they are found by looking: those
    ///   in which more than half of a sample of the cells begin as a JSON object or a property list, or as a JSON array
    ///   that parses.
    /// - Throws: ``SourceError``, with ``StoreProblem/noDocuments`` where none was found, and the nearest known name
    ///   for one that does not exist.
    public func documentColumns(named names: [String] = []) throws(SourceError) -> [StoreColumn] {
        guard case .columns(let columns) = try ask(.columns(named: names)).answer else {
            throw SourceError(file, .store(.otherAnswer))
        }
        return columns
    }

    // MARK: - Cells

    /// Lists the cells of a column that are not empty, in the order of their rows' keys, some at a time; between two
    /// times the store is not locked. A row that is written meanwhile may or may not be listed.
    ///
    /// - Parameters:
    ///   - isCancelled: Asked now and then; when it returns true, listing ends with ``SourceProblem/cancelled``.
    ///   - deliver: Given the names of the cells.
    public func forEachCell(
        of column: StoreColumn, isCancelled: () -> Bool = { false }, deliver: ([DocumentReference]) -> Void
    ) throws(SourceError) {
        var last: [StoreValue]?
        repeat {
            if isCancelled() { throw SourceError(file, .cancelled) }
            guard case .rows(let names, let next) = try ask(.rows(column, behind: last)).answer else {
                throw SourceError(file, .store(.otherAnswer))
            }
            deliver(names.map { cell(of: column, row: $0) })
            last = next
        } while last != nil
    }

    func find(_ search: DocumentSearch) throws(SourceError) {
        do throws(SourceError) {
            for column in try documentColumns(named: search.columns) {
                try forEachCell(of: column, isCancelled: search.isCancelled) { $0.forEach(search.deliver) }
            }
        } catch {
            let hasNone = [.store(.noDocuments), .store(.noDocumentsInModels)].contains(error.reason)
            guard hasNone, !search.isGiven else { throw error }
        }
    }

    /// The document in a cell.
    func cell(of column: StoreColumn, row key: String) -> DocumentReference {
        DocumentReference(self, part: CellName(column: column, key: key).description, firstLine: nil)
    }

    func document(named part: String) -> DocumentReference? {
        CellName(part).map { cell(of: $0.column, row: $0.key) }
    }

    func read(_ document: DocumentReference, _ reading: DocumentReading) throws(SourceError) -> SourceBytes {
        guard let cell = CellName(document.part) else { throw SourceError(file, .store(.wholeStore)) }
        guard let bytes = try ask(.cell(cell.column, row: cell.key)).bytes else {
            throw SourceError(file, .store(.otherAnswer))
        }
        return bytes
    }

    /// The stamp of the file, or that of its log if that changed later.
    var stamp: ModificationStamp? {
        guard let moment = try? StoreFiles(path: file).moment, let stamp = moment.database else { return nil }
        return moment.log.flatMap { $0.isLater(than: stamp) ? $0 : nil } ?? stamp
    }

    // MARK: - Series

    /// The documents in a column, as a series.
    public func series(_ column: StoreColumn) -> DocumentSeries {
        DocumentSeries(source: self, name: CellName(column: column, key: "").description)
    }

    func series(of document: DocumentReference) -> String? {
        CellName.columnName(ofCellNamed: document.part)
    }

    func sample(ofSeries name: String, limit: Int) throws(SourceError) -> [SourceBytes] {
        guard let column = CellName(name)?.column else { return [] }
        return try shared.ask(as: file.description) { session throws(StoreProblem) in
            let (table, column) = try session.resolve(column)
            return try session.sample(of: column, in: table, limit: limit, largest: 1 << 20)
        }
    }

    // MARK: - Copies

    /// Copies the store as it is at one moment, log included.
    ///
    /// - Parameter target: A file that does not exist yet.
    func copy(to target: FilePath) throws(SourceError) { _ = try ask(.copy(to: target.bytes)) }
}

/// How a cell is called behind the name of its store: `TABLE/KEY/COLUMN`.
struct CellName: CustomStringConvertible {
    let column: StoreColumn
    let key: String

    init(column: StoreColumn, key: String) { (self.column, self.key) = (column, key) }

    /// Takes a name apart; nil where it is none.
    init?(_ name: String) {
        guard let (table, key, column) = Self.pieces(of: name), let table = Self.plain(table),
            let column = Self.plain(column)
        else { return nil }
        self.init(column: StoreColumn(table: table, column: column), key: String(key))
    }

    /// The name of the column of a cell of that name, without a key; nil where it is the name of no cell.
    static func columnName(ofCellNamed name: String) -> String? {
        guard let (table, _, column) = pieces(of: name), plain(table) != nil, plain(column) != nil else { return nil }
        return "\(table)//\(column)"
    }

    /// What stands before, between and behind the outermost slashes.
    private static func pieces(of name: String) -> (table: Substring, key: Substring, column: Substring)? {
        let slash = UInt8(ascii: "/")
        guard let first = name.utf8.firstIndex(of: slash), let last = name.utf8.lastIndex(of: slash), first < last
        else { return nil }
        return (name[..<first], name[name.utf8.index(after: first)..<last], name[name.utf8.index(after: last)...])
    }

    /// The name that was escaped like that; nil where none is.
    private static func plain(_ text: Substring) -> String? {
        text.utf8.contains(UInt8(ascii: "%")) ? text.removingPercentEncoding : String(text)
    }

    var description: String { "\(Self.escaped(column.table))/\(key)/\(Self.escaped(column.column))" }

    /// A table's or column's name with `/`, `#` and `%` percent-encoded, so that the slashes around the key can be
    /// found again, and what cannot be seen, so that a name in a report can be given back.
    private static func escaped(_ name: String) -> String { name.percentEncoded(with: "%/#") }
}
