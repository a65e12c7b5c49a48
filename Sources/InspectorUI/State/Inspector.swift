import DisplayText
import DocumentModel
import MigrationCore

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
    /// Whether there is a new build of the program.
    var isRebuilt = false
    /// What to show first; nil once it is shown or the user has navigated elsewhere.
    var opening: Opening?
    /// The selected document; nil until there is one.
    var inspection: Inspection?

    var focus = Panel.documents
    /// Whether the focused panel fills the whole screen.
    var isZoomed = false
    /// What takes the keys from the panels; nil if they have them.
    var overlay: (any Overlay)?
    var message: Message?
    /// The edits to make in the first document that is found.
    var givenEdits: [DocumentEdit]
    /// The changes made to documents, in memory.
    var whatIfs: [FoundDocument.ID: WhatIf] = [:]
    /// The histories of documents that were requested.
    var histories: [FoundDocument.ID: History] = [:]
    /// The timeline that the user is in; nil outside a timeline.
    var timeline: Timeline?
    /// The value that orders the documents of a folder; nil to keep the order of the list.
    let order: OrderKey?
    /// The path of the version in documents of no chain; nil to look for it.
    var versionKey: DocumentPath? { documents.observations.key }
    var chains = KnownChains()
    /// The position to restore in a document that is being traced again.
    var returning: Returning?

    /// What stays when another file or folder is opened.
    var kept = Carried()
    /// The path opened on the screen in place of the one on the command line; nil if that one is still open.
    var opened: String?
    var tour: TourState
    /// Whether the step panel shows the value at the step instead of the step's changes.
    var showsValue = false
    var search: TextSearch?
    /// The number of the match that the last search found; nil once another key is pressed.
    var tally: SearchTally?
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
    ///   - opensTimeline: Whether to show the timeline of the first document, if its states are committed.
    ///   - edits: The changes to make to the first document, in memory.
    ///   - order: The value that orders the documents of a place in time; nil to use the order of the
    ///     list.
    ///   - versionKey: The path of the version in documents of no chain; nil to look for it.
    ///   - tour: A tour of the documents.
    ///   - startsTour: Whether to start with the tour.
    ///   - repertoire: The characters that the terminal can show. It must match the glyphs that the canvas is drawn
    ///     with.
    ///   - program: The name of the program, for command lines.
    ///   - view: The view to restore from an earlier run of the program, shown instead of `first`.
    public init(
        title: String, first: String? = nil, opensTimeline: Bool = false, edits: [DocumentEdit] = [],
        order: OrderKey? = nil,
        versionKey: DocumentPath? = nil, tour: GuidedTour? = nil, startsTour: Bool = false,
        view: InspectedView? = nil, program: String = "migration-inspector", repertoire: Repertoire = .unicode
    ) {
        self.title = title
        self.program = program
        self.order = order
        documents.observations.key = versionKey
        // Restoring a view takes precedence over the tour.
        self.tour = tour.map { startsTour && view == nil ? .awaited($0) : .offered($0) } ?? .none
        opening = view.map(Opening.view) ?? first.map(Opening.document) ?? (opensTimeline ? .timeline : .failure)
        givenEdits = edits
        self.repertoire = repertoire
        layout = Layout()
        arrange()
    }

    /// Whether something on the screen is animated or about to expire, so that ``InspectorEvent/tick`` is needed.
    public var wantsTicks: Bool {
        awaitsResults || message?.stays == false || playing?.isPaused == false
    }

    /// Whether everything is found, checked and examined, so that the screen stays as it is until the user acts.
    public var isSettled: Bool { !awaitsResults && shown?.experiments == nil }

    /// Whether any result is missing, apart from those of experiments.
    private var awaitsResults: Bool {
        documents.isFinding || documents.isChecking || isWaiting || timeline?.facts.isWaiting == true
    }

    /// The size of the smallest window in which panels are drawn.
    public static let smallestSize: (width: Int, height: Int) = Layout.smallest

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
    var stoppable: RunProgress? { inspection?.progress.flatMap { $0.isLong ? $0 : nil } }

    /// The source named by a recorded trace; nil if the document itself was traced.
    var recordedSource: String? {
        guard let shown, shown.whole.source != documents[shown.document]?.name else { return nil }
        return shown.whole.source
    }

    /// The changes to the document on the screen; nil if there never were any.
    var whatIf: WhatIf? { inspection.flatMap { whatIfs[$0.document] } }

    /// The supposition about the document on the screen.
    var supposition: Supposition { whatIf?.supposition ?? Supposition() }

    /// The position in time of the selected document; nil outside a timeline.
    var timelinePosition: Int? { timeline?.position(of: inspection?.document) }

    /// What to show first.
    enum Opening: Sendable {
        /// The document with this title.
        case document(String)
        /// The document of a view from an earlier run of the program.
        case view(InspectedView)
        /// The timeline of the first document, up to its newest state.
        case timeline
        /// The first document that fails.
        case failure
    }

    /// The committed states of a document.
    enum History: Sendable {
        case awaited
        /// The states, newest first.
        case known([StateInTime])
    }

    /// State that is kept when another file or folder is opened: the document to compare others with, display
    /// settings, and earlier searches and paths.
    public struct Carried: Sendable {
        /// The document to compare others with.
        var mark: MarkedDocument?
        var style = DifferenceStyle.unified
        /// Whether the inspector receives clicks, instead of the terminal using them to select text.
        var takesMouse = true
        /// Earlier search texts, latest last.
        var searches: [String] = []
        /// The names of what was open before, latest last.
        var openedPaths: [String] = []
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
        if timeline != nil { return Array(Panel.allCases.dropFirst()) }
        return shown == nil ? [.documents] : Panel.allCases
    }

    /// The view in a panel; nil if the panel is empty.
    subscript(panel: Panel) -> (any PanelView)? {
        get { panel.view(self) }
        set { if let newValue { panel.replaceView(&self, newValue) } }
    }

    /// The view that the keys act on: the overlay, or the view in the focused panel.
    var here: (any PanelView)? {
        get { overlay ?? self[focus] }
        set { if overlay == nil { self[focus] = newValue } else { overlay = newValue as? any Overlay } }
    }

    /// The focused tree, if the focused view is one.
    var treeHere: ValueView? {
        get { here as? ValueView }
        set { here = newValue }
    }

    /// The context of the keys in the focused panel.
    var context: KeyContexts { treeHere == nil ? focus.context : .value }

    // MARK: Layout

    /// Lays out the views for the current screen size and scrolls each to its selection. This is the only place where
    /// views follow a change of state.
    mutating func arrange() {
        var layout = Layout(self)
        documents.show(height: layout[.documents].content.height)
        overlay?.show(in: layout.overlay)
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
            if focus == .documents { shown.source.unfollow() }
            if focus == .step { shown.source.follow(shown.selectedValue?.sourceRange) }
            shown.source.show(in: layout[.source].content)
            self.shown = shown
        }
        self.layout = layout
    }
}
