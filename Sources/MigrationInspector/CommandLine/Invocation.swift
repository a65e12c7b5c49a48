import DocumentModel
import DocumentSources
import MigrationCore
import MigrationWorker

/// The request made by a command line.
struct Invocation: Equatable {
    var action: Action
    /// The name of the chain to open documents with; nil to recognize it.
    var chain: String?
    /// The version to stop at; nil for the newest.
    var target: DocumentVersion?
    /// The columns of stores that contain documents, as `TABLE.COLUMN`. If this is empty, they are detected.
    var columns: [String] = []
    /// The limits for the processes that run the app's code.
    var limits = WorkerLimits()
    /// The maximum size of an unpacked document or of a store's copy, in megabytes; nil for the default limit.
    var sizeLimit: Int?
    /// Whether the app's code runs in the program's process.
    var isInProcess = false
    /// Whether failing migrations are run again with changed values.
    var makesExperiments = true
    /// The paths of the documents whose values experiments may use.
    var lenders: [FilePath] = []
    /// The edits to make in the document before it migrates.
    var edits: [DocumentEdit] = []
    /// What to replace in documents before anything is made from them; nil to redact nothing.
    var redaction: RedactionChoice?
    /// Whether each path names a file whose committed states are opened.
    var isHistory = false
    /// The value that orders the documents of one folder, file or column in time; nil to keep their order there.
    var order: OrderKey?
    /// The path of the version in documents of no chain; nil to look for it.
    var versionKey: DocumentPath?
    /// The number of documents to open at the same time; nil to use one per core.
    var jobs: Int?

    enum Action: Equatable {
        case inspect(paths: [FilePath], PictureRequest? = nil)
        case tour
        case check(paths: [FilePath], CheckReporting)
        /// Combines reports.
        case merge(reports: [FilePath], CheckReporting)
        case trace(path: FilePath, TraceFormat)
        /// Says which commit last changed each value of a file, as it is or as it is when it is migrated.
        case blame(path: FilePath, ReportFormat, isMigrated: Bool)
        case diff(old: FilePath, new: FilePath, DiffFormat, isMigrated: Bool)
        case shrink(path: FilePath)
        case migrate(paths: [FilePath], MigrateOutput, MigrateLimits = MigrateLimits())
        /// Writes a package with types for the versions of documents.
        case scaffold(paths: [FilePath], output: FilePath, name: String?)
        /// Lists all chains, or describes the one with that name in detail.
        case chains(name: String?, ReportFormat)
        case completions(Shell)
        case manual
        case help(Command?)
        case version
    }
}

/// The commands of the program.
enum Command: String, CaseIterable {
    case inspect, tour, check, trace, diff, shrink, migrate, scaffold, chains, completions, manual
}

/// What `--redact` and `--redact-keys` ask for.
enum RedactionChoice: Equatable {
    case values, valuesAndNames
}

/// The format of a report.
enum ReportFormat: String, CaseIterable {
    case text, json
}

/// The format of a trace.
enum TraceFormat: String, CaseIterable {
    case text, json, markdown, html
}

/// The format of a difference between two documents.
enum DiffFormat: String, CaseIterable {
    case text, json, patch
}

/// The format of a report on many documents.
enum CheckFormat: String, CaseIterable {
    case text, json, jsonl, junit, github, markdown, html
}

/// A kind of result that users can ask for.
enum ResultKind: String, CaseIterable {
    case failed, unrecognized, unreadable, migrated, current, lossy

    /// Whether a result is of this kind.
    func includes(_ result: CheckResult) -> Bool {
        self == .lossy ? result.isPassed && result.isLossy : result.outcome.rawValue == rawValue
    }
}

/// The contents and the format of a check report.
struct CheckReporting: Equatable {
    var format = CheckFormat.text
    /// Whether a document that drops or loses something counts as failed.
    var isStrict = false
    /// The kinds of results to print; nil to print all.
    var kinds: Set<ResultKind>?
    /// An earlier report. Its failures don't fail the run.
    var baseline: FilePath?
    /// The part of the documents to check; nil to check all.
    var shard: Shard?
    /// The value to follow through the documents.
    var followed: FollowedSelector?
    /// Whether each line about a state says everything, and not only what differs from the line before it.
    var isFull = false
}

/// A value to follow through documents.
struct FollowedSelector: Equatable {
    let selector: DocumentSelector
    /// Whether the documents are shown in the shape of the newest version.
    let isMigrated: Bool
}

/// One of several consecutive parts of the same documents.
struct Shard: Equatable {
    /// The number of the part, from 1.
    let number: Int
    /// The number of parts.
    let count: Int

    /// Parses a text like `2/4`; returns nil if it isn't a valid part.
    init?(_ text: String) {
        guard text.utf8.allSatisfy({ $0 == UInt8(ascii: "/") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let number = parts[0], let count = parts[1], number >= 1, number <= count,
            count <= 1_000_000
        else { return nil }
        (self.number, self.count) = (number, count)
    }

    /// Returns the positions of the part's documents among `total`.
    func range(of total: Int) -> Range<Int> { total * (number - 1) / count..<total * number / count }
}

/// The conditions under which documents are not written.
struct MigrateLimits: Equatable {
    /// Whether documents are written even if that loses fields that no version reads.
    var allowsDropped = false
    /// Whether JSON5 documents are refused, because JSON without their comments would replace them.
    var keepsComments = false
    /// Whether a document is refused if a step loses some of its data.
    var isStrict = false
    /// Whether the documents that migrate are written even if others don't.
    var keepsGoing = false
}

/// The destination of a migrated document.
enum MigrateOutput: Equatable {
    case standardOutput
    /// A file, or a folder for several documents.
    case file(FilePath)
    case inPlace

    /// Returns the file with the given name in the folder, if this is a folder. The folder is created if it doesn't
    /// exist.
    ///
    /// - Throws: `SourceError`.
    func inFolder(as name: FilePath) throws -> MigrateOutput {
        guard isFolder, case .file(let folder) = self else { return self }
        let file = folder.appending(name)
        try file.makeFolders()
        return .file(file)
    }

    /// Whether the output is a folder: one that exists, or a path that ends with a slash.
    var isFolder: Bool {
        guard case .file(let path) = self else { return false }
        return path.bytes.last == UInt8(ascii: "/") || GivenName(path).isFolder
    }
}
