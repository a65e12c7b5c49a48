import DocumentModel
import DocumentSources
import MigrationCore
import MigrationWorker

/// What a command line asks for.
struct Invocation: Equatable {
    var action: Action
    /// The name of the chain to open documents with; nil to recognize it.
    var chain: String?
    /// The version to stop at; nil for the newest.
    var target: DocumentVersion?
    /// The columns of stores that hold documents, as `TABLE.COLUMN`; where none is named, they are found by looking.
    var columns: [String] = []
    /// What the processes that run the app's code may use.
    var limits = WorkerLimits()
    /// What a packed document or the copy of a store may be as large as, in megabytes; nil for the usual limit.
    var sizeLimit: Int?
    /// Whether the app's code runs in the program itself.
    var isInProcess = false
    /// Whether migrations that fail run again with values changed.
    var makesExperiments = true
    /// Where documents lie that lend their values to experiments.
    var lenders: [FilePath] = []
    /// What is changed in the document before it migrates.
    var edits: [DocumentEdit] = []
    /// Whether every path stands for the committed states of the file.
    var isHistory = false
    /// The value by which documents of one place are ordered in time; nil for the order in which they lie there.
    var order: DocumentPath?
    /// How many documents are opened at the same time; nil for one a core.
    var jobs: Int?

    enum Action: Equatable {
        case inspect(paths: [FilePath])
        case tour
        case check(paths: [FilePath], CheckReporting)
        /// Adds up reports.
        case merge(reports: [FilePath], CheckReporting)
        case trace(path: FilePath, TraceFormat)
        case diff(old: FilePath, new: FilePath, DiffFormat)
        case shrink(path: FilePath)
        case migrate(paths: [FilePath], MigrateOutput, MigrateLimits = MigrateLimits())
        /// All of them, or the one of that name in detail.
        case chains(name: String?, ReportFormat)
        case completions(Shell)
        case manual
        case help(Command?)
        case version
    }
}

/// The commands.
enum Command: String, CaseIterable {
    case inspect, tour, check, trace, diff, shrink, migrate, chains, completions, manual
}

/// How a report is written.
enum ReportFormat: String, CaseIterable {
    case text, json
}

/// How the trace of a document is written.
enum TraceFormat: String, CaseIterable {
    case text, json, markdown
}

/// How the difference of two documents is written.
enum DiffFormat: String, CaseIterable {
    case text, json, patch
}

/// How a report on many documents is written.
enum CheckFormat: String, CaseIterable {
    case text, json, jsonl, junit, github
}

/// What comes of documents, as a person asks for it.
enum ResultKind: String, CaseIterable {
    case failed, unrecognized, unreadable, migrated, current, lossy

    /// Whether a document is of the kind.
    func includes(_ result: CheckResult) -> Bool {
        self == .lossy ? result.isPassed && result.isLossy : result.outcome.rawValue == rawValue
    }
}

/// What a check reports, and how.
struct CheckReporting: Equatable {
    var format = CheckFormat.text
    /// Whether a document that drops or loses something counts as failed.
    var isStrict = false
    /// The kinds of documents to print; nil for all.
    var kinds: Set<ResultKind>?
    /// An earlier report, whose failures do not fail the run.
    var baseline: FilePath?
    /// Which part of the documents is checked; nil for all.
    var shard: Shard?
}

/// One of several parts of the same documents, which come one behind the other.
struct Shard: Equatable {
    /// Which part it is, from 1.
    let number: Int
    /// How many there are.
    let count: Int

    /// From text like `2/4`; nil where it is no part.
    init?(_ text: String) {
        guard text.utf8.allSatisfy({ $0 == UInt8(ascii: "/") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let number = parts[0], let count = parts[1], number >= 1, number <= count,
            count <= 1_000_000
        else { return nil }
        (self.number, self.count) = (number, count)
    }

    /// The positions of its documents among `total`.
    func range(of total: Int) -> Range<Int> { total * (number - 1) / count..<total * number / count }
}

/// What keeps documents from being written.
struct MigrateLimits: Equatable {
    /// Whether documents are written even though fields are lost that no version reads.
    var allowsDropped = false
    /// Whether a document in JSON5 is refused, since it would take its place as JSON, without its comments.
    var keepsComments = false
    /// Whether a document of which a step loses something is refused.
    var isStrict = false
    /// Whether documents that migrate are written though others do not.
    var keepsGoing = false
}

/// Where a migrated document goes.
enum MigrateOutput: Equatable {
    case standardOutput
    /// A file, or the folder of several.
    case file(FilePath)
    case inPlace

    /// The file of that name in the folder, where one is named, which is made if it does not exist.
    ///
    /// - Throws: `SourceError`.
    func inFolder(as name: FilePath) throws -> MigrateOutput {
        guard isFolder, case .file(let folder) = self else { return self }
        let file = folder.appending(name)
        try file.makeFolders()
        return .file(file)
    }

    /// Whether a folder is named, whatever is to be written: one that exists, or with a slash at its end.
    var isFolder: Bool {
        guard case .file(let path) = self else { return false }
        return path.bytes.last == UInt8(ascii: "/") || GivenName(path).isFolder
    }
}
