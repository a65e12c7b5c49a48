import DisplayText
import DocumentModel
import MigrationCore

/// The document that is looked at: the frame around its chain, step and source.
enum DetailScreen {
    static func draw(_ inspector: Inspector, _ layout: Layout, on canvas: inout Canvas) {
        let title = title(inspector, canvas.glyphs)
        canvas.box(
            layout.detail, title: title,
            trailing: trailing(inspector, room: layout.detail.width - 7 - TextWidth.columns(of: title)),
            style: inspector.isZoomed ? .focusedBorder : .border)
        guard inspector.inspection?.trace != nil else { return drawWaiting(inspector, layout, on: &canvas) }
        if !layout.chain.isEmpty { ChainScreen.draw(inspector, layout.chain, on: &canvas) }
        if layout.step.isShown { StepScreen.draw(inspector, layout.step, on: &canvas) }
        if layout.source.isShown { SourceScreen.draw(inspector, layout.source, on: &canvas) }
    }

    private static func title(_ inspector: Inspector, _ glyphs: Glyphs) -> [StyledText] {
        guard let inspection = inspector.inspection else { return [] }
        let name = inspector.documents.documents[inspection.index].title
        let part =
            inspection.partPath.isEmpty
            ? nil : inspection.trace?.path ?? inspection.trace.map { DocumentPath([.key($0.source)]) }
        let recorded = inspector.recordedSource.map { [StyledText("  trace of \($0)", .dim)] } ?? []
        return [StyledText(name, .title)] + recorded
            + (part.map { [StyledText(" \(glyphs.continuesRight) \($0)", .title)] } ?? [])
    }

    /// The document's name, behind the title of a panel that has the whole screen.
    static func zoomedName(_ inspector: Inspector) -> [StyledText] {
        guard inspector.isZoomed, let inspection = inspector.inspection else { return [] }
        return [StyledText("  "), StyledText(inspector.documents.documents[inspection.index].title, .dim)]
    }

    /// The chain, and behind it the version where there is room for that beside the whole name.
    private static func trailing(_ inspector: Inspector, room: Int) -> [StyledText] {
        let runs = trailing(inspector)
        let fits = (1...3).last { TextWidth.columns(of: Array(runs.prefix($0))) <= room } ?? 1
        return Array(runs.prefix(fits))
    }

    private static func trailing(_ inspector: Inspector) -> [StyledText] {
        guard let inspection = inspector.inspection else { return [] }
        let result = inspection.trace.map(CheckResult.init) ?? inspector.documents.results[inspection.index]
        guard let result else { return [] }
        guard let chain = result.chain else { return [] }
        var runs = [StyledText(chain, .label)]
        guard let version = result.version else { return runs }
        let separator = inspector.repertoire == .unicode ? " \u{B7} " : " - "
        runs.append(StyledText("\(separator)\(version == .unversioned ? "no version" : "version \(version)")", .dim))
        if let path = result.versionPath { runs.append(StyledText(" at \(path)", .dim)) }
        return runs
    }

    // MARK: Waiting

    private static func drawWaiting(_ inspector: Inspector, _ layout: Layout, on canvas: inout Canvas) {
        let area = layout.detail.inset(dx: 2, dy: 1)
        guard let inspection = inspector.inspection else { return drawNothing(inspector, area, on: &canvas) }
        var y = area.y
        // What the check said is known at once.
        if let failure = inspector.documents.results[inspection.index]?.failure {
            let text = "\(canvas.glyphs.failed) \(failure.kind.rawValue): \(failure.messageWithPath)"
            for line in TextWidth.wrap(text, to: area.width, repertoire: inspector.repertoire) where y < area.maxY {
                canvas.draw(String(line), x: area.x, y: y, style: .failed, maxWidth: area.width)
                y += 1
            }
        }
        guard inspector.ticksWaiting > 1 else { return }
        let spinner = canvas.glyphs.spinner[inspector.spinner % canvas.glyphs.spinner.count]
        var runs = [StyledText("\(spinner) reading the document", .progress)]
        if let progress = inspection.progress {
            let width = min(30, max(0, area.width - 32))
            let full = Int((max(0, min(1, progress)) * Double(width)).rounded())
            runs.append(StyledText("  " + String(repeating: canvas.glyphs.barFull, count: full), .progress))
            runs.append(StyledText(String(repeating: canvas.glyphs.barEmpty, count: width - full), .dim))
        }
        canvas.draw(runs, x: area.x, y: min(y, area.maxY - 1), maxWidth: area.width)
    }

    private static func drawNothing(_ inspector: Inspector, _ area: Rect, on canvas: inout Canvas) {
        guard inspector.documents.count == 0, !inspector.documents.isFinding else { return }
        canvas.draw("Nothing to look at.", x: area.x, y: area.y, style: .dim, maxWidth: area.width)
    }
}
