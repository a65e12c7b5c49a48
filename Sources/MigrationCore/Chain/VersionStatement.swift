import DocumentModel

/// How documents state a version according to one ``VersionPathSpec``: in one value, or in several that count together,
/// such as the two numbers of a pair.
///
/// This is determined with versions that types of the chain have, because a spec may accept no others, for example if
/// it converts the number to an enum. The output for one of the versions is read back with one value changed at a time.
/// A value that makes a difference is part of the version.
struct VersionStatement: Sendable {
    /// The path of the value, or of the container of all values. Nil if that is the root.
    let path: DocumentPath?
    /// The paths of the values, in the order in which they are written.
    let values: [DocumentPath]

    /// Returns a version as the values of a document spell it.
    ///
    /// - Parameter number: The number as which the version compares; nil if the spec reads no version from the values.
    /// - Returns: The version, or nil if there is neither a number nor a value.
    func version(_ number: Int?, in root: DocumentNode) -> DocumentVersion? {
        let unspelled = number.map(DocumentVersion.number)
        guard values.count == 1 else { return stated(in: root).map { .values(number, $0) } ?? unspelled }
        guard let text = root.descendant(at: values[0])?.versionText, text != number.map(String.init) else {
            return unspelled
        }
        return number.map { .written($0, as: text) } ?? .name(text)
    }

    /// Returns the values of a document in the container that they share, without anything else. Nil if the document
    /// has none of them.
    private func stated(in root: DocumentNode) -> Document? {
        let found = values.filter { root.descendant(at: $0)?.versionText != nil }
        guard !found.isEmpty, let container = root.descendant(at: path ?? .root) else { return nil }
        var builder = DocumentBuilder()
        append(container, path?.components ?? [], found, to: &builder)
        return builder.finish()
    }

    private func append(
        _ node: DocumentNode, _ components: [DocumentPath.Component], _ found: [DocumentPath],
        to builder: inout DocumentBuilder
    ) {
        guard node.kind.isContainer else { return builder.append(node) }
        if node.kind == .object { builder.beginObject() } else { builder.beginArray() }
        node.forEachStep { component, child in
            let inside = components + [component]
            guard found.contains(where: { $0.components.starts(with: inside) }) else { return }
            if let key = child.key { builder.append(key) }
            append(child, inside, found, to: &builder)
        }
        builder.end()
    }
}

extension VersionPathSpec {
    /// Determines how documents state a version with this spec.
    ///
    /// - Parameters:
    ///   - versions: The versions of the chain's types that use this spec, oldest first.
    ///   - others: The versions of all types of the chain.
    /// - Returns: The statement, or nil if the spec's path cannot be determined.
    static func statement(
        encoding: EncodingStrategies, decoding: DecodingStrategies, versions: [Int], others: [Int]
    ) -> VersionStatement? {
        let encoder = DocumentEncoder(strategies: encoding)
        let decoder = DocumentDecoder(strategies: decoding)
        var values: [DocumentPath] = []
        let written = versions.reversed().compactMap { version in
            (try? encoder.encode(Self(withVersion: version))).map { (version, document: $0) }
        }
        for (version, document) in written where reading(of: document, decoder) == version {
            for node in document.root.nodes where node.kind != .key && !node.kind.isContainer {
                let path = node.path
                guard !values.contains(path) else { continue }
                let readings = node.otherValues.compactMap { other in
                    (try? document.applying([.set(path, other)])).map { reading(of: $0, decoder) }
                }
                // A value that a spec insists on is not part of the version if it is the same in all versions.
                let isRefused = readings.allSatisfy { $0 == nil }
                let isSame = written.count > 1 && written.allSatisfy { $0.document.root.hasEqual(node, at: path) }
                if readings.contains(where: { $0 != version }), !(isRefused && isSame) { values.append(path) }
            }
        }
        if values.count == 1 { return VersionStatement(path: values[0], values: values) }
        if let first = values.first {
            let shared = values.dropFirst().reduce(first.components) { shared, path in
                Array(zip(shared, path.components).prefix { $0 == $1 }.map(\.0))
            }
            return VersionStatement(path: shared.isEmpty ? nil : DocumentPath(shared), values: values)
        }
        return versionPath(encoding: encoding, versions: others).map { VersionStatement(path: $0, values: [$0]) }
    }

    /// Returns the version that a document states with this spec, or nil if it states none that can be read.
    private static func reading(of document: Document, _ decoder: DocumentDecoder) -> Int? {
        try? readVersion { try decoder.decode($0, from: document.root, recording: ReadRecord()) }
    }
}

extension DocumentNode {
    /// Values of the same kind that differ from this one. Empty for kinds that versions don't use.
    fileprivate var otherValues: [Document] {
        if let string { return ["\(string)9", "9\(string)", ""].map { Document(text: $0) } }
        if let number = numberText.flatMap(Double.init) {
            return [number + 1, number - 1].compactMap { try? Document(json: JSONNumber.text($0)) }
        }
        return kind == .boolean ? ["true", "false"].compactMap { try? Document(json: $0) } : []
    }

    /// Returns whether there is an equal value at a path.
    fileprivate func hasEqual(_ node: DocumentNode, at path: DocumentPath) -> Bool {
        descendant(at: path)?.isEqual(to: node) == true
    }
}

/// The spelling of numbers in versions.
private enum JSONNumber {
    /// Returns the number without a fraction if it is a whole number, and with one otherwise.
    static func text(_ number: Double) -> String { Int(exactly: number).map(String.init) ?? "\(number)" }
}
