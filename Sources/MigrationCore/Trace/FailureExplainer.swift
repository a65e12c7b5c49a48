import DocumentModel
import Foundation

/// Turns a thrown error into a failure: what kind, which path, which field is behind it, and where that stands in the source.
struct FailureExplainer {
    let chain: MigrationChain
    /// The document as it was read.
    let document: Document

    // MARK: - Before the first step

    /// A failure to find out the version.
    func explain(_ error: any Error, detected: DetectedStage) -> MigrationFailure {
        guard case VersionedDecodingError.unsupportedVersion = error else { return explain(error, unread: nil) }
        var failure = MigrationFailure(
            kind: .unsupportedVersion, path: detected.path, message: unsupportedMessage(detected.version),
            tried: chain.stages.reversed().map(\.version))
        failure.culprit = detected.path.map { .init(path: $0, certain: true) }
        failure.location = location(of: detected.path ?? .root, in: document.root)
        return failure
    }

    /// A failure to decode the document; `unread` knows which fields were read until then.
    func explain(_ error: any Error, unread record: ReadRecord?) -> MigrationFailure {
        let (kind, path, message) = Self.classify(error)
        var failure = MigrationFailure(kind: kind, path: path, message: message)
        if kind == .keyNotFound, let path, let parent = path.parent, let record {
            failure.culprit = CulpritFinder.misspelling(
                of: path, among: document.root.descendant(at: parent), read: record)
        } else if let path, document.root.descendant(at: path) != nil {
            failure.culprit = .init(path: path, certain: true)
        }
        failure.location = (failure.culprit?.path ?? path).flatMap { location(of: $0, in: document.root) }
        if kind == .unsupportedVersion { failure.tried = chain.stages.reversed().map(\.version) }
        return failure
    }

    // MARK: - In a step

    /// A failure of the last of `steps`.
    func explain(_ error: any Error, steps: [MigrationStep], newerStage: ChainStage) -> MigrationFailure {
        let (kind, path, message) = Self.classify(error)
        guard let step = steps.last else { return MigrationFailure(kind: kind, path: path, message: message) }
        var failure = MigrationFailure(
            kind: kind, step: .init(from: step.from, to: step.to), path: path, message: message)
        let before = step.before.root
        if let path, before.descendant(at: path) != nil {
            failure.culprit = .init(path: path, certain: true)
        } else {
            failure.culprit = CulpritFinder.likeliest(
                path: path, message: message, in: before, newerNames: newerStage.fields().names)
        }
        if kind == .unsupportedVersion { failure.tried = chain.stages.reversed().map(\.version) }
        if let target = failure.culprit?.path ?? path {
            failure.location = location(
                of: steps.dropLast().reversed().reduce(target) { $1.origin(of: $0) }, in: document.root)
        }
        return failure
    }

    // MARK: - Words and places

    private func unsupportedMessage(_ version: DocumentVersion?) -> String {
        let known = chain.stages.reversed().map { "\($0.version) (\($0.type))" }.joined(separator: ", ")
        switch version {
        case .number(let number):
            let newest = chain.stages.compactMap { stage in if case .number(let n) = stage.version { n } else { nil } }
                .max()
            if let newest, number > newest {
                return "Version \(number) is newer than the newest that \(chain.name) knows, \(newest); tried \(known)"
            }
            return "\(chain.name) has no version \(number); tried \(known)"
        case .name(let name): return "\(chain.name) has no version \(name); tried \(known)"
        case .unversioned, nil:
            return "The document has no version, and every version of \(chain.name) wants one; tried \(known)"
        }
    }

    /// Where the value at `path` begins, or the innermost container that exists on the way there.
    private func location(of path: DocumentPath, in root: DocumentNode) -> SourceLocation? {
        root.deepestDescendant(along: path).node.location
    }

    /// The kind of an error, the path that it names, and what it says.
    static func classify(_ error: any Error) -> (MigrationFailure.Kind, DocumentPath?, String) {
        switch error {
        case VersionedDecodingError.fieldNoLongerValid(let context):
            return (.fieldNoLongerValid, DocumentPath(codingPath: context.codingPath), context.debugDescription)
        case VersionedDecodingError.unsupportedVersion(let tried):
            return (.unsupportedVersion, nil, "No version fits; the last one tried was \(tried)")
        case DecodingError.keyNotFound(let key, let context):
            return (.keyNotFound, DocumentPath(codingPath: context.codingPath + [key]), context.debugDescription)
        case DecodingError.typeMismatch(_, let context):
            return (.typeMismatch, DocumentPath(codingPath: context.codingPath), context.debugDescription)
        case DecodingError.valueNotFound(_, let context):
            return (.valueNotFound, DocumentPath(codingPath: context.codingPath), context.debugDescription)
        case DecodingError.dataCorrupted(let context):
            // Where Foundation's error blames the whole document, the detail behind it knows the value.
            if let detail = context.underlyingError as? DecodingErrorDetail {
                return (.dataCorrupted, DocumentPath(codingPath: detail.codingPath), detail.message)
            }
            return (.dataCorrupted, DocumentPath(codingPath: context.codingPath), context.debugDescription)
        default:
            return (.thrown, nil, words(for: error))
        }
    }

    /// What an error says to a person.
    static func words(for error: any Error) -> String {
        if let error = error as? any LocalizedError, let description = error.errorDescription { return description }
        return String(describing: error)
    }
}
