import DocumentModel

/// Finds the values of a document that may have caused its failure, most likely first.
struct CulpritCandidates {
    private let trace: MigrationTrace
    private let document: Document
    private let failure: MigrationFailure
    private let relatives: SimilarFields
    private let outlines: [VersionOutline]
    private let message: MessageWords
    private let dropped: Set<DocumentNode.ID>
    /// The document with all elements. Those that were cut still lend their values.
    private let whole: Document
    /// The paths where parts state their versions.
    private let versionsOfParts: Set<DocumentPath>
    /// The elements of arrays that the failure depends on: without them, the document does not fail in this way.
    var located: [DocumentPath] = []
    /// Whether to try other versions than the one that was read.
    let triesVersions: Bool

    /// - Parameters:
    ///   - lenders: Other documents of the chain, whose values can be tried.
    ///   - outlines: The fields of the versions that the document may have, as far as they are known.
    ///   - whole: The document before elements were cut, if any were.
    init(
        _ trace: MigrationTrace, _ document: Document, _ failure: MigrationFailure, _ lenders: [Document],
        _ outlines: [VersionOutline], triesVersions: Bool, whole: Document? = nil
    ) {
        self.whole = whole ?? document
        self.triesVersions = triesVersions
        self.outlines = outlines
        self.trace = trace
        self.document = document
        self.failure = failure.spelled(by: outlines)
        relatives = SimilarFields(document: document, lenders: lenders)
        message = MessageWords(failure.reason.authorsMessage ?? failure.message)
        dropped = document.root.ids(along: trace.dropped)
        versionsOfParts = Set(trace.parts.compactMap(\.placeOfVersion))
    }

    /// The candidates. Empty if no experiment could show anything.
    var all: [CulpritCandidate] {
        switch failure.kind {
        case .malformed, .unreadable: []
        case _ where isOfVersion: versions
        case _ where isOfNamedValue: missingKey + misspelled + namedValue + otherVersions
        default: missingKey + misspelled + absentFields + values + absentNames + otherVersions
        }
    }

    /// The other versions of the document and of its containers, if they are tried.
    private var otherVersions: [CulpritCandidate] { triesVersions ? versions + versionsOfContainers : [] }

    /// Whether the version itself is at fault: the chain doesn't know it, or cannot read it.
    var isOfVersion: Bool {
        guard !versionPaths.isEmpty, !failure.isOfShape else { return false }
        return failure.kind == .unsupportedVersion
            || failure.step == nil && versionPaths.contains { $0 == failure.path }
    }

    /// Whether the failure can only be repaired at the path that it names.
    private var isOfNamedValue: Bool {
        // If no shape fits, the document may be meant to have another shape than that of the error.
        guard failure.step == nil, !failure.isOfShape else { return false }
        return switch failure.kind {
        case .unsupportedVersion, .keyNotFound, .typeMismatch, .valueNotFound: true
        default: false
        }
    }

    /// The value to examine. If parts migrate separately, it is the part that failed.
    private var top: DocumentPath { trace.failingPart(of: failure) ?? .root }

    /// Returns the outermost arrays and dictionaries inside `top` of which an element may be at fault. To find those
    /// inside such an element, pass the element.
    func arrays(inside top: DocumentPath) -> [DocumentPath] {
        if isOfNamedValue || failure.kind == .unsupportedVersion { return [] }
        var found: [DocumentPath] = []
        func visit(_ path: DocumentPath, _ node: DocumentNode) {
            if path == trace.detection.path || dropped.contains(node.id) { return }
            // The only element of an array is part of the failing value, just like a member.
            if node.count > 1, node.kind == .array || node.isDictionary {
                found.append(path)
            } else {
                node.forEachStep { visit(path.appending($0), $1) }
            }
        }
        let top = top.hasPrefix(self.top) ? top : self.top
        if let node = document.root.descendant(at: top) { visit(top, node) }
        return found
    }

    /// The values that the message quotes. Empty for a very large document.
    var quoted: [DocumentPath] {
        if document.nodeCount > 100_000 { return [] }
        var found: [DocumentPath] = []
        func visit(_ path: DocumentPath, _ node: DocumentNode) {
            if found.count < 16, message.quotes(node) { found.append(path) }
            node.forEachStep { visit(path.appending($0), $1) }
        }
        visit(.root, document.root)
        return found
    }

    /// Returns the field at a path, in one of the versions that the document may have.
    private func field(_ path: DocumentPath) -> VersionOutline.Field? { outlines.lazy.compactMap { $0[path] }.first }

    // MARK: - The version

    /// The other versions of the chain, to replace the document's version or to add where it would be.
    private var versions: [CulpritCandidate] {
        if hasVersionOfValues { return versionsOfValues }
        return versionPaths.flatMap { path -> [CulpritCandidate] in
            let old = document.root.descendant(at: path).flatMap { $0.isNull ? nil : $0 }
            let isNull = old == nil && document.root.descendant(at: path) != nil
            let isRead = trace.detection.version != nil && !isOfVersion
            let values = trace.versions.reversed().flatMap { version in
                // If a version was read, its kind shows whether the chain reads a number or a string.
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
            let version = CulpritCandidate(path, changes, isNamed: isOfVersion, isLikely: false, isVersion: true)
            return misspelled + [version]
        }
    }

    /// Whether the versions of the chain are made up of several values.
    private var hasVersionOfValues: Bool {
        (trace.versions.map(\.version) + [trace.detection.version].compactMap(\.self)).contains { $0.stated != nil }
    }

    /// The path of the container of the values that make up the version. If some of them are missing, the detected path
    /// is that of another.
    private var containerOfVersion: DocumentPath {
        guard let path = trace.detection.path, document.root.descendant(at: path)?.kind.isContainer == false,
            let values = trace.versions.lazy.compactMap(\.version.stated).first
        else { return trace.detection.path ?? .root }
        let inside = values.root.leaves.map(\.path.components).first { path.components.suffix($0.count) == $0[...] }
        return DocumentPath(Array(path.components.dropLast(inside?.count ?? 0)))
    }

    /// For each of the values that make up a version, those that the other versions of the chain have in its place,
    /// newest first.
    private var versionsOfValues: [CulpritCandidate] {
        let values = trace.versions.reversed().compactMap(\.version.stated)
        return versionPaths.compactMap { path -> CulpritCandidate? in
            guard path.parent.flatMap(document.root.descendant)?.kind == .object else { return nil }
            let old = document.root.descendant(at: path)
            let inside = path.inside(containerOfVersion)
            var others: [DocumentNode] = []
            for other in values.compactMap({ $0.root.descendant(at: inside) })
            where old?.isEqual(to: other) != true && !others.contains(where: other.isEqual) { others.append(other) }
            let changes = others.map { other in
                let value = Document(copying: other)
                return old == nil ? DocumentEdit.add(path, value) : .set(path, value)
            }
            if changes.isEmpty { return nil }
            return CulpritCandidate(path, changes, isNamed: isOfVersion, isLikely: false, isVersion: true)
        }
    }

    /// The other versions that the container of the failed part may state, or that are tried where it states none that
    /// its type knows.
    private var versionsOfContainers: [CulpritCandidate] {
        var found: [(path: DocumentPath, versions: [String])] = []
        func visit(_ parts: [MigrationTrace], _ base: DocumentPath) {
            for part in parts where part.failure != nil {
                if part.instance != nil, let path = part.placeOfVersion {
                    found.append((base.appending(path), part.versions.reversed().map { "\($0.version)" }))
                }
                visit(part.parts, base.appending(part.base))
            }
        }
        visit(trace.parts, .root)
        if let path = versionOfContainer {
            found.append((path, choices(path).compactMap(\.root.scalarText).reversed()))
        }
        return found.compactMap { path, versions in
            guard let container = path.parent.flatMap(document.root.descendant) else { return nil }
            let old = container[DocumentNode.versionName]
            // A part was found only if its version was read.
            let isRead = path != versionOfContainer
            let values = versions.flatMap { [TrialValues.document($0), Document(text: $0)].compactMap(\.self) }
                .filter { old?.isEqual(to: $0.root) != true && (!isRead || $0.root.kind == old?.kind) }
            if values.isEmpty { return nil }
            let changes = values.map { old == nil ? DocumentEdit.add(path, $0) : .set(path, $0) }
            var candidate = CulpritCandidate(path, changes, isNamed: !isRead, isLikely: false, isVersion: true)
            candidate.container = path.parent
            return candidate
        }
    }

    /// The path of the version of a container that states none, or none that its type knows. Nil if the error is about
    /// anything else.
    private var versionOfContainer: DocumentPath? {
        guard let path = failure.path, path.lastKey == DocumentNode.versionName, let parent = path.parent,
            let container = document.root.descendant(at: parent), !choices(path).isEmpty,
            container[DocumentNode.instanceName]?.held?.document.root.kind == .object
        else { return nil }
        let instance = parent.appending(key: DocumentNode.instanceName)
        return outlines.contains { !$0.names(inside: instance).isEmpty } ? path : nil
    }

    /// Returns members of an object whose names resemble another name, most similar first, with a rename to that name.
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
            .map { CulpritCandidate($0.place, [.rename($0.place, to: name)], isVersion: isVersion) }
    }

    /// The path of the document's version, or those of the values that make it up. If the document has none, the paths
    /// where it could be.
    private var versionPaths: [DocumentPath] {
        if hasVersionOfValues {
            let base = containerOfVersion
            return trace.versions.last?.version.stated?.root.leaves.map { base.appending($0.path) } ?? []
        }
        if let path = trace.detection.path { return [path] }
        var paths: [DocumentPath] = []
        for path in trace.detection.attempts.compactMap(\.path) where !paths.contains(path) { paths.append(path) }
        return paths
    }

    // MARK: - Missing keys

    /// For a missing key that the error names: keys with similar names to rename, and values to add.
    private var missingKey: [CulpritCandidate] {
        guard let path = failure.path, let name = path.lastKey, let parent = path.parent,
            let container = document.root.descendant(at: parent), container.kind == .object, container[name] == nil,
            !isOfLaterVersion(path)
        else { return [] }
        // The shape that came nearest in decoding is not always one of those that know the most fields of the document.
        let isKnown = outlines.contains { !$0.names(inside: parent).isEmpty }
        if failure.isOfShape, isKnown, field(path) == nil {
            // A part may still be meant to have an older shape.
            let wanted = FieldName(name)
            return renames(to: name, in: container, at: parent).filter {
                FieldName($0.path.lastKey ?? "").mayStand(for: wanted)
            }
        }
        let renames = renames(to: name, in: container, at: parent)
        if triesVersions, path == versionOfContainer { return renames }
        return renames + [CulpritCandidate(path, addedValues(path).map { .add(path, $0) }, isNamed: true)]
    }

    /// Returns whether fields that are missing at a path may belong only to a later version of a part whose version its
    /// fields decide. With them, the part would skip the step that failed, which shows nothing about the values that the
    /// step read.
    private func isOfLaterVersion(_ path: DocumentPath) -> Bool {
        isInPart(path) { $0.placeOfVersion == nil && $0.failure?.step != nil }
    }

    /// Returns whether a path leads to or into one of the parts that fulfill a condition.
    private func isInPart(_ path: DocumentPath, where condition: (MigrationTrace) -> Bool) -> Bool {
        func isInPart(of trace: MigrationTrace, at base: DocumentPath) -> Bool {
            trace.parts.contains { part in
                let place = base.appending(part.base)
                return path.hasPrefix(place) && (condition(part) || isInPart(of: part, at: place))
            }
        }
        return isInPart(of: trace, at: .root)
    }

    /// Returns the values to add at a path: the cases of the type, values at the same path elsewhere, and values of the
    /// type, or of every kind if the type is not known.
    private func addedValues(_ path: DocumentPath) -> [Document] {
        choices(path) + relatives.values(at: path).map(Document.init(copying:)) + TrialValues.ofType(field(path)?.type)
    }

    /// Returns the cases of a value's enum type, as far as they are known.
    ///
    /// - Parameter node: The value. A step may have put it where the error is.
    private func choices(_ path: DocumentPath, _ node: DocumentNode? = nil) -> [Document] {
        let known = field(path)?.choices ?? []
        guard case .field(_, .noCase(_, let found, let cases?)) = failure.complaint else { return known }
        let isMoved = failure.step != nil && node.map { FoundValue($0) == found } ?? false
        guard path == failure.path || isMoved else { return known }
        let named = cases.flatMap { text in
            let number = TrialValues.document(text).flatMap { $0.root.kind == .number ? $0 : nil }
            return [number, Document(text: text)].compactMap(\.self)
        }
        return known + named.filter { !known.contains($0) }
    }

    /// Members that the type does not know, with renames to missing fields that it asks for. If the failure can only be
    /// repaired at the path that it names, only members there.
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
            found.append(CulpritCandidate(path, nearest.map { .rename(path, to: $0) }, isNamed: true))
        }
        visit { path, node in
            guard node.kind == .object, !isOfNamedValue || path.isAtOrInside(failure.path), !isOfLaterVersion(path)
            else { return }
            let known = outlines.map { $0.names(inside: path) }.filter { !$0.isEmpty }
            // Of the part in a container, only the newest version is known.
            let isGuessed = known.isEmpty || isInPart(path) { $0.instance != nil }
            for name in node.members.map(\.name) where found.count < 64 {
                let place = path.appending(key: name)
                if versionPaths.contains(place) { continue }
                var names: [String] = []
                for known in isGuessed ? known + [namesElsewhere(path)] : known where !known.contains(name) {
                    names += known.filter { wanted in
                        node[wanted] == nil && path.appending(key: wanted) != failure.path && !names.contains(wanted)
                            && FieldName(name).mayStand(for: FieldName(wanted))
                    }
                }
                if names.isEmpty { continue }
                found.append(
                    CulpritCandidate(place, names.map { .rename(place, to: $0) }, isGuessed: isGuessed))
            }
        }
        return found
    }

    /// Returns the names that an object of unknown type may have: those of other records in the same array and in other
    /// documents, and those that the message may mention.
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

    /// Fields that the type or other records of the same array have, and that a record lacks.
    private var absentFields: [CulpritCandidate] {
        var found: [CulpritCandidate] = []
        let wanted = failure.path?.lastKey.map(FieldName.init)
        visit { path, node in
            guard node.kind == .object, !isOfLaterVersion(path) else { return }
            var names: [String] = []
            for name in outlines.flatMap({ $0.names(inside: path) }) where !names.contains(name) { names.append(name) }
            if case .index? = path.components.last, let array = path.parent.flatMap(document.root.descendant) {
                names += array.memberNames().filter { !names.contains($0) }
            }
            for name in names where node[name] == nil && found.count < 256 {
                let place = path.appending(key: name)
                if place == failure.path || versionPaths.contains(place) { continue }
                let values =
                    field(place) == nil ? relatives.values(at: place).map(Document.init(copying:)) : addedValues(place)
                guard !values.isEmpty else { continue }
                let isAlike = wanted.map { FieldName(name).resemblance(to: $0) >= 0.5 } ?? false
                found.append(
                    CulpritCandidate(
                        place, values.map { .add(place, $0) },
                        isLikely: isAlike || message.mentions(name) || isLocated(place)))
            }
        }
        return found
    }

    /// Words of the message as field names, if no type is known. The fields that a closure asks for can only be known
    /// from its message. They may be missing from the record, or from the elements of the list that the error names.
    private var absentNames: [CulpritCandidate] {
        guard !outlines.contains(where: \.knowsTypes), [.thrown, .fieldNoLongerValid].contains(failure.kind) else {
            return []
        }
        var records = outlines.contains(where: \.isComplete) ? [] : [top]
        if let path = failure.path, path.hasPrefix(top), let list = document.root.descendant(at: path),
            list.kind == .array
        {
            records += sample(of: list, at: path).map { path.appending($0.component) }
        }
        return records.flatMap { place -> [CulpritCandidate] in
            guard let record = document.root.descendant(at: place), record.kind == .object else { return [] }
            return message.possibleNames.filter { record[$0] == nil }.map { name in
                let path = place.appending(key: name)
                let values = relatives.values(at: path).map(Document.init(copying:)) + TrialValues.ofEveryKind
                return CulpritCandidate(path, values.map { .add(path, $0) }, isLikely: false)
            }
        }
    }

    // MARK: - Values

    /// The value that a decoding error names.
    private var namedValue: [CulpritCandidate] {
        var path = failure.culprit?.path ?? failure.path
        // If a string contains JSON, the error names the value inside it, not the string.
        if let named = failure.path, document.root.descendant(at: named) != nil, named.hasPrefix(path ?? named) {
            path = named
        }
        guard let path, !path.isRoot, let node = document.root.descendant(at: path) else { return [] }
        if triesVersions, path == versionOfContainer { return [] }
        return candidate(path, node, isNamed: true, isLikely: true).map { [$0] } ?? []
    }

    /// All values that were read, with a sample of the elements of arrays.
    private var values: [CulpritCandidate] {
        var found: [(candidate: CulpritCandidate, score: Double)] = []
        let named = failure.path.flatMap { $0.isRoot ? nil : $0 }
        let wanted = named?.lastKey.map(FieldName.init)
        // A value that the message reports as missing may be missing from another field.
        let said = quoted.compactMap(document.root.descendant)
        visit { path, node in
            let isNamed = path == named || failure.culprit.map { $0.certain && $0.path == path } ?? false
            // An object is at fault as a whole only if another kind of value belongs there.
            guard !path.isRoot, node.kind != .object || isNamed && isAboutKind || isFound(node),
                !triesVersions || path != versionOfContainer
            else { return }
            var score = isNamed ? 2.0 : 0
            if let culprit = failure.culprit, culprit.path == path || culprit.others.contains(path) { score += 1 }
            if message.quotes(node) { score += 1 }
            // Among nested elements that the failure depends on, the innermost comes first.
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
        // Equally likely values stay in document order.
        return found.enumerated().sorted { ($1.element.score, $0.offset) < ($0.element.score, $1.offset) }
            .map(\.element.candidate)
    }

    private func candidate(
        _ path: DocumentPath, _ node: DocumentNode, said: [DocumentNode] = [], isNamed: Bool, isLikely: Bool
    ) -> CulpritCandidate? {
        let siblings = relatives.values(at: path)
        let others = siblings.filter { $0.kind != node.kind && !$0.isNull }.map(Document.init(copying:))
        var values = TrialValues(for: node, relatives: siblings).all
        let isOpen = isOpen(path)
        // A null may stand for a value of any kind, and code that reads values itself reports a wrong kind in its own
        // words.
        let isOfStep = failure.step != nil || isInPart(path) { $0.failure?.step != nil }
        let isOfOwnCode = isOpen && isOfStep && !failure.reason.isOfDecoder && !node.kind.isContainer
        if isNamed && isAboutKind || isFound(node) || node.kind == .null || isOfOwnCode {
            values += TrialValues.ofEveryKind
        }
        // A name from one field may be valid in another.
        if isNamed, isAboutKind || node.kind == .string { values += names }
        let mayBeWrapped = isNamed && isAboutKind || node.kind == .array && failure.step != nil
        let wrappings = mayBeWrapped ? TrialValues.wrappings(of: node) : []
        if isNamed || isLikely || failure.isOfShape || !others.isEmpty || !wrappings.isEmpty
            || node.kind == .string && isOpen
        {
            values = TrialValues.conversions(of: node) + wrappings + others + values
        }
        let sameName = isLikely ? namesakes(of: node, at: path) : []
        values =
            choices(path, node) + elements(inPlaceOf: node, at: path) + sameName + values
            + neighbors(of: node, at: path)
        if node.kind == .array { values += lengths(of: node, at: path) }
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
        // The array itself is at fault only if the element that it depends on passes when it is the only one.
        let alone = located.first { $0.parent == path }.flatMap { document.root.descendant(at: $0) }
        if let alone { values.insert(Document(array: [alone]), at: 0) }
        guard !values.isEmpty else { return nil }
        var candidate = CulpritCandidate(path, values.map { .set(path, $0) }, isNamed: isNamed, isLikely: isLikely)
        if node.kind == .null, case .index? = path.components.last { candidate.addTrial(of: .remove(path)) }
        candidate.isArray = node.kind == .array
        if candidate.isArray { candidate.elements = Array(node.elements) }
        candidate.hasElementAlone = alone != nil
        candidate.isQuoted = message.quotes(node)
        return candidate
    }

    /// Returns whether a step may have put a value of the document where another kind is expected.
    private func isFound(_ node: DocumentNode) -> Bool {
        guard failure.step != nil, case .field(_, .mismatch(_, let found?)) = failure.complaint else { return false }
        return FoundValue(node) == found
    }

    /// Returns whether code of which the fields are not known may read a value: a closure, in the document or in a
    /// container.
    private func isOpen(_ path: DocumentPath) -> Bool {
        !outlines.contains(where: \.knowsTypes) || isInPart(path) { $0.instance != nil }
    }

    /// Returns the other elements of the array in which an element is null, here and in other documents. There is
    /// nothing in a null that they could replace.
    private func elements(inPlaceOf node: DocumentNode, at path: DocumentPath) -> [Document] {
        guard node.isNull, case .index? = path.components.last, let parent = path.parent else { return [] }
        var found: [DocumentNode] = []
        for array in ([document, whole] + relatives.lenders).compactMap({ $0.root.descendant(at: parent) }) {
            for element in array.elements where !element.isNull && found.count < 4 {
                if !found.contains(where: element.isEqual) { found.append(element) }
            }
        }
        return found.map(Document.init(copying:))
    }

    /// Strings in the document that may be names of cases, each once.
    private var names: [Document] {
        var found: Set<String> = []
        visit { _, node in
            if found.count < 16, let text = node.string, text.isName, text.utf8.count <= 24 { found.insert(text) }
        }
        return found.sorted().map(Document.init(text:))
    }

    /// Returns values of the same kind in the same object, which the value may have to match.
    private func neighbors(of node: DocumentNode, at path: DocumentPath) -> [Document] {
        // A decoder doesn't compare values, and parts that migrate separately are unrelated.
        guard [.fieldNoLongerValid, .thrown, .crashed, .timedOut].contains(failure.kind), path != top,
            !node.kind.isContainer, let parent = path.parent, let record = document.root.descendant(at: parent)
        else { return [] }
        let alike = record.members.lazy.filter { member in
            member.value.kind == node.kind && !versionPaths.contains(parent.appending(key: member.name))
        }
        // A number may have to be that of the elements of a list.
        let lists = node.kind == .number ? record.members.filter { $0.value.kind == .array } : []
        return alike.prefix(6).map { Document(copying: $0.value) }
            + lists.prefix(6).compactMap { TrialValues.document("\($0.value.count)") }
    }

    /// Returns an array without its first element, and with as many elements as each number in the same object says.
    private func lengths(of array: DocumentNode, at path: DocumentPath) -> [Document] {
        let elements = Array(array.elements)
        let numbers = path.parent.flatMap(document.root.descendant)?.members.compactMap(\.value.wholeNumber) ?? []
        let counts = numbers.filter { (1...Self.mostElements).contains($0) && $0 != elements.count }
        let others = (elements.isEmpty ? [] : counts.prefix(4)).map { count in
            (0..<count).map { elements[$0 % elements.count] }
        }
        return ((elements.count > 1 ? [Array(elements.dropFirst())] : []) + others).map { Document(array: $0) }
    }

    /// The largest number of elements that an array gets because a number says so.
    private static let mostElements = 1_000

    /// Returns values of the same kind in fields with the same name, anywhere in the document. The refusal may be about
    /// the form of a value, such as that of an address, which no made-up value has.
    private func namesakes(of node: DocumentNode, at path: DocumentPath) -> [Document] {
        guard [.fieldNoLongerValid, .thrown].contains(failure.kind), let name = path.lastKey, !node.kind.isContainer,
            document.nodeCount <= Self.mostSearched
        else { return [] }
        var found: [DocumentNode] = []
        func collect(_ container: DocumentNode) {
            for member in container.members where found.count < 8 && member.name.isExactly(name) {
                let value = member.value
                if value.kind == node.kind, !(found + [node]).contains(where: { $0.isEqual(to: value) }) {
                    found.append(value)
                }
            }
            container.forEachStep { if found.count < 8 { collect($1) } }
        }
        collect(document.root)
        return found.map(Document.init(copying:))
    }

    /// The size of the largest document that is searched for values of the same name, in nodes: the search goes through
    /// all of it for each likely value.
    private static let mostSearched = 100_000

    private func visit(_ body: (DocumentPath, DocumentNode) -> Void) {
        if let node = document.root.descendant(at: top) { visit(top, node, body) }
    }

    /// Visits the values that were read, except the version, with a sample of the elements of arrays.
    private func visit(_ path: DocumentPath, _ node: DocumentNode, _ body: (DocumentPath, DocumentNode) -> Void) {
        if path == trace.detection.path || dropped.contains(node.id) { return }
        // With another version, a part may skip the failing step, which is no passing value.
        if versionsOfParts.contains(path), path != failure.path { return }
        body(path, node)
        if node.kind == .array {
            for child in sample(of: node, at: path) { visit(path.appending(child.component), child.value, body) }
        } else {
            node.forEachStep { visit(path.appending($0), $1, body) }
        }
    }

    /// Whether the failure is, or may be, that a value is of the wrong kind.
    private var isAboutKind: Bool {
        isOfNamedValue || failure.isOfShape || failure.kind == .typeMismatch || failure.kind == .valueNotFound
    }

    private func isLocated(_ path: DocumentPath) -> Bool { located.contains { path.hasPrefix($0) } }

    /// Returns a sample of the elements of a long array. It includes the elements that the failure depends on, and
    /// those that the error or its message points to.
    private func sample(of array: DocumentNode, at path: DocumentPath) -> [DocumentNode.Child] {
        let named = ([failure.path, failure.culprit?.path].compactMap(\.self) + located).filter { $0.hasPrefix(path) }
        return array.sample(few: 16) { child in
            let place = path.appending(child.component)
            return named.contains { $0.hasPrefix(place) }
                || child.value.nodes.contains { $0.kind != .key && message.quotes($0) }
        }
    }
}

extension FieldName {
    /// Returns whether the name may be a misspelling or a variant of the other one. Resemblance says little about short
    /// names.
    func mayStand(for other: FieldName) -> Bool { isMisspelling(of: other) || resemblance(to: other) >= 0.6 }
}

extension DocumentPath {
    fileprivate func isAtOrInside(_ other: DocumentPath?) -> Bool { other.map(hasPrefix) ?? true }
}

extension DocumentNode {
    /// The string, or the number as text.
    fileprivate var scalarText: String? { string ?? numberText }

    /// The values inside that are not containers.
    fileprivate var leaves: [DocumentNode] { nodes.filter { $0.kind != .key && !$0.kind.isContainer } }

    /// Returns the names of the members of the objects in an array, in order, from its first elements.
    ///
    /// - Parameter own: The index of an element to leave out.
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
