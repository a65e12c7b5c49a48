import DocumentModel

/// One step of a migration: the document before and after it, and the changes.
public struct MigrationStep: Sendable {
    /// How a step ended.
    public enum Ending: Sendable {
        /// The step made this document, as written by `encode(versioned:)`.
        case made(Document)
        /// The step made a value that its type cannot encode. The app can open the document, but cannot save it.
        case madeUnencodable(Reason)
        /// The step made a value. It was run only to check that.
        case checked
        /// The step failed.
        indirect case failed(MigrationFailure)
    }

    /// The version before the step.
    public var from: DocumentVersion
    /// The version after the step.
    public var to: DocumentVersion
    /// The name of the type of the version before the step.
    public var fromType: String
    /// The name of the type of the version after the step.
    public var toType: String
    /// The chain author's note about the step.
    public var note: String?
    /// How long the step took, in seconds, without the encoding of its snapshot.
    public var seconds: Double
    /// The document before the step. For the first step, it is the document as it was read; for each later one, the
    /// document that the previous step made, or nil if that could not be encoded.
    public var before: Document?
    /// How the step ended.
    public var ending: Ending
    /// The conclusions from experiments with the step. Nil if none were run, or if the step is not deterministic.
    public var finding: StepFinding?
    /// Why the requested experiments show nothing about the step. Nil if none were requested, or if they show
    /// something.
    public var notExamined: StepFinding.Left.Reason?

    /// The document that the step made, or nil if it made none.
    public var after: Document? { ending.document }

    /// Why the step failed, or nil if it did not.
    public var failure: MigrationFailure? { if case .failed(let failure) = ending { failure } else { nil } }
}

extension MigrationStep {
    /// Creates a step from its parts.
    public init(
        from: DocumentVersion, to: DocumentVersion, fromType: String, toType: String, note: String? = nil,
        seconds: Double, before: Document?, ending: Ending
    ) {
        // The memberwise initializer creates the value in one go. An initializer that sets the properties one by one
        // ends by copying the value, which counts every reference in it twice.
        self.init(
            from: from, to: to, fromType: fromType, toType: toType, note: note, seconds: seconds, before: before,
            ending: ending, finding: nil)
    }
}

extension MigrationStep.Ending {
    /// The document that the step made, or nil if it made none.
    public var document: Document? { if case .made(let document) = self { document } else { nil } }

    /// Encodes the value of a type, or records why it cannot be encoded.
    init(encoding type: String, _ encode: () throws -> Document) {
        do {
            let document = try encode()
            // JSONEncoder refuses such a document, and no decoder reads it back.
            if document.isTooDeep { throw ReasonError(reason: .malformed(problem: .tooDeep)) }
            self = .made(document)
        } catch {
            self = .madeUnencodable(.notEncodable(type: type, because: Reason(error)))
        }
    }
}

extension MigrationStep {
    /// The changes that the step made, or nil if a document is missing. The comparison runs each time you call this;
    /// keep the result if you need it twice.
    public var difference: DocumentDifference? {
        guard let before, let after else { return nil }
        return DocumentDifference(old: before.root, new: after.root, except: finding?.notMoved ?? [])
    }

    /// Returns the path, in the document before the step, of the origin of the value at `path` in the document after
    /// it.
    ///
    /// For a moved value and anything inside it, that is its old path. For a value that the step created, it is the
    /// removed field with the most similar name, if there is one. For anything else, it is the path where it would have
    /// been.
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
        // The step created the value, but one of its containers existed before.
        while let parent = place.parent {
            rest = path.components[(rest.startIndex - 1)...]
            if let oldPath = parent.oldPath { return oldPath.appending(DocumentPath(Array(rest))) }
            place = parent
        }
        return path
    }
}

extension DocumentDifference {
    /// Returns the removed field whose name is most like the last key of `path`, or nil if there is no single best one.
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
    /// The path with the highest score, or nil if another path has the same score.
    var onlyBest: DocumentPath? {
        guard let best = self.max(by: { $0.score < $1.score }) else { return nil }
        return allSatisfy { $0.score < best.score || $0.path == best.path } ? best.path : nil
    }
}

extension DifferenceNode {
    /// Returns whether this is the value at `component` of its container in the new document.
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
