import DocumentModel

extension Reason {
    /// The path that the reason is about; nil if it is about no field.
    public var path: DocumentPath? {
        switch self {
        case .missingKey(let path), .mismatch(let path, _, _), .missingValue(let path, _),
            .unrepresentable(let path, _, _), .noCase(let path, _, _, _), .wrongDate(let path, _, _),
            .wrongText(let path, _, _), .wrongName(let path, _, _), .decoding(let path, _, _),
            .noLongerValid(let path, _), .notJSON(let path, _, _), .requiredKeyAbsent(let path),
            .forbiddenKeyPresent(let path), .duplicateName(let path, _, _), .hiddenField(_, let path),
            .nullLeftOut(let path), .fractionLeftOut(let path), .takenForJSON(let path, _):
            path
        case .unsupportedVersion(_, _, let path, _, let because): path ?? because?.path
        case .noShapeFits(let attempts, let nearest): nearest.flatMap { attempts[$0].reason.path }
        case .notPreferences: .root
        case .ofPart(let path, let reason): reason.path.map(path.appending) ?? path
        case .text(_, _, let path, _): path
        default: nil
        }
    }

    /// The same reason, told of a document in which every path is another.
    func changingPaths(_ change: (DocumentPath) -> DocumentPath) -> Reason {
        switch self {
        case .missingKey(let path): .missingKey(path: change(path))
        case .mismatch(let path, let expected, let found):
            .mismatch(path: change(path), expected: expected, found: found)
        case .missingValue(let path, let expected): .missingValue(path: change(path), expected: expected)
        case .unrepresentable(let path, let number, let type):
            .unrepresentable(path: change(path), number: number, type: type)
        case .noCase(let path, let type, let found, let cases):
            .noCase(path: change(path), type: type, found: found, cases: cases)
        case .wrongDate(let path, let found, let form): .wrongDate(path: change(path), found: found, form: form)
        case .wrongText(let path, let expected, let found):
            .wrongText(path: change(path), expected: expected, found: found)
        case .wrongName(let path, let type, let found): .wrongName(path: change(path), type: type, found: found)
        case .decoding(let path, let kind, let message): .decoding(path: change(path), kind: kind, message: message)
        case .noLongerValid(let path, let message): .noLongerValid(path: change(path), message: message)
        case .notJSON(let path, let found, let expected):
            .notJSON(path: change(path), found: found, expected: expected)
        case .requiredKeyAbsent(let path): .requiredKeyAbsent(path: change(path))
        case .forbiddenKeyPresent(let path): .forbiddenKeyPresent(path: change(path))
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
}

extension Reason {
    /// The kind of the failure that it is the reason for.
    public var kind: MigrationFailure.Kind {
        switch self {
        case .missingKey, .requiredKeyAbsent: .keyNotFound
        case .mismatch, .wrongName, .notPreferences: .typeMismatch
        case .missingValue: .valueNotFound
        case .wrongDate(_, let found, _) where found.kind != "string": .typeMismatch
        case .unrepresentable, .noCase, .wrongDate, .wrongText, .notJSON: .dataCorrupted
        case .decoding(_, let kind, _), .text(_, let kind, _, _): kind
        case .noLongerValid: .fieldNoLongerValid
        case .malformed: .malformed
        case .unreadable: .unreadable
        case .crashed: .crashed
        case .timedOut: .timedOut
        case .unsupportedVersion(_, _, _, _, let because?): because.kind
        case .ofPart(_, let reason), .caught(let reason): reason.kind
        case .unsupportedVersion, .unsupportedInside, .noShapeFits, .unreachableTarget, .otherVersion, .noVersion,
            .notAVersion, .otherVersionOfContainer, .forbiddenKeyPresent, .keysStoredDifferently, .poorFit, .tie,
            .fitsOtherVersion:
            .unsupportedVersion
        case .thrown, .unwritable, .notEncodable, .decodesOnly, .duplicateName, .ambiguousShape, .hiddenField,
            .nullLeftOut, .fractionLeftOut, .takenForJSON, .droppedInside, .trailingComma:
            .thrown
        }
    }

    /// Whether the sentence says the path; else it goes on `at PATH`.
    public var saysWhere: Bool {
        switch self {
        case .missingKey, .mismatch, .missingValue, .unrepresentable, .noCase, .wrongDate, .wrongText, .wrongName,
            .decoding, .noLongerValid, .notJSON:
            false
        default: true
        }
    }

    /// What the author of a migration or a type says, if it is an author who says it.
    var authorsMessage: String? {
        switch self {
        case .noLongerValid(_, let message), .thrown(let message), .decoding(_, _, let message): message
        default: nil
        }
    }
}

extension Reason {
    /// The versions that were tried, newest first, where none fits.
    public var tried: [DocumentVersion]? {
        switch self {
        case .unsupportedVersion(_, _, _, let tried, nil): tried.map(\.version)
        case .unsupportedInside(_, let tried): tried
        case .text(_, _, _, let tried): tried
        case .noShapeFits(let attempts, _): attempts.indices.reversed().map { .number($0 + 1) }
        case .unreachableTarget(_, _, _, let versions, _): versions.reversed()
        default: nil
        }
    }
}
