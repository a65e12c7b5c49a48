import DocumentModel

/// The block of lines that was read last, for reading the lines after it.
final class LastLineBlock: Sendable {
    private struct Kept {
        let block: LineBlock
        /// The position of this block among all that were kept.
        let number: Int
        /// The last request for which the block was found to match the file; see ``DocumentReading/asking``.
        var asking: UInt64?
    }

    private let state = Locked((count: 0, kept: Kept?.none))

    /// Keeps a block instead of the previous one; nil to keep none.
    func keep(_ block: LineBlock?) {
        state.withLock { state in
            state.count += 1
            state.kept = block.map { Kept(block: $0, number: state.count) }
        }
    }

    /// Returns a line of the block, or nil if it has to be read from the file.
    func line(_ extent: Range<Int>, of file: FilePath, asking: UInt64?) -> SourceBytes? {
        guard let kept = state.withLock({ $0.kept }) else { return nil }
        let isKnown = asking != nil && asking == kept.asking
        guard let line = kept.block.line(extent, of: file, isKnownValid: isKnown) else { return nil }
        if !isKnown {
            state.withLock { if $0.kept?.number == kept.number { $0.kept?.asking = asking } }
        }
        return line
    }
}
