import MigrationCore

/// A check report as an HTML page, which says the same as ``CheckPage``: what needs attention first, then all documents,
/// folded.
struct CheckWebPage: CheckWriter {
    private var items: CheckItems

    init(_ reporting: CheckReporting, areStates: Bool) { items = CheckItems(reporting, areStates: areStates) }

    mutating func lines(for entry: CheckTally.Entry) -> String? {
        items.add(entry)
        return nil
    }

    func ending(_ tally: CheckTally) -> String {
        let report = tally.summary
        let title = CheckText.counts(of: report)
        var blocks: [PageMarkup?] = [.element("h1", .text(title))]
        for section in tally.sections {
            blocks.append(section.plainTitle.map(WebPage.heading))
            blocks.append(WebPage.list(section.lines.map { String($0.trimmingPrefix { $0 == " " }) }))
        }
        let causes = CheckItems.causes(of: report)
        if !causes.isEmpty { blocks += [WebPage.heading(CheckItems.causesTitle), WebPage.list(causes)] }
        let problems = items.problems
        if !problems.isEmpty { blocks += [WebPage.heading(CheckItems.problemsTitle), Self.list(problems)] }
        if !items.all.isEmpty {
            let title = items.allTitle
            blocks.append(WebPage.section(title, isOpen: false, [Self.list(items.all)]))
        }
        return WebPage.text(title: title, blocks.compactMap(\.self))
    }

    /// Returns a list of documents, each with its notes below it.
    private static func list(_ items: [CheckItems.Item]) -> PageMarkup {
        .block(
            "ul", attributes: ["class": "documents"],
            items.map { item in
                let notes = WebPage.list(item.notes)
                return .element(
                    "li", ["class": item.isProblem ? "problem" : "passed"], .text(item.line),
                    .sequence(notes.map { [$0] } ?? []))
            })
    }
}
