import DocumentModel

/// How documents say a version in the way of one ``VersionPathSpec``: in one value, or in several that count together, such
/// as the two numbers of a pair.
///
/// It is found out with versions that types of the chain have, because a spec may have no others: of a spec that makes an
/// enum of the number, say. What it writes for one of them is read again with one value changed at a time. A value that
/// makes a difference is one that the version is made of.
struct VersionStatement: Sendable {
    /// The place of the value, or of what holds all of them; nil where that is the root.
    let path: DocumentPath?
    /// The values, in the order in which they are written.
    let values: [DocumentPath]

    /// The version as the values of a document say it: `1.10.0`, or `nbformat 4, nbformat_minor 5`.
    ///
    /// - Returns: nil where the document has none of the values.
    func text(in root: DocumentNode) -> String? {
        let found = values.compactMap { path in
            root.descendant(at: path).flatMap { node in node.versionText.map { (name: path.lastKey, text: $0) } }
        }
        if values.count == 1 { return found.first?.text }
        let texts = found.map { ($0.name.map { "\($0) " } ?? "") + $0.text }
        return texts.isEmpty ? nil : texts.joined(separator: ", ")
    }

    /// A version as a document says it.
    func version(_ number: Int, in root: DocumentNode) -> DocumentVersion {
        guard let text = text(in: root), text != String(number) else { return .number(number) }
        return .written(number, as: text)
    }
}

extension VersionPathSpec {
    /// How documents say a version in this way.
    ///
    /// - Parameters:
    ///   - versions: The versions of the types of the chain that keep theirs in this way, oldest first.
    ///   - others: Those of all types of the chain.
    /// - Returns: nil where this way leads to no place that can be told.
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
                // A value that a spec insists on is none of the version's, if all versions have it.
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

    /// The version that a document says in this way; nil where it says none that can be read.
    private static func reading(of document: Document, _ decoder: DocumentDecoder) -> Int? {
        try? readVersion { try decoder.decode($0, from: document.root, recording: ReadRecord()) }
    }
}

extension DocumentNode {
    /// What a person reads of a value that a version is made of; nil of a null and of what holds others.
    fileprivate var versionText: String? {
        switch kind {
        case .object, .array, .null, .key: nil
        default: string ?? numberText ?? briefText
        }
    }

    /// Values of the same kind that differ from this one; none of a kind that no version is made of.
    fileprivate var otherValues: [Document] {
        if let string { return ["\(string)9", "9\(string)", ""].map { Document(text: $0) } }
        if let number = numberText.flatMap(Double.init) {
            return [number + 1, number - 1].compactMap { try? Document(json: JSONNumber.text($0)) }
        }
        return kind == .boolean ? ["true", "false"].compactMap { try? Document(json: $0) } : []
    }

    /// Whether there is an equal value at a place.
    fileprivate func hasEqual(_ node: DocumentNode, at path: DocumentPath) -> Bool {
        descendant(at: path)?.isEqual(to: node) == true
    }
}

/// Numbers as versions have them.
private enum JSONNumber {
    /// A whole number without a fraction, and any other with one.
    static func text(_ number: Double) -> String { Int(exactly: number).map(String.init) ?? "\(number)" }
}
