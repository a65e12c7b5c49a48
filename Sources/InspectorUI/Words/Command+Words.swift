extension Command {
    /// Whether the command only has an effect in a timeline.
    var isOfTimeline: Bool {
        switch self {
        case .previousState, .nextState, .previousTurn, .nextTurn, .follow, .orderByValue, .leaveTimeline: true
        default: false
        }
    }

    /// Returns why the command's key had no effect, if the user may wonder why; nil for keys that move.
    func wordsForNothing(in inspector: Inspector) -> String? {
        switch self {
        case .play where inspector.timeline != nil: "a timeline does not play; Esc leaves it"
        case .play where inspector.shown == nil || inspector.shown?.running != nil: "the document is not read yet"
        case .mark: "only a document that parses can be marked"
        case .orderByValue where inspector.timeline?.isHistory == true: "commits have an order of their own"
        case .compare: "no other document is marked; m marks one"
        case .shrink: "only a document that fails and parses can be shrunk, once at a time"
        case .repair where inspector.hasPassingValues:
            "no repair is known: what passes may mean something else; C offers it"
        case .repair: "no repair is proved here; C changes a value"
        case .undoChange: "nothing is changed"
        case .redoChange: "no change was taken back"
        case .history: "this is a timeline; Esc leaves it"
        case .place: "there is no other document in its place"
        case .play: "there are no steps to play"
        case .tour: "there is no tour of these documents; the command tour opens one"
        case .chainTable: "no chain recognizes this document"
        case .follow, .orderByValue: "there is no value under the cursor"
        case .previousState: "this is the first state"
        case .nextState: "this is the last state"
        case .nextProblem where inspector.timeline != nil: "no state behind this has a problem"
        case .previousProblem where inspector.timeline != nil: "no state before this has a problem"
        case .nextProblem, .previousProblem: "no other document has a problem"
        case .nextCause: "no document in the list fails of another cause"
        case .filterByCause: "no document fails"
        case .change: "there is no value to change"
        case .restart: "the program was not rebuilt"
        case .stop: "nothing is running"
        default: nil
        }
    }
}
