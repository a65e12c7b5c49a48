import DocumentModel

/// Finds the values of a document that may be behind its failure, the likeliest first.
struct CulpritCandidates {
    private let trace: MigrationTrace
    private let document: Document
    private let failure: MigrationFailure
    private let relatives: Relatives
    private let outlines: [VersionOutline]
    private let message: MessageWords
    private let dropped: Set<DocumentNode.ID>
    /// Where parts say their versions.
    private let versionsOfParts: Set<DocumentPath>
    /// The elements of arrays without which the document does not fail as it does.
    var located: [DocumentPath] = []
    /// Whether another version than the one that was read may mend the document.
    var triesVersions = true

    /// - Parameters:
    ///   - lenders: Other documents of the chain, which lend their values.
    ///   - outlines: The fields of the versions that the document may have, as far as they are known.
    init(
        _ trace: MigrationTrace, _ document: Document, _ failure: MigrationFailure, lenders: [Document],
        outlines: [VersionOutline]
    ) {
        self.outlines = outlines
        self.trace = trace
        self.document = document
        self.failure = failure
        relatives = Relatives(document: document, lenders: lenders)
        message = MessageWords(failure.reason.authorsMessage ?? failure.message)
        dropped = document.root.ids(along: trace.dropped)
        versionsOfParts = Set(trace.parts.compactMap { $0.placeOfVersion(in: document) })
    }

    /// The candidates; none where no experiment could say anything.
    var all: [CulpritCandidate] {
        switch failure.kind {
        case .malformed, .unreadable: []
        case _ where isOfVersion: versions
        case _ where isOfNamedValue: missingKey + misspelled + namedValue + (triesVersions ? versions : [])
        default: missingKey + misspelled + absentFields + values + absentNames + (triesVersions ? versions : [])
        }
    }

    /// Whether the version is what fails: the chain does not know it, or cannot read it.
    var isOfVersion: Bool {
        guard !versionPaths.isEmpty, !failure.isOfShape else { return false }
        return failure.kind == .unsupportedVersion
            || failure.step == nil && versionPaths.contains { $0 == failure.path }
    }

    /// Whether the failure can only be mended where it says.
    private var isOfNamedValue: Bool {
        // Of a document that no shape fits another shape may be meant than the one of the error.
        guard failure.step == nil, !failure.isOfShape else { return false }
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
            if path == trace.detection.path || dropped.contains(node.id) { return }
            // The only element of an array is part of what fails, as a member is.
            if node.count > 1, node.kind == .array || node.isDictionary {
                found.append(path)
            } else {
                for child in node.children { visit(path.appending(child.component), child.value) }
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

    /// The field at a place, in one of the versions that the document may have.
    private func field(_ path: DocumentPath) -> VersionOutline.Field? { outlines.lazy.compactMap { $0[path] }.first }

    // MARK: - The version

    /// The other versions of the chain in the place of the document's, or where it would have one.
    private var versions: [CulpritCandidate] {
        versionPaths.flatMap { path -> [CulpritCandidate] in
            let old = document.root.descendant(at: path).flatMap { $0.isNull ? nil : $0 }
            let isNull = old == nil && document.root.descendant(at: path) != nil
            let isRead = trace.detection.version != nil && !isOfVersion
            let values = trace.versions.reversed().flatMap { version in
                // Which of the two a chain reads is known of a version that it has read.
                [TrialValues.document("\(version.version)"), Document(text: "\(version.version)")].compactMap(\.self)
                    .filter { version.version != .unversioned && (!isRead || old == nil || $0.root.kind == old?.kind) }
            }
            let changes = values.filter { old?.isEqual(to: $0.root) != true }.map { value in
                old == nil && !isNull ? DocumentEdit.add(path, value) : .set(path, value)
            }
            // A document without a version may be one whose version, or what it is in, has another name.
            let (found, rest) = document.root.deepestDescendant(along: path)
            var misspelled: [CulpritCandidate] = []
            if isOfVersion || trace.detection.version == .unversioned, case .key(let name)? = rest.first {
                let parent = DocumentPath(Array(path.components.dropLast(rest.count)))
                misspelled = renames(to: name, in: found, at: parent, isVersion: !isOfVersion)
            }
            let container = path.parent.flatMap(document.root.descendant)
            guard container?.kind == .object, !changes.isEmpty else { return misspelled }
            return misspelled
                + [
                    CulpritCandidate(
                        path: path, changes: changes, isNamed: isOfVersion, isLikely: false, isVersion: true)
                ]
        }
    }

    /// The members of an object with a name that may stand for another one, the likeliest first, renamed.
    ///
    /// - Parameter isVersion: Whether the document is of another version with that name.
    private func renames(
        to name: String, in container: DocumentNode?, at parent: DocumentPath, isVersion: Bool = false
    ) -> [CulpritCandidate] {
        let wanted = FieldName(name)
        return (container.map { Array($0.members) } ?? [])
            .map { member in
                let name = FieldName(member.name)
                let score = name.resemblance(to: wanted)
                return (
                    place: parent.appending(key: member.name),
                    score: name.isMisspelling(of: wanted) ? max(0.6, score) : score
                )
            }
            .filter { $0.score >= 0.4 && $0.place != trace.detection.path }
            .sorted { $0.score > $1.score }
            .map { CulpritCandidate(path: $0.place, changes: [.rename($0.place, to: name)], isVersion: isVersion) }
    }

    /// Where the document has its version or, where it has none, would have it.
    private var versionPaths: [DocumentPath] {
        if let path = trace.detection.path { return [path] }
        var paths: [DocumentPath] = []
        for path in trace.detection.attempts.compactMap(\.path) where !paths.contains(path) { paths.append(path) }
        return paths
    }

    // MARK: - Missing keys

    /// For a key that the error names and that is not there: keys of similar names that are renamed, and a value that
    /// is added.
    private var missingKey: [CulpritCandidate] {
        guard let path = failure.path, let name = path.lastKey, let parent = path.parent,
            let container = document.root.descendant(at: parent), container.kind == .object, container[name] == nil
        else { return [] }
        // The shape that came nearest when it was decoded need not be one of those that know most of the document.
        let isKnown = outlines.contains { !$0.names(inside: parent).isEmpty }
        if failure.isOfShape, isKnown, field(path) == nil { return [] }
        let added = CulpritCandidate(
            path: path, changes: addedValues(path).map { .add(path, $0) }, isNamed: true)
        return renames(to: name, in: container, at: parent) + [added]
    }

    /// What is put where nothing is: the cases of the type, what stands there elsewhere, and values of the type or, where
    /// that is not known, of every kind.
    private func addedValues(_ path: DocumentPath) -> [Document] {
        choices(path) + relatives.values(at: path).map(Document.init(copying:))
            + TrialValues.ofType(field(path)?.type)
    }

    /// The cases of the enum that a value is of, as far as they are known.
    private func choices(_ path: DocumentPath) -> [Document] {
        var texts = field(path)?.choices ?? []
        if path == failure.path, case .field(_, .noCase(_, _, let cases?)) = failure.complaint { texts += cases }
        return texts.flatMap { text in
            let number = TrialValues.document(text).flatMap { $0.root.kind == .number ? $0 : nil }
            return [number, Document(text: text)].compactMap(\.self)
        }
    }

    /// Members of objects that the type does not know, by the name of a field that it asks for and that is not there: at
    /// the place that the error names, if it can only be mended there.
    private var misspelled: [CulpritCandidate] {
        var found: [CulpritCandidate] = []
        if case .field(let path, .noCase(_, let name?, let cases?)) = failure.complaint, let key = path.lastKey,
            name == FoundValue(Document(text: key).root), document.root.descendant(at: path)?.string != key
        {
            let wanted = FieldName(key)
            let members = path.parent.flatMap(document.root.descendant)
            let free = cases.filter { members?[$0] == nil }
            let alike = free.map { (name: $0, score: FieldName($0).resemblance(to: wanted)) }
            let nearest = alike.sorted { $0.score > $1.score }.map(\.name)
            found.append(CulpritCandidate(path: path, changes: nearest.map { .rename(path, to: $0) }, isNamed: true))
        }
        visit { path, node in
            guard node.kind == .object, !isOfNamedValue || path.isAtOrInside(failure.path) else { return }
            var renames: [(place: DocumentPath, names: [String])] = []
            let known = outlines.map { $0.names(inside: path) }.filter { !$0.isEmpty }
            for known in known.isEmpty ? [namesElsewhere(path)] : known {
                let absent = known.filter { node[$0] == nil && path.appending(key: $0) != failure.path }
                for name in node.members.map(\.name) where !known.contains(name) {
                    let place = path.appending(key: name)
                    let alike = absent.filter { FieldName(name).mayStand(for: FieldName($0)) }
                    if alike.isEmpty || versionPaths.contains(place) { continue }
                    let index = renames.firstIndex { $0.place == place } ?? renames.count
                    if index == renames.count { renames.append((place, [])) }
                    renames[index].names += alike.filter { !renames[index].names.contains($0) }
                }
            }
            for (place, names) in renames.prefix(64 - found.count) {
                found.append(
                    CulpritCandidate(
                        path: place, changes: names.map { .rename(place, to: $0) }, isGuessed: known.isEmpty))
            }
        }
        return found
    }

    /// The names that an object may have whose type is not known: those of other records of the same array and of other
    /// documents, and those that the message may say.
    private func namesElsewhere(_ path: DocumentPath) -> [String] {
        var names: [String] = []
        if case .index(let own)? = path.components.last, let array = path.parent.flatMap(document.root.descendant) {
            names = array.memberNames(besides: own)
        }
        for record in relatives.lenders.compactMap({ $0.root.descendant(at: path) }) {
            names += record.members.map(\.name).filter { !names.contains($0) }
        }
        return names + message.possibleNames.filter { !names.contains($0) }
    }

    /// Fields that the type has, or other records of the same array, and that one lacks.
    private var absentFields: [CulpritCandidate] {
        var found: [CulpritCandidate] = []
        let wanted = failure.path?.lastKey.map(FieldName.init)
        visit { path, node in
            guard node.kind == .object else { return }
            var names: [String] = []
            for name in outlines.flatMap({ $0.names(inside: path) }) where !names.contains(name) { names.append(name) }
            if case .index? = path.components.last, let array = path.parent.flatMap(document.root.descendant) {
                names += array.memberNames().filter { !names.contains($0) }
            }
            for name in names where node[name] == nil && found.count < 256 {
                let place = path.appending(key: name)
                if place == failure.path || versionPaths.contains(place) { continue }
                let values =
                    field(place) == nil
                    ? relatives.values(at: place).map(Document.init(copying:)) : addedValues(place)
                guard !values.isEmpty else { continue }
                let isAlike = wanted.map { FieldName(name).resemblance(to: $0) >= 0.5 } ?? false
                found.append(
                    CulpritCandidate(
                        path: place, changes: values.map { .add(place, $0) },
                        isLikely: isAlike || message.mentions(name) || isLocated(place)))
            }
        }
        return found
    }

    /// The words of a message as names of fields, where no type is known: what a closure asks for is known from its own
    /// message at most.
    private var absentNames: [CulpritCandidate] {
        guard !outlines.contains(where: \.isComplete), [.thrown, .fieldNoLongerValid].contains(failure.kind),
            let record = document.root.descendant(at: top), record.kind == .object
        else { return [] }
        return message.possibleNames.filter { record[$0] == nil }.map { name in
            let path = top.appending(key: name)
            let values = relatives.values(at: path).map(Document.init(copying:)) + TrialValues.ofEveryKind
            return CulpritCandidate(path: path, changes: values.map { .add(path, $0) }, isLikely: false)
        }
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
        // What the message says is not there may be missing in another field.
        let said = quoted.compactMap(document.root.descendant)
        visit { path, node in
            guard !path.isRoot, node.kind != .object else { return }
            let isNamed = path == named || failure.culprit.map { $0.certain && $0.path == path } ?? false
            var score = isNamed ? 2.0 : 0
            if let culprit = failure.culprit, culprit.path == path || culprit.others.contains(path) { score += 1 }
            if message.quotes(node) { score += 1 }
            // Of elements inside others that were found, the innermost comes first.
            let depth = located.count { path.hasPrefix($0) }
            if depth > 0 { score += 0.4 + 0.1 * Double(depth) }
            if let name = path.lastKey {
                if message.mentions(name) { score += 0.6 }
                if let wanted { score += FieldName(name).resemblance(to: wanted) }
            }
            let isLikely = score >= 0.5 || isFound(node)
            let candidate = candidate(path, node, said: said, isNamed: isNamed, isLikely: isLikely)
            guard let candidate else { return }
            found.append((candidate, score))
        }
        // Those that are equally likely stay in the order of the document.
        return found.enumerated().sorted { ($1.element.score, $0.offset) < ($0.element.score, $1.offset) }
            .map(\.element.candidate)
    }

    private func candidate(
        _ path: DocumentPath, _ node: DocumentNode, said: [DocumentNode] = [], isNamed: Bool, isLikely: Bool
    ) -> CulpritCandidate? {
        let siblings = relatives.values(at: path)
        let others = siblings.filter { $0.kind != node.kind && !$0.isNull }.map(Document.init(copying:))
        var values = TrialValues(for: node, relatives: siblings).all
        // What is null stands for a value of any kind.
        if isNamed && isAboutKind || isFound(node) || node.kind == .null { values += TrialValues.ofEveryKind }
        // A name of one field may be one of another.
        if isNamed, isAboutKind || node.kind == .string { values += names }
        // The code of an app may take a value for one of another kind, and say so in its own words.
        let isOpen = !outlines.contains(where: \.isComplete)
        let mayBeWrapped = isNamed && isAboutKind || node.kind == .array && failure.step != nil
        let wrappings = mayBeWrapped ? TrialValues.wrappings(of: node) : []
        if isNamed || isLikely || failure.isOfShape {
            values = TrialValues.conversions(of: node) + wrappings + others + values
        } else if !others.isEmpty || node.kind == .string && isOpen || !wrappings.isEmpty {
            values = TrialValues.conversions(of: node) + wrappings + others + values
        }
        values = choices(path) + values + neighbors(of: node, at: path)
        values.insert(contentsOf: said.filter { $0.kind == node.kind }.prefix(4).map(Document.init(copying:)), at: 0)
        if case .field(path, .wrongDate(_, _, let reads)) = failure.complaint {
            let dates = DateReading.all(of: node).flatMap { $0.values(read: reads) }
            values = dates + (reads == nil || dates.isEmpty ? values : [])
        } else if field(path)?.type == "Date" {
            values = DateReading.all(of: node).flatMap { $0.values(read: nil) } + values
        }
        var known = Set([ScalarKey(node)])
        values = values.filter { value in
            ![.string, .number, .boolean].contains(value.root.kind) || known.insert(ScalarKey(value.root)).inserted
        }
        // An array fails for itself only where the element does not fail alone without which it would not.
        let alone = located.first { $0.parent == path }.flatMap { document.root.descendant(at: $0) }
        if let alone { values.insert(Document(array: [alone]), at: 0) }
        guard !values.isEmpty else { return nil }
        return CulpritCandidate(
            path: path, changes: values.map { .set(path, $0) }, isNamed: isNamed, isLikely: isLikely,
            isArray: node.kind == .array, hasElementAlone: alone != nil, isQuoted: message.quotes(node))
    }

    /// Whether a step may have put a value of the document where one of another kind is wanted.
    private func isFound(_ node: DocumentNode) -> Bool {
        guard failure.step != nil, case .field(_, .mismatch(_, let found?)) = failure.complaint else { return false }
        return !node.kind.isContainer && FoundValue(node) == found
    }

    /// Texts of the document that may be the names of cases, each once.
    private var names: [Document] {
        var found: Set<String> = []
        visit { _, node in
            if found.count < 16, let text = node.string, text.isName, text.utf8.count <= 24 { found.insert(text) }
        }
        return found.sorted().map(Document.init(text:))
    }

    /// The values of the same kind beside one, with which it may have to agree.
    private func neighbors(of node: DocumentNode, at path: DocumentPath) -> [Document] {
        // A decoder compares nothing, and the parts that migrate by themselves have nothing to do with each other.
        guard [.fieldNoLongerValid, .thrown, .crashed, .timedOut].contains(failure.kind), path != top,
            !node.kind.isContainer, let parent = path.parent, let record = document.root.descendant(at: parent)
        else { return [] }
        let alike = record.members.lazy.filter { member in
            member.value.kind == node.kind && !versionPaths.contains(parent.appending(key: member.name))
        }
        return alike.prefix(6).map { Document(copying: $0.value) }
    }

    private func visit(_ body: (DocumentPath, DocumentNode) -> Void) {
        if let node = document.root.descendant(at: top) { visit(top, node, body) }
    }

    /// Visits what was read, never the version, and of arrays' elements a sample.
    private func visit(_ path: DocumentPath, _ node: DocumentNode, _ body: (DocumentPath, DocumentNode) -> Void) {
        if path == trace.detection.path || dropped.contains(node.id) { return }
        // As another version a part may skip the step that fails, which mends nothing.
        if versionsOfParts.contains(path), path != failure.path { return }
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
    private var isAboutKind: Bool {
        isOfNamedValue || failure.isOfShape || failure.kind == .typeMismatch
            || failure.kind == .valueNotFound
    }

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

extension FieldName {
    /// Whether the name may have come from another one; of short names little is left to compare.
    func mayStand(for other: FieldName) -> Bool {
        isMisspelling(of: other) || resemblance(to: other) >= 0.6
    }
}

extension DocumentPath {
    fileprivate func isAtOrInside(_ other: DocumentPath?) -> Bool { other.map(hasPrefix) ?? true }
}

extension DocumentNode {
    /// The names of the members of the objects in an array, in their order; of the first elements.
    ///
    /// - Parameter own: The position of an element whose names are not wanted.
    fileprivate func memberNames(besides own: Int? = nil) -> [String] {
        var names: [String] = []
        var known: Set<ExactText> = []
        for (position, element) in elements.prefix(32).enumerated() where position != own {
            for member in element.members where known.insert(ExactText(member.name)).inserted {
                names.append(member.name)
            }
        }
        return names
    }
}
