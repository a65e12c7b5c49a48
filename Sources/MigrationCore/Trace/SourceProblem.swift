/// Why the bytes of a document could not be read, or written.
public enum SourceProblem: Hashable, Sendable, Codable {
    /// Nothing has that name.
    case noSuchFile
    /// A symbolic link that leads to nothing, or in a circle.
    case brokenLink
    /// The file or a folder on the way to it may not be read or written.
    case permissionDenied
    /// A folder where a file was wanted.
    case isFolder
    /// A device, pipe or socket. Such files are never opened.
    case isSpecialFile(SpecialFile)
    /// A file of 4 GiB or more.
    case tooLarge(byteCount: Int)
    /// A line that the file does not have.
    case noSuchLine(lineCount: Int)
    /// A JSON Lines file in an encoding other than UTF-8.
    case linesNotInUTF8
    /// Something about a SQLite store.
    case store(StoreProblem)
    /// Something about what gzip has packed.
    case gzip(GzipProblem)
    /// What can be read only once, and was read already.
    case readAlready
    /// Something about a git repository.
    case git(GitProblem)
    /// Something has that name already, and is not to be replaced.
    case exists
    /// The backup that would be made exists already.
    case backupExists(path: String)
    /// Another program saved, removed or made the file after it was read.
    case changedMeanwhile
    /// Another program saved the file while it was replaced, and what it saved could only be kept under another name.
    case notPutBack(path: String)
    /// Every name for a folder of temporary files that only this user may enter is taken by another user.
    case notPrivate
    /// A file that would not belong to the same user and group once it is replaced.
    case ownerNotKept(owner: UInt32, group: UInt32)
    /// A file with an extended attribute or an access control list that its replacement cannot be given.
    case attributeNotKept(name: String)
    /// A path that the system does not take for what it is, such as one with too long a name, in its words.
    case unusablePath(message: String)
    /// This program has too little of something that is not the source: room for temporary files, descriptors, memory,
    /// processes.
    case shortage(message: String)
    /// Anything else that the system says, in its words.
    case system(message: String)
    /// What another error says.
    case other(because: Reason)
    /// Reading was given up because the caller asked for it.
    case cancelled
}

/// Files that are neither regular nor folders.
public enum SpecialFile: String, Hashable, Sendable, Codable { case namedPipe, socket, device, other }

/// Why what gzip has packed could not be unpacked, or packed again.
public enum GzipProblem: Error, Hashable, Sendable, Codable {
    /// There is no gzip program.
    case notInstalled
    /// It is broken or cut short behind this many bytes of what was packed; gzip says how.
    case damaged(byteCount: Int, message: String)
    /// Something that is damaged or not packed follows its last good member, at this byte of what is packed; gzip says
    /// what is wrong with it.
    case followed(offset: Int, message: String)
    /// A document in it is larger than what may be unpacked, or a stream has more packed bytes than that.
    case tooLarge(limit: Int)
    /// A store is in it, and stores are read from files of their own.
    case store
    /// Anything else that gzip says.
    case failed(message: String)
}

/// What is wrong with a store, or with what was asked of it.
public enum StoreProblem: Error, Hashable, Sendable, Codable {
    /// Another program has it open and lets no other read it.
    case locked
    /// A transaction over several databases was interrupted: its journal names a super-journal, which says whether the
    /// journal is to be rolled back.
    case superJournal(journal: String, names: String)
    /// What has the name of its log, its log's index or its journal is a special file, or, where none is given, a folder.
    case besideIsNoFile(path: String, SpecialFile?)
    /// It can only be read from a copy, which would be larger than a copy may be, in bytes.
    case copyTooLarge(byteCount: Int, limit: Int)
    /// The process that read it ended meanwhile; what is known of that.
    case readerEnded(Crash)
    /// The process that read it said nothing for so long, and was ended.
    case readerTimedOut(seconds: Double)
    /// SQLite took longer than this over a part of it.
    case tookTooLong(seconds: Double)
    /// The process that reads it gave an answer to another question.
    case otherAnswer
    /// Another program wrote to it each time it was to be copied.
    case neverStill
    /// Parts of it contradict each other; SQLite says which.
    case damaged(detail: String)
    /// It is shorter than it says itself.
    case cutShort(byteCount: Int, expected: Int)
    /// Its first bytes are not those of a SQLite database; nil where they were not counted.
    case notDatabase(byteCount: Int?)
    /// It begins as a SQLite database, but what follows makes no sense.
    case scrambled
    /// A later SQLite wrote it, in a form that this one does not know.
    case newerFormat(NewerStoreFormat)
    /// A store has no such table; these are the ones it has.
    case noSuchTable(String, known: [String])
    /// A table has no such column; these are the ones it has.
    case noSuchColumn(String, table: String, known: [String])
    /// A column that does not name a table too.
    case columnWithoutTable(String)
    /// A column that holds no documents, whatever is in it.
    case noDocumentColumn(String, because: ColumnRefusal)
    /// A table has no row of that key; this is how its keys are made up.
    case noSuchRow(key: String, table: String, keyColumns: [String])
    /// The cell is NULL or of no length.
    case emptyCell
    /// A whole store where one document was wanted.
    case wholeStore
    /// The log, its index or the journal of a store, where a document was wanted.
    case belongsToStore(path: String)
    /// No column holds documents, as far as looking tells.
    case noDocuments
    /// No column does, of a store that SwiftData or Core Data wrote: there the fields of a Codable value are columns.
    case noDocumentsInModels
    /// What only the app can keep true is kept of the documents of a column, which therefore is not migrated.
    case hasDependent(column: String, StoreDependent)
    /// The store does not take what a document becomes; SQLite says why.
    case refusedValue(message: String)
    /// A row of the copy that another one should have taken the place of is not there.
    case rowNotInCopy
    /// What was written to a copy is still in its log, and not in the file.
    case logNotInCopy
    /// Anything else that SQLite says, in its words, with its extended result code.
    case sqlite(code: Int32, message: String)
}

/// What depends on the documents of a column in a way that only the app can follow.
public enum StoreDependent: Hashable, Sendable, Codable {
    /// A trigger that acts when the column changes.
    case trigger(String)
    /// A full-text index whose content is the table, or is in a view.
    case fullTextIndex(String)
    /// A virtual table to which the table belongs.
    case virtualTable(String)
    /// A function, a collation or else that the app adds to SQLite; what SQLite says.
    case addition(message: String)
}

/// Why a column of a store holds no documents.
public enum ColumnRefusal: String, Hashable, Sendable, Codable {
    /// It is computed from others.
    case isComputed
    /// The rows of its table have no names, for columns have taken rowid, _rowid_ and oid.
    case rowsWithoutNames
    /// It names the rows of its table.
    case namesRows
}

/// Which number in the header of a SQLite database is higher than any that is known (SQLite, "Database File Format").
public enum NewerStoreFormat: Hashable, Sendable, Codable {
    /// That of the form that a program has to know for reading the file.
    case readVersion(Int)
    /// That of the form in which tables are described.
    case schemaFormat(Int)
}
