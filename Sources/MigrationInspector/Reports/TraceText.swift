import DisplayText
import DocumentModel
import DocumentSources
import Foundation
import InspectorUI
import MigrationCore

/// A trace as text.
enum TraceText {
    /// Returns the whole trace as text; see ``write(_:_:source:edits:line:)``.
    static func text(
        of trace: MigrationTrace, _ document: DocumentReference, source: SourceBytes?, edits: [DocumentEdit] = []
    ) -> String {
        var lines: [String] = []
        write(trace, document, source: source, edits: edits) { lines.append($0) }
        return lines.joined(separator: "\n")
    }

    /// Writes the whole trace line by line: detection, every step with its changes, the failure with its location in
    /// the source, and the outcome. A large document has many lines, and none of them is kept.
    ///
    /// - Parameters:
    ///   - document: The document that was traced.
    ///   - source: The bytes that locations in the trace refer to.
    ///   - edits: The edits that were made in the document before it migrated.
    ///   - line: Called with each line, which is safe to print.
    /// - Throws: The errors of `line`.
    static func write(
        _ trace: MigrationTrace, _ document: DocumentReference, source: SourceBytes?, edits: [DocumentEdit] = [],
        line: (String) throws -> Void
    ) rethrows {
        func write(_ lines: [String]) throws { for text in lines { try line(SafeText.line(text)) } }
        try write([header(trace)])
        if !edits.isEmpty { try write(["what if: \(edits.map(\.words).joined(separator: ", "))"]) }
        try write(trace.detection.attempts.map(attempt))
        for step in trace.steps {
            try self.step(step) { try write([$0]) }
            try write(keptParts(by: step, in: trace).map { "  ✗ \($0)" })
        }
        var lines: [String] = []
        if let failure = trace.failure { lines += self.failure(failure, in: trace, document, source: source) }
        if let sentence = trace.placesSentence {
            lines += ["", sentence]
            for failure in trace.furtherFailures {
                lines.append("  then \(document.relocated(failure).sentence)")
                lines += failure.experimentSentences.map { "    \($0)" }
            }
        }
        if !trace.parts.isEmpty { lines.append("") }
        lines += trace.parts.flatMap { part($0, in: trace) }
        for step in ReportedPartStep.all(in: trace) {
            lines += ["", step.heading] + (step.note.map { ["  note: \($0)"] } ?? [])
            guard let changes = step.changes else { continue }
            if changes.isEmpty { lines.append("  nothing changed") }
            lines += changes.map { "  " + $0.reported.line + ($0.origin.map { "  (\($0))" } ?? "") }
        }
        lines += trace.partSentences.map { "  ! \($0)" }
        lines.append("")
        lines += remarks(trace, document)
        lines.append(trace.outcomeWords)
        try write(lines)
    }

    /// Returns remarks about the document apart from its steps and its failure.
    static func remarks(_ trace: MigrationTrace, _ document: DocumentReference) -> [String] {
        var lines = trace.writingSentences.map { "warning: \($0)" }
        let reported = trace.folding()
        lines += reported.dropped.map {
            reported.leftOver == nil ? [$0].unreadSentence(reported.folds) : [$0].droppedSentence(reported.folds)
        }
        lines += (reported.leftOver ?? []).map { [$0].leftOverSentence(reported.folds) }
        if case .unrecognized(let reasons) = trace.opening { lines += reasons.traceLines }
        lines += trace.warnings.map { "warning: \(document.relocated($0))" }
        if let failure = trace.reopens?.failure { lines.append("warning: \(failure.reopeningSentence)") }
        if let reason = trace.notEncodable { lines.append(reason.unwrittenSentence) }
        return lines
    }

    static func header(_ trace: MigrationTrace) -> String {
        let format = trace.format.map { " (\($0.rawValue))" } ?? ""
        guard let chain = trace.chain else { return trace.source + format }
        let version = trace.detection.version.map { ", version \($0)" } ?? ""
        let path = trace.detection.path.map { " at \($0)" } ?? ""
        return "\(trace.source)\(format): \(chain)\(version)\(path)"
    }

    static func attempt(_ attempt: VersionDetection.Attempt) -> String {
        let sign = attempt.reason == nil ? "●" : "○"
        return "  \(sign) \(attempt.version) \(attempt.type)"
            + (attempt.reason.map { ": \($0.sentenceWithPlace)" } ?? "")
    }

    private static func step(_ step: MigrationStep, line: (String) throws -> Void) rethrows {
        let sign = step.failure != nil ? "✗" : "→"
        let time = NumberWords.seconds(step.seconds)
        try line("")
        try line("step \(step.from) \(sign) \(step.to)  (\(step.fromType) to \(step.toType), \(time))")
        if let note = step.note { try line("  note: \(note)") }
        if case .madeUnencodable(let reason) = step.ending { try line("  " + reason.unwrittenSentence) }
        guard let difference = step.difference else { return }
        let origins = step.finding.map(OriginWords.init)
        for reported in ReportedChange.all(in: difference) {
            let origins = origins.map { ReportedOrigins(reported, $0, in: step.after) }
            try line("  " + reported.line + (origins?.own.map { "  (\($0))" } ?? ""))
            for (place, words) in origins?.inside ?? [] { try line("      \(place)  (\(words))") }
        }
        if difference.isEmpty { try line("  nothing changed") }
        for remark in remarks(on: step) {
            try line("  " + (remark.sign.map { "\($0) " } ?? "") + remark.sentence)
        }
    }

    /// Returns what a step loses, with the sign `!`, and what could not be examined, with `?`. Intended losses have no
    /// sign.
    static func remarks(on step: MigrationStep) -> [(sign: String?, sentence: String)] {
        let finding = step.foldedFinding
        let folds = finding?.folds ?? PathFolds()
        func words(_ paths: [DocumentPath]?, isIntended: Bool) -> [String] {
            (paths ?? []).map {
                "\($0)\(folds.words($0)): \(StepFinding.lossWords(of: $0, isIntended: isIntended))"
            }
        }
        let losses = words(finding?.lost, isIntended: false) + (finding?.narrowingSentences ?? [])
        return losses.map { ("!", $0) } + (step.examination?.sentences ?? []).map { ("?", $0) }
            + words(finding?.intended, isIntended: true).map { (nil, $0) }
    }

    /// Returns a sentence for each part that stays as it was because it failed in a step that the others passed. Only
    /// keys of preferences do.
    static func keptParts(by step: MigrationStep, in trace: MigrationTrace) -> [String] {
        trace.parts.filter { step.failure == nil && $0.failure?.step == .init(from: step.from, to: step.to) }
            .map(\.keptSentence)
    }

    private static func failure(
        _ failure: MigrationFailure, in trace: MigrationTrace, _ document: DocumentReference, source: SourceBytes?
    ) -> [String] {
        var lines = ["", "✗ \(document.relocated(failure).sentence)"]
        lines += failure.experimentSentences.map { "  \($0)" }
        lines += place(of: failure, in: trace, document, source: source).map { "  " + $0 }
        return lines
    }

    /// Returns the place of the failure and the line of the source there; empty if its location isn't known.
    static func place(
        of failure: MigrationFailure, in trace: MigrationTrace, _ document: DocumentReference, source: SourceBytes?
    ) -> [String] {
        guard let location = failure.location else { return [] }
        var lines = [document.place(of: failure)]
        let string = location.within.flatMap { trace.document?.value(at: $0)?.string }
        // A binary property list has no locations, except within its strings.
        if let source = location.within == nil ? source : string.map({ SourceBytes($0) }) {
            let excerpt = SourceExcerpt(
                bytes: source, location: location, others: trace.document?.locationsOfOthers(than: failure) ?? [],
                firstLine: location.within == nil ? document.firstLine ?? 1 : 1)
            lines += excerpt.lines
        }
        return lines
    }

    /// Returns the line for a part, followed by the reason why it failed unless the whole document already reports it.
    static func part(_ part: MigrationTrace, in trace: MigrationTrace) -> [String] {
        let line = "part \(part.path ?? .root): \(part.chain ?? "") \(VersionText.path(of: CheckResult(part)))"
        let reported = [trace.failure].compactMap(\.self) + trace.furtherFailures
        guard let failure = part.failureOfWhole, !reported.contains(where: { $0.reason == failure.reason })
        else {
            return [line]
        }
        return [line, "  \(failure.sentence)"]
    }
}

extension [Reason] {
    /// The reasons why each chain rejects a document, and how to open it anyway.
    fileprivate var traceLines: [String] {
        let sentences = unrecognizedSentences(.option)
        return sentences.prefix(count).map { "reason: \($0)" } + sentences.dropFirst(count)
    }
}
