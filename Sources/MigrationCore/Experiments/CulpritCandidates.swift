import DocumentModel

/// Finds the values of a document that may be behind its failure, the likeliest first.
struct CulpritCandidates {
    private let trace: MigrationTrace
    private let document: Document
    private let failure: MigrationFailure
    private let relatives: Relatives
    private let message: MessageWords
    private let dropped: Set<DocumentPath>
    /// The elements of arrays without which the document does not fail as it does.
    var located: [DocumentPath] = []

    /// - Parameter lenders: Other documents of the chain, which lend their values.
    init(_ trace: MigrationTrace, _ document: Document, _ failure: MigrationFailure, lenders: [Document]) {
        self.trace = trace
        self.document = document
        self.failure = failure
        relatives = Relatives(document: document, lenders: lenders)
        message = MessageWords(failure.reason.authorsMessage ?? failure.message)
        dropped = Set(trace.dropped)
    }

    /// The candidates; none where no experiment could say anything.
    var all: [CulpritCandidate] {
        switch failure.kind {
        case .malformed, .unreadable: []
        case .unsupportedVersion where trace.detection.path != nil && !failure.isOfShape: versions
        case _ where isOfNamedValue: missingKey + namedValue
        default: missingKey + absentFields + values
        }
    }

    /// Whether the failure can only be mended where it says.
    private var isOfNamedValue: Bool {
        guard failure.step == nil else { return false }
        return switch failure.kind {
        case .unsupportedVersion, .keyNotFound, .typeMismatch, .valueNotFound: true
        default: false
        }
    }

    /// What is looked at: of a document whose parts migrate by themselves, the part that fails.
    private var top: DocumentPath { trace.failingPart(of: failure) ?? .root }

    /// The arrays and dictionaries of the document of whose elements one may be at fault, outermost first; of those inside
    /// elements only those of the elements that were found.
    func arrays(inside top: DocumentPath) -> [DocumentPath] {
        if isOfNamedValue || failure.kind == .unsupportedVersion { return [] }
        var found: [DocumentPath] = []
        func visit(_ path: DocumentPath, _ node: DocumentNode) {
            if path == trace.detection.path || dropped.contains(path.foldingIndices) { return }
            if node.kind == .array || node.isDictionary {
                if node.count > 1 { found.append(path) }
            } else {
                for member in node.members { visit(path.appending(key: member.name), member.value) }
            }
        }
        let top = top.hasPrefix(self.top) ? top : self.top
        if let node = document.root.descendant(at: top) { visit(top, node) }
        return found
    }

    /// The values that the message quotes; none of a document with very many.
    var quoted: [DocumentPath] {
        if document.nodeCount > 100_000 { return [] }
        var found: [DocumentPath] = []
        func visit(_ path: DocumentPath, _ node: DocumentNode) {
            if found.count < 16, message.quotes(node) { found.append(path) }
            for child in node.children { visit(path.appending(child.component), child.value) }
        }
        visit(.root, document.root)
        return found
    }

    // MARK: - The version

    private var versions: [CulpritCandidate] {
        guard let path = trace.detection.path, document.root.descendant(at: path) != nil else { return [] }
        let values = trace.versions.reversed().compactMap { version -> Document? in
            switch version.version {
            case .unversioned: nil
            case .number(let number): TrialValues.document("\(number)")
            case .name(let name): Document(text: name)
            }
        }
        return [CulpritCandidate(path: path, changes: values.map { .set(path, $0) }, isNamed: true)]
    }

    // MARK: - Missing keys

    /// For a key that the error names and that is not there: keys of similar names that are renamed, and a value that
    /// is added.
    private var missingKey: [CulpritCandidate] {
        guard let path = failure.path, let name = path.lastKey, let parent = path.parent,
            let container = document.root.descendant(at: parent), container.kind == .object, container[name] == nil
        else { return [] }
        let wanted = FieldName(name)
        let renamed = container.members
            .map { member in
                let name = FieldName(member.name)
                let score = name.resemblance(to: wanted)
                return (name: member.name, score: name.isMisspelling(of: wanted) ? max(0.6, score) : score)
            }
            .filter { $0.score >= 0.4 && parent.appending(key: $0.name) != trace.detection.path }
            .sorted { $0.score > $1.score }
            .map { member in
                let place = parent.appending(key: member.name)
                return CulpritCandidate(path: place, changes: [.rename(place, to: name)])
            }
        let known = relatives.values(at: path).map(Document.init(copying:))
        let added = CulpritCandidate(
            path: path, changes: (known + TrialValues.ofEveryKind).map { .add(path, $0) }, isNamed: true)
        return renamed + [added]
    }

    /// Keys that other records of the same array have, and that one lacks.
    private var absentFields: [CulpritCandidate] {
        var found: [CulpritCandidate] = []
        visit { path, node in
            guard node.kind == .object, case .index? = path.components.last,
                let array = path.parent.flatMap({ document.root.descendant(at: $0) })
            else { return }
            for name in array.memberNames where node[name] == nil {
                let place = path.appending(key: name)
                if place == failure.path { continue }
                let values = relatives.values(at: place).map(Document.init(copying:))
                guard !values.isEmpty else { continue }
                found.append(
                    CulpritCandidate(
                        path: place, changes: values.map { .add(place, $0) },
                        isLikely: message.mentions(name) || isLocated(place)))
            }
        }
        return found
    }

    // MARK: - Values

    /// The value that a decoder names.
    private var namedValue: [CulpritCandidate] {
        var path = failure.culprit?.path ?? failure.path
        // In a string that holds JSON, the error names the value, not the string.
        if let named = failure.path, document.root.descendant(at: named) != nil, named.hasPrefix(path ?? named) {
            path = named
        }
        guard let path, !path.isRoot, let node = document.root.descendant(at: path) else { return [] }
        return candidate(path, node, isNamed: true, isLikely: true).map { [$0] } ?? []
    }

    /// All values that were read, in sampled elements of arrays.
    private var values: [CulpritCandidate] {
        var found: [(candidate: CulpritCandidate, score: Double)] = []
        let named = failure.path.flatMap { $0.isRoot ? nil : $0 }
        let wanted = named?.lastKey.map(FieldName.init)
        visit { path, node in
            guard !path.isRoot, node.kind != .object else { return }
            let isNamed = path == named || failure.culprit.map { $0.certain && $0.path == path } ?? false
            var score = isNamed ? 2.0 : 0
            if failure.culprit?.path == path { score += 1 }
            if message.quotes(node) { score += 1 }
            if isLocated(path) { score += 0.5 }
            if let name = path.lastKey {
                if message.mentions(name) { score += 0.6 }
                if let wanted { score += FieldName(name).resemblance(to: wanted) }
            }
            guard let candidate = candidate(path, node, isNamed: isNamed, isLikely: score >= 0.5) else { return }
            found.append((candidate, score))
        }
        // Those that are equally likely stay in the order of the document.
        return found.enumerated().sorted { ($1.element.score, $0.offset) < ($0.element.score, $1.offset) }
            .map(\.element.candidate)
    }

    private func candidate(
        _ path: DocumentPath, _ node: DocumentNode, isNamed: Bool, isLikely: Bool
    ) -> CulpritCandidate? {
        var values = TrialValues(for: node, relatives: relatives.values(at: path)).all
        // What is null stands for a value of any kind.
        if isNamed && isAboutKind || node.kind == .null { values += TrialValues.ofEveryKind }
        // The code of an app may take a value for one of another kind, and say so in its own words.
        let wrappings = isNamed && isAboutKind ? TrialValues.wrappings(of: node) : []
        if isNamed || isLikely { values = TrialValues.conversions(of: node) + wrappings + values }
        if isNamed, case .field(_, .noCase(_, _, let cases?)) = failure.complaint {
            values = cases.map(Document.init(text:)) + values
        }
        // An array fails for itself only where the element does not fail alone without which it would not.
        let alone = located.first { $0.parent == path }.flatMap { document.root.descendant(at: $0) }
        if let alone { values.insert(Document(array: [alone]), at: 0) }
        guard !values.isEmpty else { return nil }
        return CulpritCandidate(
            path: path, changes: values.map { .set(path, $0) }, isNamed: isNamed, isLikely: isLikely,
            isArray: node.kind == .array, hasElementAlone: alone != nil, isQuoted: message.quotes(node))
    }

    private func visit(_ body: (DocumentPath, DocumentNode) -> Void) {
        if let node = document.root.descendant(at: top) { visit(top, node, body) }
    }

    /// Visits what was read, never the version, and of arrays' elements a sample.
    private func visit(_ path: DocumentPath, _ node: DocumentNode, _ body: (DocumentPath, DocumentNode) -> Void) {
        if path == trace.detection.path || dropped.contains(path.foldingIndices) { return }
        body(path, node)
        if node.kind == .array {
            for (position, element) in sample(of: node, at: path) {
                visit(path.appending(index: position), element, body)
            }
        } else {
            for member in node.members { visit(path.appending(key: member.name), member.value, body) }
        }
    }

    /// Whether the failure is, or may be, that a value is of another kind than is wanted.
    private var isAboutKind: Bool { isOfNamedValue || failure.kind == .typeMismatch || failure.kind == .valueNotFound }

    private func isLocated(_ path: DocumentPath) -> Bool { located.contains { path.hasPrefix($0) } }

    /// Of many elements a sample, those that were found to be behind the failure or that the error or its message points
    /// at among them.
    private func sample(of array: DocumentNode, at path: DocumentPath) -> [(position: Int, element: DocumentNode)] {
        let named = ([failure.path, failure.culprit?.path].compactMap(\.self) + located).filter { $0.hasPrefix(path) }
        return array.sample(few: 16) { position, child in
            let place = path.appending(index: position)
            return named.contains { $0.hasPrefix(place) }
                || child.value.nodes.contains { $0.kind != .key && message.quotes($0) }
        }
    }
}

extension DocumentNode {
    /// The names of the members of the objects in an array, in their order; of the first elements.
    fileprivate var memberNames: [String] {
        var names: [String] = []
        var known: Set<ExactText> = []
        for element in elements.prefix(32) {
            for member in element.members where known.insert(ExactText(member.name)).inserted {
                names.append(member.name)
            }
        }
        return names
    }
}
