import DisplayText
import DocumentModel
import MigrationCore
import MigrationWorker

/// The state of everything that the inspector shows, as a value: events go in, effects and a picture come out.
///
///     var inspector = Inspector(title: "demo-data")
///     let found = FoundDocument(id: FoundDocument.ID(0), name: "demo-data/poem.json")
///     let effects = inspector.handle(.found([found]))
///     let picture = inspector.canvas(width: 120, height: 36, glyphs: .unicode)
///
/// An inspector does not use the terminal, files or the clock. It requests long work as an ``InspectorEffect`` and
/// receives the result as an ``InspectorEvent``. It ignores results that arrive after the user has moved on.
///
/// - Handling events: ``handle(_:)``
/// - Drawing: ``canvas(width:height:glyphs:)``, ``wantsTicks``
public struct Inspector: Sendable {
    /// The source of the documents, as the user named it.
    let title: String
    let program: String
    var size = (width: 80, height: 24)
    /// The characters that the terminal can show, which determine the width of texts.
    var repertoire: Repertoire

    var documents = DocumentList()
    /// The document to compare others with.
    var mark: MarkedDocument?
    /// Whether there is a new build of the program.
    var isRebuilt = false
    /// What to show first; nil once it is shown or the user has navigated elsewhere.
    var opening: Opening?
    /// The selected document; nil until there is one.
    var inspection: Inspection?

    var focus = Panel.documents
    /// Whether the focused panel fills the whole screen.
    var isZoomed = false
    var prompt: Prompt?
    var page: PageView?
    var menu: MenuView?
    var message: Message?
    /// Whether the inspector receives clicks, instead of the terminal using them to select text.
    var takesMouse = true
    /// The edits to make in the first document that is found.
    var givenEdits: [DocumentEdit]
    /// The changes made to documents, in memory.
    var whatIfs: [FoundDocument.ID: WhatIf] = [:]
    /// The documents whose history was requested.
    var wantedHistories: Set<FoundDocument.ID> = []
    /// The committed states, newest first, of the documents whose history was found.
    var histories: [FoundDocument.ID: [StateInTime]] = [:]
    /// The timeline that the user is in; nil outside a timeline.
    var timeline: Timeline?
    /// The path of the value that orders the documents of a place; nil to keep the order of the list.
    let order: DocumentPath?
    /// The value to select once a state is shown.
    var placeInTime: DocumentPath?
    /// The known fields of the versions of chains, oldest version first.
    var outlines: [ExactText: (chain: ChainDescription, versions: [VersionOutline?])] = [:]
    /// The program's chains, once they are known.
    var chains: [ChainDescription] = []
    var wantsChains = false
    /// The chains whose fields were requested.
    var wantedOutlines: Set<ExactText> = []
    /// The table of a chain's versions; nil if it is not shown.
    var chainTable: ChainTable?
    /// The position to restore in a document that is being traced again.
    var returning: Returning?

    var style = DifferenceStyle.unified
    /// A tour of the documents; nil if there is none.
    let tour: Tour?
    /// Whether to start with the tour.
    var startsTour: Bool
    /// The tour in progress, and the tour as it was when the user left it.
    var tourView: TourView?
    var leftTour: TourView?
    /// The migration being played; nil if none is.
    var playback: Playback?
    /// Whether the step panel shows the value at the step instead of the step's changes.
    var showsValue = false
    var search: TextSearch?
    /// The number of the match that the last search found; nil once another key is pressed.
    var tally: SearchTally?
    /// The path opened on the screen in place of the one on the command line; nil if that one is still open.
    var opened: String?
    /// The names of what was open before, latest last.
    var openedPaths: [String] = []
    /// Earlier search texts, latest last.
    var searches: [String] = []
    /// The background jobs whose results are awaited.
    var jobs: [BackgroundJob.Purpose: BackgroundJob.ID] = [:]
    var jobCount = 0
    /// The total size in bytes that the documents made by a migration's steps may take up in memory.
    var largestSnapshots = 64 << 20
    /// The number of ticks since the document was selected. If it is shown within two ticks, no spinner appears.
    var ticksWaiting = 0
    var spinner = 0
    /// The effects of the event that is being handled.
    var effects: [InspectorEffect] = []
    private(set) var layout: Layout

    /// Creates an inspector without documents.
    ///
    /// - Parameters:
    ///   - title: The source of the documents, as the user named it.
    ///   - first: The title of the document to show first; nil for the first one that fails.
    ///   - edits: The changes to make to the first document, in memory.
    ///   - order: The path of the value that orders the documents of a place in time; nil to use the order of the
    ///     list.
    ///   - tour: A tour of the documents.
    ///   - startsTour: Whether to start with the tour.
    ///   - repertoire: The characters that the terminal can show. It must match the glyphs that the canvas is drawn
    ///     with.
    ///   - program: The name of the program, for command lines.
    ///   - view: The view to restore from an earlier run of the program, shown instead of `first`.
    public init(
        title: String, first: String? = nil, edits: [DocumentEdit] = [], order: DocumentPath? = nil,
        tour: Tour? = nil, startsTour: Bool = false,
        view: InspectedView? = nil, program: String = "migration-inspector", repertoire: Repertoire = .unicode
    ) {
        self.title = title
        self.program = program
        self.order = order
        self.tour = tour
        // Restoring a view takes precedence over the tour.
        self.startsTour = startsTour && view == nil
        opening = (view?.title ?? first).map { .document($0) } ?? .failure
        givenEdits = edits
        givenView = view
        self.repertoire = repertoire
        layout = Layout()
        arrange()
    }

    /// Whether something on the screen is animated or about to expire, so that ``InspectorEvent/tick`` is needed.
    public var wantsTicks: Bool {
        documents.isFinding || documents.isChecking || message?.stays == false || isWaiting
            || playback?.isPaused == false
    }

    /// Whether the detail panels are waiting for a result.
    var isWaiting: Bool {
        switch inspection {
        case nil: false
        case .waiting?: true
        case .shown(let shown)?: shown.running != nil || !jobs.isEmpty || shown.source.isLoading
        }
    }

    /// Whether to show the spinner. The delay keeps it from flickering.
    var showsWaiting: Bool { ticksWaiting > 1 }

    var glyphs: Glyphs { Glyphs.glyphs(for: repertoire) }

    /// The document on the screen; nil while it is awaited.
    var shown: ShownDocument? {
        get { inspection?.shown }
        set { inspection?.shown = newValue }
    }

    /// The progress of long work on the document that the user can stop; nil if there is none.
    var stoppable: WorkerProgress? { inspection?.progress.flatMap { $0.isLong ? $0 : nil } }

    /// The source named by a recorded trace; nil if the document itself was traced.
    var recordedSource: String? {
        guard let shown, shown.whole.source != documents[shown.document]?.name else { return nil }
        return shown.whole.source
    }

    /// The view to restore of the document that is opened first.
    var givenView: InspectedView?

    /// What to show first.
    enum Opening: Sendable {
        /// The document with this title.
        case document(String)
        /// The first document that fails.
        case failure
    }

    /// The position in a document that is being traced again.
    struct Returning: Sendable {
        let document: FoundDocument.ID
        let stop: Int
        let row: RowPosition
    }

    // MARK: Panels

    /// The panels that have content.
    var panels: [Panel] {
        if timeline != nil { return [.step, .source] }
        return shown == nil ? [.documents] : Panel.allCases
    }

    /// The view in a panel; nil if the panel is empty.
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

    /// The view that the keys act on: the menu, the page or the chain if one is open, otherwise the view in the
    /// focused panel.
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

    /// The focused tree, if the focused view is one.
    var treeHere: ValueView? {
        get { here as? ValueView }
        set { here = newValue }
    }

    // MARK: Layout

    /// Lays out the views for the current screen size and scrolls each to its selection. This is the only place where
    /// views follow a change of state.
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
            // The source marks the value that is selected in the step while the step panel is focused. Scrolling the
            // source does not move the mark.
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
