import DocumentModel

/// What kind of system is behind a chain: how documents are recognised, checked and traced.
protocol ChainSystem: Sendable {
    /// What the chain is called.
    var name: String { get }
    /// The versions, oldest first.
    var versions: [ChainVersion] { get }

    /// How well a document fits, judged without running steps.
    ///
    /// - Parameter names: The names of the document's top-level fields.
    func fit(of document: Document, names: Set<String>) -> ChainFit

    /// The outcome of a document; no snapshots are made and nothing is compared, unless a failure needs it to be explained.
    func check(_ document: Document, source: String, to target: DocumentVersion?) -> CheckResult

    /// Everything that happens to a document.
    func trace(_ document: Document, source: String, to target: DocumentVersion?) -> MigrationTrace
}

extension ChainSystem {
    /// The newest version.
    var newestVersion: DocumentVersion { versions.last?.version ?? .unversioned }

    /// The failure of a document that is of a version later than the one asked for, or of a chain without that version.
    func unreachableTarget(_ target: DocumentVersion, from version: DocumentVersion) -> MigrationFailure {
        let known = versions.map(\.version.description).joined(separator: ", ")
        let message =
            versions.contains { $0.version == target }
            ? "The document is of version \(version); a chain does not lead back to version \(target)"
            : "\(name) has no version \(target); its versions are \(known)"
        return MigrationFailure(kind: .unsupportedVersion, message: message, tried: versions.reversed().map(\.version))
    }
}
