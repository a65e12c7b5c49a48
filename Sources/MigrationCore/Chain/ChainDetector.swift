import DocumentModel

/// Finds the stage of a chain that a document is of.
protocol ChainDetector: Sendable {
    /// What is found in the document.
    func detect(_ reading: Reading) -> DetectedStage
}

/// A document while a chain reads it: what decodes it, and what is noted meanwhile.
final class Reading {
    let document: Document
    /// Decodes what has no parts.
    let plainDecoder: DocumentDecoder
    /// Reports parts to ``recorder``.
    private(set) lazy var decoder = plainDecoder.reporting(to: recorder)
    private(set) lazy var record = ReadRecord(notesMissedNames: true)
    private(set) lazy var recorder = PartRecorder(
        detail: detail, decoder: plainDecoder, encoder: encoder)
    private let encoder: DocumentEncoder
    /// What is made of the document.
    let detail: RunDetail
    /// What the document has said of its version; of chains with other settings it would say something else.
    private(set) lazy var answers = VersionAnswers()

    var root: DocumentNode { document.root }

    init(
        _ document: Document, _ decoder: DocumentDecoder, _ encoder: DocumentEncoder, detail: RunDetail,
        sharing answers: VersionAnswers? = nil
    ) {
        self.document = document
        plainDecoder = decoder
        self.encoder = encoder
        self.detail = detail
        if let answers { self.answers = answers }
    }

    /// The same document, with nothing noted yet.
    func again() -> Reading {
        Reading(document, plainDecoder, encoder, detail: detail)
    }

    /// What nothing has read.
    var dropped: [DocumentPath] { record.droppedPaths(in: root) }

    /// The path in the names of the document.
    func spell(_ path: DocumentPath) -> DocumentPath { root.spelled(path, by: plainDecoder.strategies) }

    /// The reason of an error that decoding the document threw.
    func reason(_ error: any Error) -> Reason { Reason(error, in: root, record, spell: spell) }

    /// What was caught while the document was decoded: the failures of attempts of the decoded types.
    var caught: [Reason] {
        record.errors.map { detail in
            .caught(Reason(detail, root.descendant(at: spell(DocumentPath(codingPath: detail.codingPath)))))
        }
    }
}

/// What a ``ChainDetector`` found.
final class DetectedStage {
    /// The index of the stage, oldest first; nil if none fits.
    let stage: Int?
    /// The version as the document states it, whether or not a stage has it.
    let version: DocumentVersion?
    /// Where it states it.
    let path: DocumentPath?
    /// What was read of the document to find its version, where that is not the value at ``path`` alone.
    let versionRecord: ReadRecord?
    /// Why none fits, where it is not that no stage has the version.
    let misfit: Misfit?
    /// What a person should know of the finding.
    let warnings: [Reason]
    /// The value, where the document had to be decoded to find the stage.
    var decoded: Decoded?
    /// Whether that value has read all of the document but the version key.
    var isWhole = false
    /// Whether the document says its version, of which it may have several values, and then there is no ``path``.
    let isStated: Bool
    /// Where it says what no version says, if there is no ``path``.
    let misstatement: DocumentPath?
    /// What was looked at to find it, newest first; called only when the attempts are shown.
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

    /// Whether the document says that it is of a version that the chain has.
    var isClaim: Bool { stage != nil && isStated }

    /// A decoded value, and the reading in which it was decoded.
    final class Decoded {
        let value: Any
        let reading: Reading

        init(_ value: Any, _ reading: Reading) { (self.value, self.reading) = (value, reading) }
    }

    enum Misfit {
        /// What stands where the version should be cannot be read as one.
        case noVersion(any Error, Reason)
        /// No shape fits; the attempts, newest first.
        case noShape([StageAttempt])
    }
}

/// What came of trying to decode a document as one stage.
struct StageAttempt {
    let type: String
    let reading: Reading
    /// The value, if the document is of the stage, and otherwise why it is not.
    let result: Result<Any, any Error>

    var error: (any Error)? { if case .failure(let error) = result { error } else { nil } }

    var failure: ShapeFailure? { error.map { ShapeFailure(type: type, reason: reading.reason($0)) } }

    /// The attempt that read most of the document; its complaint is the one worth following. Of equal ones the first,
    /// which is the newest.
    static func nearest(of attempts: [StageAttempt]) -> Int? {
        let read = attempts.map { attempt in
            attempt.reading.root.members.count { attempt.reading.record.contains($0.value) }
        }
        return read.max().flatMap(read.firstIndex)
    }
}
