import DocumentModel
import MigrationCore

/// Showing the versions of a chain side by side.
extension KeyCommand {
    /// Shows the chain of the selected document or of its part.
    static let chainTable = KeyCommand("chainTable") { now in
        let title = now.shown.flatMap { now.documents[$0.document]?.displayName } ?? ""
        guard let trace = now.shown?.trace, let table = ChainTable(trace, title: title) else {
            return .nothing(.noChain)
        }
        return .change { $0.open(table) }
    }
    static let previousVersion = goToVersion("previousVersion", -1)
    static let nextVersion = goToVersion("nextVersion", 1)

    private static func goToVersion(_ name: String, _ count: Int) -> KeyCommand {
        KeyCommand(name) {
            .when($0.chainTable?.canMoveColumn(by: count) ?? false) {
                $0.change(ChainTable.self) { $0.moveColumn(by: count) }
            }
        }
    }
}

extension Inspector {
    fileprivate mutating func open(_ table: ChainTable) {
        var table = table
        effects += chains.wantOutline(of: table.chain)
        if let known = chains[table.chain] { table = table.knowing(known.chain, known.versions) }
        let chain = table.chain
        let read = table.awaitExamples { version in
            documents.example(of: version, in: chain).flatMap { document in
                documents[document].map { (document, $0.displayName) }
            }
        }
        overlay = table
        effects += read.map { .read($0) }
    }
}
