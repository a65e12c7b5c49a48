/// The reason why the bytes of a document could not be read or written.
public enum SourceProblem: Hashable, Sendable, Codable {
    /// There is no file with that name.
    case noSuchFile
    /// A symbolic link that leads nowhere, or in a circle.
    case brokenLink
    /// The user may not read or write the file, or enter a folder on the path to it.
    case permissionDenied
    /// A folder where a file was expected.
    case isFolder
    /// A device, pipe or socket. Such files are never opened.
    case isSpecialFile(SpecialFile)
    /// A file of 4 GiB or more.
    case tooLarge(byteCount: Int)
    /// The file does not have that line.
    case noSuchLine(lineCount: Int)
    /// No line of the file has that value.
    case noLineWith(String, lineCount: Int)
    /// Several lines of the file, with these numbers, have the value that was to identify one.
    case severalLines([Int])
    /// A JSON Lines file in an encoding other than UTF-8.
    case linesNotInUTF8
    /// A problem with a SQLite store.
    case store(StoreProblem)
    /// A problem with gzip data.
    case gzip(GzipProblem)
    /// The source can be read only once, and was already read.
    case readAlready
    /// A problem with a git repository.
    case git(GitProblem)
    /// A file with that name already exists, and must not be replaced.
    case exists
    /// The backup file to be written already exists.
    case backupExists(path: String)
    /// Another program saved, removed, or created the file after it was read.
    case changedMeanwhile
    /// Another program saved the file while it was being replaced, and that version could only be kept under another
    /// name.
    case notPutBack(path: String)
    /// Every name for a private folder of temporary files is already taken by another user.
    case notPrivate
    /// Replacing the file would change its owner or group.
    case ownerNotKept(owner: UInt32, group: UInt32)
    /// The file has an extended attribute or an access control list that its replacement cannot be given.
    case attributeNotKept(name: String)
    /// The system rejects the path itself, for example because a name in it is too long. The message is the system's.
    case unusablePath(message: String)
    /// This program has run out of a resource that is unrelated to the source: disk space for temporary files,
    /// descriptors, memory, or processes.
    case shortage(message: String)
    /// Any other error of the system, with the system's message.
    case system(message: String)
    /// Any other error.
    case other(because: Reason)
    /// The caller canceled reading.
    case cancelled
}

/// The kinds of files that are neither regular files nor folders.
public enum SpecialFile: String, Hashable, Sendable, Codable { case namedPipe, socket, device, other }

/// The reason why gzip data could not be unpacked or packed again.
public enum GzipProblem: Error, Hashable, Sendable, Codable {
    /// Gzip is not installed.
    case notInstalled
    /// The data is damaged or cut short. `byteCount` bytes were unpacked before that; the message is gzip's.
    case damaged(byteCount: Int, message: String)
    /// Data that is damaged or not packed follows the last good member, at this offset into the packed data. The
    /// message is gzip's.
    case followed(offset: Int, message: String)
    /// A document unpacks to more than the limit, in bytes, or a stream has more packed bytes than that.
    case tooLarge(limit: Int)
    /// The data contains a store. Stores can only be read from files that are not packed.
    case store
    /// Any other error message of gzip.
    case failed(message: String)
}

/// A problem with a store, or with a request to it.
public enum StoreProblem: Error, Hashable, Sendable, Codable {
    /// Another program has locked the store against reading.
    case locked
    /// A transaction over several databases was interrupted. The journal names a super-journal, which decides whether
    /// the journal must be rolled back.
    case superJournal(journal: String, names: String)
    /// The path of the store's log, log index, or journal is taken by a special file, or by a folder if the kind is
    /// nil.
    case besideIsNoFile(path: String, SpecialFile?)
    /// The store can only be read from a copy, and the copy would exceed the size limit, in bytes.
    case copyTooLarge(byteCount: Int, limit: Int)
    /// The process that read the store ended, in this way.
    case readerEnded(Crash)
    /// The process that read the store was silent for this long, and was terminated.
    case readerTimedOut(seconds: Double)
    /// SQLite took longer than this on a part of the store.
    case tookTooLong(seconds: Double)
    /// The process that reads the store answered a different request.
    case otherAnswer
    /// Another program wrote to the store during every attempt to copy it.
    case neverStill
    /// Parts of the store contradict each other. The detail is SQLite's.
    case damaged(detail: String)
    /// The file is shorter than its header says.
    case cutShort(byteCount: Int, expected: Int)
    /// The file does not start like a SQLite database. `byteCount` is nil if the bytes were not counted.
    case notDatabase(byteCount: Int?)
    /// The file starts like a SQLite database, but the rest makes no sense.
    case scrambled
    /// A newer version of SQLite wrote the store, in a format that this one does not know.
    case newerFormat(NewerStoreFormat)
    /// The store has no such table. `known` are the tables that it has.
    case noSuchTable(String, known: [String])
    /// The table has no such column. `known` are the columns that it has.
    case noSuchColumn(String, table: String, known: [String])
    /// A column was named without its table.
    case columnWithoutTable(String)
    /// The column cannot hold documents, whatever its contents.
    case noDocumentColumn(String, because: ColumnRefusal)
    /// The table has no row with that key. `keyColumns` are the columns that make up its keys.
    case noSuchRow(key: String, table: String, keyColumns: [String])
    /// The cell is NULL or empty.
    case emptyCell
    /// The request names a whole store, but needs one document.
    case wholeStore
    /// The file is the log, log index, or journal of a store, where a document was expected.
    case belongsToStore(path: String)
    /// No column seems to hold documents.
    case noDocuments
    /// No column holds documents, and SwiftData or Core Data wrote the store. They store the fields of a Codable value
    /// in columns.
    case noDocumentsInModels
    /// Something that only the app can keep up to date depends on the documents of the column, so they are not
    /// migrated.
    case hasDependent(column: String, StoreDependent)
    /// The store rejects the migrated document. The message is SQLite's.
    case refusedValue(message: String)
    /// The copy of the store lacks a row that should have been replaced.
    case rowNotInCopy
    /// Changes to a copy of the store are still in its log and could not be moved into its file.
    case logNotInCopy
    /// Any other error of SQLite, with its message and its extended result code.
    case sqlite(code: Int32, message: String)
}

/// Something that depends on the documents of a column in a way that only the app can maintain.
public enum StoreDependent: Hashable, Sendable, Codable {
    /// A trigger that fires when the column changes.
    case trigger(String)
    /// A full-text index whose content is the table or a view.
    case fullTextIndex(String)
    /// A virtual table that the table belongs to.
    case virtualTable(String)
    /// A function, a collation, or something else that the app adds to SQLite. The message is SQLite's.
    case addition(message: String)
}

/// The reason why a column of a store cannot hold documents.
public enum ColumnRefusal: String, Hashable, Sendable, Codable {
    /// The column is computed from others.
    case isComputed
    /// The rows of the table cannot be addressed, because columns are named rowid, _rowid_, and oid.
    case rowsWithoutNames
    /// The column is the key of the table's rows.
    case namesRows
}

/// The number in the header of a SQLite database that is higher than any known one (SQLite, "Database File Format").
public enum NewerStoreFormat: Hashable, Sendable, Codable {
    /// The number of the file format that a program must know to read the file.
    case readVersion(Int)
    /// The number of the schema format.
    case schemaFormat(Int)
}
