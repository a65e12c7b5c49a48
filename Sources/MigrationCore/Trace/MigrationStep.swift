import DocumentModel

/// One step of a migration: the document before and after, and what the step changed.
public struct MigrationStep: Sendable {
    /// How a step ended. It is exactly one of these.
    public enum Ending: Sendable {
        /// The step made this document, as `encode(versioned:)` writes it.
        case made(Document)
        /// The step made a value that its type does not encode. The app opens the document, and cannot write it.
        case madeUnencodable(Reason)
        /// The step made a value, and only that was to be found out.
        case checked
        /// The step failed.
        indirect case failed(MigrationFailure)
    }

    /// The version before.
    public var from: DocumentVersion
    /// The version after.
    public var to: DocumentVersion
    /// The name of the type of the version before.
    public var fromType: String
    /// The name of the type of the version after.
    public var toType: String
    /// What the author of the chain says about the step.
    public var note: String?
    /// How long the step took, in seconds, without the encoding of its snapshot.
    public var seconds: Double
    /// The document before: for the first step as it was read, for each later one what the step before it made; nil
    /// where that does not encode.
    public var before: Document?
    /// How the step ended.
    public var ending: Ending
    /// What experiments show of the step; nil where none was made, or the step does not do the same each time.
    public var finding: StepFinding?
    /// Why experiments were to be made and show nothing of the step; nil where they were not, or show something.
    public var notExamined: StepFinding.Left.Reason?

    /// The document that the step made; nil if it made none.
    public var after: Document? { ending.document }

    /// Why the step failed; nil if it did not.
    public var failure: MigrationFailure? { if case .failed(let failure) = ending { failure } else { nil } }
}

extension MigrationStep {
    /// Makes a step from its parts.
    public init(
        from: DocumentVersion, to: DocumentVersion, fromType: String, toType: String, note: String? = nil,
        seconds: Double, before: Document?, ending: Ending
    ) {
        // The memberwise initializer makes the value in one go. An initializer that sets its many properties one by one
        // ends with a copy of the value, and counts every reference in it twice.
        self.init(
            from: from, to: to, fromType: fromType, toType: toType, note: note, seconds: seconds, before: before,
            ending: ending, finding: nil)
    }
}

extension MigrationStep.Ending {
    /// The document that was made; nil if none was.
    public var document: Document? { if case .made(let document) = self { document } else { nil } }

    /// Encodes a value of a type, or says why that is not possible.
    init(encoding type: String, _ encode: () throws -> Document) {
        do {
            let document = try encode()
            // JSONEncoder refuses it, and no decoder reads it again.
            if document.isTooDeep { throw ReasonError(reason: .malformed(problem: .tooDeep)) }
            self = .made(document)
        } catch {
            self = .madeUnencodable(.notEncodable(type: type, because: Reason(error)))
        }
    }
}

extension MigrationStep {
    /// What the step changed, compared when it is asked for; nil where a document is missing. Keep it if you need it
    /// twice.
    public var difference: DocumentDifference? {
        guard let before, let after else { return nil }
        return DocumentDifference(old: before.root, new: after.root, except: finding?.notMoved ?? [])
    }

    /// Where the value at `path` of the document after the step came from in the document before it.
    ///
    /// A value that was moved leads to where it was, and so does what is inside it; one that the step made leads to the
    /// field whose name it resembles most among those that the step removed, if there is one; anything else, to where
    /// it would have been.
    func origin(of path: DocumentPath) -> DocumentPath {
        guard let difference else { return path }
        var place = difference.root
        var rest = path.components[...]
        while let component = rest.first, let child = place.children.first(where: { $0.isAfterwards(at: component) }) {
            place = child
            rest.removeFirst()
        }
        if let oldPath = place.oldPath { return oldPath.appending(DocumentPath(Array(rest))) }
        if let removed = difference.removedField(resembling: path) { return removed }
        // The step made the value; what it is in was there before.
        while let parent = place.parent {
            rest = path.components[(rest.startIndex - 1)...]
            if let oldPath = parent.oldPath { return oldPath.appending(DocumentPath(Array(rest))) }
            place = parent
        }
        return path
    }
}

extension DocumentDifference {
    /// The removed field whose name is like that at the end of `path`; nil if there is none, or more than one alike.
    fileprivate func removedField(resembling path: DocumentPath) -> DocumentPath? {
        guard let wanted = path.lastKey.map(FieldName.init) else { return nil }
        return changes.lazy.filter { $0.kind == .removed }
            .compactMap { change in
                change.path.lastKey.map { (path: change.path, score: FieldName($0).resemblance(to: wanted)) }
            }
            .filter { $0.score >= 0.6 }.onlyBest
    }
}

extension Sequence where Element == (path: DocumentPath, score: Double) {
    /// The path with the highest score; nil where another one has the same.
    var onlyBest: DocumentPath? {
        guard let best = self.max(by: { $0.score < $1.score }) else { return nil }
        return allSatisfy { $0.score < best.score || $0.path == best.path } ? best.path : nil
    }
}

extension DifferenceNode {
    /// Whether this is what stands at `component` of its container in the new document.
    fileprivate func isAfterwards(at component: DocumentPath.Component) -> Bool {
        guard kind != .removed, kind != .movedAway else { return false }
        switch label {
        case .root: return false
        case .key(let name): return component == .key(name)
        case .laterKey(let name, let occurrence): return component == .laterKey(name, occurrence: occurrence)
        case .index(_, let new): return new.map { component == .index($0) } ?? false
        }
    }
}
