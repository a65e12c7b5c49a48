import DocumentModel
import DocumentSources
import Foundation
import MigrationCore
import MigrationWorker

/// `migrate` of a store: writes a copy in which every document has its newest version, or no copy at all.
struct StoreMigration {
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
        let known = try opener.host.chains()
        var chains: [ChainDescription?] = []
        for column in columns {
            switch try chain(of: column) {
            case .known(let name): chains.append(known.first { name?.isExactly($0.name) == true })
            case .unknown(let reason):
                Console.complain("\(store.file): \(CommandWords.unknownChain(of: column, because: reason))")
                return .documentsFailed
            }
        }
        return try finish(copy, try zip(columns, chains).map { ($0, $1, try plan($0, by: $1, in: copy)) }, target)
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

    /// A column, the chain of its documents, and what becomes of them. The chain is nil if none fits, in which case they
    /// stay as they are.
    private typealias PlannedColumn = (column: StoreColumn, chain: ChainDescription?, plan: MigrationPlan)

    /// The maximum number of refused documents to name.
    private static let refusalsNamed = 5

    private func plan(_ column: StoreColumn, by chain: ChainDescription?, in copy: StoreCopy) throws -> MigrationPlan {
        guard let chain else {
            var plan = MigrationPlan()
            try copy.forEachCell(of: column) { _ in plan.currentCount += 1 }
            return plan
        }
        var opener = opener
        opener.chain = chain.name
        return try MigrationPlan("migrating \(column)", opener: opener, limits: limits, progress: progress) { add in
            try copy.forEachCell(of: column) {
                add(PlannedDocument(reference: $0.reference, bytes: $0.bytes, target: $0))
            }
        } keep: { document, data in
            if let data { try copy.replace(document.target, with: data) }
        }
    }

    /// Returns the chain that the documents of a column share, as far as it could be determined.
    ///
    /// - Throws: ``WorkerError``.
    private func chain(of column: StoreColumn) throws -> SeriesChain {
        if let name = opener.chain { return .known(name) }
        let series = opener.request(for: store.series(column).reference)
        return try opener.host.reply(to: series, wanting: .seriesChain)?.get()
            ?? .unknown(.unreadable(problem: .cancelled))
    }

    // MARK: - Finishing

    private func finish(_ copy: StoreCopy, _ columns: [PlannedColumn], _ target: FilePath) throws -> ExitStatus {
        var plan = MigrationPlan()
        for (column, chain, documents) in columns {
            plan.add(documents)
            let words = CommandWords.column(
                column, chain: chain?.name, version: opener.target ?? chain?.newestVersion ?? .unversioned,
                migrated: documents.migratedCount, current: documents.currentCount, refused: documents.refusedCount)
            Console.complain("\(store.file): \(words)")
        }
        guard columns.contains(where: { $0.chain != nil }) else {
            Console.complain("\(store.file): \(CommandWords.noChain)")
            return .documentsFailed
        }
        guard plan.refusedCount == 0 else {
            plan.complainOfRefusals(naming: Self.refusalsNamed)
            Console.complain("\(store.file): \(CommandWords.refused(plan.refusedCount, keepsGoing: limits.keepsGoing))")
            return .documentsFailed
        }
        let virtualTables = try copy.virtualTables
        plan.warnings.forEach(Console.complain)
        try copy.save()
        if plan.migratedCount > 0, !virtualTables.isEmpty {
            Console.complain("\(target): \(CommandWords.virtualTables(virtualTables))")
        }
        Console.complain("\(target): \(CommandWords.written(plan.migratedCount, besides: store.file))")
        return .success
    }
}
