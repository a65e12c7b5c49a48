import DocumentModel

/// Finds the stage of a chain that matches a document.
protocol ChainDetector: Sendable {
    /// Returns the stage, and how it was found.
    func detect(_ reading: Reading) -> DetectedStage
}

/// A document while a chain reads it, with its decoders and the records of what was read.
final class Reading {
    let document: Document
    /// Decodes values without parts.
    let plainDecoder: DocumentDecoder
    /// Reports parts to ``recorder``.
    private(set) lazy var decoder = plainDecoder.reporting(to: recorder)
    private(set) lazy var record = ReadRecord(notesMissedNames: true)
    private(set) lazy var recorder = PartRecorder(
        detail: detail, decoder: plainDecoder, encoder: encoder)
    private let encoder: DocumentEncoder
    /// The detail of the run.
    let detail: RunDetail
    /// What observes the reading, or nil if nothing does.
    let observer: (any RunObserver)?
    /// The answers of the document about its version. Chains with other settings would get other answers.
    private(set) lazy var answers = VersionAnswers()

    var root: DocumentNode { document.root }

    init(
        _ document: Document, _ decoder: DocumentDecoder, _ encoder: DocumentEncoder, detail: RunDetail,
        sharing answers: VersionAnswers? = nil, for observer: (any RunObserver)? = nil
    ) {
        self.document = document
        self.observer = observer
        plainDecoder = decoder
        self.encoder = encoder
        self.detail = detail
        if let answers { self.answers = answers }
    }

    /// Returns a reading of the same document with nothing recorded yet.
    func again() -> Reading {
        Reading(document, plainDecoder, encoder, detail: detail)
    }

    /// The fields that nothing has read.
    var dropped: [DocumentPath] { record.droppedPaths(in: root) }

    /// Returns the path in the names used by the document.
    func spell(_ path: DocumentPath) -> DocumentPath { root.spelled(path, by: plainDecoder.strategies) }

    /// Returns the reason for an error that was thrown while decoding the document.
    func reason(_ error: any Error) -> Reason { Reason(error, in: root, record, by: plainDecoder.strategies) }

    /// The errors that were caught while the document was decoded, from failed attempts of the decoded types. A type that
    /// stands for any JSON tries several types for each value inside it, so errors at a value and inside it are one.
    var caught: [Reason] {
        var found: [(reason: Reason, count: Int)] = []
        var known: [DocumentPath: Int] = [:]
        for detail in record.errors {
            let path = spell(DocumentPath(codingPath: detail.codingPath))
            let components = path.foldingIndices.components
            let outer = (0...components.count).lazy.compactMap { known[DocumentPath(Array(components.prefix($0)))] }
            if let index = outer.first {
                found[index].count += 1
            } else {
                known[path.foldingIndices] = found.count
                found.append((Reason(detail, root.descendant(at: path)), 1))
            }
        }
        return found.map { .caught($0.reason, attempts: $0.count == 1 ? nil : $0.count) }
    }
}

/// The result of a ``ChainDetector``.
final class DetectedStage {
    /// The index of the stage, oldest first, or nil if none fits.
    let stage: Int?
    /// The version that the document states, even if no stage has it.
    let version: DocumentVersion?
    /// The path of the version.
    let path: DocumentPath?
    /// The values that were read to find the version, if it isn't just the value at ``path``.
    let versionRecord: ReadRecord?
    /// Why no stage fits, unless the reason is that no stage has the version.
    let misfit: Misfit?
    /// Things the user should know about the result.
    let warnings: [Reason]
    /// The decoded value, if the document had to be decoded to find the stage.
    var decoded: Decoded?
    /// Whether decoding that value read all of the document except the version key.
    var isWhole = false
    /// Whether the document states its version. It can do so in several values, in which case there is no ``path``.
    let isStated: Bool
    /// The path of a value that matches no version, if there is no ``path``.
    let misstatement: DocumentPath?
    /// Returns the versions that were examined, newest first. Called only if the attempts are shown.
    let attempts: () -> [VersionDetection.Attempt]

    init(
        stage: Int? = nil, version: DocumentVersion? = nil, path: DocumentPath? = nil,
        isStated: Bool? = nil, misstatement: DocumentPath? = nil, versionRecord: ReadRecord? = nil,
        misfit: Misfit? = nil,
        warnings: [Reason] = [], decoded: Decoded? = nil,
        attempts: @escaping () -> [VersionDetection.Attempt]
    ) {
        self.stage = stage
        self.version = version
        self.path = path
        self.isStated = isStated ?? (path != nil)
        self.misstatement = misstatement
        self.versionRecord = versionRecord
        self.misfit = misfit
        self.warnings = warnings
        self.decoded = decoded
        self.attempts = attempts
    }

    /// Whether the document states a version that the chain has.
    var isClaim: Bool { stage != nil && isStated }

    /// A decoded value, and the reading in which it was decoded.
    final class Decoded {
        let value: Any
        let reading: Reading

        init(_ value: Any, _ reading: Reading) { (self.value, self.reading) = (value, reading) }
    }

    enum Misfit {
        /// The value where the version should be cannot be read as one.
        case noVersion(any Error, Reason)
        /// No shape fits. The attempts are newest first.
        case noShape([StageAttempt])
    }
}

/// The result of trying to decode a document as one stage.
struct StageAttempt {
    let type: String
    let reading: Reading
    /// The value if the document matches the stage, or the reason that it does not.
    let result: Result<Any, any Error>

    var error: (any Error)? { if case .failure(let error) = result { error } else { nil } }

    /// Why the document does not match the stage. If a part of the document threw the error, the paths are still those
    /// of the whole document.
    var failure: ShapeFailure? {
        error.map { error in
            let part = reading.recorder.part(throwing: error)?.failureOfWhole
            return ShapeFailure(type: type, reason: part?.reason ?? reading.reason(error))
        }
    }

    /// Returns the index of the attempt whose error is the most useful one: the type whose fields fit the document best,
    /// or else the one that read the most of it. If several are equal, it is the first of them, which is the newest.
    ///
    /// - Parameter fits: How the fields of each type fit the document, or nil if the types are not asked for them.
    static func nearest(of attempts: [StageAttempt], fits: [ShapeFit]? = nil) -> Int? {
        let read = attempts.map { attempt in
            attempt.reading.root.members.count { attempt.reading.record.contains($0.value) }
        }
        return attempts.indices.max { left, right in
            if let fits, fits[left] != fits[right] { return fits[left] < fits[right] }
            return read[left] < read[right] || read[left] == read[right] && left > right
        }
    }
}
