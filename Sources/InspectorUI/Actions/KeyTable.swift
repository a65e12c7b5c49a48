/// The contexts that determine the meaning of keys. The step panel has two, because it shows two kinds of rows.
struct Places: OptionSet, Hashable, Sendable {
    let rawValue: UInt16

    static let documents = Places(rawValue: 1)
    /// The step panel with a difference, a failed document or the overview.
    static let rows = Places(rawValue: 2)
    /// A tree of values.
    static let value = Places(rawValue: 4)
    static let source = Places(rawValue: 8)
    /// A page over the panels, such as the list of all keys or a long text.
    static let page = Places(rawValue: 16)
    /// While the user types a name to filter by.
    static let nameFilter = Places(rawValue: 32)
    /// While the user types a text to search for.
    static let searchText = Places(rawValue: 64)
    /// While the user is asked for a value or a name.
    static let entry = Places(rawValue: 128)
    static let menu = Places(rawValue: 256)
    /// The table of a chain's versions.
    static let chain = Places(rawValue: 512)
    /// While a migration plays.
    static let playing = Places(rawValue: 1024)
    /// While the user is asked for the name of a file or folder.
    static let pathEntry = Places(rawValue: 2048)

    static let panels: Places = [.documents, .rows, .value, .source]
    /// The contexts in which keys are not typed as text.
    static let notTyping: Places = [.panels, .page, .chain, .playing, .menu]
    static let everywhere = panels.union([.page, .chain])
}

/// Keys that belong together and share a line of the help and a word at the bottom of the screen.
struct KeyGroup: Sendable {
    struct Binding: Sendable {
        let command: Command
        let keys: [InspectorKey]

        init(_ command: Command, _ keys: InspectorKey...) {
            self.command = command
            self.keys = keys
        }
    }

    let places: Places
    let bindings: [Binding]
    /// The word at the bottom of the screen; nil if the keys need none.
    let hint: String?
    /// The explanation of the keys in the help.
    let help: String

    init(_ places: Places, hint: String? = nil, _ help: String, _ bindings: Binding...) {
        self.places = places
        self.bindings = bindings
        self.hint = hint
        self.help = help
    }

    /// Returns the group of the keys that go up and down.
    static func upAndDown(_ places: Places, hint: String, _ help: String) -> KeyGroup {
        KeyGroup(places, hint: hint, help, .init(.up, .up, "k"), .init(.down, .down, "j"))
    }
}

/// The single table of all keys, used to dispatch them, to show hints in the bottom line, and to list them in the
/// help. If a key has several entries, the first one that can do something at the moment is used.
enum KeyTable {
    static let groups: [KeyGroup] = [
        KeyGroup(
            [.rows, .value, .source], hint: "state", "the state before or behind this one",
            .init(.previousState, "["), .init(.nextState, "]")),
        KeyGroup(
            .rows, "the state before or behind, too", .init(.previousState, .left, "h"), .init(.nextState, .right, "l")),
        KeyGroup(
            [.rows, .value, .source], hint: "turn", "where the version or the outcome turns",
            .init(.previousTurn, "{"), .init(.nextTurn, "}")),
        KeyGroup(
            [.rows, .value], hint: "follow", "the states in which this value changed",
            .init(.follow, "f")),
        KeyGroup(
            [.rows, .value, .source], hint: "leave", "leave the timeline", .init(.leaveTimeline, .escape)),
        KeyGroup([.rows, .value], "put the states in the order of this value", .init(.orderByValue, "O")),
        .upAndDown(.documents, hint: "document", "previous or next document"),
        .upAndDown(.rows, hint: "row", "up or down a row"),
        .upAndDown(.value, hint: "row", "up or down a row"),
        .upAndDown(.source, hint: "line", "up or down a line"),
        KeyGroup(
            .value, hint: "fold", "close, or go out; open, or go in", .init(.closeOrLeave, .left, "h"),
            .init(.openOrEnter, .right, "l")),
        KeyGroup(
            .source, hint: "sideways", "to the left or right in long lines", .init(.scrollLeft, .left, "h", "<"),
            .init(.scrollRight, .right, "l", ">")),
        KeyGroup(
            [.documents, .rows], hint: "step", "previous or next step", .init(.previousStep, .left, "h", "["),
            .init(.nextStep, .right, "l", "]")),
        KeyGroup(
            [.rows, .value], hint: "open", "open or close what is under the cursor",
            .init(.toggleFold, .enter, " ", "z")),
        KeyGroup(.panels, hint: "new build", "start the new build of this program, here", .init(.restart, "R")),
        KeyGroup(.panels, hint: "stop", "stop what is running", .init(.stop, .stop)),
        KeyGroup([.rows, .value], hint: "read", "all of a long text", .init(.read, .enter)),
        KeyGroup(.rows, hint: "part", "look at this part as at a document", .init(.openPart, .enter)),
        KeyGroup(
            .panels, hint: "panel", "next or previous panel", .init(.nextPanel, .tab), .init(.previousPanel, .backTab)),
        KeyGroup(
            .panels, hint: "error", "next (e), previous (E) document with a problem", .init(.nextProblem, "e"),
            .init(.previousProblem, "E")),
        KeyGroup(.panels, "next document that fails of another cause", .init(.nextCause, "}")),
        KeyGroup(
            .panels, hint: "try repair", "what if: make the repair that was found",
            .init(.repair, "a")),
        KeyGroup(
            .panels, hint: "what passes", "", .init(.offerPassing, "C")),
        KeyGroup(
            .panels, hint: "pick chain", "",
            .init(.pickChain, "C")),
        KeyGroup(
            .panels, hint: "undo", "take the last change back", .init(.undoChange, "u")),
        KeyGroup(
            .panels, hint: "redo", "make the change again that was taken back",
            .init(.redoChange, .control("r"))),
        KeyGroup(
            .panels, hint: "diff style", "before and after below or beside each other", .init(.changeStyle, "d")),
        KeyGroup(
            .panels, hint: "value", "the value at this step, or what the step changed", .init(.toggleValue, "v")),
        KeyGroup(.documents, hint: "filter", "only documents with this in their name", .init(.filterByName, "/")),
        KeyGroup([.rows, .value, .source], hint: "search", "search", .init(.search, "/")),
        KeyGroup(
            [.rows, .value, .source], hint: "match", "next (n) or previous (N) match", .init(.nextMatch, "n"),
            .init(.previousMatch, "N")),
        KeyGroup(
            .rows, hint: "change", "next (n) or previous (N) change", .init(.nextChange, "n"),
            .init(.previousChange, "N")),
        KeyGroup(.rows, hint: "unfold", "open everything that is folded", .init(.openAll, "o")),
        KeyGroup(
            .value, hint: "all", "open (o) or close (c) all under the cursor", .init(.openAll, "o"),
            .init(.closeAll, "c")),
        KeyGroup(
            [.value, .source], hint: "step", "previous or next step", .init(.previousStep, "["), .init(.nextStep, "]")),
        KeyGroup(
            .documents, hint: "outcome", "only the failed ones, only the migrated ones …", .init(.filterByOutcome, "f")),
        KeyGroup(.documents, hint: "causes", "what documents fail of, and how many", .init(.filterByCause, "D")),
        KeyGroup(.documents, hint: "look", "go to the document's steps", .init(.open, .enter)),
        KeyGroup(
            [.rows, .value], hint: "sideways", "to the left or right in long lines", .init(.scrollLeft, "<"),
            .init(.scrollRight, ">")),
        KeyGroup(.panels, hint: "back", "back, out of zoom, part, panel or filter", .init(.back, .escape)),
        KeyGroup(.panels, hint: "zoom", "this panel on the whole screen", .init(.zoom, .enter, "Z")),
        KeyGroup(.panels, "this panel in its place again", .init(.unzoom, "Z")),
        KeyGroup(.panels, hint: "source", "the source text", .init(.showSource, "s")),
        KeyGroup(
            .panels, hint: "what if", "what if: another value, those that pass, a chain",
            .init(.change, "C")),
        KeyGroup(
            .panels, hint: "write", "write the mended document, a patch, the story …",
            .init(.write, "w")),
        KeyGroup(
            .panels, hint: "shrink", "what if: the smallest document that fails alike", .init(.shrink, "S")),
        KeyGroup(
            .panels, hint: "copy", "copy the place, the path, the value, the patch …", .init(.copy, "y")),
        KeyGroup(
            .panels, hint: "editor", "open the document in your editor at this place", .init(.edit, .control("o"), "o")),
        KeyGroup(
            .panels, "documents, step, source", .init(.showDocuments, "1"), .init(.showStep, "2"),
            .init(.showSource, "3")),
        KeyGroup(
            .everywhere, "a page up or down", .init(.pageUp, .pageUp, .control("b")),
            .init(.pageDown, .pageDown, .control("f"))),
        KeyGroup([.documents, .source], "a page up or down", .init(.pageUp, "b"), .init(.pageDown, " ")),
        KeyGroup(
            .everywhere, "half a page up or down", .init(.halfPageUp, .control("u")),
            .init(.halfPageDown, .control("d"))),
        KeyGroup(.everywhere, "the first or the last", .init(.first, "g", .home), .init(.last, "G", .end)),
        KeyGroup(.panels, hint: "chain", "the versions of its chain and their fields", .init(.chainTable, "t")),
        KeyGroup(.panels, hint: "play", "play the migration, change by change", .init(.play, "p")),
        KeyGroup(.playing, hint: "pace", "", .init(.slower, "-"), .init(.faster, "+", "=")),
        KeyGroup(
            .playing, hint: "change", "", .init(.previousBeat, .left, "h", "["), .init(.nextBeat, .right, "l", "]")),
        KeyGroup(.playing, hint: "wait or go on", "", .init(.pause, " ")),
        KeyGroup(.playing, hint: "end", "", .init(.endPlaying, .escape, "p", "q")),
        .upAndDown(.chain, hint: "field", ""),
        KeyGroup(
            .chain, hint: "version", "", .init(.previousVersion, .left, "h", "["),
            .init(.nextVersion, .right, "l", "]")),
        KeyGroup(.chain, hint: "close", "", .init(.closeChainTable, .escape, "t", "q")),
        KeyGroup(
            .notTyping, "the tour: begin, or leave it", .init(.tour, "T"), .init(.leaveTour, "T")),
        KeyGroup(
            .notTyping, "the tour: the next and the previous stop", .init(.nextTourStop, "."),
            .init(.previousTourStop, ",")),
        .upAndDown(.page, hint: "scroll", ""),
        KeyGroup(.page, "", .init(.pageDown, " ")),
        KeyGroup(.page, hint: "close", "", .init(.closePage, .escape, "?", "q", .enter)),
        KeyGroup(
            .menu, hint: "item", "", .init(.up, .up, "k"), .init(.down, .down, "j")),
        KeyGroup(.menu, hint: "choose", "", .init(.chooseItem, .enter)),
        KeyGroup(.menu, hint: "close", "", .init(.closeMenu, .escape)),
        KeyGroup(.entry, hint: "take", "", .init(.endTyping, .enter)),
        KeyGroup(.entry, hint: "leave", "", .init(.undoTyping, .escape)),
        KeyGroup(
            .pathEntry, hint: "complete", "", .init(.nextCompletion, .tab), .init(.previousCompletion, .backTab)),
        KeyGroup(.pathEntry, hint: "open", "", .init(.endTyping, .enter)),
        KeyGroup(.pathEntry, hint: "leave", "", .init(.undoTyping, .escape)),
        KeyGroup(.nameFilter, hint: "keep", "", .init(.endTyping, .enter)),
        KeyGroup(.nameFilter, hint: "undo", "", .init(.undoTyping, .escape)),
        KeyGroup(.searchText, hint: "search", "", .init(.endTyping, .enter)),
        KeyGroup(.searchText, hint: "leave", "", .init(.undoTyping, .escape)),
        KeyGroup(.panels, hint: "other file", "open another file or folder", .init(.openOther, "F")),
        KeyGroup(.panels, hint: "all keys", "all keys, this list", .init(.help, "?", .function(1))),
        KeyGroup(.panels, "read everything again", .init(.reload, "r", .function(5))),
        KeyGroup(
            .panels, "mark a document; compare another with it", .init(.mark, "m"), .init(.compare, "=")),
        KeyGroup(.panels, "the timeline of what was committed to git of it", .init(.history, "H")),
        KeyGroup(.panels, "the documents of its place as a timeline", .init(.place, "O")),
        KeyGroup(.everywhere, "leave the mouse to the terminal, or take it back", .init(.toggleMouse, "M")),
        KeyGroup(.everywhere, "redraw the screen", .init(.redraw, .control("l"))),
        KeyGroup(.everywhere, "suspend the program; fg resumes it", .init(.suspend, .control("z"))),
        KeyGroup(.panels, hint: "quit", "quit", .init(.quit, "q", .control("c"))),
    ]

    /// The lines of the help, grouped by context.
    static let helpLines: [PageView.Line] = {
        let isOfTimeline = { (group: KeyGroup) in group.bindings.allSatisfy(\.command.isOfTimeline) }
        let sections: [(String, (KeyGroup) -> Bool)] = [
            ("Everywhere", { $0.places.isSuperset(of: .panels) }),
            ("Documents", { $0.places.contains(.documents) }),
            (
                "Steps and differences",
                { $0.places.contains(.rows) && !$0.places.contains(.documents) && !isOfTimeline($0) }
            ),
            ("Values", { $0.places.contains(.value) && !$0.places.contains(.rows) }),
            ("Source", { $0.places == .source }),
            ("Timelines", isOfTimeline),
        ]
        var lines: [PageView.Line] = []
        for (heading, belongs) in sections {
            if !lines.isEmpty { lines.append(.gap) }
            lines.append(.heading(heading))
            for group in groups where !group.help.isEmpty && belongs(group) {
                if group.places.isSuperset(of: .panels), heading != "Everywhere" { continue }
                lines.append(.keys(group.bindings.flatMap(\.keys), group.help))
            }
        }
        return lines
    }()
}
