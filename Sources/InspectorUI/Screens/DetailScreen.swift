import DisplayText
import DocumentModel
import MigrationCore

/// The selected document: the frame around its chain, step and source.
enum DetailScreen {
    static func draw(_ inspector: Inspector, on canvas: inout Canvas) {
        let frame = inspector.layout.detail
        canvas.box(
            frame, title: title(inspector, canvas.glyphs), trailing: trailing(inspector),
            style: inspector.isZoomed ? .focusedBorder : .border)
        let area = frame.inset(dx: 2, dy: 1)
        if let timeline = inspector.timeline { TimelineScreen.draw(inspector, timeline, on: &canvas) }
        switch inspector.inspection {
        case nil:
            guard inspector.documents.count == 0, !inspector.documents.isFinding else { return }
            canvas.draw("Nothing to look at.", x: area.x, y: area.y, style: .dim, maxWidth: area.width)
        case .waiting(let document, let progress)?:
            let used = inspector.timeline == nil ? 0 : inspector.layout.chain.height + 1
            drawWaiting(inspector, document, progress, area.splitTop(used).rest, on: &canvas)
        case .shown(let shown)?:
            if inspector.timeline == nil, !inspector.layout.chain.isEmpty {
                ChainScreen.draw(
                    shown, observed: inspector.documents.result(of: shown.document)?.observed, inspector.layout,
                    on: &canvas)
            }
        }
    }

    private static func title(_ inspector: Inspector, _ glyphs: Glyphs) -> [StyledText] {
        if let timeline = inspector.timeline {
            let isChanged = inspector.whatIf?.edits.isEmpty == false
            let order = timeline.order.map { [StyledText("  by \($0)", .label)] } ?? []
            return [StyledText("Timeline of \(timeline.title)", .title)] + order + followed(inspector, timeline)
                + (isChanged ? [StyledText("  what if", .changed)] : [])
        }
        guard let document = inspector.inspection?.document else { return [] }
        var runs = [StyledText(inspector.documents[document]?.title ?? "", .title)]
        if inspector.whatIf?.edits.isEmpty == false { runs.append(StyledText("  what if", .changed)) }
        if let source = inspector.recordedSource { runs.append(StyledText("  trace of \(source)", .dim)) }
        if let shown = inspector.shown, !shown.partPath.isEmpty {
            let part = shown.trace.path ?? DocumentPath([.key(shown.trace.source)])
            runs.append(StyledText(" \(glyphs.continuesRight) \(part.shown)", .title))
        }
        return runs
    }

    /// Returns the number that is followed, in the current state and in all of them.
    private static func followed(_ inspector: Inspector, _ timeline: Timeline) -> [StyledText] {
        guard let followed = timeline.followed, let numbers = inspector.layout.timelineLine?.numbers,
            let position = inspector.timelinePosition
        else { return [] }
        let value = followed.number(at: position).map(NumberWords.brief) ?? inspector.glyphs.dash
        let range = "\(NumberWords.brief(numbers.lowerBound)) to \(NumberWords.brief(numbers.upperBound))"
        return [StyledText("  \(followed.path.shown): \(value)", .number), StyledText(" of \(range)", .dim)]
    }

    /// Returns the document's name, shown after the title of a panel that fills the screen.
    static func zoomedName(_ inspector: Inspector) -> [StyledText] {
        guard inspector.isZoomed, let document = inspector.inspection?.document else { return [] }
        var name = inspector.documents[document]?.title ?? ""
        // The chain, which shows the current step, is not on the screen.
        if inspector.focus == .source, let shown = inspector.shown {
            let arrow = inspector.glyphs.arrow
            if let step = shown.shownStep { name += ", step \(step.from) \(arrow) \(step.to)" }
            if shown.isWholeWay { name += ", all steps" }
        }
        return [StyledText("  "), StyledText(name, .dim)]
    }

    /// Returns the chain, followed by the version and its place where there is room for them.
    private static func trailing(_ inspector: Inspector) -> [StyledText] {
        if let timeline = inspector.timeline, let position = inspector.timelinePosition {
            let count = "\(NumberWords.grouped(position + 1)) of \(NumberWords.grouped(timeline.states.count))"
            guard let playing = inspector.playing else { return [StyledText(count, .label)] }
            return [
                StyledText(playing.isPaused ? "waiting" : "playing", .progress),
                StyledText(" \(count) \(inspector.glyphs.separator) \(playing.pace.words)", .dim),
            ]
        }
        let awaited = inspector.inspection.flatMap { inspector.documents.result(of: $0.document) }
        guard let result = inspector.shown.map({ CheckResult($0.trace) }) ?? awaited, let chain = result.chain else {
            return []
        }
        var runs = [StyledText(chain, .label)]
        guard let version = result.version else { return runs }
        let words = version == .unversioned ? "no version" : "version \(version)"
        runs.append(StyledText(" \(inspector.glyphs.separator) \(words)", .dim))
        if let path = result.versionPath { runs.append(StyledText(" at \(path.shown)", .dim)) }
        return runs
    }

    // MARK: Waiting

    private static func drawWaiting(
        _ inspector: Inspector, _ document: FoundDocument.ID, _ progress: RunProgress?, _ area: Rect,
        on canvas: inout Canvas
    ) {
        var y = area.y
        // The result of the check is already known.
        if let failure = inspector.documents.result(of: document)?.failure {
            let text = "\(canvas.glyphs.failed) \(failure.shown.messageWithPath)"
            y = canvas.drawWrapped(
                [StyledText(text, .failed), StyledText("  \(failure.kind.rawValue)", .dim)], in: area)
        }
        guard inspector.showsWaiting else { return }
        let words =
            progress.map { $0.isLong ? $0.words(canvas.glyphs) : $0.activity.words(arrow: canvas.glyphs.arrow) }
            ?? RunProgress.Activity.reading(share: 0).words()
        let text = StyledText("\(canvas.glyphs.spinner(inspector.spinner)) \(words)", .progress)
        y = min(y, area.maxY - 1)
        let width = min(30, area.width - TextWidth.columns(of: [text]) - 2)
        guard case .reading(let share)? = progress?.activity, width > 0 else {
            _ = canvas.drawWrapped([text], in: area.splitTop(y - area.y).rest)
            return
        }
        let full = Int((max(0, min(1, share)) * Double(width)).rounded())
        let bar = [
            StyledText("  " + String(repeating: canvas.glyphs.barFull, count: full), .progress),
            StyledText(String(repeating: canvas.glyphs.barEmpty, count: width - full), .dim),
        ]
        canvas.draw([text] + bar, x: area.x, y: y, maxWidth: area.width)
    }
}
