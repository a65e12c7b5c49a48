import DocumentModel
import MigrationCore

/// Showing the versions of a chain side by side.
extension Inspector {
    /// Shows the chain of the selected document or of its part.
    mutating func openChainTable() {
        guard let shown, var table = ChainTable(shown.trace, title: documents[shown.document]?.displayName ?? "") else {
            return
        }
        if wantedOutlines.insert(ExactText(table.chain)).inserted { effects.append(.outline(chain: table.chain)) }
        if let known = outlines[ExactText(table.chain)] { table = table.knowing(known.chain, known.versions) }
        let chain = table.chain
        let read = table.awaitExamples { version in
            documents.example(of: version, in: chain).flatMap { document in
                documents[document].map { (document, $0.displayName) }
            }
        }
        chainTable = table
        effects += read.map { .read($0) }
    }
}
