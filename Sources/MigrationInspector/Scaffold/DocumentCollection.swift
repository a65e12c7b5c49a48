import DocumentModel
import DocumentSources
import MigrationCore

/// Documents in groups of the same version, as types are inferred from them.
struct DocumentCollection {
    /// The documents of a version.
    struct Group {
        let version: DocumentVersion
        /// Whether the documents state the version as a text.
        let isText: Bool
        var shape = ValueShape()
        /// The names of the documents.
        var names: [String] = []
        var hasJSON5 = false
        /// The first of the documents.
        let sample: Document
    }

    /// The groups by the order of their versions.
    private(set) var groups: [Group] = []
    /// The path of the version; nil if there is none.
    let versionPath: DocumentPath?
    /// The documents that are left out, with reasons.
    private(set) var leftOut: [(name: String, reason: String)] = []
    /// The pairs of states right before and after the version changed, by the later version.
    private(set) var changes: [DocumentVersion: [(old: Document, new: Document)]] = [:]

    /// Reads documents.
    ///
    /// - Parameters:
    ///   - areStates: Whether they are the committed states of files.
    ///   - key: The path of the version, if the user named it.
    init(_ documents: [DocumentReference], areStates: Bool, key: DocumentPath?) {
        var read: [(document: Document, reference: DocumentReference)] = []
        for reference in documents where !reference.isAbsent && !reference.isRest {
            do {
                let document = try Document(parsing: reference.read(), allowsJSON5: true)
                if let reason = Self.reasonAgainst(document) {
                    leftOut.append((reference.name, reason))
                } else {
                    read.append((document, reference))
                }
            } catch {
                leftOut.append((reference.name, Console.words(for: error)))
            }
        }
        let path = Self.versionPath(in: read.map(\.document), areStates: areStates, key: key)
        versionPath = path
        var versions: [String: (version: DocumentVersion, document: Document)] = [:]
        for (number, (document, reference)) in read.enumerated() {
            guard let group = group(of: document, reference) else { continue }
            groups[group].shape.add(document.root, of: number)
            groups[group].names.append(reference.name)
            if document.format == .json5 { groups[group].hasJSON5 = true }
            if areStates { versions[reference.name] = (groups[group].version, document) }
        }
        noteChanges(read.map(\.reference), versions)
        groups.sort { $0.version.isObserved(before: $1.version) }
        // One type cannot read both.
        if groups.contains(where: \.isText), groups.contains(where: { !$0.isText && $0.version != .unversioned }) {
            leftOut += groups.filter(\.isText).flatMap(\.names).map { ($0, ScaffoldWords.textAmongNumbers) }
            groups.removeAll(where: \.isText)
        }
    }

    /// Returns why no type can be inferred from a document; nil if one can.
    private static func reasonAgainst(_ document: Document) -> String? {
        if document.isTooDeep { return ScaffoldWords.tooDeep }
        return document.root.kind == .object ? nil : ScaffoldWords.noObject
    }

    /// Returns the path of the version: that in which documents differ or, if they are all of one version, the likeliest
    /// that all of them have.
    private static func versionPath(in documents: [Document], areStates: Bool, key: DocumentPath?) -> DocumentPath? {
        if let key { return key }
        var observed = ObservedVersions(areStates: areStates)
        var results: [CheckResult] = []
        for document in documents {
            var result = CheckResult(source: "", outcome: .unrecognized)
            result.versionCandidates = document.root.versionCandidates()
            observed.add(result)
            results.append(result)
        }
        let choice = observed.choice
        if let path = results.lazy.compactMap({ choice.version(of: $0)?.path }).first { return path }
        let common = results.first?.versionCandidates.compactMap(\.path) ?? []
        return common.first { path in results.allSatisfy { $0.versionCandidates.contains { $0.path == path } } }
    }

    /// Returns the position of the group of a document, which is added if it is new; nil if the document is left out.
    private mutating func group(of document: Document, _ reference: DocumentReference) -> Int? {
        let node = versionPath.flatMap { document.root.descendant(at: $0) }
        let version: DocumentVersion? =
            switch node?.kind {
            case nil, .null?: .unversioned
            case .number?: node?.numberText.flatMap { Int($0) }.map { .number($0) }
            case .string?: node?.string.flatMap { $0.isEmpty ? nil : .name($0) }
            default: nil
            }
        guard let version else {
            leftOut.append((reference.name, ScaffoldWords.noVersion(at: versionPath)))
            return nil
        }
        if let known = groups.firstIndex(where: { $0.version == version }) { return known }
        groups.append(Group(version: version, isText: node?.kind == .string, sample: document))
        return groups.count - 1
    }

    private mutating func noteChanges(
        _ references: [DocumentReference], _ versions: [String: (version: DocumentVersion, document: Document)]
    ) {
        guard !versions.isEmpty else { return }
        for (reference, before) in zip(references, references.statesBefore()) {
            guard let new = versions[reference.name] else { continue }
            for position in before {
                guard let old = versions[references[position].name], old.version != new.version else { continue }
                changes[new.version, default: []].append((old.document, new.document))
            }
        }
    }

    /// Returns the renames that documents known before and after a step speak for: a field that only the old version has,
    /// whose value a field that only the new version has then has in each of them.
    func renames(from old: Group, to new: Group) -> [StepCode.Rename] {
        let oldKeys = Set(old.shape.members.map(\.key)).subtracting(new.shape.members.map(\.key))
        let newKeys = Set(new.shape.members.map(\.key)).subtracting(old.shape.members.map(\.key))
        let pairs = (changes[new.version] ?? []).filter { Self.version(of: $0.old, at: versionPath) == old.version }
        var taken: Set<String> = []
        return newKeys.sorted().compactMap { newKey in
            for oldKey in oldKeys.sorted() where !taken.contains(oldKey) {
                let values = pairs.compactMap { pair in
                    pair.old.root[oldKey].flatMap { old in pair.new.root[newKey].map { (old: old, new: $0) } }
                }
                let telling = values.filter { $0.old.isTelling }
                guard !telling.isEmpty, values.allSatisfy({ $0.old.isEqual(to: $0.new) }) else { continue }
                taken.insert(oldKey)
                return StepCode.Rename(oldKey: oldKey, newKey: newKey, documentCount: telling.count)
            }
            return nil
        }
    }

    private static func version(of document: Document, at path: DocumentPath?) -> DocumentVersion {
        path.flatMap { document.root.versionCandidates(at: $0).first?.version } ?? .unversioned
    }
}

extension DocumentNode {
    /// Whether the value is unlikely to be equal to another by chance.
    fileprivate var isTelling: Bool {
        switch kind {
        case .null, .boolean: false
        case .string, .key: string?.isEmpty == false
        case .number: numberText.map { $0.utf8.count > 1 } ?? false
        case .object, .array: !isEmpty
        case .date, .data: true
        }
    }
}
