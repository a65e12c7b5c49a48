import DisplayText
import DocumentModel
import MigrationCore
import MigrationWorker

/// Everything that the inspector shows, as a value: events go in, effects and a picture come out.
///
///     var inspector = Inspector(title: "demo-data")
///     let found = FoundDocument(id: FoundDocument.ID(0), name: "demo-data/poem.json")
///     let effects = inspector.handle(.found([found]))
///     let picture = inspector.canvas(width: 120, height: 36, glyphs: .unicode)
///
/// It knows no terminal, no file and no clock. It asks for work that takes long as an ``InspectorEffect``, and gets the
/// result as an ``InspectorEvent``; a result that comes too late, because the user has gone on, is ignored.
///
/// - What happens: ``handle(_:)``
/// - What is seen: ``canvas(width:height:glyphs:)``, ``wantsTicks``
public struct Inspector: Sendable {
    /// Where the documents come from, as the user named it.
    let title: String
    let program: String
    var size = (width: 80, height: 24)
    /// What the terminal can show, which decides how wide texts are.
    var repertoire: Repertoire

    var documents = DocumentList()
    /// The document to compare others with.
    var mark: MarkedDocument?
    /// Whether there is a new build of the program.
    var isRebuilt = false
    /// What is still to be looked at first; nil once it is, or the user has gone somewhere.
    var opening: Opening?
    /// nil until there is a document to look at.
    var inspection: Inspection?

    var focus = Panel.documents
    /// Whether the panel with the keyboard has the whole screen.
    var isZoomed = false
    var prompt: Prompt?
    var page: PageView?
    var menu: MenuView?
    var message: Message?
    /// Whether clicks come here and do not select text in the terminal.
    var takesMouse = true
    /// What is to be changed in the first document that is found.
    var givenEdits: [DocumentEdit]
    /// What was changed in documents, in memory.
    var whatIfs: [FoundDocument.ID: WhatIf] = [:]
    /// The documents whose history is looked for.
    var wantedHistories: Set<FoundDocument.ID> = []
    /// The committed states, newest first, of the documents whose history was found.
    var histories: [FoundDocument.ID: [StateInTime]] = [:]
    /// The documents through which one goes in their order; nil while one does not.
    var timeline: Timeline?
    /// The value by which documents of one place are ordered; nil where they stand in the order in which they lie there.
    let order: DocumentPath?
    /// The value to go to once a state is shown.
    var placeInTime: DocumentPath?
    /// The fields of the versions of chains, oldest first, as far as they are known.
    var outlines: [ExactText: (chain: ChainDescription, versions: [VersionOutline?])] = [:]
    /// The chains of the program, once they are known.
    var chains: [ChainDescription] = []
    var wantsChains = false
    /// The chains whose fields are looked for, or known.
    var wantedOutlines: Set<ExactText> = []
    /// The versions of a chain beside each other; nil while they are not shown.
    var chainTable: ChainTable?
    /// Where a document was looked at that is traced once more.
    var returning: Returning?

    var style = DifferenceStyle.unified
    /// A tour of the documents; nil where there is none.
    let tour: Tour?
    /// Whether the tour is to be begun with.
    var startsTour: Bool
    /// The tour while it is taken, and where it was left.
    var tourView: TourView?
    var leftTour: TourView?
    /// The migration that plays by itself; nil while none does.
    var playback: Playback?
    /// Whether the step panel shows the value at the step instead of what the step changed.
    var showsValue = false
    var search: TextSearch?
    /// Which match the last search came to; nil once another key is pressed.
    var tally: SearchTally?
    /// What was opened on the screen in place of what the command line names; nil where that is open still.
    var opened: String?
    /// The names of what was open before, the latest at the end.
    var openedPaths: [String] = []
    /// What was searched for, the latest at the end.
    var searches: [String] = []
    /// The work in the background whose results are awaited.
    var jobs: [BackgroundJob.Purpose: BackgroundJob.ID] = [:]
    var jobCount = 0
    /// How many bytes of memory the documents that the steps of a migration made may keep together.
    var largestSnapshots = 64 << 20
    /// Ticks since the document was selected: what is there within two of them shows no sign of waiting.
    var ticksWaiting = 0
    var spinner = 0
    /// What the event that is being handled asks of the program.
    var effects: [InspectorEffect] = []
    private(set) var layout: Layout

    /// An inspector without documents.
    ///
    /// - Parameters:
    ///   - title: Where the documents come from, as the user named it.
    ///   - first: The title of the document to look at first; nil for the first that fails.
    ///   - edits: What is changed in the first document, in memory.
    ///   - order: The value by which documents of one place are ordered in time; nil where their names or places do that.
    ///   - tour: A tour of the documents.
    ///   - startsTour: Whether to begin with the tour.
    ///   - repertoire: What the terminal can show: that of the glyphs that the canvas will be drawn with.
    ///   - program: What the program is called, for command lines.
    ///   - view: What to show first instead, where a program before this one showed it.
    public init(
        title: String, first: String? = nil, edits: [DocumentEdit] = [], order: DocumentPath? = nil,
        tour: Tour? = nil, startsTour: Bool = false,
        view: InspectedView? = nil, program: String = "migration-inspector", repertoire: Repertoire = .unicode
    ) {
        self.title = title
        self.program = program
        self.order = order
        self.tour = tour
        // Where a person was before goes before the tour.
        self.startsTour = startsTour && view == nil
        opening = (view?.title ?? first).map { .document($0) } ?? .failure
        givenEdits = edits
        givenView = view
        self.repertoire = repertoire
        layout = Layout()
        arrange()
    }

    /// Whether something moves on the screen by itself, so that ``InspectorEvent/tick`` is wanted.
    public var wantsTicks: Bool {
        documents.isFinding || documents.isChecking || message?.stays == false || isWaiting
            || playback?.isPaused == false
    }

    /// Whether something is awaited that the detail panels will show.
    var isWaiting: Bool {
        switch inspection {
        case nil: false
        case .waiting?: true
        case .shown(let shown)?: shown.running != nil || !jobs.isEmpty || shown.source.isLoading
        }
    }

    /// Long enough after the selection that a sign of waiting does not flicker.
    var showsWaiting: Bool { ticksWaiting > 1 }

    var glyphs: Glyphs { Glyphs.glyphs(for: repertoire) }

    /// The document on the screen; nil while it is awaited.
    var shown: ShownDocument? {
        get { inspection?.shown }
        set { inspection?.shown = newValue }
    }

    /// Where the work on the document is that takes long, and can be stopped; nil where none does.
    var stoppable: WorkerProgress? { inspection?.progress.flatMap { $0.isLong ? $0 : nil } }

    /// The document that a recorded trace is about; nil where the document itself was traced.
    var recordedSource: String? {
        guard let shown, shown.whole.source != documents[shown.document]?.name else { return nil }
        return shown.whole.source
    }

    /// What is to be shown of the document that is opened first.
    var givenView: InspectedView?

    /// What a person is to see first.
    enum Opening: Sendable {
        /// The document of that title.
        case document(String)
        /// The first document that fails.
        case failure
    }

    /// Where a person was in a document that is traced once more.
    struct Returning: Sendable {
        let document: FoundDocument.ID
        let stop: Int
        let row: RowPlace
    }

    // MARK: Panels

    /// The panels that have something in them.
    var panels: [Panel] {
        if timeline != nil { return [.step, .source] }
        return shown == nil ? [.documents] : Panel.allCases
    }

    /// The view in a panel; nil while the panel is empty.
    subscript(panel: Panel) -> (any PanelView)? {
        get {
            switch panel {
            case .documents: documents
            case .step: if let value = shown?.value { value } else { shown?.step }
            case .source: if let tree = shown?.source.tree { tree } else { shown?.source }
            }
        }
        set {
            switch (panel, newValue) {
            case (.documents, let list as DocumentList): documents = list
            case (.step, let tree as ValueView): shown?.value = tree
            case (.step, let step as StepView): shown?.step = step
            case (.source, let tree as ValueView): shown?.source.tree = tree
            case (.source, let source as SourceView): shown?.source = source
            default: break
            }
        }
    }

    /// What the keys act on: the menu, the page or the chain while one is open, else what is in the panel with the
    /// keyboard.
    var here: (any PanelView)? {
        get { menu ?? page ?? chainTable ?? self[focus] }
        set {
            if menu != nil {
                menu = newValue as? MenuView
            } else if page == nil, chainTable != nil {
                chainTable = newValue as? ChainTable
            } else if page != nil {
                page = newValue as? PageView
            } else {
                self[focus] = newValue
            }
        }
    }

    /// The tree that has the keyboard, if one has.
    var treeHere: ValueView? {
        get { here as? ValueView }
        set { here = newValue }
    }

    // MARK: Arranging

    /// Brings what is selected on the screen, at the size that the screen has now: the one place where the views follow
    /// a change of state.
    mutating func arrange() {
        var layout = Layout(self)
        documents.show(height: layout[.documents].content.height)
        page?.show(height: layout.page.inset(1).height)
        chainTable?.show(in: layout.chainTable.inset(1))
        menu?.show(height: layout.menu.inset(1).height)
        if let timeline, let here = timelinePosition {
            layout.timelineLine = TimelineLine(
                timeline, here: here, documents: documents,
                width: layout.chain.inset(dx: Layout.chainMargin, dy: 0).width, glyphs: glyphs)
        }
        if var shown {
            let area = layout[.step].content
            if shown.stop == 0, shown.compared == nil {
                shown.step.showOverview(
                    of: shown.trace, documents[shown.document]?.revision, width: area.width, repertoire: repertoire)
            }
            let runningSign = shown.running.map { _ in glyphs.spinner(spinner) }
            layout.preamble = StepPreamble(
                shown, supposing: supposition, width: area.width - 2, hasRoom: size.height > 14, glyphs: glyphs,
                runningSign: runningSign)
            layout.chainLine = ChainLine(
                shown.trace, stop: shown.stop, hasWholeWay: shown.hasWholeWay,
                width: layout.chain.inset(dx: Layout.chainMargin, dy: 0).width,
                glyphs: glyphs, runningSign: runningSign)
            let height = layout.rows(of: .step).height
            shown.value?.show(height: height)
            shown.step.show(height: height)
            // The source marks what is selected in the step while that has the keyboard. Scrolling the source leaves
            // the mark where it is.
            switch focus {
            case .documents: shown.source.unfollow()
            case .step: shown.source.follow(shown.selectedValue?.sourceRange)
            case .source: break
            }
            shown.source.show(in: layout[.source].content)
            self.shown = shown
        }
        self.layout = layout
    }
}
