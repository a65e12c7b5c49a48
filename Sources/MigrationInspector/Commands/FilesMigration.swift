import DocumentModel
import DocumentSources
import Foundation
import MigrationCore
import MigrationWorker

/// `migrate` of several documents: migrates all of them to their newest versions, or none.
///
/// The results are kept in a temporary file until all of them are known. Only then are files replaced, one after the
/// other. If that is interrupted, the next run finishes it, because the files that were replaced are then current.
struct FilesMigration {
    let opener: Opener
    let given: [GivenName]
    let output: MigrateOutput
    let limits: MigrateLimits

    /// A file that contains documents.
    private struct Target {
        let file: FilePath
        /// The path to write to.
        let path: FilePath
        let hasLines: Bool
        let isPacked: Bool
        /// A stamp that changes when the file changes.
        let stamp: ModificationStamp?
        /// The file before the migration; nil if it won't be replaced, or cannot be read.
        let state: FileState?
        /// The migrated documents by line number, or by 0 if the whole file is one document.
        var pieces: [Int: Spool.Piece] = [:]
        /// The hashes of the lines that the pieces are made from.
        var contents: [Int: Int] = [:]
        /// The complete contents to write, once they have been made.
        var whole: Spool.Piece?
        /// Whether the file is a single document that cannot be migrated.
        var isRefused = false
    }

    /// The files that contain the documents.
    private struct Targets {
        var all: [Target] = []
        private var numbers: [FilePath: Int] = [:]

        /// Returns the number of a file, which is the same for all documents in it.
        mutating func number(of target: Target) -> Int {
            if let number = numbers[target.file] { return number }
            numbers[target.file] = all.count
            all.append(target)
            return all.count - 1
        }
    }

    func run() throws -> ExitStatus {
        switch output {
        case .standardOutput: throw UsageError.severalNeedFolder
        case .file(let folder):
            if GivenName(folder).exists, !GivenName(folder).isFolder { throw UsageError.noFolder(folder) }
            if let outer = given.first(where: { $0.isFolder && folder.lies(in: $0.path) }) {
                throw UsageError.outputInside(folder, of: outer.path)
            }
        case .inPlace: break
        }
        let missing = given.filter { !$0.exists }
        for given in missing { Console.complain("\(given.path): \(SourceProblem.noSuchFile)") }
        guard missing.isEmpty else {
            Console.complain(CommandWords.unwritten(because: "not all that was named is there"))
            return .noInput
        }
        let spool = try Spool()
        let targets = Locked(Targets())
        let plan = try MigrationPlan("migrating", opener: opener, limits: limits, progress: ProgressLine()) { add in
            try find { document, target in
                // Other programs may have a store open, so it isn't replaced like a file.
                let isStore = document.container == .sqlite
                let number = targets.withLock { $0.number(of: target) }
                add(
                    PlannedDocument(
                        reference: document, target: number,
                        refusal: isStore ? CommandWords.storeAmongSeveral(document.file) : nil))
            }
        } keep: { document, data in
            let reference = document.reference
            try targets.withLock { targets in
                if let data {
                    let line = reference.isWhole ? 0 : reference.firstLine ?? 0
                    targets.all[document.target].pieces[line] = try spool.add(data)
                    targets.all[document.target].contents[line] = reference.content
                } else if reference.isWhole {
                    targets.all[document.target].isRefused = true
                }
            }
        }
        return try finish(plan, targets.withLock { $0.all }, spool)
    }

    /// Finds the documents, and the path to write each one to.
    private func find(_ found: @escaping (DocumentReference, Target) -> Void) throws {
        /// The source of each output path.
        var sources: [FilePath: FilePath] = [:]
        var seen: Set<SeenDocument> = []
        var targets: Set<FilePath> = []
        var problem: UsageError?
        for given in given {
            guard given.isFileOrFolder, given.document.isWhole else { throw UsageError.nameless(given.path) }
            if let store = given.store { throw UsageError.storeAmongSeveral(store.file) }
            let take = { (document: DocumentReference) in
                // The unreadable rest of a packed file has the same name as its readable part.
                let isSeen = !seen.insert(SeenDocument(document, isReplaced: output == .inPlace)).inserted
                if isSeen, document.problem == nil { return }
                var path = document.file
                if case .file(let folder) = output { path = folder.appending(document.path(below: given.path)) }
                if let other = sources.updateValue(document.file, forKey: path), other != document.file {
                    // This is another path to the same file.
                    if document.isWhole, let file = document.file.resolved, file == other.resolved { return }
                    problem = .sameName(other, document.file, name: path)
                    return
                }
                let isFirst = targets.insert(document.file).inserted
                found(
                    document,
                    Target(
                        file: document.file, path: path, hasLines: !document.isWhole,
                        isPacked: document.isInPackedFile,
                        stamp: isFirst ? ModificationStamp(path: document.file) : nil,
                        state: isFirst ? output.stateToReplace(document.file) : nil))
            }
            let leftOut = try? DocumentWalker([given]).walk(
                isCancelled: { problem != nil },
                deliver: { for document in $0 where problem == nil { take(document) } })
            if let problem { throw problem }
            if let words = leftOut.flatMap(CommandWords.leftOut) { Console.complain(words) }
        }
    }

    /// Identifies a document, however many paths lead to it. If documents are replaced, links are resolved.
    private struct SeenDocument: Hashable {
        let file: FilePath
        let line: Int?

        init(_ document: DocumentReference, isReplaced: Bool) {
            file = isReplaced ? document.file.resolved ?? document.file : document.file
            line = document.isWhole ? nil : document.firstLine
        }
    }

    // MARK: - Writing

    private func finish(_ plan: MigrationPlan, _ all: [Target], _ spool: Spool) throws -> ExitStatus {
        plan.complainOfRefusals()
        guard plan.documentCount > 0 else {
            Console.complain(CommandWords.noDocuments(in: given.map(\.path)))
            return .documentsFailed
        }
        if plan.refusedCount > 0, !limits.keepsGoing {
            Console.complain(CommandWords.severalRefused(plan.refusedCount, of: plan.documentCount))
            return .documentsFailed
        }
        // Documents that are already current are also written to an output folder.
        var targets = all.filter { !$0.isRefused && (output != .inPlace || !$0.pieces.isEmpty) }
        let writer = AtomicFileWriter(keepsBackup: true)
        try refuseToHarmDocuments(targets, among: all)
        for target in targets {
            guard ModificationStamp(path: target.file) == target.stamp else {
                Console.complain(CommandWords.unwritten(because: CommandWords.changedMeanwhile(target.file)))
                return .documentsFailed
            }
            try writer.checkWriting(to: target.path)
        }
        // Make all contents before the first file is replaced: one of them may be too large, or have changed.
        for index in targets.indices { targets[index].whole = try contents(of: targets[index], spool) }
        plan.warnings.forEach(Console.complain)
        var written: [Target] = []
        do {
            for target in targets {
                do {
                    try write(target, with: writer, spool)
                    written.append(target)
                } catch let error as SourceError where error.reason == .changedMeanwhile {
                    // The file stays as the other program saved it. That's no reason to leave the others unwritten.
                    Console.complain("\(error)")
                }
            }
        } catch let error as SourceError {
            Console.complain("\(error)")
            Console.complain(CommandWords.interrupted(after: written.count, of: targets.count))
            return ExitStatus(notWritten: error)
        }
        // A file that cannot be read to its end isn't written, even if some of its lines migrate.
        let migratedCount = written.reduce(0) { $0 + $1.pieces.count }
        Console.complain(
            CommandWords.several(
                migrated: migratedCount, current: plan.currentCount,
                refused: plan.refusedCount + plan.migratedCount - migratedCount, files: written.count, output))
        return plan.refusedCount > 0 || written.count < targets.count ? .documentsFailed : .success
    }

    private func write(_ target: Target, with writer: AtomicFileWriter, _ spool: Spool) throws {
        guard let data = try target.whole.map(spool.data) else { return }
        // The lines that stay unchanged were read just now.
        guard ModificationStamp(path: target.file) == target.stamp, output != .inPlace || target.state != nil else {
            throw SourceError(source: "\(target.file)", reason: .changedMeanwhile)
        }
        if output != .inPlace { try target.path.makeFolders() }
        let replaced = try writer.write(data, to: target.path, like: target.file, replacing: target.state)
        // The summary says that old files are kept under the usual name.
        replaced?.report(of: target.path, "document") { !$0.hasSuffix(FilePath.backupEnding) }
    }

    /// Throws an error if the output would replace a document that was opened, other than with `--in-place`.
    private func refuseToHarmDocuments(_ targets: [Target], among all: [Target]) throws {
        guard output != .inPlace else { return }
        let sources = Set(all.compactMap(\.stamp))
        let paths = Set(targets.map(\.path))
        for target in targets {
            if ModificationStamp(path: target.path).map(sources.contains) == true { throw UsageError.outputIsDocument }
            var folder = target.path.parent
            while folder.bytes.count > 1 {
                if paths.contains(folder) { throw UsageError.fileAndFolder(folder) }
                folder = folder.parent
            }
        }
    }

    private func contents(of target: Target, _ spool: Spool) throws -> Spool.Piece {
        let data: Data
        if target.hasLines {
            data = try LinesRewriting.text(of: target.file) { line, content in
                guard let piece = target.pieces[line] else { return nil }
                guard target.contents[line] == content else {
                    throw SourceError(source: "\(target.file)", reason: .changedMeanwhile)
                }
                return try spool.data(piece)
            }
        } else if let piece = target.pieces[0] {
            if !target.isPacked { return piece }
            data = try spool.data(piece)
        } else {
            // The file is copied as it is, packed or not.
            return try spool.add(try LinesRewriting.bytes(of: target.file))
        }
        return try spool.add(target.isPacked ? try Gzip.pack(data, as: target.file) : data)
    }
}

extension FilePath {
    /// Whether the path, which doesn't have to exist, is below a folder.
    fileprivate func lies(in folder: FilePath) -> Bool {
        guard let outer = folder.resolved else { return false }
        var ancestor = self
        while ancestor.resolved == nil, ancestor.parent != ancestor { ancestor = ancestor.parent }
        guard let inner = ancestor.resolved else { return false }
        return inner == outer ? ancestor != self : inner.bytes.starts(with: outer.bytes + [UInt8(ascii: "/")])
    }
}
