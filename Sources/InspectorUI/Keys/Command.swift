/// Everything a key can do.
enum Command: Hashable, Sendable, CaseIterable {
    case up, down, pageUp, pageDown, halfPageUp, halfPageDown, first, last
    case previousStep, nextStep
    case nextPanel, previousPanel, showDocuments, showStep, showSource
    case open, openPart, zoom, unzoom, back
    case previousProblem, nextProblem
    case changeStyle, toggleValue
    case toggleFold, closeOrLeave, openOrEnter, openAll, closeAll
    case scrollLeft, scrollRight
    case filterByName, filterByOutcome
    case search, nextMatch, previousMatch
    case help, closeHelp
    case reload, redraw, suspend, quit
}
