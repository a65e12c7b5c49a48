import DocumentModel
import MigrationCore

/// Showing the versions of a chain side by side.
extension KeyCommand {
    /// Shows the chain of the selected document or of its part.
    static let chainTable = KeyCommand("chainTable") { now in
        let title = now.shown.flatMap { now.documents[$0.document]?.displayName } ?? ""
        guard let shown = now.shown else { return .nothing(.noChain) }
        if let table = ChainTable(shown.trace, title: title) { return .change { $0.open(table) } }
        guard let observed = now.documents.result(of: shown.document)?.observed,
            let groups = now.documents.documentsByObservedVersion(with: shown.document)
        else { return .nothing(.noChain) }
        let table = ChainTable(
            observing: groups.map { ObservedGroup(version: $0, documents: $1) }, at: observed.path,
            example: (shown.trace.document, title), of: observed.version)
        return .change { $0.open(observed: table) }
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
        guard let chain = table.chain else { return }
        effects += chains.wantOutline(of: chain)
        if let known = chains[chain] { table = table.knowing(known.chain, known.versions) }
        let read = table.awaitExamples { version in
            documents.example(of: version, in: chain).flatMap { document in
                documents[document].map { (document, $0.displayName) }
            }
        }
        overlay = table
        effects += read.map { .read($0) }
    }

    fileprivate mutating func open(observed table: ChainTable) {
        var table = table
        let groups = table.columns.compactMap(\.group)
        effects.append(.observeFields(groups))
        let read = table.awaitExamples { version in
            groups.first { $0.version == version }?.documents.first.flatMap { document in
                documents[document].map { (document, $0.displayName) }
            }
        }
        overlay = table
        effects += read.map { .read($0) }
    }
}
