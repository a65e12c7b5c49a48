import DisplayText
import DocumentModel

/// The text of a row, after its sign and label.
extension StepRow {
    /// The side of a difference that a row is drawn for.
    enum Side: Hashable, Sendable {
        case both, old, new
    }

    /// Returns whether the row has any content on this side.
    func isShown(on side: Side) -> Bool {
        switch (side, sign, body) {
        case (.old, .added, _), (.old, _, .movedHere), (.new, .removed, _), (.new, _, .movedAway): false
        default: true
        }
    }

    /// Returns the name of the value in the document on this side.
    func label(on side: Side) -> Label? {
        if side == .old, case .became(_, let label, _) = body { label } else { label }
    }

    /// Returns the sign on this side. A change is a removal on the old side and an addition on the new side.
    func sign(on side: Side) -> Sign {
        guard sign == .changed else { return sign }
        return switch side {
        case .both: .changed
        case .old: .removed
        case .new: .added
        }
    }

    /// Returns the sign to draw. A loss takes precedence over other signs.
    func shownSign(on side: Side) -> Sign {
        if case .loss(_, isIntended: false, _) = finding, side != .new { return .loss }
        return sign(on: side)
    }

    func signStyle(on side: Side) -> Style { isCulprit ? .culprit : shownSign(on: side).style }

    /// Returns the findings of experiments about the value on this side.
    func findingContent(on side: Side, glyphs: Glyphs) -> [StyledText] {
        func origin(_ text: String) -> StyledText { StyledText("  \(glyphs.spelled(text))", .dim) }
        return switch finding {
        case .origin(let text) where side != .old: [origin(text)]
        case .loss(let text, let isIntended, let from):
            (side == .old ? [] : [from].compactMap(\.self).map(origin))
                + (side == .new ? [] : [StyledText("  \(text)", isIntended ? .dim : .warning)])
        case .origin, nil: []
        }
    }

    func labelStyle(on side: Side) -> Style {
        if case .word = label, !isCulprit { return .label }
        return sign == .none ? (isInside ? .key : .dim) : signStyle(on: side)
    }

    private var isInside: Bool {
        switch body {
        case .inside, .absent: true
        case .value: isOpen
        default: false
        }
    }

    func content(showing side: Side, budget: Int, glyphs: Glyphs) -> [StyledText] {
        switch body {
        case .value(let node): valueContent(node, style: sign == .none ? .dim : sign.style, budget: budget)
        case .inside(let old, let new):
            [StyledText(ValueText.size(side == .old ? old : new), .dim)]
        case .change(let old, let new): changeContent(old, new, side, budget, glyphs)
        case .changedString(_, let words, let isOld):
            words.runs(isOld ? .removed : .added)
        case .movedHere(let node, let from):
            (isOpen ? [StyledText(ValueText.size(node), .dim)] : ValueText.runs(node, budget: budget).colored(.moved))
                + (side == .both ? [StyledText("  from \(from.shown)", .dim)] : [])
        case .movedAway(let node, let to):
            side == .both
                ? [StyledText("\(glyphs.arrow) \(to.shown)", .dim)]
                : ValueText.runs(node, budget: budget).colored(.moved) + [
                    StyledText("  \(glyphs.arrow) \(to.shown)", .dim)
                ]
        case .became(let old, _, let new):
            if side == .both {
                changeContent(old, new, side, budget, glyphs)
            } else {
                valueContent(side == .old ? old : new, style: sign(on: side).style, budget: budget)
            }
        case .fold(let run):
            [StyledText("\(glyphs.fold) \(NumberWords.grouped(run.count)) \(run.noun)", .dim)]
        case .repeated(let changes): [StyledText("\(glyphs.fold) \(changes.words(glyphs))", .dim)]
        case .culprit(let node, _):
            node.map { ValueText.runs($0, budget: budget).colored(.culprit) } ?? [StyledText("missing", .culprit)]
        case .absent(let text): [StyledText(text, .failed)]
        case .text(let runs), .part(_, let runs): runs
        }
    }

    private func valueContent(_ node: DocumentNode, style: Style, budget: Int) -> [StyledText] {
        isOpen && node.hasRows
            ? [StyledText(ValueText.size(node), style)] : ValueText.runs(node, budget: budget).colored(style)
    }

    private func changeContent(
        _ old: DocumentNode, _ new: DocumentNode, _ side: Side, _ budget: Int, _ glyphs: Glyphs
    ) -> [StyledText] {
        var oldRuns = ValueText.runs(old, budget: budget).colored(.removed)
        var newRuns = ValueText.runs(new, budget: budget).colored(.added)
        if side != .both, let words = ChangedWords.compare(old, new) {
            oldRuns = words.old.runs(.removed)
            newRuns = words.new.runs(.added)
        }
        switch side {
        case .old: return oldRuns
        case .new: return newRuns
        case .both: return oldRuns + [StyledText(" \(glyphs.arrow) ", .dim)] + newRuns
        }
    }
}

extension [StyledText] {
    /// Returns the same text in one style.
    func colored(_ style: Style) -> [StyledText] {
        [StyledText(map(\.text).joined(), style)]
    }
}

extension Glyphs {
    /// Returns text with its arrows replaced by ones that the terminal can draw.
    func spelled(_ words: String) -> String {
        repertoire == .unicode ? words : words.replacing("←", with: arrowBack).replacing("→", with: arrow)
    }

    /// The sign of rows that are folded into one.
    var fold: String { repertoire == .unicode ? "⋯" : "..." }
}
