import DocumentModel
import DocumentSources
import MigrationCore

/// The story of a migration in Markdown, for a bug report, a review or a lesson.
enum TraceStory {
    /// Returns how the document was recognized, every step with its note and its changes, the failure with its location
    /// in the source and what was proved about it, and the outcome.
    ///
    /// - Parameters:
    ///   - document: The document that the story is about.
    ///   - source: The bytes that locations refer to, if the trace doesn't contain them.
    ///   - edits: The edits that were made in the document before it migrated.
    static func text(
        of trace: MigrationTrace, _ document: DocumentReference, source: SourceBytes? = nil, edits: [DocumentEdit] = []
    ) -> String {
        let source = trace.document?.source ?? source
        var blocks = ["# \(inline(TraceText.header(trace)))"]
        if !edits.isEmpty {
            blocks.append("What if, changed in memory:")
            blocks.append(list(edits.map(\.words)))
        }
        if !trace.detection.attempts.isEmpty {
            blocks.append(list(trace.detection.attempts.map { TraceText.attempt($0).trimmingPrefix("  ").description }))
        }
        blocks += trace.steps.flatMap(step)
        if let failure = trace.failure {
            blocks.append("## Failure")
            blocks.append("**\(inline(document.relocated(failure).sentence))**")
            let proofs = failure.experimentSentences
            if !proofs.isEmpty { blocks.append(list(proofs)) }
            let place = TraceText.place(of: failure, in: trace, document, source: source)
            if !place.isEmpty { blocks.append(fenced(place, "text")) }
            if let places = trace.placesSentence {
                blocks.append(inline(places))
                blocks.append(list(trace.furtherFailures.map { document.relocated($0).sentence }))
            }
        }
        if !trace.parts.isEmpty {
            blocks.append("## Parts")
            blocks.append(list(trace.parts.flatMap { TraceText.part($0, in: trace) } + trace.partSentences))
        }
        for step in ReportedPartStep.all(in: trace) {
            blocks.append("### \(inline(step.heading))")
            if let note = step.note { blocks.append("> \(inline(note))") }
            guard let changes = step.changes else { continue }
            let lines = changes.flatMap(\.reported.patchLines)
            blocks.append(lines.isEmpty ? "Nothing changed." : fenced(lines, "diff"))
            let origins = changes.compactMap { reported, origin in origin.map { "\(reported.path): \($0)" } }
            if !origins.isEmpty { blocks.append(list(origins)) }
        }
        blocks.append("## Outcome")
        blocks.append(list(TraceText.remarks(trace, document) + [trace.outcomeWords]))
        return blocks.joined(separator: "\n\n")
    }

    /// The heading of a step.
    static func heading(_ step: MigrationStep) -> String {
        "Step \(step.from) \(step.failure == nil ? "→" : "✗") \(step.to): \(step.fromType) to \(step.toType)"
    }

    private static func step(_ step: MigrationStep) -> [String] {
        var blocks = ["## \(inline(heading(step)))"]
        if let note = step.note { blocks.append("> \(inline(note))") }
        if case .madeUnencodable(let reason) = step.ending { blocks.append(inline(reason.unwrittenSentence)) }
        guard let difference = step.difference else { return blocks }
        let changes = ReportedChange.all(in: difference)
        let lines = changes.flatMap(\.patchLines)
        blocks.append(lines.isEmpty ? "Nothing changed." : fenced(lines, "diff"))
        guard let finding = step.foldedFinding else {
            if let examination = step.examination { blocks.append(list(examination.sentences)) }
            return blocks
        }
        func words(_ paths: [DocumentPath], isIntended: Bool) -> [String] {
            paths.map { "\($0)\(finding.folds.words($0)): \(StepFinding.lossWords(of: $0, isIntended: isIntended))" }
        }
        let losses = words(finding.lost, isIntended: false) + words(finding.intended, isIntended: true)
        let originWords = OriginWords(finding)
        let origins = changes.flatMap { reported in
            let origins = ReportedOrigins(reported, originWords, in: step.after)
            return (origins.own.map { ["\(reported.path)\(reported.count): \($0)"] } ?? [])
                + origins.inside.map { "\($0.place): \($0.words)" }
        }
        let all = losses + finding.narrowingSentences + finding.examination.sentences + origins
        if !all.isEmpty { blocks.append(list(all)) }
        return blocks
    }

    // MARK: Markdown

    static func list(_ items: [String]) -> String { items.map { "- \(inline($0))" }.joined(separator: "\n") }

    /// Matches the beginning of an issue number, of the name of an emoji, or of a commit hash, which has at least seven
    /// digits.
    private static var divider: Regex<Substring> {
        /[Gg][Hh]-(?=[0-9])|#(?=[0-9])|:(?=[A-Za-z0-9_+-]+:)|[0-9A-Fa-f]{6}(?=[0-9A-Fa-f])/.matchingSemantics(
            .unicodeScalar)
    }

    /// Returns the text on one line, so that none of its characters has a meaning in Markdown.
    static func inline(_ text: String) -> String {
        var isAtStart = true
        var last: Unicode.Scalar?
        // GitHub looks for mentions, issues, commits and emoji after rendering Markdown, so a backslash doesn't help
        // here.
        let apart = "<!-- -->"
        let divided = SafeText.line(text).replacing(divider) { "\($0.output)\u{0}" }
        return divided.escaping { scalar in
            defer { last = scalar }
            let mayMarkList = isAtStart
            isAtStart = isAtStart && " 0123456789".unicodeScalars.contains(scalar)
            switch scalar {
            case "\0": return apart
            case "@": return "@\(apart)"
            // A second dollar sign directly after a formula would end it.
            case "$" where last.map { $0 != " " } ?? false: return "\\$"
            case "\\", "`", "*", "_", "[", "]", "<", ">", "#", "|", "~", "&": return "\\\(scalar)"
            // GitHub turns https://… and www.… into links.
            case "/" where last == "/", "." where last == "w": return "\\\(scalar)"
            case "-" where mayMarkList, "+" where mayMarkList, "." where mayMarkList, ")" where mayMarkList:
                return "\\\(scalar)"
            default: return nil
            }
        }
    }

    /// Puts the lines between fences that are longer than any in them.
    private static func fenced(_ lines: [String], _ language: String) -> String {
        let lines = lines.map(SafeText.line)
        var longest = 2
        for line in lines {
            var run = 0
            for byte in line.utf8 {
                run = byte == UInt8(ascii: "`") ? run + 1 : 0
                longest = max(longest, run)
            }
        }
        let fence = String(repeating: "`", count: longest + 1)
        return ([fence + language] + lines + [fence]).joined(separator: "\n")
    }
}
