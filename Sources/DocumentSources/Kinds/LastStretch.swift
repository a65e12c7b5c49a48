import DocumentModel

/// The stretch of lines that was read last, for reading the lines after it.
final class LastStretch: Sendable {
    private struct Kept {
        let stretch: LinesStretch
        /// The position of this stretch among all that were kept.
        let number: Int
        /// The last request for which the stretch was found to match the file; see ``DocumentReading/asking``.
        var asking: UInt64?
    }

    private let state = Locked((count: 0, kept: Kept?.none))

    /// Keeps a stretch instead of the previous one; nil to keep none.
    func keep(_ stretch: LinesStretch?) {
        state.withLock { state in
            state.count += 1
            state.kept = stretch.map { Kept(stretch: $0, number: state.count) }
        }
    }

    /// Returns a line of the stretch, or nil if it has to be read from the file.
    func line(_ extent: Range<Int>, of file: FilePath, asking: UInt64?) -> SourceBytes? {
        guard let kept = state.withLock({ $0.kept }) else { return nil }
        let isKnown = asking != nil && asking == kept.asking
        guard let line = kept.stretch.line(extent, of: file, isKnownToStand: isKnown) else { return nil }
        if !isKnown {
            state.withLock { if $0.kept?.number == kept.number { $0.kept?.asking = asking } }
        }
        return line
    }
}
