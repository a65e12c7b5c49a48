import DocumentModel

extension Reason {
    /// The path that the reason is about, or nil if it isn't about a field.
    public var path: DocumentPath? {
        switch self {
        case .field(let path, _): path
        case .unsupportedVersion(_, _, let path, _, let because): path ?? because?.path
        case .noShapeFits(let attempts, let nearest): attempts[nearest: nearest]?.reason.path
        case .notPreferences: .root
        case .ofPart(let path, let reason): reason.path.map(path.appending) ?? path
        case .text(_, _, let path, _): path
        default: nil
        }
    }

    /// Returns the same reason with every path converted by `change`.
    func changingPaths(_ change: (DocumentPath) -> DocumentPath) -> Reason {
        switch self {
        case .field(let path, let problem): .field(path: change(path), problem: problem)
        case .noShapeFits(let attempts, let nearest):
            .noShapeFits(
                attempts: attempts.map { ShapeFailure(type: $0.type, reason: $0.reason.changingPaths(change)) },
                nearest: nearest)
        case .ofPart(let path, let reason): .ofPart(path: change(path), reason)
        case .text(let words, let kind, let path?, let tried):
            .text(words, kind: kind, path: change(path), tried: tried)
        default: self
        }
    }

    /// Returns the same reason with its author's message, if any, converted by `change`.
    package func changingMessage(_ change: (String) -> String) -> Reason {
        switch self {
        case .thrown(let message): .thrown(message: change(message))
        case .field(let path, .noLongerValid(let message)):
            .field(path: path, problem: .noLongerValid(message: change(message)))
        case .field(let path, .decoding(let kind, let message)):
            .field(path: path, problem: .decoding(kind: kind, message: change(message)))
        case .text(let words, let kind, let path, let tried):
            .text(change(words), kind: kind, path: path, tried: tried)
        case .ofPart(let path, let reason): .ofPart(path: path, reason.changingMessage(change))
        default: self
        }
    }

    /// Returns the same reason with its locations adjusted to a file in which the document begins at the given line.
    package func relocated(toFileWithDocumentAtLine line: Int) -> Reason {
        func moved(_ location: SourceLocation) -> SourceLocation {
            var location = location
            if location.within == nil { location.line += line - 1 }
            return location
        }
        return switch self {
        case .trailingComma(let location): .trailingComma(location: moved(location))
        case .commentsLost(let count, let first): .commentsLost(count: count, first: moved(first))
        case .malformed(.endInString(let start, let isSingle)):
            .malformed(problem: .endInString(start: moved(start), inSingleQuotes: isSingle))
        default: self
        }
    }

    /// The kind of a failure with this reason.
    public var kind: MigrationFailure.Kind {
        switch self {
        case .field(_, let problem): problem.kind
        case .notPreferences: .typeMismatch
        case .text(_, let kind, _, _): kind
        case .malformed: .malformed
        case .unreadable: .unreadable
        case .crashed: .crashed
        case .timedOut: .timedOut
        case .unsupportedVersion(_, _, _, _, let because?): because.kind
        case .ofPart(_, let reason), .caught(let reason, _): reason.kind
        case .unsupportedVersion, .unsupportedInside, .noShapeFits, .unreachableTarget, .otherVersion, .noVersion,
            .notAVersion, .otherVersionOfContainer, .keysStoredDifferently, .poorFit, .keyedArchive, .tie,
            .documentInside, .fitsOtherVersion, .fitsOtherChains:
            .unsupportedVersion
        case .thrown, .declared, .unwritable, .notEncodable, .decodesOnly, .ambiguousShape, .droppedInside,
            .trailingComma, .commentsLost,
            .refusedByVersionedCodable, .versionPassedOver, .versionMisspelled, .versionsOutOfOrder, .notRecorded:
            .thrown
        }
    }

    /// Whether the author of a migration names the field, which may be only a part of what is wrong.
    var isOfAuthor: Bool { if case .field(_, .noLongerValid) = self { true } else { false } }

    /// The message of the author of a migration or a type, if the reason has one.
    var authorsMessage: String? {
        switch self {
        case .field(_, .noLongerValid(let message)), .field(_, .decoding(_, let message)), .thrown(let message): message
        default: nil
        }
    }

    /// The versions that were tried, newest first, if none fits.
    public var tried: [DocumentVersion]? {
        switch self {
        case .unsupportedVersion(_, _, _, let tried, _) where kind == .unsupportedVersion: tried.map(\.version)
        case .unsupportedInside(_, let tried): tried
        case .text(_, _, _, let tried): tried
        case .noShapeFits(let attempts, _): attempts.indices.inTrialOrder.map { .number($0 + 1) }
        case .unreachableTarget(_, _, _, let versions, _): Array(versions.inTrialOrder)
        default: nil
        }
    }
}

extension FieldProblem {
    fileprivate var kind: MigrationFailure.Kind {
        switch self {
        case .missingKey: .keyNotFound
        case .mismatch, .wrongName: .typeMismatch
        case .missingValue: .valueNotFound
        case .wrongDate(let found, _, _) where found.kind != "string": .typeMismatch
        case .unrepresentable, .noCase, .wrongDate, .wrongText, .notJSON: .dataCorrupted
        case .decoding(let kind, _): kind
        case .noLongerValid: .fieldNoLongerValid
        case .forbiddenKeyPresent: .unsupportedVersion
        case .duplicateName, .hiddenField, .nullLeftOut, .fractionLeftOut, .takenForJSON, .keyedArchive: .thrown
        }
    }

    /// Whether the sentence itself names the path. If not, ` at PATH` is appended.
    var saysWhere: Bool {
        switch self {
        case .forbiddenKeyPresent, .duplicateName, .hiddenField, .nullLeftOut, .fractionLeftOut, .takenForJSON,
            .keyedArchive:
            true
        default: false
        }
    }
}
