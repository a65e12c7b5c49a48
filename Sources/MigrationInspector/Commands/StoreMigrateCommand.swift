import DocumentModel
import DocumentSources
import Foundation
import MigrationCore

/// `migrate` of a store: a copy of it with every document in its newest version, or no copy at all.
struct StoreMigrateCommand {
    let opener: DocumentOpener
    let store: DocumentStore
    /// The columns to migrate; where none is named, they are found by looking.
    let columns: [String]
    let output: MigrateOutput
    let allowsDropped: Bool

    func run() throws -> ExitStatus {
        let target = try target()
        Interruption.prepare { StoreCopy.discardAll() }
        do {
            let columns = try store.documentColumns(named: columns)
            let copy = try StoreCopy(of: store, at: target)
            defer { copy.discard() }
            var tallies: [Tally] = []
            for column in columns { tallies.append(try migrate(column, in: copy)) }
            return try finish(copy, tallies, target: target)
        } catch let error as SourceError {
            Console.complain("\(error); nothing was written")
            return ExitStatus(notWritten: error)
        }
    }

    private func target() throws(UsageError) -> FilePath {
        switch output {
        case .file(let file): return file
        case .inPlace:
            throw UsageError(
                message:
                    "\(store.file) is a store, which other programs may have open, so --in-place never changes it; "
                    + "--output COPY writes a migrated copy")
        case .standardOutput:
            throw UsageError(
                message: "\(store.file) is a store, and a copy of it has to be a file; name it with --output COPY")
        }
    }

    // MARK: - Columns

    /// What became of a column's documents.
    private struct Tally {
        let column: StoreColumn
        /// nil where none fits; its documents then stay as they are.
        let chain: MigrationChain?
        var current = 0
        var migrated = 0
        /// Why a document keeps the copy from being written, with its name.
        var refusals: [String] = []
        var refusedCount = 0

        mutating func refuse(_ reason: String) {
            refusedCount += 1
            if refusals.count < StoreMigrateCommand.refusalsNamed { refusals.append(reason) }
        }
    }

    /// How many documents that cannot be migrated are named.
    private static let refusalsNamed = 5

    /// What is to be done about a cell.
    private enum Verdict: Sendable {
        case stays
        case becomes(StoreCopy.Cell, Data)
        case refused(String)
    }

    private func migrate(_ column: StoreColumn, in copy: StoreCopy) throws -> Tally {
        let chain = opener.chain(of: store.series(column))
        let progress = ProgressLine()
        let failure = FirstError()
        let tally = Locked(Tally(column: column, chain: chain))
        let workers = OrderedWorkers<StoreCopy.Cell, Verdict>(
            work: { [self] cell in chain.map { verdict(on: cell, chain: $0) } ?? .stays },
            deliver: { verdict in
                tally.withLock { tally in
                    switch verdict {
                    case .stays: tally.current += 1
                    case .refused(let reason): tally.refuse(reason)
                    case .becomes(let cell, let data):
                        tally.migrated += 1
                        failure.keep { try copy.replace(cell, with: data) }
                    }
                    let count = tally.current + tally.migrated + tally.refusedCount
                    progress.show { "migrating \(column): \(count) documents" }
                }
            })
        failure.keep { try copy.forEachCell(of: column) { workers.add($0) } }
        workers.finish()
        progress.clear()
        try failure.rethrow()
        return tally.withLock { $0 }
    }

    private func verdict(on cell: StoreCopy.Cell, chain: MigrationChain) -> Verdict {
        let source = cell.reference.name
        do {
            let document = try Document(parsing: cell.bytes)
            let trace = opener.watched(cell.reference) { chain.trace(document, source: source, to: opener.target) }
            if trace.outcome == .current { return .stays }
            if let refusal = trace.refusalToWrite(cell.reference, allowsDropped: allowsDropped) {
                return .refused(refusal)
            }
            return try trace.resultData().map { .becomes(cell, $0) }
                ?? .refused("\(source): \(trace.reasonsForNoResult)")
        } catch let error as DocumentParseError {
            let place = error.location.map { ":\($0.line):\($0.column)" } ?? ""
            return .refused("\(source)\(place): malformed: \(error.message)")
        } catch {
            return .refused("\(source): \(FailureText.words(for: error))")
        }
    }

    // MARK: - The end

    private func finish(_ copy: StoreCopy, _ tallies: [Tally], target: FilePath) throws -> ExitStatus {
        for tally in tallies { Console.complain(words(for: tally)) }
        guard tallies.contains(where: { $0.chain != nil }) else {
            Console.complain(
                "\(store.file): none of its documents belongs to a chain this program knows; nothing was written")
            return .documentsFailed
        }
        let refused = tallies.reduce(0) { $0 + $1.refusedCount }
        guard refused == 0 else {
            let named = tallies.flatMap(\.refusals).prefix(Self.refusalsNamed)
            named.forEach(Console.complain)
            if refused > named.count { Console.complain("and \(refused - named.count) more") }
            Console.complain("\(store.file): \(refused) documents cannot be migrated, so none was; nothing was written")
            return .documentsFailed
        }
        try copy.save()
        let migrated = tallies.reduce(0) { $0 + $1.migrated }
        Console.complain(
            "\(target): written, with \(migrated) \(migrated == 1 ? "document" : "documents") migrated; \(store.file) is as it was"
        )
        return .success
    }

    private func words(for tally: Tally) -> String {
        guard let chain = tally.chain else {
            return "\(store.file): \(tally.column): \(tally.current) documents belong to no chain, and stay as they are"
        }
        let version = opener.target ?? chain.newestVersion
        let counts = [
            (tally.migrated, "migrated to version \(version)"), (tally.current, "already version \(version)"),
            (tally.refusedCount, "cannot be migrated"),
        ]
        let words = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
        return "\(store.file): \(tally.column) (\(chain.name)): \(words.isEmpty ? "no documents" : words)"
    }
}
