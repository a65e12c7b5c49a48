import DocumentModel
import Foundation
import MigrationCore

/// A question about a store. Another process can answer it: what is wrong with a store, or done to its files while they
/// are read, then ends that process alone.
package enum StoreQuestion: Sendable, Codable, Equatable {
    /// The columns that hold documents; where none is named, they are found by looking.
    case columns(named: [String])
    /// The names of some rows whose cell in a column is not empty, behind a key; nil for the first ones.
    case rows(StoreColumn, behind: [StoreValue]?)
    /// The bytes of a cell.
    case cell(StoreColumn, row: String)
    /// A copy of the whole store at this path, in a folder that was made for it.
    case copy(to: [UInt8])
}

/// The answer to a ``StoreQuestion``.
package enum StoreAnswer: Sendable, Codable {
    case columns([StoreColumn])
    /// The names of rows, and the key behind which the next ones are; nil where there are no more.
    case rows([String], last: [StoreValue]?)
    /// The bytes come beside it.
    case cell
    case copied
    case failed(SourceError)
}

/// An answer, and the bytes of the cell that was asked for.
package struct StoreReply: Sendable {
    package let answer: StoreAnswer
    package let bytes: SourceBytes?

    package init(_ answer: StoreAnswer, bytes: SourceBytes? = nil) { (self.answer, self.bytes) = (answer, bytes) }
}

/// Where stores are opened: in this process, or in another that is asked.
package enum StoreReading {
    /// Asks another process; nil to open stores in this one.
    package static let elsewhere = Locked<(@Sendable (FilePath, StoreQuestion) throws(SourceError) -> StoreReply)?>(nil)

    /// The answer of this process.
    package static func reply(to question: StoreQuestion, about file: FilePath) -> StoreReply {
        do throws(SourceError) {
            return try DocumentStore(file).ownReply(to: question)
        } catch {
            return StoreReply(.failed(error))
        }
    }
}

extension DocumentStore {
    /// The answer, wherever the store is opened.
    ///
    /// - Throws: ``SourceError``.
    func ask(_ question: StoreQuestion) throws(SourceError) -> StoreReply {
        guard let elsewhere = StoreReading.elsewhere.withLock({ $0 }) else { return try ownReply(to: question) }
        let reply = try elsewhere(file, question)
        if case .failed(let error) = reply.answer { throw error }
        return reply
    }

    /// How many rows are listed at once.
    private static let batchLength = 1024

    fileprivate func ownReply(to question: StoreQuestion) throws(SourceError) -> StoreReply {
        switch question {
        case .columns(let names):
            return StoreReply(
                try shared.ask(as: file.description) { session throws(StoreProblem) in
                    let finder = StoreColumnFinder(session: session)
                    guard names.isEmpty else {
                        var columns: [StoreColumn] = []
                        for name in names {
                            let column = try finder.column(named: name)
                            if !columns.contains(column) { columns.append(column) }
                        }
                        return .columns(columns)
                    }
                    let columns = try finder.find()
                    guard !columns.isEmpty else {
                        throw try finder.isStoreOfModels ? .noDocumentsInModels : .noDocuments
                    }
                    return .columns(columns)
                })
        case .rows(let column, let key):
            return StoreReply(
                try shared.ask(as: file.description) { session throws(StoreProblem) in
                    let (table, column) = try session.resolve(column)
                    let keys = try session.keys(of: column, in: table, after: key, limit: Self.batchLength)
                    return .rows(
                        keys.map(table.key.name), last: keys.count == Self.batchLength ? keys.last : nil)
                })
        case .cell(let column, let row):
            let name = cell(of: column, row: row).name
            let bytes = try shared.ask(as: name) { session throws(StoreProblem) in
                try session.bytes(of: column, row: row)
            }
            return StoreReply(.cell, bytes: bytes)
        case .copy(let path):
            let target = FilePath(path)
            try StoreFileSystem.lending(target.parent) { () throws(SourceError) in
                try shared.copy(to: target, as: file.description)
            }
            return StoreReply(.copied)
        }
    }
}
