import DisplayText
import DocumentModel
import MigrationCore

/// The lines above the rows of a step, such as the author's note, and the failure's message if the culprit's row has
/// no room for it.
struct StepPreamble: Sendable {
    private(set) var lines: [[StyledText]] = []
    /// Whether the culprit's row shows the message.
    private(set) var isMessageInRow = false

    init() {}

    /// - Parameters:
    ///   - supposition: The user's supposition about the document.
    ///   - hasRoom: Whether the window is tall enough for notes.
    ///   - runningSign: The sign in front of the progress of a document that is still running.
    init(
        _ shown: ShownDocument, supposing supposition: Supposition = Supposition(), width: Int, hasRoom: Bool,
        glyphs: Glyphs,
        runningSign: String? = nil
    ) {
        guard width > 8 else { return }
        if !supposition.isEmpty {
            let text = "what if \(supposition.words)  (u undoes, w writes)"
            lines += Self.wrap(text, to: width, atMost: hasRoom ? 2 : 1, glyphs: glyphs).map {
                [StyledText($0, .changed)]
            }
        }
        if shown.isChanging {
            lines += Self.wrap("this step gives another result in every run", to: width, atMost: 2, glyphs: glyphs)
                .map { [StyledText($0, .warning)] }
        }
        if let note = shown.shownStep?.note, shown.value == nil, hasRoom {
            lines += Self.wrap(note, to: width - 4, atMost: 2, glyphs: glyphs).map { [StyledText("    " + $0, .label)] }
        }
        let finding = shown.shownStep?.foldedFinding
        if let losses = finding?.lossesSentence, shown.value == nil, hasRoom {
            let text = "\(glyphs.loss) \(losses)"
            lines += Self.wrap(text, to: width, atMost: 2, glyphs: glyphs).map { [StyledText($0, .warning)] }
        }
        if shown.value == nil, hasRoom {
            for sentence in finding?.narrowingSentences ?? [] {
                lines += Self.wrap("\(glyphs.loss) \(sentence)", to: width, atMost: 2, glyphs: glyphs)
                    .map { [StyledText($0, .warning)] }
            }
            for sentence in shown.shownStep?.examination?.sentences ?? [] {
                lines += Self.wrap("? \(sentence)", to: width, atMost: 2, glyphs: glyphs)
                    .map { [StyledText($0, .label)] }
            }
        }
        if let running = shown.running {
            let text = "\(runningSign ?? "") \(running.words(glyphs))"
            lines += Self.wrap(text, to: width, atMost: 4, glyphs: glyphs).map { [StyledText($0, .progress)] }
            return
        }
        guard let failure = shown.failureHere?.shown else { return }
        let culprit = shown.step.rows.first(where: \.isCulprit)
        addMessage(of: failure, shown, culprit, width: width, glyphs: glyphs)
        guard shown.value == nil, hasRoom else { return }
        let isSaid = culprit.map { row in
            let line = StepRowLine(row, glyphs: glyphs, width: width, saysMessage: isMessageInRow)
            return TextWidth.columns(of: line.runs, repertoire: glyphs.repertoire) <= width
        }
        for words in shown.proofWords(failure, isSaid: isSaid ?? false) {
            lines += Self.wrap(words, to: width - 2, atMost: 3, glyphs: glyphs).map { [StyledText("  " + $0, .label)] }
        }
    }

    /// Adds the failure's message, unless the culprit's row has room for it.
    private mutating func addMessage(
        of failure: MigrationFailure, _ shown: ShownDocument, _ culprit: StepRow?, width: Int, glyphs: Glyphs
    ) {
        if let row = culprit ?? Self.rowOfFailedPart(shown) {
            let runs = StepRowLine(row, glyphs: glyphs, width: width).runs
            isMessageInRow = TextWidth.columns(of: runs, repertoire: glyphs.repertoire) <= width
        }
        guard !isMessageInRow, shown.value == nil else { return }
        // Failed parts listed beside the changes have their own messages.
        isMessageInRow = shown.step.difference != nil
        // The highlighted row shows which field it is. Without such a row, the message says so.
        let text = "\(glyphs.failed) \(culprit == nil ? failure.messageWithPath : failure.message)"
        lines += Self.wrap(text, to: width, atMost: 4, glyphs: glyphs).map { [StyledText($0, .failed)] }
    }

    /// Returns the row of the first part if its failure is that of the whole document.
    private static func rowOfFailedPart(_ shown: ShownDocument) -> StepRow? {
        guard shown.stop == 0 else { return nil }
        return shown.step.rows.first { row in
            guard case .part(let part, _) = row.body else { return false }
            return shown.trace.parts[part].failure?.message == shown.trace.failure?.message
        }
    }

    /// Wraps a text to at most this many lines. Cuts out the middle of a longer text, since its ends say the most.
    private static func wrap(_ text: String, to width: Int, atMost lines: Int, glyphs: Glyphs) -> [String] {
        let width = max(1, width)
        let text = text.withoutMiddle(most: 4000)
        let wrapped = broken(text[...])
        guard wrapped.count > lines else { return wrapped }
        // Lines that break at spaces are not full, so the length that fits has to be found by trying.
        let oneLine = text.split(whereSeparator: \.isNewline).joined(separator: " ")
        var columns = width * lines
        while true {
            let shortened = broken(TextWidth.truncate(oneLine, to: columns, middle: true, glyphs: glyphs)[...])
            if shortened.count <= lines || columns <= width { return Array(shortened.prefix(lines)) }
            columns -= max(1, width / 4)
        }

        /// Wraps the text, keeping its line breaks.
        func broken(_ text: Substring) -> [String] {
            text.split(whereSeparator: \.isNewline).flatMap {
                TextWidth.wrap(String($0), to: width, repertoire: glyphs.repertoire).map(String.init)
            }
        }
    }
}

extension ShownDocument {
    /// Returns the findings of experiments.
    ///
    /// - Parameter isSaid: Whether the culprit's row already shows what was proved.
    fileprivate func proofWords(_ failure: MigrationFailure, isSaid: Bool) -> [String] {
        if let experiments, experiments > 0 || isShrinking {
            let count = NumberWords.grouped(experiments)
            return [isShrinking ? "shrinking, \(count) runs so far; x stops it" : "\(count) experiments so far"]
        }
        guard let culprit = failure.culprit, let proof = culprit.proof else {
            return [failure.search?.sentence].compactMap(\.self)
        }
        let others = partPath.isEmpty ? trace.placesSentence.map { [$0] } ?? [] : []
        if isSaid, culprit.others.isEmpty { return proof.valueSentences + others }
        return failure.experimentSentences + others
    }
}
