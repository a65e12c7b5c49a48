import DocumentModel
import DocumentSources
import MigrationCore
import MigrationWorker

/// Messages of the commands about a run as a whole: its limits, losses and outcomes.
enum CommandWords {
    // MARK: check

    /// The message that a step cut the time for later documents.
    static func shortenedTime(onTheWayTo version: DocumentVersion, of chain: String) -> String {
        "\(WorkerHost.mostTimeouts) documents ran out of time on the way to version \(version) of \(chain); "
            + "the others got a tenth of the time there; --time-limit gives all of them more"
    }

    /// The message that documents were recognized without the fields of a type, because they are not known.
    static func unaskable(_ version: ChainVersion, of chain: String) -> String {
        "the fields of version \(version.version) of \(chain) are not known, because decoding \(version.type) from "
            + "made-up values ended the process; documents were recognized without these fields (--chain names the chain)"
    }

    /// The message that combined reports contain no documents.
    static let noDocuments = "no documents in the reports"

    /// The message that no documents to check were found.
    static func noDocuments(in paths: [FilePath]) -> String {
        "no documents in \(paths.map(\.description).joined(separator: ", ")); a document is a file that ends in "
            + "\(DocumentEnding.listed), or begins as a property list, a SQLite database or with '{'"
    }

    /// The message that a store is being copied so that it can be read.
    static func copying(_ file: FilePath, share: Double) -> String {
        "copying \(file) to read it: \(Int(share * 100)) %"
    }

    /// The message about files that a walk left out; nil if there are none.
    static func leftOut(_ leftOut: DocumentWalker.LeftOut) -> String? {
        let parts = DocumentWalker.Omission.allCases.compactMap { omission in
            leftOut[omission].map { "\($0) \(omission.noun(count: $0))" }
        }
        return parts.isEmpty ? nil : "left out \(parts.joined(separator: ", "))"
    }

    // MARK: trace --blame

    /// Why a file that is deleted has no values to be blamed on commits, with the name of the state before.
    static func deleted(in commit: DocumentRevision, before: String?) -> String {
        "it was deleted in \(commit.shortCommit), \(commit.day)" + (before.map { "; the state before is \($0)" } ?? "")
    }

    /// Why there are no values to be blamed on commits.
    static let notThere = "there is no document in its newest state that can be read"
    static let notMigrated = "the newest state does not migrate to the newest version"

    // MARK: inspect

    /// The reason why a folder, or a file of several documents, isn't opened on the screen.
    static func nothingToOpen(leftOut: DocumentWalker.LeftOut) -> String {
        "no documents in it" + (Self.leftOut(leftOut).map { " (\($0))" } ?? "")
    }

    static let onlyOnCommandLine = "what can be read only once is opened on the command line"

    /// The title of a picture of the screen.
    static func picture(of name: String) -> String { "Migration Inspector with \(name)" }

    // MARK: migrate

    /// The message that nothing was written, and why.
    static func unwritten(because reason: some CustomStringConvertible) -> String {
        "\(reason); nothing was written"
    }

    static func isCurrent(_ version: DocumentVersion) -> String { "already version \(version)" }

    /// The message that the replaced file, a `noun`, is kept.
    static func kept(_ noun: String, as backup: FilePath) -> String { "the old \(noun) is kept as \(backup)" }

    /// The warning that the replaced file has other names, under which it remains.
    static func stays(_ noun: String, otherNames count: Int) -> String {
        let names = count == 1 ? "another name (a hard link)" : "\(count) other names (hard links)"
        return "warning: the file has \(names), under which the old \(noun) stays"
    }

    /// The reason why none of several documents was written.
    static func severalRefused(_ count: Int, of all: Int) -> String {
        "\(count) of \(documents(all)) cannot be migrated, so nothing was written; --keep-going writes the others"
    }

    static func changedMeanwhile(_ file: FilePath) -> String { "\(file): changed while it was read" }

    static func storeAmongSeveral(_ file: FilePath) -> String {
        "\(file): a store, which is migrated alone, with --output COPY"
    }

    /// The message that writing was interrupted.
    static func interrupted(after written: Int, of all: Int) -> String {
        "\(written) of \(all) files were written, and the others are as they were; the same command goes on with them"
    }

    /// The results for several documents.
    static func several(migrated: Int, current: Int, refused: Int, files: Int, _ output: MigrateOutput) -> String {
        let counts = [(migrated, "migrated"), (current, "current already"), (refused, "cannot be migrated")]
        let words = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
        if files == 0 { return unwritten(because: words) }
        let files = files == 1 ? "1 file" : "\(files) files"
        switch output {
        case .file(let folder): return "\(words); \(files) written to \(folder)"
        case .inPlace, .standardOutput:
            return "\(words); \(files) replaced, the old ones kept with \(FilePath.backupEnding) behind their names"
        }
    }

    /// The reason why a JSON5 document isn't replaced.
    static func wouldBecomeJSON(losesComments: Bool) -> String {
        "it is JSON5 and would become JSON\(losesComments ? ", without comments" : "") (--allow-comments-lost accepts that)"
    }

    static let isStrict = "a step loses something of it, and --strict refuses that"

    static let notEdited = "the document cannot be changed as asked; --set of a value that is not there needs a file"

    // MARK: The editor

    static let editedCopy = "that was a copy: the document is part of another file, which stays as it is"

    static func editorNotFound(_ name: String, _ reason: String) -> String {
        "cannot start '\(name)', which VISUAL or EDITOR names: \(reason)"
    }

    static func editorFailed(_ name: String) -> String { "'\(name)' did not end well" }

    static func notRestarted(because reason: String) -> String { "cannot start the new build: \(reason)" }

    static let tooLongToCopy = "too long for the terminal's clipboard; w writes it to a file"

    // MARK: diff

    static let notMigratedToCompare = "it does not migrate to the newest version"
    static let isStore = "a store holds many documents; name one of its cells, as FILE#TABLE/KEY/COLUMN"

    // MARK: shrink

    static let doesNotFail = "it does not fail"
    static let failsDifferently = "it fails in another way each time"

    static func notRepeatable(_ chain: String) -> String {
        "the chain \(chain) says that its migrations are not to be repeated (isRepeatable: false)"
    }

    /// The reason why nothing can be shrunk with an option.
    static func noExperiments(with option: String) -> String { "shrinking takes experiments; leave out \(option)" }

    static func notShrunk(because reason: String) -> String { "\(reason), so there is nothing to shrink" }

    static func shrinking(to nodeCount: Int, runs: Int) -> String {
        "shrinking: \(nodeCount) values left, \(runs) runs"
    }

    static func shrunk(from old: Int, to new: Int, runs: Int) -> String {
        "\(new) of \(old) bytes are left after \(runs) runs; they may still be somebody's data"
    }

    // MARK: migrate, of a store

    /// The results for a column's documents. The chain is nil if none fits them.
    static func column(
        _ column: StoreColumn, chain: String?, version: DocumentVersion, migrated: Int, current: Int, refused: Int
    ) -> String {
        guard let chain else { return "\(column): \(current) documents belong to no chain, and stay as they are" }
        let counts = [
            (migrated, "migrated to version \(version)"), (current, isCurrent(version)),
            (refused, "cannot be migrated"),
        ]
        let words = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
        return "\(column) (\(chain)): \(words.isEmpty ? "no documents" : words)"
    }

    static func unknownChain(of column: StoreColumn, because reason: Reason) -> String {
        unwritten(because: "\(column): the chain of its documents could not be found out: \(reason)")
    }

    static let noChain = unwritten(because: "none of its documents belongs to a chain this program knows")

    /// The refusal of a store.
    ///
    /// - Parameter keepsGoing: Whether the user asked for the documents that do migrate.
    static func refused(_ count: Int, keepsGoing: Bool = false) -> String {
        let rule = keepsGoing ? "; --keep-going is for files, a store is copied whole or not at all" : ""
        return unwritten(because: "\(documents(count)) cannot be migrated, so none was\(rule)")
    }

    static func written(_ count: Int, besides store: FilePath) -> String {
        "written, with \(documents(count)) migrated; \(store) is as it was"
    }

    static func virtualTables(_ names: [String]) -> String {
        let (noun, verb) = names.count == 1 ? ("virtual table", "is") : ("virtual tables", "are")
        return
            "the \(noun) \(names.joined(separator: ", ")) \(verb) as before; have the app rebuild what is made of documents"
    }

    private static func documents(_ count: Int) -> String { count == 1 ? "1 document" : "\(count) documents" }
}

extension CommandWords {
    /// The message that documents were compared only up to a problem.
    static func notCompared(because problem: SourceError) -> String {
        "\(problem); only what comes before was compared"
    }

    /// The reason why a document that isn't a whole file has no history.
    static let noHistory = "only what is in a file has a history in git; O takes the documents of one place as states"
    static let noHistoryOfCommit = "this was named as it is in one commit; name the file for its history"

    /// Says that no document has a value to be put in order by.
    static func notOrdered(by key: OrderKey) -> String {
        let what = key.isColumn ? "is in a row with a value in \(key)" : "has a value at \(key)"
        return "no document \(what), so they are in the order in which they were found"
    }

    /// The reason why the unreadable rest of a packed document has no states.
    static let noHistoryOfRest = "what cannot be read has no history of its own; H on the document before it shows its"
}

extension DocumentWalker.Omission {
    /// Returns the noun for one or many, to put after their number: `hidden files or folders`.
    func noun(count: Int) -> String {
        switch self {
        case .hidden:
            count == 1
                ? "hidden file or folder, which opens only by name" : "hidden files or folders, which open only by name"
        case .otherKind: count == 1 ? "file of another kind" : "files of other kinds"
        case .unreadable: count == 1 ? "unreadable file" : "unreadable files"
        case .special: count == 1 ? "pipe, socket or device" : "pipes, sockets or devices"
        case .linkLoop: count == 1 ? "link in a circle" : "links in a circle"
        case .backup: count == 1 ? "backup" : "backups"
        case .empty: count == 1 ? "file without documents" : "files without documents"
        }
    }
}

extension MigrationTrace {
    /// The outcome of the document in words, after its sign.
    var outcomeWords: String {
        // What doesn't open at the next launch isn't well, though the step ran.
        let sign = reopens?.failure == nil ? "✓" : "!"
        let ending = reopens?.failure == nil ? "" : ", but what is written does not open again"
        switch outcome {
        case .current:
            return "\(sign) \(CommandWords.isCurrent(detection.version ?? target ?? .unversioned))\(ending)"
        case .migrated: return "\(sign) migrated to version \(target ?? .unversioned)\(ending)"
        case .failed: return "✗ failed"
        case .unrecognized: return "? \(reasonsForNoResult)"
        case .unreadable: return "✗ unreadable"
        case .deleted: return "– deleted"
        }
    }
}

extension ConsoleError: CustomStringConvertible {
    var description: String { "standard output could not be written: \(message)" }
}
