import DocumentModel
import Foundation
import MigrationCore

/// A SQLite database whose cells are documents: a store of SwiftData, Core Data or any other framework.
///
///     let store = try DocumentStore("Library.store")
///     for column in try store.documentColumns() {
///         try store.forEachCell(of: column) { references in … }
///     }
///
/// A store may be open in other programs, which don't notice that it is read: the file, its log, the log's index and
/// its journal are never changed, and no lock is held between two questions except the one that every reader of a log
/// holds. Questions are answered from the last committed state.
///
/// Nothing that the store contains is executed: triggers and views are disabled, and virtual tables are ignored.
public struct DocumentStore: DocumentSource {
    static var container: DocumentContainer? { .sqlite }

    /// The path of the file, as it was given.
    public let file: FilePath
    let shared: SharedStore

    /// Creates a store for a file. Stores are kept open for the next caller, so this is cheap if the store is open
    /// already.
    ///
    /// - Throws: ``SourceError`` if the file doesn't exist. Whether the file is a store is checked when it is first
    ///   read.
    public init(_ file: FilePath) throws(SourceError) {
        self.file = file
        shared = try OpenStores.shared.store(at: file)
    }

    /// Returns whether the file at `path` begins like a SQLite database.
    static func isStore(_ path: FilePath) -> Bool {
        if OpenStores.shared.contains(path) { return true }
        return (try? OpenFile(path: path).head()).map(StoreHeader.begins) ?? false
    }

    static func source(in file: FoundFile) throws(SourceError) -> DocumentStore? {
        if file.ending == .document || file.ending == .lines { return nil }
        // Only SQLite may open an open store and the files that belong to it; see ``StoreAccess``.
        if OpenStores.shared.contains(file.path) { return try DocumentStore(file.path) }
        if let store = StoreFiles.store(ofFileBeside: file.path) {
            throw SourceError(file.path, .store(.belongsToStore(path: store.description)))
        }
        if StoreHeader.begins(try file.head()) { return try DocumentStore(file.path) }
        // ``GzipFile`` reports a compressed store.
        if Gzip.begins(try file.head()) { return nil }
        guard file.ending == .store, file.isGiven, let status = FileStatus(path: file.path) else { return nil }
        throw SourceError(file.path, .store(.notDatabase(byteCount: status.byteCount)))
    }

    static func source(at file: FilePath) throws(SourceError) -> DocumentStore { try DocumentStore(file) }

    // MARK: - Columns

    /// Returns the columns that contain documents.
    ///
    /// - Parameter names: The columns to return, as `TABLE.COLUMN`. If empty, finds them by sampling: columns in which
    ///   more than half of the sampled cells begin like a JSON object or a property list, or like a JSON array that can
    ///   be parsed.
    /// - Throws: ``SourceError``, with ``StoreProblem/noDocuments`` if no column was found, and with the nearest known
    ///   name if a named one doesn't exist.
    public func documentColumns(named names: [String] = []) throws(SourceError) -> [StoreColumn] {
        guard case .columns(let columns) = try ask(.columns(named: names)).answer else {
            throw SourceError(file, .store(.otherAnswer))
        }
        return columns
    }

    // MARK: - Cells

    /// Lists the cells of a column that are not empty, in the order of their rows' keys, in batches. The store is not
    /// locked between batches. A row that is written meanwhile may or may not be listed.
    ///
    /// - Parameters:
    ///   - isCancelled: Called now and then; when it returns true, listing ends with ``SourceProblem/cancelled``.
    ///   - deliver: Called with references to the cells.
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

    /// Returns the document in a cell.
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

    /// The stamp of the file, or that of its log if the log changed later.
    var stamp: ModificationStamp? {
        guard let moment = try? StoreFiles(path: file).moment, let stamp = moment.database else { return nil }
        return moment.log.flatMap { $0.isLater(than: stamp) ? $0 : nil } ?? stamp
    }

    // MARK: - Series

    /// Returns the documents in a column as a series.
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

    /// Copies a consistent state of the store, including its log.
    ///
    /// - Parameter target: A file that doesn't exist yet.
    func copy(to target: FilePath) throws(SourceError) { _ = try ask(.copy(to: target.bytes)) }
}

/// The name of a cell within its store: `TABLE/KEY/COLUMN`.
struct CellName: CustomStringConvertible {
    let column: StoreColumn
    let key: String

    init(column: StoreColumn, key: String) { (self.column, self.key) = (column, key) }

    /// Parses a name, or returns nil if it isn't the name of a cell.
    init?(_ name: String) {
        guard let (table, key, column) = Self.pieces(of: name), let table = Self.plain(table),
            let column = Self.plain(column)
        else { return nil }
        self.init(column: StoreColumn(table: table, column: column), key: String(key))
    }

    /// Returns the name of a cell's column, with an empty key, or nil if `name` isn't the name of a cell.
    static func columnName(ofCellNamed name: String) -> String? {
        guard let (table, _, column) = pieces(of: name), plain(table) != nil, plain(column) != nil else { return nil }
        return "\(table)//\(column)"
    }

    /// Returns the parts before, between and after the outermost slashes.
    private static func pieces(of name: String) -> (table: Substring, key: Substring, column: Substring)? {
        let slash = UInt8(ascii: "/")
        guard let first = name.utf8.firstIndex(of: slash), let last = name.utf8.lastIndex(of: slash), first < last
        else { return nil }
        return (name[..<first], name[name.utf8.index(after: first)..<last], name[name.utf8.index(after: last)...])
    }

    /// Returns the unescaped name, or nil if the escapes are invalid.
    private static func plain(_ text: Substring) -> String? {
        text.utf8.contains(UInt8(ascii: "%")) ? text.removingPercentEncoding : String(text)
    }

    var description: String { "\(Self.escaped(column.table))/\(key)/\(Self.escaped(column.column))" }

    /// Returns the name of a table or column with `/`, `#`, `%` and invisible characters percent-encoded, so that the
    /// slashes around the key can be found and a name in a report can be used as input.
    private static func escaped(_ name: String) -> String { name.percentEncoded(with: "%/#") }
}

extension DocumentReference {
    /// Returns the value in another column of the row that the document is in, a number or a text; nil if the document
    /// isn't in a row, or the value is NULL or empty.
    ///
    /// - Throws: ``SourceError``, also if the table has no such column.
    package func value(inColumn name: String) throws(SourceError) -> Document? {
        guard let store = source as? DocumentStore, let cell = CellName(part) else { return nil }
        let bytes: SourceBytes
        do throws(SourceError) {
            bytes = try store.cell(of: StoreColumn(table: cell.column.table, column: name), row: cell.key).read()
        } catch {
            if case .store(.emptyCell) = error.reason { return nil }
            throw error
        }
        if let number = try? Document(parsing: bytes), number.root.kind == .number { return number }
        return Document(text: String(decoding: bytes.data, as: UTF8.self))
    }
}
