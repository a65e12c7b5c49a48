/// The single table of the keys of panels, used to dispatch them, to show hints in the bottom line, and to list them in
/// the help. If a key has several entries, the first one that can do something at the moment is used.
enum KeyTable {
    static let groups = timeline + panels + everywhere + tour

    /// The keys of timelines. Outside one, they do nothing, and have other meanings.
    private static let timeline: [KeyGroup] = [
        KeyGroup(
            [.rows, .value, .source], hint: "state", "the state before or after this one",
            .init(.previousState, "["), .init(.nextState, "]")),
        KeyGroup(
            .rows, "the state before or after, too", .init(.previousState, .left, "h"), .init(.nextState, .right, "l")),
        KeyGroup(
            .rows, "the oldest or the newest state", .init(.oldestState, "g", .home), .init(.newestState, "G", .end)),
        KeyGroup(
            [.rows, .value, .source], hint: "turn", "where the version or the outcome changes",
            .init(.previousTurn, "{"), .init(.nextTurn, "}")),
        KeyGroup(
            [.rows, .value, .source], hint: "follow", "the states in which this value changed",
            .init(.follow, "f")),
        KeyGroup([.rows, .value], hint: "blame", "who last changed each value", .init(.blame, "B")),
        KeyGroup(
            [.rows, .value], hint: "as migrated", "the states in the shape of the newest version",
            .init(.seeMigrated, "V")),
        KeyGroup(
            [.rows, .value, .source], hint: "leave", "leave the timeline", .init(.leaveTimeline, .escape)),
        KeyGroup(
            [.rows, .value, .source], hint: "play", "play through time, state by state", .init(.playTime, "p")),
        KeyGroup([.rows, .value], "put the states in the order of this value", .init(.orderByValue, "O")),
    ]

    private static let panels: [KeyGroup] = [
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
        KeyGroup(.panels, "next document with a different failure", .init(.nextCause, "}")),
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
        KeyGroup(.documents, hint: "causes", "why documents fail, and how many", .init(.filterByCause, "D")),
        KeyGroup(.documents, hint: "look", "go to the document's steps", .init(.showStep, .enter)),
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
        KeyGroup([.documents, .source], "a page up or down", .init(.pageUp, "b"), .init(.pageDown, " ")),
        KeyGroup(.panels, hint: "chain", "the versions of its chain and their fields", .init(.chainTable, "t")),
        KeyGroup(.panels, hint: "play", "play the migration, change by change", .init(.play, "p")),
        KeyGroup(.panels, hint: "other file", "open another file or folder", .init(.openOther, "F")),
        KeyGroup(
            .panels, hint: "all keys", "all keys, this list", isAlwaysShown: true, .init(.help, "?", .function(1))),
        KeyGroup(.panels, "read everything again", .init(.reload, "r", .function(5))),
        KeyGroup(
            .panels, "mark a document; compare another with it", .init(.mark, "m"), .init(.compare, "=")),
        KeyGroup(.panels, "the timeline of what was committed to git of it", .init(.history, "H")),
        KeyGroup(.panels, "the documents of its folder as a timeline", .init(.folderTimeline, "O")),
        KeyGroup(.panels, hint: "quit", "quit", isAlwaysShown: true, .init(.quit, "q", .control("c"))),
    ]

    /// The keys of panels that also work in overlays with rows.
    static let everywhere: [KeyGroup] = [
        KeyGroup(
            .panels, "a page up or down", .init(.pageUp, .pageUp, .control("b")),
            .init(.pageDown, .pageDown, .control("f"))),
        KeyGroup(
            .panels, "half a page up or down", .init(.halfPageUp, .control("u")), .init(.halfPageDown, .control("d"))),
        KeyGroup(.panels, "the first or the last", .init(.first, "g", .home), .init(.last, "G", .end)),
        KeyGroup(.panels, "leave the mouse to the terminal, or take it back", .init(.toggleMouse, "M")),
        KeyGroup(.panels, "redraw the screen", .init(.redraw, .control("l"))),
        KeyGroup(.panels, "suspend the program; fg resumes it", .init(.suspend, .control("z"))),
    ]

    /// The keys of the tour, which work wherever keys are not typed as text.
    static let tour: [KeyGroup] = [
        KeyGroup(.panels, "the tour: begin, or leave it", .init(.tour, "T"), .init(.leaveTour, "T")),
        KeyGroup(
            .panels, "the tour: the next and the previous stop", .init(.nextTourStop, "."),
            .init(.previousTourStop, ",")),
    ]

    /// The keys of timelines in the help.
    static let timelineLines = section("Keys in timelines", timeline)

    /// The keys in the help, with the headings of their contexts.
    ///
    /// - Parameter isInTime: Whether the keys of timelines have been listed.
    static func helpLines(_ isInTime: Bool) -> [PageLine] {
        let others = (panels + everywhere + tour).filter { $0.contexts != .panels }
        let sections: [(String, [KeyGroup])] = [
            ("Keys everywhere", groups.filter { $0.contexts == .panels }),
            ("Keys in the list of documents", others.filter { $0.contexts.contains(.documents) }),
            (
                "Keys in steps and differences",
                others.filter { $0.contexts.contains(.rows) && !$0.contexts.contains(.documents) }
            ),
            ("Keys in values", others.filter { $0.contexts.contains(.value) && !$0.contexts.contains(.rows) }),
            ("Keys in the source", others.filter { $0.contexts == .source }),
        ]
        return sections.flatMap { [.gap] + section($0, $1) } + (isInTime ? [] : [.gap] + timelineLines)
    }

    private static func section(_ heading: String, _ groups: [KeyGroup]) -> [PageLine] {
        [.heading(heading)] + groups.filter { !$0.help.isEmpty }.map { .keys($0.bindings.flatMap(\.keys), $0.help) }
    }
}

extension KeyCommand {
    static let help = KeyCommand("help") {
        let glyphs = $0.glyphs
        let rest = HelpWords.start + HelpWords.notation(glyphs) + KeyTable.helpLines($0.timeline != nil)
        let lines =
            $0.timeline == nil
            ? rest + HelpWords.signs(glyphs)
            : KeyTable.timelineLines + HelpWords.timeline(glyphs) + [.gap] + rest + HelpWords.signs(glyphs)
        return .change { $0.overlay = PageView(HelpWords.title, lines) }
    }
}
