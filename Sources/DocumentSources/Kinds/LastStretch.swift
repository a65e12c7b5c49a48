import DocumentModel

/// The stretch of a file of lines that was read last, for the lines behind it.
final class LastStretch: Sendable {
    private struct Kept {
        let stretch: LinesStretch
        /// Which of those that were kept it is.
        let number: Int
        /// The last asking for which it was found to stand for the file; see ``DocumentReading/asking``.
        var asking: UInt64?
    }

    private let state = Locked((count: 0, kept: Kept?.none))

    /// Keeps a stretch in place of the last; nil to keep none.
    func keep(_ stretch: LinesStretch?) {
        state.withLock { state in
            state.count += 1
            state.kept = stretch.map { Kept(stretch: $0, number: state.count) }
        }
    }

    /// A line that lies within the stretch as it is in the file; nil if it is to be read from there.
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
