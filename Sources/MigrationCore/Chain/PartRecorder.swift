import DocumentModel

/// Gathers what happened to the parts of a document that migrate on their own while the whole is decoded.
///
/// It travels in the decoder's `userInfo`. Where there is none, as in an app, parts do their work and say nothing. A
/// part throws what it would throw without a recorder, so that the types around it do what they do in the app.
final class PartRecorder: DecodingCompanion {
    /// What is made of the run; where steps are not kept, only that of parts is which a check tells of them.
    let detail: RunDetail
    /// What decodes the whole, without this recorder.
    private let decoder: DocumentDecoder
    /// What the app encodes with.
    let encoder: DocumentEncoder

    private let state = Locked(State())

    static let key = CodingUserInfoKey(rawValue: "MigrationCore.partRecorder")

    init(detail: RunDetail, decoder: DocumentDecoder, encoder: DocumentEncoder) {
        self.detail = detail
        self.decoder = decoder
        self.encoder = encoder
    }

    /// How the whole is decoded.
    var decoding: DecodingStrategies { decoder.strategies }

    private struct State {
        var parts: [RecordedPart] = []
        var warnings: [Reason] = []
        /// The same, to find them.
        var knownWarnings: Set<Reason> = []
        var migratedCount = 0
    }

    /// What had been recorded at some time.
    struct Mark {
        fileprivate let partCount: Int
        fileprivate let warningCount: Int
        fileprivate let migratedCount: Int
    }

    var mark: Mark {
        state.withLock {
            Mark(partCount: $0.parts.count, warningCount: $0.warnings.count, migratedCount: $0.migratedCount)
        }
    }

    /// Forgets the parts of something that was decoded in vain.
    func forget(since mark: Mark) {
        state.withLock { state in
            state.parts.removeSubrange(mark.partCount...)
            state.knownWarnings.subtract(state.warnings[mark.warningCount...])
            state.warnings.removeSubrange(mark.warningCount...)
            state.migratedCount = mark.migratedCount
        }
    }

    /// The parts that were recorded since then, up to the one that threw `error`; none if no part did.
    func parts(since mark: Mark, throwing error: any Error) -> [RecordedPart] {
        state.withLock { state in
            let parts = state.parts[mark.partCount...]
            guard !parts.isEmpty else { return [] }
            let thrown = Reason(error)
            return parts.lastIndex { $0.thrown == thrown }.map { Array(parts[...$0]) } ?? []
        }
    }

    /// Puts parts back that were forgotten.
    func restore(_ parts: [RecordedPart]) { state.withLock { $0.parts += parts } }

    /// Whether a part was carried forward since then.
    func hasMigratedParts(since mark: Mark) -> Bool { state.withLock { $0.migratedCount > mark.migratedCount } }

    /// Adds a part, inside which is what was recorded since `mark`.
    func record(_ part: RecordedPart, since mark: Mark) {
        var part = part
        let isKept = detail.keepsSteps || part.thrown != nil || part.path.isRoot
        state.withLock { state in
            part.parts = Array(state.parts[mark.partCount...])
            state.parts.removeSubrange(mark.partCount...)
            if isKept { state.parts.append(part) }
            if part.isMigrated { state.migratedCount += 1 }
            let place = part.path.foldingIndices
            for warning in part.warningsForWhole {
                let warning = place.isRoot ? warning : .ofPart(path: place, warning)
                if state.knownWarnings.insert(warning).inserted { state.warnings.append(warning) }
            }
        }
    }

    /// Whether a part was carried forward.
    var hasMigratedParts: Bool { state.withLock { $0.migratedCount > 0 } }

    /// The parts that were kept, in the order in which they were decoded, and what a person should know of the parts,
    /// each thing once for all elements of an array.
    var findings: (warnings: [Reason], parts: [RecordedPart]) { state.withLock { ($0.warnings, $0.parts) } }

    /// The part that threw `error`, if one did.
    func part(throwing error: any Error) -> RecordedPart? {
        let thrown = Reason(error)
        return state.withLock { $0.parts.last { $0.thrown == thrown } }
    }
}

extension Decoder {
    /// The recorder of parts; nil where parts are not recorded.
    var partRecorder: PartRecorder? {
        // A decoder around that of the document passes on its `userInfo`.
        companion as? PartRecorder ?? PartRecorder.key.flatMap { userInfo[$0] as? PartRecorder }
    }

    /// Where the decoder stands, in the names of the document.
    func documentPath(_ strategies: DecodingStrategies) -> DocumentPath {
        let path = DocumentPath(codingPath: codingPath)
        return documentNode?.document.root.spelled(path, by: strategies) ?? path
    }
}

extension DocumentDecoder {
    /// A decoder whose parts report to `recorder`.
    func reporting(to recorder: PartRecorder) -> DocumentDecoder {
        var decoder = self
        decoder.companion = recorder
        return decoder
    }
}
