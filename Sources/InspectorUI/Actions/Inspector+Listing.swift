import DisplayText
import MigrationCore

/// Finding documents in the list, by name, outcome and cause.
extension KeyCommand {
    static let previousProblem = goToProblem("previousProblem", -1)
    static let nextProblem = goToProblem("nextProblem", 1)
    static let nextCause = KeyCommand("nextCause") {
        guard let row = $0.documents.rowOfOtherCause else { return .nothing(.noOtherCause) }
        return .change { $0.documents.select(row: row) }
    }

    static let filterByName = KeyCommand("filterByName") {
        .when($0.documents.count > 1) {
            $0.overlay = Prompt(
                .init(
                    label: PromptWords.nameContains, hints: PromptWords.filter, closesIfEmpty: true,
                    take: { _, _ in nil }, changed: { $0.filter(byName: $1) }, leave: { $0.filter(byName: $1) },
                    // The list can be navigated while its filter is being typed.
                    arrow: { $0.documents.move(by: $1 ? -1 : 1) }), text: $0.documents.filter.name)
        }
    }
    static let filterByOutcome = KeyCommand("filterByOutcome") {
        .when(!$0.documents.filter.withoutName.isEmpty || $0.outcomesToFilterBy.count > 1) {
            let choices = [DocumentFilter()] + $0.outcomesToFilterBy
            let here = choices.firstIndex(of: $0.documents.filter.withoutName) ?? -1
            $0.filter(choices[(here + 1) % choices.count])
        }
    }
    /// Opens the menu of causes of failures. Choosing one filters the list.
    static let filterByCause = KeyCommand("filterByCause") { now in
        let items = now.documents.countedCauses.map { cause in
            (
                label: "\(NumberWords.grouped(cause.count)) \(now.glyphs.times) \(cause.sentence)",
                choose: { @Sendable (inspector: inout Inspector) in
                    inspector.filter(DocumentFilter(cause: cause.number))
                    inspector.focus = .documents
                }
            )
        }
        return .when(!items.isEmpty, else: .noFailures) { $0.overlay = MenuView(MenuWords.causes, numbered: items) }
    }

    private static func goToProblem(_ name: String, _ direction: Int) -> KeyCommand {
        KeyCommand(name) { now in
            let here = now.documents.selectedRow
            let isInTime = now.timeline != nil
            let row = isInTime ? now.rowOfProblemInTime(direction) : now.documents.row(ofProblem: direction)
            guard let row, isInTime || row != here else {
                return .nothing(
                    isInTime
                        ? .noProblem(inTime: direction) : .noOtherProblem(unchecked: now.documents.uncheckedCount))
            }
            return .change {
                $0.documents.select(row: row)
                if !isInTime, (row > here) != (direction > 0) { $0.message = Message(.wrapped(direction)) }
            }
        }
    }
}

extension Inspector {
    fileprivate var outcomesToFilterBy: [DocumentFilter] {
        // Outcomes that need attention come first.
        let problems = [MigrationOutcome.failed, .unrecognized, .unreadable].filter { documents.count(of: $0) > 0 }
        let others = [MigrationOutcome.migrated, .current].filter { documents.count(of: $0) > 0 }
        return problems.map { DocumentFilter(outcome: $0) }
            + (documents.lossyCount > 0 ? [DocumentFilter(isLossy: true)] : [])
            + others.map { DocumentFilter(outcome: $0) }
    }

    /// Applies a filter together with the name that the list is filtered by.
    fileprivate mutating func filter(_ filter: DocumentFilter) {
        var filter = filter
        filter.name = documents.filter.name
        setFilter(filter)
    }

    fileprivate mutating func filter(byName name: String) {
        var filter = documents.filter
        filter.name = name
        setFilter(filter)
    }

    mutating func setFilter(_ filter: DocumentFilter) {
        if filter != documents.filter { apply(filter) }
    }

    /// Applies the filter again after documents were added or reordered.
    mutating func applyFilter() { if !documents.filter.isEmpty { apply(documents.filter) } }

    private mutating func apply(_ filter: DocumentFilter) {
        cancel(.filter)
        guard let matching = documents.setFilter(filter) else { return }
        start(.filter, size: documents.count, matching) { $0.documents.finishFilter(matching: $1) }
    }
}
