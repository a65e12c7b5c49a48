import DocumentModel
import Foundation

/// A step that parts of a document take by themselves: of all parts that take it at once, as elements of one array. So one
/// search in groups serves a document with a thousand parts.
///
/// The parts are of one chain and at the same depth, so that none is inside another.
package struct PartSteps {
    /// One of the parts.
    fileprivate struct Part {
        /// The numbers of the parts on the way to it, and its own.
        let way: [Int]
        /// Its path, after those of the parts on the way to it.
        let paths: [DocumentPath]
        /// Where its value is: after each but the last, a value holds a document, in which the next begins.
        let places: [DocumentPath]
        /// Whether the value holds a document, which is the part.
        let isHeld: Bool
        /// Whether its version is beside it and in it, as in a container.
        let isContained: Bool
        let before: Document?
        let after: Document?
        let trace: MigrationTrace
    }

    /// What parts have in common that are examined at once.
    private struct Kind: Hashable {
        let depth: Int
        let chain: String?
        let ends: MigrationFailure.Step
        let number: Int
    }

    private let kind: Kind
    fileprivate private(set) var parts: [Part]

    /// The documents before the step; nil where one is not known.
    package var before: Document? { Document(elements: parts.map(\.before)) }

    /// The documents after the step; nil where one is not known.
    package var after: Document? { Document(elements: parts.map(\.after)) }

    /// Where the documents have their versions.
    package var versions: [DocumentPath] {
        let isContained = parts.first?.isContained == true
        return isContained
            ? [DocumentPath([.everyElement, .key("version")])] : places { [$0.detection.path].compactMap(\.self) }
    }

    /// What nothing reads of the documents before.
    package var dropped: [DocumentPath] { kind.number == 0 ? places(\.dropped) : [] }

    /// The steps of the parts of a document, and of those inside them.
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
                let isItself = part.document?.root.isEqual(to: node) == true && !trace.migratesByParts
                let held = isItself ? nil : node.heldDocument
                guard isItself || held != nil || trace.migratesByParts else { continue }
                let (way, paths, own) = (way + [index], paths + [path], places + [base.appending(path)])
                for (number, step) in part.steps.enumerated() where step.failure == nil {
                    // Only what says its version beside the value can begin with another one.
                    if number > 0, node["version"] == nil { continue }
                    let kind = Kind(
                        depth: way.count, chain: part.chain, ends: .init(from: step.from, to: step.to), number: number)
                    if found[kind] == nil { kinds.append(kind) }
                    let before = node.kind == .string && held != nil ? held : step.before
                    found[kind, default: []].append(
                        Part(
                            way: way, paths: paths, places: own, isHeld: held != nil,
                            isContained: held != nil && node.kind == .object, before: before,
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

    /// The whole document with other parts; nil where they have no place in it.
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

    /// What the step made of the parts in a run; nil where it did not make all of them.
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

    /// The paths of each part, as those of elements; of all elements where all have them.
    private func places(_ paths: (MigrationTrace) -> [DocumentPath]) -> [DocumentPath] {
        let all = parts.map { paths($0.trace) }
        if let first = all.first, all.allSatisfy({ $0 == first }) {
            return first.map { DocumentPath([.everyElement]).appending($0) }
        }
        return all.enumerated().flatMap { index, paths in paths.map { DocumentPath([.index(index)]).appending($0) } }
    }

    /// What is found out about one of the parts.
    fileprivate func finding(_ whole: StepFinding, of index: Int) -> StepFinding {
        func own(_ path: DocumentPath) -> DocumentPath? {
            switch path.components.first {
            case nil: path
            case .index(index), .everyElement: DocumentPath(Array(path.components.dropFirst()))
            default: nil
            }
        }
        func isOfAll(_ path: DocumentPath) -> Bool { path.components.first.map { $0 == .everyElement } ?? true }
        // What is told of all parts need not be in each.
        func isThere(_ path: DocumentPath) -> Bool {
            parts[index].before?.root.values(along: path).isEmpty == false
        }
        let isContainer = parts[index].after?.root.kind.isContainer == true
        let origins = whole.origins.compactMap { origin -> ValueOrigin? in
            // That a part as a whole comes from somewhere is no news.
            guard let path = own(origin.path), !path.isRoot || !isContainer else { return nil }
            let from = origin.from.filter { isOfAll($0) == isOfAll(origin.path) }.compactMap(own)
            // Where it comes from another part too, nothing is said.
            return from.count == origin.from.count ? ValueOrigin(path: path, from: from) : nil
        }
        return StepFinding(
            origins: origins, lost: whole.lost.compactMap(own).filter(isThere),
            narrowed: whole.narrowed.compactMap { value in
                own(value.path).flatMap { isThere($0) ? Narrowing(path: $0, how: value.how) : nil }
            },
            left: whole.left.compactMap { left in
                own(left.path).map {
                    let count = isOfAll(left.path) ? max(1, left.count / parts.count) : left.count
                    return StepFinding.Left(path: $0, count: count, because: left.because)
                }
            },
            differing: whole.differing.compactMap(own),
            notMoved: whole.notMoved.compactMap { move in
                guard let from = own(move.from), let path = own(move.path) else { return nil }
                return ValueMove(from: from, path: path)
            },
            runs: index == 0 ? whole.runs : 0)
    }
}

/// The containers of a document, each of which says a version and holds the bytes of a part, on their way through its steps.
package struct PartContainers {
    /// Where they are, and whether the part migrates by itself, so that its steps are examined.
    private var all: [(path: DocumentPath, migrates: Bool)]

    /// Those of a trace.
    package init(of trace: MigrationTrace) {
        all = trace.parts.compactMap { part in part.path.map { ($0, !part.steps.isEmpty) } }
    }

    /// Takes a step with them.
    ///
    /// - Returns: Where those that are still there have their versions and their bytes, elements folded: nothing is gone of
    ///   them that the part's own steps do not show, or that does not stand in the bytes of the document after.
    package mutating func take(
        _ before: Document?, _ after: Document?, _ difference: DocumentDifference?
    ) -> [DocumentPath] {
        guard let before, let after, let difference else { return [] }
        var (left, fields): ([(path: DocumentPath, migrates: Bool)], Set<DocumentPath>) = ([], [])
        for (path, migrates) in all {
            guard let old = before.root.descendant(at: path), old.kind == .object, let held = old.heldDocument,
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
    /// Where a part says its version in the document that it is part of: beside its bytes, or in itself.
    func placeOfVersion(in document: Document) -> DocumentPath? {
        guard let path, let node = document.root.descendant(at: path) else { return nil }
        if node.kind == .object, node.heldDocument != nil { return path.appending(key: DocumentNode.versionName) }
        return detection.path.map(path.appending)
    }

    /// Whether the document takes its step key by key, so that what is found out about its parts is all of it.
    package var migratesByParts: Bool { versions == PreferencesChain.allVersions }

    /// Notes what was found out about a step of parts, or why nothing was.
    package mutating func note(_ finding: StepFinding?, _ because: StepFinding.Left.Reason?, of steps: PartSteps) {
        for (index, part) in steps.parts.enumerated() {
            let finding = finding.map { steps.finding($0, of: index) }
            update(part.way[...]) { part in
                part.steps[steps.number].finding = finding
                part.steps[steps.number].notExamined = finding == nil ? because : nil
            }
        }
    }

    private mutating func update(_ way: ArraySlice<Int>, _ change: (inout MigrationTrace) -> Void) {
        guard let first = way.first else { return change(&self) }
        parts[first].update(way.dropFirst(), change)
    }

    /// Notes of the steps of parts that no experiment can reach that they were not examined.
    package mutating func noteUnexaminedParts() {
        for index in parts.indices {
            for number in parts[index].steps.indices where parts[index].steps[number].failure == nil {
                let step = parts[index].steps[number]
                if step.finding == nil, step.notExamined == nil { parts[index].steps[number].notExamined = .off }
            }
            parts[index].noteUnexaminedParts()
        }
    }

    /// Of a document that takes its step key by key, notes as the finding of that what was found out about the keys.
    package mutating func noteFindingsOfParts() {
        guard migratesByParts, steps.count == 1, steps[0].failure == nil else { return }
        var whole = StepFinding(origins: [], lost: [])
        for part in parts {
            guard let path = part.path, let step = part.steps.first, step.failure == nil else { continue }
            whole.left += step.examination?.left.map { $0.inside(path) } ?? []
            guard let finding = step.finding else { continue }
            whole.origins += finding.origins.map { origin in
                ValueOrigin(path: path.appending(origin.path), from: origin.from.map(path.appending))
            }
            // Where every value matters, or one is known to, the key as a whole comes from what it was.
            let isMade = finding.origins.contains { !$0.from.isEmpty } || finding.lost.isEmpty && finding.left.isEmpty
            let isEmpty = step.before?.root.heldJSON?.root.isEmpty == true
            if isMade, !isEmpty, !whole.origins.contains(where: { $0.path == path }) {
                whole.origins.append(ValueOrigin(path: path, from: [path]))
            }
            whole.lost += finding.lost.map(path.appending)
            whole.narrowed += finding.narrowed.map { Narrowing(path: path.appending($0.path), how: $0.how) }
            whole.differing += finding.differing.map(path.appending)
        }
        steps[0].finding = whole
    }
}

extension PartSteps {
    fileprivate var number: Int { kind.number }
}

extension StepFinding.Left {
    /// The same of the document in which the value is at `path`.
    func inside(_ path: DocumentPath) -> StepFinding.Left {
        StepFinding.Left(path: path.appending(self.path), count: count, because: because)
    }
}

extension Document {
    /// An array of the documents; nil where one is missing.
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

    /// The document that the value holds: a text its JSON, a ``VersionableContainer`` the bytes of one.
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

    /// The same value, holding another document; of another version if that is given.
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
            default: builder.append(member.value)
            }
        }
        builder.end()
        return builder.finish(format: document.format)
    }
}
