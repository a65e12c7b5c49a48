import DocumentModel
import Foundation

/// A step that parts of a document take separately. All parts that take the step are examined at once, as elements of
/// one array, so that one search in groups is enough for a document with a thousand parts.
///
/// The parts belong to the same chain and are at the same depth, so none is inside another.
package struct PartSteps {
    /// One of the parts.
    fileprivate struct Part {
        /// The indices of the parts that contain this one, outermost first, followed by its own.
        let way: [Int]
        /// The paths of the parts that contain this one, followed by its own.
        let paths: [DocumentPath]
        /// The paths that lead to its value. Each but the last leads to a value that contains a document, in which the
        /// next path begins.
        let places: [DocumentPath]
        /// Whether the value contains a document that is the part.
        let isHeld: Bool
        let before: Document?
        let after: Document?
        let trace: MigrationTrace
    }

    /// The properties that parts must share to be examined at once.
    fileprivate struct Kind: Hashable {
        let depth: Int
        let chain: String?
        let ends: MigrationFailure.Step
        let number: Int
    }

    fileprivate let kind: Kind
    fileprivate private(set) var parts: [Part]

    /// The documents before the step, or nil if one is not known.
    package var before: Document? { Document(elements: parts.map(\.before)) }

    /// The documents after the step, or nil if one is not known.
    package var after: Document? { Document(elements: parts.map(\.after)) }

    /// The paths of the documents' versions.
    package var versions: [DocumentPath] {
        parts.first?.trace.instance != nil
            ? [DocumentPath([.everyElement, .key("version")])] : places { [$0.detection.path].compactMap(\.self) }
    }

    /// The values in the documents before the step that nothing reads.
    package var dropped: [DocumentPath] { kind.number == 0 ? places(\.dropped) : [] }

    /// Returns the steps of the parts of a document, and of the parts inside them.
    package static func all(of trace: MigrationTrace) -> [PartSteps] {
        guard let document = trace.document else { return [] }
        var kinds: [Kind] = []
        var found: [Kind: [Part]] = [:]
        func visit(
            _ parts: [MigrationTrace], _ document: Document, _ base: DocumentPath, _ places: [DocumentPath],
            _ way: [Int], _ paths: [DocumentPath]
        ) {
            for (index, part) in parts.enumerated() {
                guard let path = part.path, let node = document.root.descendant(at: base.appending(path))
                else { continue }
                let isHeld = part.instance != nil || trace.migratesByParts
                let held = isHeld ? node.heldDocument : nil
                let isThere = isHeld ? held != nil : part.document?.root.isEqual(to: node) == true
                guard isThere || trace.migratesByParts else { continue }
                let (way, paths, own) = (way + [index], paths + [path], places + [base.appending(path)])
                for (number, step) in part.steps.enumerated() where step.failure == nil {
                    // Only a part with its version next to its value can start from another version.
                    if number > 0, part.instance == nil { continue }
                    let kind = Kind(
                        depth: way.count, chain: part.chain, ends: .init(from: step.from, to: step.to), number: number)
                    if found[kind] == nil { kinds.append(kind) }
                    let before = node.kind == .string && held != nil ? held : step.before
                    found[kind, default: []].append(
                        Part(
                            way: way, paths: paths, places: own, isHeld: held != nil, before: before,
                            after: step.after, trace: part))
                }
                if let held {
                    visit(part.parts, held, .root, own, way, paths)
                } else {
                    visit(part.parts, document, base.appending(path), places, way, paths)
                }
            }
        }
        visit(trace.parts, document, .root, [], [], [])
        return kinds.map { PartSteps(kind: $0, parts: found[$0] ?? []) }
    }

    // MARK: - Runs

    /// Returns the whole document with its parts replaced, or nil if they don't fit.
    package func putting(_ array: Document, into document: Document) -> Document? {
        guard array.root.kind == .array, array.root.count == parts.count else { return nil }
        return put(zip(parts, array.root.elements).map { ($0, $1, 0) }, into: document)
    }

    private func put(_ values: [(part: Part, value: DocumentNode, depth: Int)], into document: Document) -> Document? {
        var replaced: [DocumentNode.ID: Document?] = [:]
        for (place, inside) in Dictionary(grouping: values, by: { $0.part.places[$0.depth] }) {
            guard let node = document.root.descendant(at: place) else { return nil }
            let (part, value, depth) = inside[0]
            if depth == part.places.count - 1 {
                let version = kind.number > 0 ? kind.ends.from : nil
                replaced[node.id] = part.isHeld ? node.holding(value, version) : Document(copying: value)
            } else {
                let deeper = inside.map { ($0.part, $0.value, $0.depth + 1) }
                guard let held = node.heldDocument, let changed = put(deeper, into: held) else { return nil }
                replaced[node.id] = node.holding(changed.root, nil)
            }
        }
        return document.replacing(replaced)
    }

    /// Returns the results of the step for the parts in a run, or nil if any is missing.
    package func result(in trace: MigrationTrace) -> Document? {
        Document(
            elements: parts.map { part in
                var found: MigrationTrace? = trace
                for path in part.paths { found = found?.parts.first { $0.path == path } }
                guard let found, found.detection.version == kind.ends.from else { return nil }
                let step = found.steps.first { $0.from == kind.ends.from && $0.to == kind.ends.to }
                return step?.after
            })
    }

    // MARK: - Findings

    /// Returns the paths of each part, as those of elements. If all parts have the same paths, `[*]` stands for all of
    /// them.
    private func places(_ paths: (MigrationTrace) -> [DocumentPath]) -> [DocumentPath] {
        let all = parts.map { paths($0.trace) }
        if let first = all.first, all.allSatisfy({ $0 == first }) {
            return first.map { DocumentPath([.everyElement]).appending($0) }
        }
        return all.enumerated().flatMap { index, paths in paths.map { DocumentPath([.index(index)]).appending($0) } }
    }

    /// Returns the findings about one of the parts.
    fileprivate func finding(_ whole: StepFinding, of index: Int) -> StepFinding {
        func own(_ path: DocumentPath) -> DocumentPath? {
            switch path.components.first {
            case nil: path
            case .index(index), .everyElement: DocumentPath(Array(path.components.dropFirst()))
            default: nil
            }
        }
        func isOfAll(_ path: DocumentPath) -> Bool { path.components.first.map { $0 == .everyElement } ?? true }
        // A finding about all parts may not apply to each of them.
        func isThere(_ path: DocumentPath) -> Bool {
            parts[index].before?.root.values(along: path).isEmpty == false
        }
        // An origin that includes another part is not reported.
        var all = whole
        all.origins.removeAll { origin in origin.from.contains { isOfAll($0) != isOfAll(origin.path) } }
        for number in all.left.indices where isOfAll(all.left[number].path) {
            all.left[number].count = max(1, all.left[number].count / parts.count)
        }
        var finding = all.moving(own)
        // It goes without saying that a part as a whole has an origin.
        if parts[index].after?.root.kind.isContainer == true { finding.origins.removeAll { $0.path.isRoot } }
        finding.lost.removeAll { !isThere($0) }
        finding.narrowed.removeAll { !isThere($0.path) }
        finding.runs = index == 0 ? whole.runs : 0
        return finding
    }
}

/// The containers of a document as it passes through its steps. Each states a version and contains the bytes of a part.
package struct PartContainers {
    /// The paths of the containers, and whether each part migrates separately, so that its steps are examined.
    private var all: [(path: DocumentPath, migrates: Bool)]

    /// Creates the containers of a trace.
    package init(of trace: MigrationTrace) {
        all = trace.parts.compactMap { part in
            part.instance == nil ? nil : part.path.map { ($0, !part.steps.isEmpty) }
        }
    }

    /// Follows the containers through a step.
    ///
    /// - Returns: The paths of the versions and bytes of the containers that still exist, with elements folded. A loss
    ///   there shows in the part's own steps, or the value is still in the bytes of the document after the step.
    package mutating func take(
        _ before: Document?, _ after: Document?, _ difference: DocumentDifference?
    ) -> [DocumentPath] {
        guard let before, let after, let difference else { return [] }
        var (left, fields): ([(path: DocumentPath, migrates: Bool)], Set<DocumentPath>) = ([], [])
        for (path, migrates) in all {
            guard let old = before.root.descendant(at: path), let held = old.heldDocument,
                let place = difference.newPaths(of: [old]).first
            else { continue }
            left.append((place, migrates))
            let isWhole = after.root.descendant(at: place)?.heldDocument?.root.isEqual(to: held.root) == true
            guard migrates || isWhole else { continue }
            fields.formUnion(DocumentNode.containerNames.map { path.foldingIndices.appending(key: $0) })
        }
        all = left
        return Array(fields)
    }
}

extension MigrationTrace {
    /// The path of the version of a part in the document around it: next to its bytes, or inside the part. Nil if the
    /// part states none.
    var placeOfVersion: DocumentPath? {
        if instance != nil { return path?.appending(key: DocumentNode.versionName) }
        return detection.path.map(base.appending)
    }

    /// Whether the document takes its step key by key, so that the findings about its parts are complete.
    package var migratesByParts: Bool { versions == PreferencesChain.allVersions }

    /// Records the findings about a step of parts, or why there are none.
    package mutating func note(_ finding: StepFinding?, _ because: StepFinding.Left.Reason?, of steps: PartSteps) {
        for (index, part) in steps.parts.enumerated() {
            let finding = finding.map { steps.finding($0, of: index) }
            update(part.way[...]) { part in
                part.steps[steps.kind.number].finding = finding
                part.steps[steps.kind.number].notExamined = finding == nil ? because : nil
            }
        }
    }

    private mutating func update(_ way: ArraySlice<Int>, _ change: (inout MigrationTrace) -> Void) {
        guard let first = way.first else { return change(&self) }
        parts[first].update(way.dropFirst(), change)
    }

    /// Marks the steps of parts that no experiment can reach as not examined.
    package mutating func noteUnexaminedParts() {
        for index in parts.indices {
            for number in parts[index].steps.indices where parts[index].steps[number].failure == nil {
                let step = parts[index].steps[number]
                if step.finding == nil, step.notExamined == nil { parts[index].steps[number].notExamined = .off }
            }
            parts[index].noteUnexaminedParts()
        }
    }

    /// Combines the findings about the keys of a document that takes its step key by key.
    package mutating func noteFindingsOfParts() {
        guard migratesByParts, steps.count == 1, steps[0].failure == nil else { return }
        var whole = StepFinding(origins: [], lost: [])
        for part in parts {
            guard let path = part.path, let step = part.steps.first, step.failure == nil else { continue }
            whole.left += step.examination?.left.compactMap { $0.moving(path.appending) } ?? []
            guard let finding = step.finding?.moving(path.appending) else { continue }
            whole.origins += finding.origins
            // If every value matters, or one is known to, the key as a whole comes from its old value.
            let isMade = finding.origins.contains { !$0.from.isEmpty } || finding.lost.isEmpty && finding.left.isEmpty
            let isEmpty = step.before?.root.heldJSON?.root.isEmpty == true
            if isMade, !isEmpty, !whole.origins.contains(where: { $0.path == path }) {
                whole.origins.append(ValueOrigin(path: path, from: [path]))
            }
            whole.lost += finding.lost
            whole.narrowed += finding.narrowed
            whole.differing += finding.differing
        }
        steps[0].finding = whole
    }
}

extension StepFinding {
    /// Returns the finding with other paths. A value for which `place` returns nil is left out, and so is an origin that
    /// includes one.
    fileprivate func moving(_ place: (DocumentPath) -> DocumentPath?) -> StepFinding {
        StepFinding(
            origins: origins.compactMap { origin in
                let from = origin.from.compactMap(place)
                guard let path = place(origin.path), from.count == origin.from.count else { return nil }
                return ValueOrigin(path: path, from: from)
            },
            lost: lost.compactMap(place),
            narrowed: narrowed.compactMap { value in place(value.path).map { Narrowing(path: $0, how: value.how) } },
            left: left.compactMap { $0.moving(place) }, differing: differing.compactMap(place),
            notMoved: notMoved.compactMap { move in
                guard let from = place(move.from), let path = place(move.path) else { return nil }
                return ValueMove(from: from, path: path)
            },
            runs: runs)
    }
}

extension StepFinding.Left {
    fileprivate func moving(_ place: (DocumentPath) -> DocumentPath?) -> StepFinding.Left? {
        place(path).map { StepFinding.Left(path: $0, count: count, because: because) }
    }
}

extension Document {
    /// Creates an array of the documents. Returns nil if one is missing.
    fileprivate init?(elements: [Document?]) {
        guard let first = elements.first else { return nil }
        var builder = DocumentBuilder()
        builder.beginArray()
        for element in elements {
            guard let element else { return nil }
            builder.append(element.root)
        }
        builder.end()
        self = builder.finish(format: first?.format ?? .json)
    }
}

extension DocumentNode {
    static let (versionName, instanceName) = ("version", "instance")
    fileprivate static let containerNames = [versionName, instanceName]

    /// The document inside the value: the JSON in a string, or the bytes in a ``VersionableContainer``.
    fileprivate var heldDocument: Document? {
        if let text = string {
            guard let document = try? Document(json: text), document.format == .json else { return nil }
            return document
        }
        guard self[Self.versionName] != nil, let instance = self[Self.instanceName],
            let data = instance.data ?? instance.string.flatMap({ Data(base64Encoded: $0) })
        else { return nil }
        return try? Document(payload: data)
    }

    /// Returns the same value with another document inside it, and another version if given.
    fileprivate func holding(_ value: DocumentNode, _ version: DocumentVersion?) -> Document? {
        let json = JSONWriter(layout: .compact).string(value)
        if kind == .string { return Document(text: json) }
        var builder = DocumentBuilder()
        builder.beginObject()
        for member in members {
            builder.key(member.name)
            switch (member.name, version) {
            case (Self.instanceName, _) where member.value.kind == .string:
                builder.string(Data(json.utf8).base64EncodedString())
            case (Self.instanceName, _): builder.data(Data(json.utf8))
            case (Self.versionName, .number(let number)?): builder.number(number)
            case (Self.versionName, .name(let name)?), (Self.versionName, .written(_, as: let name)?):
                builder.string(name)
            case (Self.versionName, .values(_, let values)?): builder.append(values.root)
            default: builder.append(member.value)
            }
        }
        builder.end()
        return builder.finish(format: document.format)
    }
}
