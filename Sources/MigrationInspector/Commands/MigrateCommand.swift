import DocumentModel
import DocumentSources
import Foundation
import MigrationCore

/// `migrate`: writes documents in their newest version, only where the user says.
struct MigrateCommand {
    let opener: Opener
    let paths: [FilePath]
    /// The columns of a store to migrate. If this is empty, they are detected.
    let columns: [String]
    let output: MigrateOutput
    let limits: MigrateLimits

    func run() throws -> ExitStatus {
        let given = GivenName(paths[0])
        let isOne = paths.count == 1
        if isOne, given.isReadOnce, output.isFolder { throw UsageError.nameless(given.path) }
        let store = isOne ? given.store : nil
        if isOne, store == nil, given.isReadOnce || given.isOneDocument && !output.isFolder {
            return try DocumentMigration(opener: opener, given: given, output: output, limits: limits).run()
        }
        let output = try store.map { try self.output.inFolder(as: $0.file.lastComponent) } ?? output
        do {
            if let store {
                return try StoreMigration(
                    opener: opener, store: store, columns: columns, output: output, limits: limits
                ).run()
            }
            let names = [given] + GivenName.resolve(Array(paths.dropFirst()))
            return try FilesMigration(opener: opener, given: names, output: output, limits: limits).run()
        } catch let error as SourceError {
            Console.complain(CommandWords.unwritten(because: error))
            return ExitStatus(notWritten: error)
        }
    }
}

extension MigrateOutput {
    /// Returns the state of a file that will be replaced, to recognize a later save by another program; nil if the file
    /// won't be replaced or cannot be read. Files that an interrupted run left beside it are removed.
    func stateToReplace(_ file: FilePath) -> FileState? {
        guard self == .inPlace else { return nil }
        TemporaryFiles.removeAbandoned(beside: file.resolved ?? file)
        return try? FileState(reading: file)
    }
}

extension AtomicFileWriter.Replaced {
    /// Says on standard error where the old contents of a file, a `noun`, remain.
    ///
    /// - Parameter saysBackup: Whether to name a backup.
    func report(of file: FilePath, _ noun: String, saysBackup: (FilePath) -> Bool = { _ in true }) {
        if let backup, saysBackup(backup) { Console.complain("\(file): \(CommandWords.kept(noun, as: backup))") }
        if otherNames > 0 { Console.complain("\(file): \(CommandWords.stays(noun, otherNames: otherNames))") }
    }
}
