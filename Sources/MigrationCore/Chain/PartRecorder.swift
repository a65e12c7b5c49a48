import DocumentModel

/// Records the parts of a document that migrate separately while the whole document is decoded.
///
/// The recorder is passed in the decoder's `userInfo`. Without one, as in an app, parts work but record nothing. A part
/// throws the same errors with and without a recorder, so the types around it behave as they do in the app.
final class PartRecorder: DecodingCompanion {
    /// The detail of the run. If it doesn't keep steps, only the parts that a check reports are recorded.
    let detail: RunDetail
    /// Decodes the whole document, without this recorder.
    private let decoder: DocumentDecoder
    /// The encoder that the app uses.
    let encoder: DocumentEncoder

    private let state = Locked(State())

    static let key = CodingUserInfoKey(rawValue: "MigrationCore.partRecorder")

    init(detail: RunDetail, decoder: DocumentDecoder, encoder: DocumentEncoder) {
        self.detail = detail
        self.decoder = decoder
        self.encoder = encoder
    }

    /// How the whole document is decoded.
    var decoding: DecodingStrategies { decoder.strategies }

    private struct State {
        var parts: [RecordedPart] = []
        var warnings: [Reason] = []
        /// The same warnings, as a set for lookup.
        var knownWarnings: Set<Reason> = []
        var migratedCount = 0
    }

    /// A position in the recording.
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

    /// Removes the parts of a value whose decoding failed.
    func forget(since mark: Mark) {
        state.withLock { state in
            state.parts.removeSubrange(mark.partCount...)
            state.knownWarnings.subtract(state.warnings[mark.warningCount...])
            state.warnings.removeSubrange(mark.warningCount...)
            state.migratedCount = mark.migratedCount
        }
    }

    /// Returns the parts that were recorded since the mark, up to the one that threw `error`. Empty if no part did.
    func parts(since mark: Mark, throwing error: any Error) -> [RecordedPart] {
        state.withLock { state in
            let parts = state.parts[mark.partCount...]
            guard !parts.isEmpty else { return [] }
            let thrown = Reason(error)
            return parts.lastIndex { $0.thrown == thrown }.map { Array(parts[...$0]) } ?? []
        }
    }

    /// Restores parts that were removed.
    func restore(_ parts: [RecordedPart]) { state.withLock { $0.parts += parts } }

    /// Returns whether a part was migrated since the mark.
    func hasMigratedParts(since mark: Mark) -> Bool { state.withLock { $0.migratedCount > mark.migratedCount } }

    /// Records a part. The parts that were recorded since `mark` become its children.
    func record(_ part: RecordedPart, since mark: Mark) {
        var part = part
        let isKept = detail.keepsSteps || part.thrown != nil || part.path.isRoot
        state.withLock { state in
            part.parts = Array(state.parts[mark.partCount...])
            state.parts.removeSubrange(mark.partCount...)
            if isKept { state.parts.append(part) }
            if part.isMigrated { state.migratedCount += 1 }
            for warning in part.warningsForWhole where state.knownWarnings.insert(warning).inserted {
                state.warnings.append(warning)
            }
        }
    }

    /// Whether a part was migrated.
    var hasMigratedParts: Bool { state.withLock { $0.migratedCount > 0 } }

    /// The parts that were kept, in the order in which they were decoded, and the warnings about parts, one for all
    /// elements of an array.
    var findings: (warnings: [Reason], parts: [RecordedPart]) { state.withLock { ($0.warnings, $0.parts) } }

    /// Returns the part that threw `error`, if any.
    func part(throwing error: any Error) -> RecordedPart? {
        let thrown = Reason(error)
        return state.withLock { $0.parts.last { $0.thrown == thrown } }
    }
}

extension Decoder {
    /// The recorder of parts, or nil if parts are not recorded.
    var partRecorder: PartRecorder? {
        // A decoder that wraps the document's decoder passes on its `userInfo`.
        companion as? PartRecorder ?? PartRecorder.key.flatMap { userInfo[$0] as? PartRecorder }
    }

    /// Returns the decoder's current path, in the names used by the document.
    func documentPath(_ strategies: DecodingStrategies) -> DocumentPath {
        let path = DocumentPath(codingPath: codingPath)
        return documentNode?.document.root.spelled(path, by: strategies) ?? path
    }
}

extension DocumentDecoder {
    /// Returns a decoder whose parts report to `recorder`.
    func reporting(to recorder: PartRecorder) -> DocumentDecoder {
        var decoder = self
        decoder.companion = recorder
        return decoder
    }
}
