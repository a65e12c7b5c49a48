import DocumentModel
import DocumentSources
import MigrationCore

/// The chains that the rows of stores' columns share: found once for a column, and kept.
///
/// The rows of a column are documents of one kind, so the chain that most of them fit is the chain of all. A row that would fit another, or
/// none, is a row that went wrong. Which chain that is, a sample says.
final class ColumnChains: Sendable {
    private struct Place: Hashable {
        let path: String
        let column: StoreColumn
    }

    /// nil for a column of which no row that was looked at belongs to a chain.
    private let known = Locked<[Place: MigrationChain?]>([:])

    /// How many rows are looked at from either end of the table.
    private static let sampleSize = 32

    /// The chain of a column; nil where the sample fits none, or cannot be read.
    func chain(
        of column: StoreColumn, inStoreAt path: String, among chains: [MigrationChain]
    ) -> MigrationChain? {
        let place = Place(path: path, column: column)
        // Whoever asks for the same column meanwhile would only look at the same rows.
        return known.withLock { known in
            if let chain = known[place] { return chain }
            guard let sample = try? DocumentStore(path: path).sample(of: column, limit: Self.sampleSize) else {
                return nil
            }
            let chain = Self.chain(of: sample, among: chains)
            known[place] = .some(chain)
            return chain
        }
    }

    /// The chain that most of the documents fit; of two that fit as many, the one that comes first.
    private static func chain(of sample: [SourceBytes], among chains: [MigrationChain]) -> MigrationChain? {
        var votes: [String: Int] = [:]
        for bytes in sample {
            guard let document = try? Document(parsing: bytes) else { continue }
            if let chain = chains.recognize(document).chain { votes[chain.name, default: 0] += 1 }
        }
        guard let most = votes.values.max() else { return nil }
        return chains.first { votes[$0.name] == most }
    }
}
