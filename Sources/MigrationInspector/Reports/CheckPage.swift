import MigrationCore

/// A check report in Markdown, as a comment on a pull request: what needs attention first, then all documents, folded.
struct CheckPage: CheckWriter {
    private var items: CheckItems

    init(_ reporting: CheckReporting, areStates: Bool) { items = CheckItems(reporting, areStates: areStates) }

    mutating func lines(for entry: CheckTally.Entry) -> String? {
        items.add(entry)
        return nil
    }

    func ending(_ tally: CheckTally) -> String {
        let report = tally.summary
        var blocks = ["# \(TraceStory.inline(CheckText.counts(of: report)))"]
        for section in tally.sections {
            if let title = section.plainTitle { blocks.append("## \(TraceStory.inline(title))") }
            blocks.append(TraceStory.list(section.lines.map { String($0.trimmingPrefix { $0 == " " }) }))
        }
        let causes = CheckItems.causes(of: report)
        if !causes.isEmpty { blocks += ["## \(CheckItems.causesTitle)", TraceStory.list(causes)] }
        let problems = items.problems
        if !problems.isEmpty {
            blocks += ["## \(CheckItems.problemsTitle)", problems.map(Self.item).joined(separator: "\n")]
        }
        if !items.all.isEmpty {
            let title = items.allTitle
            let all = items.all.map(Self.item).joined(separator: "\n")
            blocks += ["<details><summary>\(title)</summary>", all, "</details>"]
        }
        return blocks.joined(separator: "\n\n")
    }

    /// Returns a document with its notes below it.
    private static func item(_ item: CheckItems.Item) -> String {
        let notes = item.notes.map { "  - \(TraceStory.inline($0))" }
        return (["- \(TraceStory.inline(item.line))"] + notes).joined(separator: "\n")
    }
}
