import DocumentModel
import DocumentSources
import Foundation
import MigrationCore
import MigrationWorker

/// `migrate` for several documents: migrates all of them to their newest versions, or none.
///
/// The results are kept in a temporary file until all of them are known. Only then are files replaced, one after the
/// other. If that is interrupted, the next run finishes it, because the files that were replaced are then current.
struct MigrateSeveralCommand {
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

    /// A document and the file that contains it.
    private struct Item: Sendable {
        let document: DocumentReference
        let target: Int
    }

    private struct State {
        private(set) var targets: [Target] = []
        private var numbers: [FilePath: Int] = [:]
        var currentCount = 0
        var migratedCount = 0
        var refusedCount = 0
        /// The first reasons why documents cannot be written.
        var refusals: [String] = []
        /// What documents lose that are written.
        var warnings: [String] = []

        var documentCount: Int { currentCount + migratedCount + refusedCount }

        /// Returns the number of a file, which is the same for all documents in it.
        mutating func number(of target: Target) -> Int {
            if let number = numbers[target.file] { return number }
            numbers[target.file] = targets.count
            targets.append(target)
            return targets.count - 1
        }

        /// Records a migrated document of a file.
        mutating func keep(_ piece: Spool.Piece, ofLine line: Int, content: Int?, in target: Int) {
            migratedCount += 1
            targets[target].pieces[line] = piece
            targets[target].contents[line] = content
        }

        mutating func refuse(_ item: Item, _ reason: String) {
            refusedCount += 1
            if item.document.isWhole { targets[item.target].isRefused = true }
            if refusals.count < MigrateSeveralCommand.refusalsNamed { refusals.append(reason) }
        }
    }

    /// The maximum number of refused documents to name.
    private static let refusalsNamed = 20

    func run() throws -> ExitStatus {
        if output == .standardOutput { throw UsageError.severalNeedFolder }
        if case .file(let folder) = output, GivenName(folder).exists, !GivenName(folder).isFolder {
            throw UsageError.noFolder(folder)
        }
        if case .file(let folder) = output {
            for given in given where given.isFolder && folder.lies(in: given.path) {
                throw UsageError.outputInside(folder, of: given.path)
            }
        }
        let missing = given.filter { !$0.exists }
        for given in missing { Console.complain("\(given.path): \(SourceProblem.noSuchFile)") }
        guard missing.isEmpty else {
            Console.complain(CommandWords.unwritten(because: "not all that was named is there"))
            return .noInput
        }
        do {
            let spool = try Spool()
            let state = try migrateAll(into: spool)
            return try finish(state, spool)
        } catch let error as SourceError {
            Console.complain(CommandWords.unwritten(because: error))
            return ExitStatus(notWritten: error)
        }
    }

    // MARK: - Migrating

    private func migrateAll(into spool: Spool) throws -> State {
        let progress = ProgressLine()
        defer { progress.clear() }
        let state = Locked(State())
        let failure = FirstError()
        let count = { @Sendable in "migrating: \(state.withLock { $0.documentCount }) documents" }
        let run = DocumentRun<Item, WrittenMigration, (item: Item, verdict: MigrationVerdict)>(
            host: opener.host, wanting: .migration, jobs: opener.jobs, byteCount: { $0.document.held?.count ?? 0 },
            request: { [opener] in opener.request(for: $0.document) },
            progress: { item, work in
                progress.show { "\(count()); \(item.document.name) \(work.shown.words())" }
            },
            output: { [opener, limits] item, reply in
                // Other programs may have a store open, so it isn't replaced like a file.
                if item.document.container == .sqlite {
                    return (item, .refused(CommandWords.storeAmongSeveral(item.document.file)))
                }
                // The document may migrate once this program gets the resources that it lacks.
                if case .success(let migration) = reply,
                    case .unreadable(let problem)? = migration.document.result.failure?.reason, problem.isShortage
                {
                    failure.keep { throw SourceError(source: item.document.name, reason: problem) }
                }
                return (item, opener.verdict(on: item.document, reply, limits))
            },
            deliver: { _, made in
                failure.keep {
                    try state.withLock { state in
                        switch made.verdict {
                        case .stays: state.currentCount += 1
                        case .refused(let reason): state.refuse(made.item, reason)
                        case .becomes(let data, let warnings):
                            state.warnings += warnings
                            let line = made.item.document.isWhole ? 0 : made.item.document.firstLine ?? 0
                            state.keep(
                                try spool.add(data), ofLine: line, content: made.item.document.content,
                                in: made.item.target)
                        }
                    }
                }
                progress.show(count)
            })
        do {
            try find { document, target in
                let number = state.withLock { state in
                    state.number(of: target)
                }
                run.add(Item(document: document, target: number))
            }
        } catch {
            run.cancel()
            try? run.finish()
            throw error
        }
        try run.finish()
        try failure.rethrow()
        return state.withLock { $0 }
    }

    /// Finds the documents, and the path to write each one to.
    private func find(_ found: @escaping (DocumentReference, Target) -> Void) throws {
        /// The source of each output path.
        var sources: [FilePath: FilePath] = [:]
        var seen: Set<SeenDocument> = []
        var targets: Set<FilePath> = []
        var problem: UsageError?
        for given in given {
            guard !given.isReadOnce, given.document.isWhole else { throw UsageError.nameless(given.path) }
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
                if isFirst, output == .inPlace {
                    TemporaryFiles.removeAbandoned(beside: document.file.resolved ?? document.file)
                }
                found(
                    document,
                    Target(
                        file: document.file, path: path, hasLines: !document.isWhole,
                        isPacked: document.isInPackedFile,
                        stamp: isFirst ? ModificationStamp(path: document.file) : nil,
                        state: isFirst && output == .inPlace ? try? FileState(reading: document.file) : nil))
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

    private func finish(_ state: State, _ spool: Spool) throws -> ExitStatus {
        for refusal in state.refusals { Console.complain(refusal) }
        if state.refusedCount > state.refusals.count {
            Console.complain("and \(state.refusedCount - state.refusals.count) more")
        }
        guard state.documentCount > 0 else {
            Console.complain(CommandWords.noDocuments(in: given.map(\.path)))
            return .documentsFailed
        }
        if state.refusedCount > 0, !limits.keepsGoing {
            Console.complain(CommandWords.severalRefused(state.refusedCount, of: state.documentCount))
            return .documentsFailed
        }
        // Documents that are already current are also written to an output folder.
        var targets = state.targets.filter { !$0.isRefused && (output != .inPlace || !$0.pieces.isEmpty) }
        let writer = AtomicFileWriter(keepsBackup: true)
        try refuseToHarmDocuments(targets, among: state.targets)
        for target in targets {
            guard ModificationStamp(path: target.file) == target.stamp else {
                Console.complain(CommandWords.unwritten(because: CommandWords.changedMeanwhile(target.file)))
                return .documentsFailed
            }
            try writer.checkWriting(to: target.path)
        }
        // Make all contents before the first file is replaced: one of them may be too large, or have changed.
        for index in targets.indices { targets[index].whole = try contents(of: targets[index], spool) }
        for warning in state.warnings { Console.complain(warning) }
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
                migrated: migratedCount, current: state.currentCount,
                refused: state.refusedCount + state.migratedCount - migratedCount, files: written.count, output))
        return state.refusedCount > 0 || written.count < targets.count ? .documentsFailed : .success
    }

    private func write(_ target: Target, with writer: AtomicFileWriter, _ spool: Spool) throws {
        guard let data = try target.whole.map(spool.data) else { return }
        // The lines that stay unchanged were read just now.
        guard ModificationStamp(path: target.file) == target.stamp, output != .inPlace || target.state != nil else {
            throw SourceError(source: "\(target.file)", reason: .changedMeanwhile)
        }
        if output != .inPlace { try target.path.makeFolders() }
        let replaced = try writer.write(data, to: target.path, like: target.file, replacing: target.state)
        guard let replaced else { return }
        if let backup = replaced.backup, !backup.hasSuffix(FilePath.backupEnding) {
            Console.complain("\(target.path): \(CommandWords.kept("document", as: backup))")
        }
        if replaced.otherNames > 0 {
            Console.complain("\(target.path): \(CommandWords.stays("document", otherNames: replaced.otherNames))")
        }
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
