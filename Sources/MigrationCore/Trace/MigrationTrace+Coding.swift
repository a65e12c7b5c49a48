import DocumentModel
import Foundation

/// A trace is itself a versioned document: when its shape changes, this library migrates older trace files.
///
/// In a message between processes, each document is a number, and what experiments find is left out.
extension MigrationTrace: VersionedCodable {
    /// The version of the trace file.
    public static let version: Int? = 3
    /// Traces that don't record how far experiments went.
    public typealias PreviousVersion = UnexaminedTrace

    /// The version of a trace is in `traceVersion`, because `version` is the version of the document.
    public struct VersionSpec: VersionPathSpec {
        /// The key path to `traceVersion`.
        public static let keyPathToVersion: KeyPath<Self, Int?> = \Self.traceVersion
        let traceVersion: Int?

        /// Creates the part of a trace file that states its version.
        public init(withVersion version: Int?) { traceVersion = version }
    }

    private enum CodingKeys: String, CodingKey {
        case traceVersion, source, format, chain, versions, target, detection, steps, path, instance, parts, dropped,
            leftOver, folded, examined, warnings, outcome
        case failure, furtherFailures, writing, reopens, notEncodable, document, result, decodingSeconds, output
        case opening, rewriting
    }

    /// Creates a trace from one in which an empty list could also mean that nothing was examined.
    public init(from old: UnexaminedTrace) { self = old.trace }

    /// Reads a trace, and computes the differences between its documents again.
    ///
    /// - Throws: `DecodingError`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let isMessage = decoder.messageDocuments != nil
        let warnings = try container.decode([WrittenReason].self, forKey: .warnings).compactMap(\.reason)
        let outcome = isMessage ? nil : try container.decode(MigrationOutcome.self, forKey: .outcome)
        let result = try container.documentIfPresent(forKey: .result)
        var steps = try container.decode([MigrationStep].self, forKey: .steps)
        let parts = try container.decode([MigrationTrace].self, forKey: .parts)
        var opening = outcome == .unrecognized ? Opening.unrecognized(warnings) : .opened
        if isMessage {
            opening = try container.decode(Opening.self, forKey: .opening)
        } else if let failure = try container.decodeIfPresent(MigrationFailure.self, forKey: .failure) {
            // A last step that made nothing and gives no reason is the one that failed.
            if case .madeUnencodable(.notRecorded)? = steps.last?.ending {
                steps[steps.count - 1].ending = .failed(failure)
            } else if steps.last?.after != nil, parts.contains(where: { $0.failure != nil }) {
                opening = .failedInParts
            } else {
                opening = .failed(failure)
            }
        }
        self.init(
            source: try container.decode(String.self, forKey: .source),
            format: try container.decodeIfPresent(DocumentFormat.self, forKey: .format),
            chain: try container.decodeIfPresent(String.self, forKey: .chain),
            versions: try container.decodeIfPresent([ChainVersion].self, forKey: .versions) ?? [],
            target: try container.decodeIfPresent(DocumentVersion.self, forKey: .target),
            detection: try container.decode(VersionDetection.self, forKey: .detection),
            opening: opening, steps: steps,
            path: try container.decodeIfPresent(DocumentPath.self, forKey: .path),
            parts: parts,
            dropped: try container.decode([DocumentPath].self, forKey: .dropped),
            warnings: outcome == .unrecognized ? [] : warnings,
            document: try container.documentIfPresent(forKey: .document) ?? (isMessage ? nil : steps.first?.before),
            decodingSeconds: try container.decodeIfPresent(Double.self, forKey: .decodingSeconds) ?? 0)
        instance = try container.decodeIfPresent(DocumentPath.self, forKey: .instance)
        leftOver = container.contains(.leftOver) ? try container.decode([DocumentPath]?.self, forKey: .leftOver) : []
        guard !isMessage else {
            rewriting = try container.decodeIfPresent(MigrationStep.Ending.self, forKey: .rewriting)
            return
        }
        writing = try container.decodeIfPresent(Writing.self, forKey: .writing)
        reopens = try container.decodeIfPresent(Reopening.self, forKey: .reopens)
        output = try container.decodeIfPresent([PrintedOutput].self, forKey: .output) ?? []
        folds = try container.decodeIfPresent(PathFolds.self, forKey: .folded) ?? PathFolds()
        furtherFailures =
            try container.decodeIfPresent([MigrationFailure].self, forKey: .furtherFailures) ?? []
        if let reason = try container.decodeIfPresent(Reason.self, forKey: .notEncodable) {
            rewriting = .madeUnencodable(reason)
        } else if outcome == .migrated, let result, steps.last?.after?.root.isEqual(to: result.root) != true {
            rewriting = .made(result)
        }
    }

    /// Writes every field, with null for missing values, and the changes and the patch of every step. Long lists of
    /// paths are folded.
    public func encode(to encoder: any Encoder) throws {
        try (encoder.messageDocuments == nil ? folding() : self).encodeFolded(to: encoder)
    }

    private func encodeFolded(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        // Also written as the version. Writing it here puts it first, where people look.
        try container.encode(Self.version, forKey: .traceVersion)
        try container.encode(source, forKey: .source)
        try container.encode(format, forKey: .format)
        try container.encode(chain, forKey: .chain)
        try container.encode(versions, forKey: .versions)
        try container.encode(target, forKey: .target)
        try container.encode(detection, forKey: .detection)
        try container.encode(steps, forKey: .steps)
        try container.encodeIfPresent(path, forKey: .path)
        try container.encodeIfPresent(instance, forKey: .instance)
        try container.encode(parts, forKey: .parts)
        try container.encode(dropped, forKey: .dropped)
        try container.encode(leftOver, forKey: .leftOver)
        if encoder.messageDocuments != nil {
            try container.encode(decodingSeconds, forKey: .decodingSeconds)
            try container.encode(document.map(TraceDocument.init), forKey: .document)
            try container.encode(warnings.map(WrittenReason.init), forKey: .warnings)
            try container.encode(opening, forKey: .opening)
            return try container.encode(rewriting, forKey: .rewriting)
        }
        try container.encode(folds, forKey: .folded)
        if path == nil {
            try container.encode(examined, forKey: .examined)
            try container.encode(writing, forKey: .writing)
            try container.encode(reopens, forKey: .reopens)
        }
        try container.encode(reportedWarnings.map(WrittenReason.init), forKey: .warnings)
        try container.encode(outcome, forKey: .outcome)
        try container.encode(failure.map(WrittenFailure.init), forKey: .failure)
        if !furtherFailures.isEmpty {
            try container.encode(furtherFailures.map(WrittenFailure.init), forKey: .furtherFailures)
        }
        if case .madeUnencodable(let reason)? = rewriting { try container.encode(reason, forKey: .notEncodable) }
        // The first step already holds the document.
        if steps.isEmpty { try container.encode(document.map(TraceDocument.init), forKey: .document) }
        try container.encode(result.map(TraceDocument.init), forKey: .result)
        try container.encode(decodingSeconds, forKey: .decodingSeconds)
        // Output is recorded for whole documents only.
        if path == nil { try container.encode(output, forKey: .output) }
    }
}

extension MigrationTrace {
    /// The warnings to report. For a document that no chain claims, they are the reasons of every chain.
    var reportedWarnings: [Reason] { if case .unrecognized(let reasons) = opening { reasons } else { warnings } }
}

/// A trace file of version 2. Its empty lists of losses and origins can mean that nothing was examined, so they are
/// read as missing.
public struct UnexaminedTrace: VersionedCodable {
    /// The version of the trace file.
    public static let version: Int? = 2
    /// Traces without reasons.
    public typealias PreviousVersion = WordedTrace
    /// The same as in later versions.
    public typealias VersionSpec = MigrationTrace.VersionSpec

    let trace: MigrationTrace

    /// Reads a trace.
    ///
    /// - Throws: `DecodingError`.
    public init(from decoder: any Decoder) throws { trace = try MigrationTrace(from: decoder) }

    /// Creates a trace from one that has reasons only as sentences.
    public init(from old: WordedTrace) { trace = old.trace }

    /// Writes the trace in the newest version.
    public func encode(to encoder: any Encoder) throws { try trace.encode(to: encoder) }
}

/// A trace file of version 1, which has only sentences. They become ``Reason/text(_:kind:path:tried:)``.
public struct WordedTrace: VersionedCodable {
    /// The version of the trace file.
    public static let version: Int? = 1
    /// There is no earlier version.
    public typealias PreviousVersion = NothingEarlier
    /// The same as in later versions.
    public typealias VersionSpec = MigrationTrace.VersionSpec

    let trace: MigrationTrace

    /// Reads a trace.
    ///
    /// - Throws: `DecodingError`.
    public init(from decoder: any Decoder) throws { trace = try MigrationTrace(from: decoder) }

    /// Writes the trace in the newest version.
    public func encode(to encoder: any Encoder) throws { try trace.encode(to: encoder) }
}

/// A reason with its sentence, as written in trace files. Files of version 1 have only the sentence.
private struct WrittenReason: Codable {
    let reason: Reason?

    private enum CodingKeys: String, CodingKey { case message, reason }

    init(_ reason: Reason?) { self.reason = reason }

    init(from decoder: any Decoder) throws {
        if decoder.messageDocuments != nil {
            reason = try decoder.container(keyedBy: CodingKeys.self).decodeIfPresent(Reason.self, forKey: .reason)
        } else if let sentence = try? decoder.singleValueContainer().decode(String.self) {
            reason = .text(sentence)
        } else {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            let sentence = try? container.decodeIfPresent(String.self, forKey: .reason)
            reason = try sentence.map { .text($0) } ?? container.decodeIfPresent(Reason.self, forKey: .reason)
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        if encoder.messageDocuments == nil { try container.encode(reason?.description, forKey: .message) }
        try container.encode(reason, forKey: .reason)
    }
}

/// A failure as written in trace files: with its reason next to the sentence.
private struct WrittenFailure: Encodable {
    let failure: MigrationFailure

    private enum CodingKeys: String, CodingKey { case reason }

    func encode(to encoder: any Encoder) throws {
        try failure.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(failure.reason, forKey: .reason)
    }
}

extension MigrationStep: Codable {
    private enum CodingKeys: String, CodingKey {
        case from, to, fromType, toType, note, seconds, before, after, notEncodable, changes, patch, origins, lost,
            narrowed, intended, folded, examined, differing, notMoved
    }

    /// Reads a step. Its changes are computed again, and its failure comes from the trace, unless it's in a message.
    ///
    /// - Throws: `DecodingError`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            from: try container.decode(DocumentVersion.self, forKey: .from),
            to: try container.decode(DocumentVersion.self, forKey: .to),
            fromType: try container.decode(String.self, forKey: .fromType),
            toType: try container.decode(String.self, forKey: .toType),
            note: try container.decodeIfPresent(String.self, forKey: .note),
            seconds: try container.decode(Double.self, forKey: .seconds),
            before: try container.documentIfPresent(forKey: .before),
            ending: try Ending(from: decoder))
        guard decoder.messageDocuments == nil else { return }
        let examined = try container.decodeIfPresent(Examination.self, forKey: .examined)
        let origins = try container.decodeIfPresent([ValueOrigin].self, forKey: .origins)
        let lost = try container.decodeIfPresent([DocumentPath].self, forKey: .lost) ?? []
        // If the file doesn't say how far experiments went, an empty finding means that nothing is known.
        if let origins, examined != nil || !(origins.isEmpty && lost.isEmpty) {
            finding = StepFinding(
                origins: origins, lost: lost,
                narrowed: try container.decodeIfPresent([Narrowing].self, forKey: .narrowed) ?? [],
                intended: try container.decodeIfPresent([DocumentPath].self, forKey: .intended) ?? [],
                left: examined?.left ?? [StepFinding.Left(path: .root, count: 1, because: .off)],
                differing: try container.decodeIfPresent([DocumentPath].self, forKey: .differing) ?? [],
                notMoved: try container.decodeIfPresent([ValueMove].self, forKey: .notMoved) ?? [],
                runs: examined?.runs ?? 0)
            finding?.folds = try container.decodeIfPresent(PathFolds.self, forKey: .folded) ?? PathFolds()
        } else {
            notExamined = examined?.left.first?.because
        }
    }

    /// Writes the step. A file also contains its changes and its patch, which are empty if the step made no document.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(from, forKey: .from)
        try container.encode(to, forKey: .to)
        try container.encode(fromType, forKey: .fromType)
        try container.encode(toType, forKey: .toType)
        try container.encode(note, forKey: .note)
        try container.encode(seconds, forKey: .seconds)
        try container.encode(before.map(TraceDocument.init), forKey: .before)
        if encoder.messageDocuments != nil { return try ending.encode(to: encoder) }
        try container.encode(after.map(TraceDocument.init), forKey: .after)
        try container.encode(finding?.origins, forKey: .origins)
        try container.encode(finding?.lost, forKey: .lost)
        try container.encode(finding?.narrowed, forKey: .narrowed)
        try container.encode(finding?.folds, forKey: .folded)
        try container.encode(examination, forKey: .examined)
        if let intended = finding?.intended, !intended.isEmpty { try container.encode(intended, forKey: .intended) }
        if let differing = finding?.differing, !differing.isEmpty {
            try container.encode(differing, forKey: .differing)
        }
        if let moves = finding?.notMoved, !moves.isEmpty { try container.encode(moves, forKey: .notMoved) }
        if case .madeUnencodable(let reason) = ending { try container.encode(reason, forKey: .notEncodable) }
        let difference = difference
        try container.encode(difference?.writtenChanges ?? [], forKey: .changes)
        try container.encode(difference?.writtenPatch() ?? JSONPatch().document, forKey: .patch)
    }
}

extension MigrationStep.Ending: Codable {
    private enum CodingKeys: String, CodingKey { case after, notEncodable, failure }

    /// Reads an ending. A file has the failure of the last step in its trace, and no step that was only checked.
    ///
    /// - Throws: `DecodingError`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let isMessage = decoder.messageDocuments != nil
        if let document = try container.documentIfPresent(forKey: .after) {
            self = .made(document)
        } else if let reason = try container.decodeIfPresent(Reason.self, forKey: .notEncodable) {
            self = .madeUnencodable(reason)
        } else if isMessage, let failure = try container.decodeIfPresent(MigrationFailure.self, forKey: .failure) {
            self = .failed(failure)
        } else {
            self = isMessage ? .checked : .madeUnencodable(.notRecorded)
        }
    }

    /// Writes the document, the reason or the failure.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .made(let document): try container.encode(TraceDocument(document), forKey: .after)
        case .madeUnencodable(let reason): try container.encode(reason, forKey: .notEncodable)
        case .checked: break
        case .failed(let failure): try container.encode(failure, forKey: .failure)
        }
    }
}

extension MigrationTrace.Writing: Codable {
    private enum CodingKeys: String, NullableCodingKey { case lost, narrowed, intended, folded, examined }

    /// Reads the conclusions.
    ///
    /// - Throws: `DecodingError`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let examined = try container.decode(Examination.self, forKey: .examined)
        guard let lost = try container.decodeIfPresent([DocumentPath].self, forKey: .lost) else {
            self.init(notExamined: examined.left.first?.because)
            return
        }
        self.init(
            finding: StepFinding(
                origins: [], lost: lost, narrowed: try container.decode([Narrowing].self, forKey: .narrowed),
                intended: try container.decode([DocumentPath].self, forKey: .intended), left: examined.left,
                runs: examined.runs))
        finding?.folds = try container.decodeIfPresent(PathFolds.self, forKey: .folded) ?? PathFolds()
    }

    /// Writes the conclusions, with null for those that were not drawn.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(finding?.lost, forKey: .lost)
        try container.encode(finding?.narrowed, forKey: .narrowed)
        try container.encode(finding?.intended ?? [], forKey: .intended)
        try container.encode(finding?.folds, forKey: .folded)
        try container.encode(examination, forKey: .examined)
    }
}

extension DocumentDifference {
    /// The changes as written in reports.
    package var writtenChanges: [WrittenChange] { unfolded().changes.map(WrittenChange.init) }

    /// Returns the JSON Patch as written in reports. The patch itself is JSON; values that only property lists have are
    /// wrapped.
    ///
    /// - Throws: `EncodingError`.
    package func writtenPatch() throws -> Document {
        let patch = patch.document
        return try (old.document.format.isPropertyList ? DocumentEncoder().encode(patch) : patch).inJSON()
    }
}

extension Document {
    /// The maximum depth of a document in a trace file. The file adds levels around it, and Foundation's coders and
    /// ``Document`` read up to 512.
    private static let deepestWritten = 480
    private static let textName = "$json"

    /// Returns the document as written in a trace file, whichever encoder writes the file. Values that only property
    /// lists have are wrapped, as by ``JSONWriter``, and a document that is nested too deeply is written as its JSON
    /// text, `{"$json": TEXT}`.
    fileprivate func inJSON() throws -> Document {
        let json = format.isPropertyList ? try DocumentEncoder().encode(self) : self
        guard json.root.depth > Self.deepestWritten || json.writtenText != nil else { return json }
        var builder = DocumentBuilder()
        builder.beginObject()
        builder.key(Self.textName)
        builder.string(JSONWriter().string(json.root))
        builder.end()
        return builder.finish()
    }

    /// The JSON text of a document that was written as text, or nil for any other document.
    private var writtenText: String? {
        var members = root.members
        guard let member = members.next(), members.next() == nil, member.name == Self.textName else { return nil }
        return member.value.string
    }

    /// Creates the document from its form in a trace file.
    fileprivate init(written document: Document) throws {
        self = try document.writtenText.map { try Document(parsing: SourceBytes(Data($0.utf8))) } ?? document
    }
}

/// A document of a trace: itself in a file, and its number in a message.
private struct TraceDocument: Codable {
    let document: Document

    init(_ document: Document) { self.document = document }

    init(from decoder: any Decoder) throws {
        if let documents = decoder.messageDocuments {
            document = try documents.document(decoder.singleValueContainer().decode(Int.self))
        } else {
            document = try Document(written: Document(from: decoder))
        }
    }

    func encode(to encoder: any Encoder) throws {
        if let documents = encoder.messageDocuments { return try documents.number(of: document).encode(to: encoder) }
        try document.inJSON().encode(to: encoder)
    }
}

extension KeyedDecodingContainer {
    /// Returns a document of a trace, if there is one.
    fileprivate func documentIfPresent(forKey key: Key) throws -> Document? {
        try decodeIfPresent(TraceDocument.self, forKey: key)?.document
    }
}

/// A change as written in reports. A missing value is left out, because null would stand for the value null.
package struct WrittenChange: Encodable {
    fileprivate let change: DocumentChange

    private enum CodingKeys: String, CodingKey { case kind, path, from, old, new }

    fileprivate init(_ change: DocumentChange) { self.change = change }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(change.kind, forKey: .kind)
        try container.encode(change.path, forKey: .path)
        try container.encodeIfPresent(change.from, forKey: .from)
        try container.encodeIfPresent(change.old.map { try Document(copying: $0).inJSON() }, forKey: .old)
        try container.encodeIfPresent(change.new.map { try Document(copying: $0).inJSON() }, forKey: .new)
    }
}

extension VersionDetection.Attempt: Codable {
    private enum CodingKeys: String, CodingKey { case version, type, path, found }

    /// Reads an attempt.
    ///
    /// - Throws: `DecodingError`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            version: try container.decode(DocumentVersion.self, forKey: .version),
            type: try container.decode(String.self, forKey: .type),
            path: try container.decodeIfPresent(DocumentPath.self, forKey: .path),
            found: try container.documentIfPresent(forKey: .found),
            reason: try WrittenReason(from: decoder).reason)
    }

    /// Writes every field, with null for missing values.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(version, forKey: .version)
        try container.encode(type, forKey: .type)
        try container.encode(path, forKey: .path)
        try container.encode(found.map(TraceDocument.init), forKey: .found)
        try WrittenReason(reason).encode(to: encoder)
    }
}
