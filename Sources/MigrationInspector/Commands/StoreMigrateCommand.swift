import DocumentModel
import DocumentSources
import Foundation
import MigrationCore
import MigrationWorker

/// `migrate` for a store: writes a copy in which every document has its newest version, or no copy at all.
struct StoreMigrateCommand {
    let opener: Opener
    let store: DocumentStore
    /// The columns to migrate. If this is empty, they are detected.
    let columns: [String]
    let output: MigrateOutput
    let limits: MigrateLimits
    private let progress = ProgressLine()

    func run() throws -> ExitStatus {
        let target = try target()
        let columns: [StoreColumn]
        do {
            columns = try store.documentColumns(named: self.columns)
        } catch {
            Console.complain(CommandWords.unwritten(because: error))
            return ExitStatus(notRead: .unreadable(problem: error.reason))
        }
        do {
            let copy = try StoreCopy(of: store, at: target) { [progress] byteCount throws(SystemFailure) in
                guard let seconds = opener.host.limits.seconds(byteCount: byteCount) else { return nil }
                return try StoreWatch(seconds: seconds) { error in
                    TemporaryFiles.removeAll {
                        Console.sayLast {
                            progress.clear()
                            Console.complain(CommandWords.unwritten(because: error))
                        }
                        _exit(ExitStatus(notWritten: error).rawValue)
                    }
                }
            }
            defer { copy.discard() }
            let chains = try columns.map(chain)
            let tallies = try zip(columns, chains).map { try migrate($0, by: $1, in: copy) }
            return try finish(copy, tallies, target: target)
        } catch let error as UnknownChain {
            Console.complain("\(store.file): \(CommandWords.unknownChain(of: error.column, because: error.reason))")
            return .documentsFailed
        } catch let error as SourceError {
            Console.complain(CommandWords.unwritten(because: error))
            return ExitStatus(notWritten: error)
        }
    }

    private func target() throws(UsageError) -> FilePath {
        switch output {
        case .file(let file): return file
        case .inPlace:
            throw .inPlaceOfStore(store.file)
        case .standardOutput:
            throw .storeNeedsOutput(store.file)
        }
    }

    // MARK: - Columns

    /// The results for the documents of a column.
    private struct Tally {
        let column: StoreColumn
        /// The chain of the documents; nil if none fits, in which case they stay as they are.
        let chain: ChainDescription?
        var current = 0
        var migrated = 0
        /// The reasons why documents prevent the copy from being written, with their names.
        var refusals: [String] = []
        var refusedCount = 0
        /// What documents lose that are written.
        var warnings: [String] = []

        mutating func refuse(_ reason: String) {
            refusedCount += 1
            if refusals.count < StoreMigrateCommand.refusalsNamed { refusals.append(reason) }
        }
    }

    /// The maximum number of refused documents to name.
    private static let refusalsNamed = 5

    private func migrate(
        _ column: StoreColumn, by chain: ChainDescription?, in copy: StoreCopy
    ) throws -> Tally {
        let failure = FirstError()
        let tally = Locked(Tally(column: column, chain: chain))
        let count = { @Sendable () -> String in
            let count = tally.withLock { $0.current + $0.migrated + $0.refusedCount }
            return "migrating \(column): \(count) documents"
        }
        var opener = opener
        opener.chain = chain?.name
        let traces = DocumentRun<StoreCopy.Cell, WrittenMigration, (cell: StoreCopy.Cell, verdict: MigrationVerdict)>(
            host: opener.host, wanting: .migration, jobs: opener.jobs,
            request: { [opener] cell in opener.request(for: cell.reference, bytes: cell.bytes) },
            progress: { cell, work in
                progress.show { "\(count()); \(cell.reference.name) \(work.shown.words())" }
            },
            output: { [opener, limits] cell, reply in
                (cell, opener.verdict(on: cell.reference, reply, limits))
            },
            deliver: { _, made in
                switch made.verdict {
                case .stays: tally.withLock { $0.current += 1 }
                case .refused(let reason): tally.withLock { $0.refuse(reason) }
                case .becomes(let data, let warnings):
                    failure.keep {
                        do throws(SourceError) {
                            try copy.replace(made.cell, with: data)
                            tally.withLock {
                                $0.migrated += 1
                                $0.warnings += warnings
                            }
                        } catch {
                            guard case .store(.refusedValue) = error.reason else { throw error }
                            tally.withLock { $0.refuse("\(error)") }
                        }
                    }
                }
                progress.show(count)
            })
        failure.keep {
            try copy.forEachCell(of: column) { cell in
                if chain == nil { tally.withLock { $0.current += 1 } } else { traces.add(cell) }
            }
        }
        try traces.finish()
        progress.clear()
        try failure.rethrow()
        return tally.withLock { $0 }
    }

    /// The error thrown if the chain of a column's documents could not be determined.
    private struct UnknownChain: Error {
        let column: StoreColumn
        let reason: Reason
    }

    /// Returns the chain that the documents of a column share; nil if there is none.
    ///
    /// - Throws: ``UnknownChain``, ``WorkerError``.
    private func chain(of column: StoreColumn) throws -> ChainDescription? {
        let chains = try opener.host.chains()
        var name = opener.chain
        if name == nil {
            let series = opener.request(for: store.series(column).reference)
            switch try opener.host.reply(to: series, wanting: .seriesChain)?.get() {
            case .known(let known): name = known
            case .unknown(let reason): throw UnknownChain(column: column, reason: reason)
            case nil: throw UnknownChain(column: column, reason: .unreadable(problem: .cancelled))
            }
        }
        return chains.first { name?.isExactly($0.name) == true }
    }

    // MARK: - Finishing

    private func finish(_ copy: StoreCopy, _ tallies: [Tally], target: FilePath) throws -> ExitStatus {
        for tally in tallies {
            let words = CommandWords.column(
                tally.column, chain: tally.chain?.name,
                version: opener.target ?? tally.chain?.newestVersion ?? .unversioned, migrated: tally.migrated,
                current: tally.current, refused: tally.refusedCount)
            Console.complain("\(store.file): \(words)")
        }
        guard tallies.contains(where: { $0.chain != nil }) else {
            Console.complain("\(store.file): \(CommandWords.noChain)")
            return .documentsFailed
        }
        let refused = tallies.reduce(0) { $0 + $1.refusedCount }
        guard refused == 0 else {
            let named = tallies.flatMap(\.refusals).prefix(Self.refusalsNamed)
            named.forEach(Console.complain)
            if refused > named.count { Console.complain("and \(refused - named.count) more") }
            Console.complain("\(store.file): \(CommandWords.refused(refused))")
            return .documentsFailed
        }
        let virtualTables = try copy.virtualTables
        for warning in tallies.flatMap(\.warnings) { Console.complain(warning) }
        try copy.save()
        let migrated = tallies.reduce(0) { $0 + $1.migrated }
        if migrated > 0, !virtualTables.isEmpty {
            Console.complain("\(target): \(CommandWords.virtualTables(virtualTables))")
        }
        Console.complain("\(target): \(CommandWords.written(migrated, besides: store.file))")
        return .success
    }
}
