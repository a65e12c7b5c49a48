import DocumentModel
import Foundation
import MigrationCore

/// A question about a store. Another process can answer it; then a defective store, or a change of its files while they
/// are read, can crash only that process.
package enum StoreQuestion: Sendable, Codable, Equatable {
    /// The columns that contain documents. If no names are given, they are found by sampling.
    case columns(named: [String])
    /// The names of some rows whose cell in a column is not empty, starting after a key, or at the first row if it is
    /// nil.
    case rows(StoreColumn, behind: [StoreValue]?)
    /// The bytes of a cell.
    case cell(StoreColumn, row: String)
    /// A copy of the whole store at this path, in a folder that was created for it.
    case copy(to: [UInt8])
}

/// The answer to a ``StoreQuestion``.
package enum StoreAnswer: Sendable, Codable {
    case columns([StoreColumn])
    /// The names of rows, and the key after which to continue; nil if there are no more rows.
    case rows([String], last: [StoreValue]?)
    /// The bytes are transferred separately.
    case cell
    case copied
    case failed(SourceError)
}

/// An answer, with the bytes of the requested cell.
package struct StoreReply: Sendable {
    package let answer: StoreAnswer
    package let bytes: SourceBytes?

    package init(_ answer: StoreAnswer, bytes: SourceBytes? = nil) { (self.answer, self.bytes) = (answer, bytes) }
}

/// Determines where stores are opened: in this process or in another one.
package enum StoreReading {
    /// Asks another process; nil to open stores in this one.
    package static let elsewhere = Locked<(@Sendable (FilePath, StoreQuestion) throws(SourceError) -> StoreReply)?>(nil)

    /// Answers a question in this process.
    package static func reply(to question: StoreQuestion, about file: FilePath) -> StoreReply {
        do throws(SourceError) {
            return try DocumentStore(file).ownReply(to: question)
        } catch {
            return StoreReply(.failed(error))
        }
    }
}

extension DocumentStore {
    /// Answers a question, wherever the store is opened.
    ///
    /// - Throws: ``SourceError``.
    func ask(_ question: StoreQuestion) throws(SourceError) -> StoreReply {
        guard let elsewhere = StoreReading.elsewhere.withLock({ $0 }) else { return try ownReply(to: question) }
        let reply = try elsewhere(file, question)
        if case .failed(let error) = reply.answer { throw error }
        return reply
    }

    /// The number of rows to list at once.
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
