import DocumentModel
import Foundation
import MigrationCore

/// The documents inside the content of a file that is in memory: the cells of a store, or else the lines of a text.
struct ContainedDocuments {
    private let content: SourceBytes
    private let file: FilePath

    /// - Parameter file: The path for error messages.
    init(_ content: SourceBytes, as file: FilePath) { (self.content, self.file) = (content, file) }

    /// Returns the bytes of a document inside.
    ///
    /// - Parameter part: Its name after `#`.
    func document(named part: String) throws(SourceError) -> SourceBytes {
        try documents(named: [part])[0].get()
    }

    /// Returns the bytes of documents inside, each or why there are none, in the order of their names.
    ///
    /// - Parameter parts: Their names after `#`.
    /// - Throws: ``SourceError`` if the content cannot be read.
    func documents(named parts: [String]) throws(SourceError) -> [Result<SourceBytes, SourceError>] {
        if StoreHeader.begins(content) {
            return try withStore { store throws(SourceError) in
                parts.map { part in
                    Result { () throws(SourceError) in
                        guard let cell = store.document(named: part) else { throw SourceError(file, .noSuchFile) }
                        return try cell.read()
                    }
                }
            }
        }
        let names = parts.map { LineName($0) }
        var search = LineSearch(for: Set(names.compactMap { $0 }))
        let isCancelled = { false }
        let lineCount = try lines.forEach(isCancelled: isCancelled) { search.take($0, $1) }
        return names.map { name in
            Result { () throws(SourceError) in
                guard let name else { throw SourceError(file, .noSuchFile) }
                return try search.found(name, among: lineCount, as: file)
            }
        }
    }

    /// Calls `body` with the name and the bytes of every document.
    func forEach(
        columns: [String], isCancelled: @escaping () -> Bool, _ body: (String, SourceBytes) -> Void
    ) throws(SourceError) {
        guard StoreHeader.begins(content) else {
            try lines.forEach(isCancelled: isCancelled) { number, bytes in
                body("L\(number)", bytes)
                return !isCancelled()
            }
            return
        }
        try withStore { store throws(SourceError) in
            for column in try store.documentColumns(named: columns) {
                var problem: SourceError?
                try store.forEachCell(of: column, isCancelled: isCancelled) { cells in
                    for cell in cells where problem == nil {
                        do throws(SourceError) { body(cell.part, try cell.read()) } catch { problem = error }
                    }
                }
                if let problem { throw problem }
            }
        }
    }

    private var lines: DocumentLines {
        DocumentLines(of: WholeFile(file: file), in: ResumedStream(content, then: nil))
    }

    /// Writes the content to a temporary file, which SQLite can open, and calls `body` with the store in it.
    private func withStore<Result>(
        _ body: (DocumentStore) throws(SourceError) -> Result
    ) throws(SourceError) -> Result {
        let folder = try TemporaryItem(.folder, as: file)
        let path = folder.content
        do throws(SourceError) {
            guard FileManager.default.createFile(atPath: path.description, contents: content.data) else {
                throw SourceError(temporary: path, errno: errno)
            }
            return try body(try DocumentStore(path))
        } catch {
            throw SourceError(file, error.reason)
        }
    }
}

/// The name of a line among the documents of a file: `L12`, or `id=7` for the line with that member.
enum LineName: Hashable {
    case number(Int)
    /// The line whose value at a path is this number or text.
    case value(DocumentPath, String)

    /// Parses the part of a name after `#`, or returns nil if it isn't the name of a line.
    init?(_ part: String) {
        if let number = JSONLines.number(named: part) {
            self = .number(number)
            return
        }
        guard let sign = part.unicodeScalars.firstIndex(of: "=") else { return nil }
        let name = String(part.unicodeScalars[..<sign])
        let text = String(part.unicodeScalars[sign...].dropFirst())
        guard !name.isEmpty else { return nil }
        let isPath = name.utf8.first == UInt8(ascii: "$")
        self = .value(isPath ? DocumentPath(name) ?? DocumentPath([.key(name)]) : DocumentPath([.key(name)]), text)
    }
}

/// A search for lines by their names.
struct LineSearch {
    private let names: Set<LineName>
    /// The paths whose values name lines.
    private let paths: Set<DocumentPath>
    /// The first line with each name, and the numbers of all lines with it.
    private var found: [LineName: (bytes: SourceBytes, numbers: [Int])] = [:]

    init(for names: Set<LineName>) {
        self.names = names
        paths = Set(names.compactMap { if case .value(let path, _) = $0 { path } else { nil } })
    }

    /// Looks at a line.
    ///
    /// - Returns: Whether to go on: a later line may have the same value, but never the same number.
    mutating func take(_ number: Int, _ bytes: SourceBytes) -> Bool {
        var here = [LineName.number(number)]
        if !paths.isEmpty, let root = try? Document(parsing: bytes).root {
            here += paths.compactMap { path in
                let node = root.descendant(at: path)
                return (node?.string ?? node?.numberText).map { .value(path, $0) }
            }
        }
        for name in here where names.contains(name) {
            found[name, default: (bytes, [])].numbers.append(number)
        }
        return !paths.isEmpty || found.count < names.count
    }

    /// Returns the line with a name.
    ///
    /// - Throws: ``SourceError`` if there is none, or if there are several.
    func found(_ name: LineName, among lineCount: Int, as file: FilePath) throws(SourceError) -> SourceBytes {
        guard let (bytes, numbers) = found[name] else {
            if case .value(let path, let text) = name {
                throw SourceError(file, .noLineWith("\(path) = \(text)", lineCount: lineCount))
            }
            throw SourceError(file, .noSuchLine(lineCount: lineCount))
        }
        guard numbers.count == 1 else { throw SourceError(file, .severalLines(numbers)) }
        return bytes
    }
}
