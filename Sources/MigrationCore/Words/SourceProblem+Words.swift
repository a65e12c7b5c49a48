import DocumentModel

// The sentences about bytes that cannot be read or written.

extension SourceProblem: CustomStringConvertible {
    /// The problem and how to fix it, without the name of the source.
    public var description: String {
        switch self {
        case .noSuchFile: "no such file or folder"
        case .brokenLink: "a symbolic link that leads to no file"
        case .permissionDenied:
            "permission denied; every folder on the way must let this user in, and what is read or written there must let "
                + "this user read or write it"
        case .isFolder: "a folder, where one document was wanted; name a file in it"
        case .isSpecialFile(let kind):
            "\(kind.words), which is never opened; name a file, or pipe it in and name it '-'"
        case .tooLarge(let byteCount):
            "\(byteCount) bytes; a document must be smaller than 4 GiB (\(Document.largestSourceLength) bytes)"
        case .noSuchLine(let lineCount):
            "no such line; the file has \(lineCount) line\(lineCount == 1 ? "" : "s"), and empty ones are no documents"
        case .noLineWith(let value, let lineCount):
            "no line has \(value), of \(lineCount) line\(lineCount == 1 ? "" : "s")"
        case .severalLines(let numbers):
            "\(numbers.count) lines have this value (\(numbers.prefix(3).map { "L\($0)" }.joined(separator: ", "))"
                + (numbers.count > 3 ? ", …" : "") + "); name one of them"
        case .linesNotInUTF8: "a JSON Lines file that is not UTF-8; convert it (iconv -t UTF-8) and try again"
        case .store(let problem): problem.description
        case .git(let problem): problem.description
        case .gzip(let problem): problem.description
        case .readAlready: "can be read only once, and was read already"
        case .exists: "exists already, and a store is never written over; name a file that does not exist"
        case .backupExists(let path): "its backup would be \(path), which exists already; move that away first"
        case .changedMeanwhile:
            "another program changed it after it was read, so it is left as that program saved it; run the same command again"
        case .notPutBack(let path):
            "another program saved it while it was replaced, and what it saved is now in \(path)"
        case .notPrivate:
            "a folder for temporary files that another user has made or may enter, as are all others of such a name; set TMPDIR to "
                + "a folder of your own"
        case .ownerNotKept(let owner, let group):
            "it belongs to user \(owner) and group \(group), and this user cannot give them the file that would replace it; "
                + "run this as that user, or write to another file with --output"
        case .attributeNotKept(let name):
            "it has the extended attribute or access control list '\(name)', which cannot be given to the file that would replace it; "
                + "remove it, or write to another file with --output"
        case .shortage(let message): message
        case .system(let message), .unusablePath(let message): message.prefix(1).lowercased() + message.dropFirst()
        case .other(let reason): reason.description
        case .cancelled: "given up before it was read"
        }
    }
}

extension GzipProblem: CustomStringConvertible {
    /// The problem and how to fix it.
    public var description: String {
        switch self {
        case .notInstalled: "packed by gzip, and no gzip program is on the PATH"
        case .damaged(let byteCount, let message):
            "gzip: damaged after \(Self.amount(byteCount)) of what was packed"
                + (message.isEmpty ? "" : " (\(message))") + ", so none of it can be relied on; "
                + "copy it again from where it came, or see what gzip -cd gives of it"
        case .followed(let offset, let message):
            "gzip: what follows the first \(offset) bytes is damaged or not packed"
                + (message.isEmpty ? "" : " (\(message))") + ", so nothing from there can be relied on; "
                + "head -c \(offset) gives the part before it"
        case .tooLarge(let limit):
            "gzip: a document that unpacks to more than \(limit >> 20) MB, or a stream that packs more; --size-limit raises that"
        case .store: "a SQLite store that gzip has packed; unpack it (gunzip FILE), and name what comes out"
        case .failed(let message): "gzip says: \(message)"
        }
    }

    private static func amount(_ byteCount: Int) -> String {
        switch byteCount {
        case ..<1000: "\(byteCount) bytes"
        case ..<1_000_000: "\(byteCount / 1000) KB"
        default: "\(byteCount / 1_000_000).\(byteCount % 1_000_000 / 100_000) MB"
        }
    }
}

extension GitProblem.Absence {
    /// What happened to a file, to put after its name.
    package var words: String {
        switch self {
        case .deleted: "was deleted"
        case .renamed(let name): "was renamed to \(name)"
        case .link: "became a symbolic link"
        case .folder: "became a folder"
        case .submodule: "became a submodule"
        case .withoutPart: "has no such row or line"
        }
    }
}

extension GitProblem: CustomStringConvertible {
    /// The problem and how to fix it.
    public var description: String {
        switch self {
        case .notInstalled: "no git program is on the PATH, and only git knows what was committed"
        case .noRepository: "is not in a git work tree, so it has no history"
        case .unsafe:
            "git reads no repository of another user; 'git config --global --add safe.directory FOLDER' lets it"
        case .noCommits: "the repository has no commit yet"
        case .neverCommitted: "no commit that leads to the current one has this file"
        case .beforeShallow:
            "no commit in this clone has this file; 'git fetch --unshallow' gets the earlier ones, which may have it"
        case .noState(let day, _, isShallow: true):
            "no commit up to \(day) in this clone has it; 'git fetch --unshallow' gets earlier ones, which may have it"
        case .noState(let day, let first, isShallow: false):
            "no commit of the main line up to \(day) has it"
                + (first.map { "; the first one that has it is of \($0)" } ?? "")
        case .noSuchCommit(let name): "the repository has no commit \(name)"
        case .notInCommit(let path, let commit): "the commit \(commit) has no \(path)"
        case .link: "a symbolic link, of which git keeps only where it leads; name the file that it leads to"
        case .severalDocuments:
            "a file of several documents, where one was wanted; name one of them, as FILE#L2 or FILE#TABLE/KEY/COLUMN"
        case .noFile: "a folder or a submodule, where a file was wanted"
        case .absent(let absence): "the file \(absence.words)"
        case .notHere:
            "its content is not here: the repository was cloned without it, and nothing is fetched; git fetches it"
        case .largeFilePointer: "only a pointer of Git LFS, which keeps the document elsewhere; 'git lfs fetch' gets it"
        case .isSpecialFile(let path, let kind):
            "\(path) is \(kind.words), where git keeps a file of its own, and git would read it without end"
        case .noAnswer(let seconds, let folder):
            "git gave no answer within \(seconds) seconds in \(folder), and was ended; it waits for a file that "
                + "something else holds, or for a disk"
        case .tooLarge(let limit):
            "a document that git unpacks to more than \(limit >> 20) MB; --size-limit raises that"
        case .notStarted(let message): "git cannot be started: \(message)"
        case .failed(let message): "git says: \(message)"
        }
    }
}

extension SpecialFile {
    fileprivate var words: String {
        switch self {
        case .namedPipe: "a named pipe"
        case .socket: "a socket"
        case .device: "a device"
        case .other: "a special file"
        }
    }
}

extension StoreProblem: CustomStringConvertible {
    /// The problem and how to fix it.
    public var description: String {
        switch self {
        case .locked: "locked by another program that is writing to it; close that program, or try again"
        case .superJournal(let journal, let name):
            "not read, because a transaction over several databases was interrupted: \(journal) names the super-journal \(name), "
                + "which SQLite deletes when it finishes the transaction; if that is a file of the app, open the store in the app"
        case .besideIsNoFile(let path, let kind):
            "\(path), where SQLite keeps a file of the store, is \(kind?.words ?? "a folder"); move it away"
        case .copyTooLarge(let byteCount, let limit):
            "it has a log or a journal that only a copy can be read with, and a copy of \(byteCount >> 20) MB is more than the "
                + "\(limit >> 20) MB that one may have; --size-limit raises that, or open it once in its app"
        case .readerEnded(let crash):
            "the process that reads it has ended (\(Reason.crashed(crash))): another program may have cut its files short meanwhile, "
                + "or it is damaged; try again"
        case .readerTimedOut(let seconds):
            "the process that reads it was ended, because it said nothing for \(seconds.formatted()) s; a larger --time-limit "
                + "waits longer"
        case .tookTooLong(let seconds):
            "SQLite was at it for more than \(seconds.formatted()) s: a constraint, an index or a column of the table may be that "
                + "slow; a larger --time-limit waits longer"
        case .otherAnswer: "the process that reads it gave an answer to another question; try again"
        case .neverStill:
            "another program keeps writing to it, so that no moment of it could be copied; close that program, or try again"
        case .damaged(let detail):
            "a damaged SQLite database (\(detail)); what is left of it can be saved with sqlite3's .recover command"
        case .cutShort(let byteCount, let expected):
            "a SQLite database that was cut short: it has \(byteCount) bytes of \(expected); copy it again from where it came"
        case .notDatabase(byteCount: 0): "file is not a database: it is empty, so nothing can be read from it"
        case .notDatabase:
            "file is not a database: it does not begin as one of SQLite; "
                + "if it is encrypted (SQLCipher does that), name a decrypted copy of it"
        case .scrambled:
            "a SQLite database by its first bytes, but the bytes after them make no sense: it is damaged or encrypted; "
                + "copy it again from where it came, or name a decrypted copy of it"
        case .newerFormat(let format):
            "a SQLite database in a newer format than this program's SQLite reads (\(format)); update SQLite"
        case .noSuchTable(let name, let known): Self.missing("table", name, in: "the store", known: known)
        case .noSuchColumn(let name, let table, let known):
            Self.missing("column", name, in: "the table \(table)", known: known)
        case .columnWithoutTable(let name): "'\(name)' names no column of a table; a column is named TABLE.COLUMN"
        case .noDocumentColumn(let name, let reason):
            "the column \(name) \(reason.words); name one that holds documents"
        case .noSuchRow(let key, let table, let keyColumns):
            "the table \(table) has no row \(key); its rows are named by \(keyColumns.joined(separator: ","))"
        case .emptyCell: "the cell is empty (NULL or of no length), and empty cells are no documents"
        case .wholeStore: "a SQLite store, where one document was wanted; a cell of it is named FILE#TABLE/KEY/COLUMN"
        case .belongsToStore(let path): "no document: SQLite keeps it beside the store \(path); name that one"
        case .noDocuments:
            "no column of the store looks as if it held JSON or property lists; one can be named: --column TABLE.COLUMN"
        case .noDocumentsInModels:
            "no JSON here; a store of SwiftData or Core Data keeps a Codable value in columns of its own, one for each field, "
                + "and the app migrates it with the store, unless the attribute is stored as data (as with "
                + "@Attribute(.transformable(by:))); a column that holds such data can be named: --column TABLE.COLUMN"
        case .hasDependent(let column, let dependent):
            "the documents of \(column) cannot be migrated here: \(dependent.words); migrate them in the app"
        case .refusedValue(let message): "the store does not take what the document becomes: \(message)"
        case .rowNotInCopy: "a row of the copy could not be changed: it is not there"
        case .logNotInCopy: "the copy's log could not be put into it"
        case .sqlite(_, let message): "SQLite says: \(message)"
        }
    }

    private static func missing(_ kind: String, _ name: String, in place: String, known: [String]) -> String {
        var message = "\(place) has no \(kind) \(name)"
        if let nearest = name.nearest(in: known) {
            message += "; did you mean \(nearest)?"
        } else if !known.isEmpty {
            message += "; it has \(known.prefix(12).joined(separator: ", "))\(known.count > 12 ? ", …" : "")"
        }
        return message
    }
}

extension StoreDependent {
    fileprivate var words: String {
        switch self {
        case .trigger(let name): "the trigger \(name) acts when they change, and triggers are not run"
        case .fullTextIndex(let name): "the full-text index \(name) is made of them, and would go stale"
        case .virtualTable(let name): "they are kept for the virtual table \(name), which would go stale"
        case .addition(let message): "their table needs what the app adds to SQLite (\(message))"
        }
    }
}

extension ColumnRefusal {
    fileprivate var words: String {
        switch self {
        case .isComputed: "is computed from others"
        case .rowsWithoutNames:
            "is of a table whose rows have no names, for its columns have taken rowid, _rowid_ and oid"
        case .namesRows: "names the rows of its table"
        }
    }
}

extension NewerStoreFormat: CustomStringConvertible {
    public var description: String {
        switch self {
        case .readVersion(let number): "read version \(number), where 2 is the newest known"
        case .schemaFormat(let number): "schema format \(number), where 4 is the newest known"
        }
    }
}
