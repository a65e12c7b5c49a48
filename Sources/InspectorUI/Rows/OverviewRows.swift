import DisplayText
import DocumentModel
import MigrationCore

/// The overview of a document as a whole: its version and how that was detected, the outcome of the migration, losses
/// and warnings, and the document's parts.
enum OverviewRows {
    static func rows(
        _ trace: MigrationTrace, _ revision: DocumentRevision? = nil, width: Int, repertoire: Repertoire
    ) -> [StepRow] {
        var builder = Builder(width: width, repertoire: repertoire)
        // The failure comes first.
        if let failure = trace.failure, failure.step == nil, let document = trace.document,
            failure.kind != .unsupportedVersion || isOfShape(failure, trace), trace.parts.isEmpty
        {
            builder.rows += FailureRows.rows(document: document, failure: failure)
            builder.appendGap()
        }
        builder.appendParts(trace.parts)
        // An unrecognized document has nothing else to show than each chain's reasons.
        if case .unrecognized(let reasons) = trace.opening {
            builder.append("Why not", reasons.unrecognizedSentences(.key))
        }
        // Losses and warnings come before things that are as they should be.
        let reported = CheckResult(trace)
        builder.append("Lost", (reported.lost ?? []).sentences(reported.folds), sign: .loss, style: .warning)
        builder.append("Narrowed", (reported.narrowed ?? []).sentences(reported.folds), sign: .loss, style: .warning)
        builder.append("Not known", trace.examined?.sentences ?? [], sign: .warning, style: .warning)
        if trace.leftOver == nil {
            builder.append("Not known", trace.droppedSentences, sign: .warning, style: .warning)
        } else {
            builder.append("Dropped", trace.droppedSentences, sign: .loss, style: .warning)
        }
        builder.append(
            "Left over", (reported.leftOver ?? []).map { "\($0)\(reported.folds.words($0)): a step read it" })
        builder.append("Warning", trace.warnings.map(\.description), sign: .warning, style: .warning)
        if let failure = trace.reopens?.failure {
            builder.append("Written", failure.reopeningSentence, sign: .warning, style: .warning)
        }
        if let reason = trace.notEncodable {
            builder.append("Written", reason.unwrittenSentence, sign: .warning, style: .warning)
        }
        if let revision {
            builder.append("Commit", "\(revision.shortCommit) \(revision.day), \(revision.author): \(revision.subject)")
            if let sentence = revision.unsearchedSentence {
                builder.append("Renames", sentence, sign: .warning, style: .warning)
            }
        }
        builder.appendVersion(trace)
        builder.appendAttempts(trace)
        builder.appendOutcome(trace)
        return builder.rows
    }

    /// Returns whether no version was detected because of a field other than the version key.
    private static func isOfShape(_ failure: MigrationFailure, _ trace: MigrationTrace) -> Bool {
        trace.detection.version == nil && failure.culprit != nil
    }

    private struct Builder {
        let width: Int
        let repertoire: Repertoire
        var rows: [StepRow] = []

        private static let labelWidth = 9
        private var room: Int { width - StepRow.gutter - Self.labelWidth - 3 }

        /// Appends a labeled text, in as many rows as it needs.
        mutating func append(_ label: String, _ text: String, sign: StepRow.Sign = .none, style: Style = .plain) {
            for (line, piece) in TextWidth.wrap(text.withoutMiddle(), to: max(8, room), repertoire: repertoire)
                .enumerated()
            {
                rows.append(
                    StepRow(
                        sign: line == 0 ? sign : .none, label: .word(line == 0 ? label : ""),
                        labelWidth: Self.labelWidth, body: .text([StyledText(String(piece), style)])))
            }
        }

        /// Appends several texts under one label; appends nothing if there are no texts.
        mutating func append(_ label: String, _ texts: [String], sign: StepRow.Sign = .none, style: Style = .plain) {
            for (position, text) in texts.enumerated() {
                append(position == 0 ? label : "", text, sign: sign, style: style)
            }
        }

        mutating func appendGap() { rows.append(StepRow(body: .text([]))) }

        mutating func appendVersion(_ trace: MigrationTrace) {
            guard let chain = trace.chain else {
                if let format = trace.format { append("Format", format.words) }
                return
            }
            append("Chain", chain)
            guard let version = trace.detection.version else {
                return append("Version", trace.unknownVersion, sign: .unrecognized)
            }
            let type = trace.versions.first { $0.version == version }?.type
            let name = [version.description, type].compactMap { $0 }.joined(separator: " ")
            append("Version", "\(name), \(found(trace.detection))")
            if let format = trace.format { append("Format", format.words) }
        }

        private func found(_ detection: VersionDetection) -> String {
            if let path = detection.path { return "found at \(path.shown)" }
            switch detection.version {
            case .unversioned?: return "since there is no version key"
            case .written?: return "found in several values"
            default: return "found by the document's shape"
            }
        }

        /// Appends the versions that were tried, as a table if there is room.
        mutating func appendAttempts(_ trace: MigrationTrace) {
            let attempts = trace.detection.attempts
            let names = attempts.map { "\($0.version) \($0.type)" }
            let nameWidth = min(30, names.reduce(0) { max($0, columns($1)) })
            for (position, attempt) in attempts.enumerated() {
                let name = names[position]
                let padding = String(repeating: " ", count: max(0, nameWidth - columns(name)))
                let finding = finding(attempt)
                let isIt = attempt.reason == nil
                let sign: StepRow.Sign = isIt ? .succeeded : .none
                let style: Style = isIt ? .plain : .dim
                let label = position == 0 ? "Versions" : ""
                if finding.isEmpty {
                    append(label, name, sign: sign, style: style)
                } else if columns(name + padding) + 2 + columns(finding) <= room {
                    append(label, "\(name)\(padding)  \(finding)", sign: sign, style: style)
                } else {
                    append(label, name, sign: sign, style: style)
                    append("", finding, style: style)
                }
            }
        }

        /// Returns why the document is not of this version or, for its own version, the value found at the version's
        /// path.
        private func finding(_ attempt: VersionDetection.Attempt) -> String {
            if let reason = attempt.reason { return reason.sentenceWithPlace }
            guard let path = attempt.path?.shown else { return "" }
            guard let found = attempt.found else { return "\(path) is not there" }
            return "\(path) is " + ValueText.runs(found.root, budget: 40).map(\.text).joined()
        }

        private func columns(_ text: String) -> Int { TextWidth.columns(of: text, repertoire: repertoire) }

        mutating func appendOutcome(_ trace: MigrationTrace) {
            if let sentence = trace.outcomeSentence {
                append("Outcome", sentence, sign: trace.reopens?.failure == nil ? .succeeded : .warning)
            } else if let tried = trace.failure?.tried, trace.detection.attempts.isEmpty {
                append("Versions", tried.map(\.description).joined(separator: ", "))
            }
        }

        mutating func appendParts(_ parts: [MigrationTrace]) {
            guard !parts.isEmpty else { return }
            let first = rows.count
            // Failed parts come first, since they need attention most.
            let order = parts.indices.filter { parts[$0].outcome.isProblem }
            for index in order + parts.indices.filter({ !parts[$0].outcome.isProblem }) {
                let part = parts[index]
                let result = CheckResult(part)
                let label = part.path.flatMap { $0.isRoot ? nil : StepRow.Label.path($0) }
                rows.append(
                    StepRow(
                        sign: StepRow.Sign(part.outcome), label: label ?? .word(part.source),
                        body: .part(index, VersionSummary.runs(result, repertoire: repertoire) + blame(part))))
            }
            rows.alignLabels(in: first..<rows.count, depth: 0, widest: width / 2)
            rows.insert(StepRow(body: .text([StyledText("Parts that migrate on their own", .label)])), at: first)
            appendGap()
        }

        private func blame(_ part: MigrationTrace) -> [StyledText] {
            guard let failure = part.failure else { return [] }
            return field(behind: failure, of: part) + [
                StyledText("  \(Glyphs.glyphs(for: repertoire).pointer) \(failure.shown.message)", .failed)
            ]
        }

        /// Returns the field inside the part that broke it, highlighted with its value; empty if that is the part
        /// itself or does not exist.
        private func field(behind failure: MigrationFailure, of part: MigrationTrace) -> [StyledText] {
            let document = part.steps.last { $0.failure != nil }?.before ?? part.document
            guard let path = failure.culprit?.path ?? failure.path, !path.isRoot, let root = document?.root,
                let node = root.descendant(at: path)
                    ?? root.string.flatMap({ try? Document(json: $0) })?.root.descendant(at: path)
            else { return [] }
            let name = StepRow.Label.path(path).text
            return [StyledText("  \(name)  ", .culprit)]
                + ValueText.runs(node, budget: 40).map { StyledText($0.text, .culprit) }
        }
    }
}

extension StepRow {
    /// The width of the sign and the space around it, before a row's label.
    static let gutter = 5
}

extension DocumentFormat {
    /// The name of the format as people know it.
    var words: String {
        switch self {
        case .json: "JSON"
        case .json5: "JSON5"
        case .plistXML: "property list, XML"
        case .plistBinary: "property list, binary"
        }
    }
}
