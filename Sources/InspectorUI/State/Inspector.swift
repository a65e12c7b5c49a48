import DisplayText
import DocumentModel
import MigrationCore

/// Everything that the inspector shows, as a value: events go in, effects and a picture come out.
///
///     var inspector = Inspector(title: "demo-data")
///     let effects = inspector.handle(.found([FoundDocument(name: "demo-data/poem.json")]))
///     let picture = inspector.canvas(width: 120, height: 36, glyphs: .unicode)
///
/// It knows no terminal, no file and no clock. What takes long it asks for as an ``InspectorEffect`` and gets back as an
/// ``InspectorEvent``; what comes too late, because the user has gone on, is ignored.
///
/// - What happens: ``handle(_:)``
/// - What is seen: ``canvas(width:height:glyphs:)``, ``wantsTicks``
public struct Inspector: Sendable {
    /// Where the documents come from, in the words of whoever opened them.
    let title: String
    var size = (width: 80, height: 24)
    /// What the terminal can show: of it depends how wide texts are.
    var repertoire: Repertoire

    var documents = DocumentList()
    var inspection: Inspection?

    var focus = Panel.documents
    /// Whether the panel with the keyboard has the whole screen.
    var isZoomed = false
    var prompt: Prompt?
    /// The first row of the help, while it is shown.
    var helpTop: Int?
    var message: Message?

    var style = DifferenceStyle.unified
    /// Whether the step panel shows the value at the step instead of what the step changed.
    var showsValue = false
    var search: TextSearch?
    /// What was searched for, the latest at the end.
    var searches: [String] = []
    var searchJob: BackgroundJob.ID?
    /// The byte at which the last match in the source begins.
    var sourceMatch: Int?
    /// Ticks since the document was selected: what is there within two of them shows no sign of waiting.
    var ticksWaiting = 0
    var spinner = 0
    private var lastJob: BackgroundJob.ID = 0

    /// An inspector without documents.
    ///
    /// - Parameters:
    ///   - title: Where the documents come from, as the user named it.
    ///   - repertoire: What the terminal can show: that of the glyphs that the canvas will be drawn with.
    public init(title: String, repertoire: Repertoire = .unicode) {
        self.title = title
        self.repertoire = repertoire
    }

    /// Whether something moves on the screen by itself, so that ``InspectorEvent/tick`` is wanted.
    public var wantsTicks: Bool {
        documents.isFinding || documents.isChecking || message != nil || isWaiting
    }

    /// Whether something is awaited that the detail panels will show.
    var isWaiting: Bool {
        guard let inspection else { return false }
        return inspection.trace == nil || inspection.step.job != nil || inspection.source.job != nil
            || searchJob != nil || documents.filterJob != nil
    }

    mutating func makeJobID() -> BackgroundJob.ID {
        lastJob += 1
        return lastJob
    }

    /// Takes an event and says what is to be done.
    public mutating func handle(_ event: InspectorEvent) -> [InspectorEffect] {
        var effects: [InspectorEffect] = []
        switch event {
        case .input(let input): effects = handle(input)
        case .found(let found):
            documents.append(found)
            effects = inspectSelection()
        case .finishedFinding(let leftOut): documents.finishFinding(leftOut: leftOut)
        case .checked(let checked):
            documents.note(checked)
            effects = inspectSelection()
        case .traceProgress(let index, let fraction):
            if inspection?.index == index { inspection?.progress = fraction }
        case .traced(let index, let trace):
            effects = show(trace, of: index)
            effects += inspectSelection()
        case .sourceRead(let index, let bytes): effects = show(bytes, of: index)
        case .finished(let result): effects = take(result)
        case .tick: tick()
        case .notice(let text): message = Message(text)
        }
        arrange()
        return effects
    }

    private mutating func tick() {
        spinner &+= 1
        if isWaiting { ticksWaiting += 1 }
        if message?.tick() == false { message = nil }
    }

    private mutating func handle(_ input: InspectorInput) -> [InspectorEffect] {
        switch input {
        case .key(let key):
            message = nil
            return handle(key)
        case .paste(let text):
            prompt?.field.paste(text)
            return prompt == nil ? [] : promptChanged()
        case .mouse(let mouse): return handle(mouse)
        case .resize(let width, let height):
            size = (max(0, width), max(0, height))
            return []
        }
    }

    // MARK: Documents

    /// What a trace that was read from a file is of; nil where the document itself was traced.
    var recordedSource: String? {
        guard let inspection, let source = inspection.whole?.source else { return nil }
        return source == documents.documents[inspection.index].name ? nil : source
    }

    /// Looks at the selected document if it is another one than before.
    mutating func inspectSelection() -> [InspectorEffect] {
        guard let selected = documents.selectedDocument, selected != inspection?.index else { return [] }
        return inspect(selected)
    }

    /// Reads the document on the screen again: somebody may be mending it meanwhile.
    mutating func reload() -> [InspectorEffect] {
        guard let index = inspection?.index else { return [] }
        message = Message("\(documents.documents[index].displayName) is read again")
        return inspect(index)
    }

    private mutating func inspect(_ document: Int) -> [InspectorEffect] {
        let cancelled = inspection.map { $0.trace == nil ? [InspectorEffect.cancelTrace(index: $0.index)] : [] } ?? []
        let jobs = [inspection?.step.job, inspection?.source.job, searchJob].compactMap { $0 }
        searchJob = nil
        ticksWaiting = 0
        inspection = Inspection(index: document)
        return cancelled + jobs.map(InspectorEffect.cancel) + [.trace(index: document)]
    }

    private mutating func show(_ trace: MigrationTrace, of index: Int) -> [InspectorEffect] {
        guard inspection?.index == index else { return [] }
        noteResult(CheckResult(trace), of: index)
        inspection?.show(trace)
        return showStop() + showSourceText() + readUnparsedSource()
    }

    /// A document that was read again may have changed since it was checked, or be gone: then the list says so as well.
    private mutating func noteResult(_ result: CheckResult, of index: Int) {
        let earlier = documents.results[index]?.outcome
        documents.note([CheckedDocument(index: index, result: result)])
        guard let earlier, earlier != result.outcome else { return }
        let name = documents.documents[index].displayName
        message = Message(
            result.outcome == .unreadable
                ? "\(name) can no longer be read" : "\(name) has changed since it was checked")
    }

    /// The text of a document that did not parse is not in its trace.
    private func readUnparsedSource() -> [InspectorEffect] {
        guard let inspection, let trace = inspection.whole, trace.document == nil, recordedSource == nil,
            trace.outcome != .unreadable,
            trace.failure?.kind == .malformed
        else { return [] }
        return [.readSource(index: inspection.index)]
    }

    private mutating func show(_ bytes: SourceBytes?, of index: Int) -> [InspectorEffect] {
        guard inspection?.index == index, inspection?.trace != nil else { return [] }
        inspection?.unparsedSource = bytes
        return showSourceText()
    }

    // MARK: Arranging

    /// Brings what is selected on the screen, at the size that the screen has now.
    mutating func arrange() {
        let layout = Layout(self)
        documents.show(height: layout.documents.content.height)
        arrangeStep(layout.step.content)
        followSelection()
        let source = layout.source.content
        let textWidth = source.width - sourceGutter - 1
        inspection?.source.show(width: textWidth, height: source.height)
        if let top = helpTop { helpTop = max(0, min(top, HelpScreen.lineCount(self) - HelpScreen.height(self))) }
    }

    private mutating func arrangeStep(_ area: Rect) {
        guard let trace = inspection?.trace else { return }
        if inspection?.stop == 0, inspection?.overviewWidth != area.width {
            let isFirst = inspection?.overviewWidth == nil
            let rows = OverviewRows.rows(trace, width: area.width, repertoire: repertoire)
            inspection?.step.show(overview: rows, isFirst: isFirst)
            inspection?.overviewWidth = area.width
        }
        let height = area.height - StepScreen.preambleHeight(self, area)
        inspection?.value?.show(height: height)
        inspection?.step.show(height: height)
    }

    /// The columns that line numbers take.
    var sourceGutter: Int {
        guard let text = inspection?.source.text else { return 0 }
        return max(3, String(text.lines.count).count) + 4
    }
}
