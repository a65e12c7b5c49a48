import DocumentModel
import MigrationCore

/// What there is to say of a document as a whole: its version and how that was found out, what came of it, what was
/// dropped, what to know besides, and its parts.
enum OverviewRows {
    static func rows(_ trace: MigrationTrace, width: Int, repertoire: Repertoire) -> [StepRow] {
        var builder = Builder(width: width, repertoire: repertoire)
        builder.appendVersion(trace)
        builder.appendAttempts(trace)
        builder.appendOutcome(trace)
        builder.appendParts(trace.parts)
        builder.appendDropped(trace.dropped)
        builder.appendWarnings(trace.warnings)
        if let failure = trace.failure, failure.step == nil, let document = trace.document,
            failure.kind != .unsupportedVersion, trace.parts.isEmpty
        {
            builder.appendGap()
            builder.rows += FailureRows.rows(document: document, failure: failure)
        }
        return builder.rows
    }

    private struct Builder {
        let width: Int
        let repertoire: Repertoire
        var rows: [StepRow] = []

        init(width: Int, repertoire: Repertoire) {
            self.width = width
            self.repertoire = repertoire
        }

        private static let labelWidth = 9

        /// Text behind a word that names it, in as many rows as it takes.
        mutating func append(_ label: String, _ text: String, sign: StepRow.Sign = .none, style: Style = .plain) {
            let room = max(8, width - StepRow.gutter - Self.labelWidth - 2)
            for (line, piece) in TextWidth.wrap(text, to: room, repertoire: repertoire).enumerated() {
                rows.append(
                    StepRow(
                        sign: line == 0 ? sign : .none, label: .word(line == 0 ? label : ""),
                        labelWidth: Self.labelWidth, body: .text([StyledText(String(piece), style)])))
            }
        }

        mutating func appendGap() {
            rows.append(StepRow(body: .text([])))
        }

        mutating func appendVersion(_ trace: MigrationTrace) {
            let detection = trace.detection
            switch (trace.chain, detection.version) {
            case (nil, _):
                append("Chain", "none of the chains claims this document", sign: .unrecognized)
            case (let chain?, let version?):
                let type = trace.versions.first { $0.version == version }?.type
                append("Chain", chain)
                append("Version", [version.description, type].compactMap { $0 }.joined(separator: " "))
                append("Found", found(detection))
            case (let chain?, nil):
                append("Chain", chain)
                append("Version", "could not be made out", sign: .unrecognized)
            }
        }

        private func found(_ detection: VersionDetection) -> String {
            if let path = detection.path { return "at \(path)" }
            return detection.version == .unversioned ? "the document has no version key" : "by the document's shape"
        }

        mutating func appendAttempts(_ trace: MigrationTrace) {
            for (position, attempt) in trace.detection.attempts.enumerated() {
                var text = "\(attempt.version) \(attempt.type)"
                if let path = attempt.path { text += " \(repertoire == .unicode ? "·" : "-") \(path)" }
                if let found = attempt.found {
                    text += " is " + ValueText.runs(found.root, budget: 40).map(\.text).joined()
                } else if attempt.path != nil {
                    text += " is not there"
                }
                let isIt = attempt.reason == nil
                append(position == 0 ? "Tried" : "", text, sign: isIt ? .succeeded : .none, style: isIt ? .plain : .dim)
                if let reason = attempt.reason { append("", "  " + reason, style: .dim) }
            }
        }

        mutating func appendOutcome(_ trace: MigrationTrace) {
            let target = trace.target.map { "\($0)" } ?? "the newest version"
            switch trace.outcome {
            case .current:
                append("Outcome", "already current: there is nothing to migrate", sign: .succeeded)
            case .migrated:
                let steps = trace.steps.count == 1 ? "1 step" : "\(trace.steps.count) steps"
                let time = trace.steps.reduce(trace.decodingSeconds) { $0 + $1.seconds }
                append("Outcome", "migrated to \(target) in \(steps), \(ValueText.seconds(time))", sign: .succeeded)
            case .failed, .unreadable, .unrecognized:
                guard let failure = trace.failure else { return }
                if failure.kind == .unsupportedVersion, let version = trace.detection.version {
                    append("Outcome", unsupported(version, trace), sign: .failed)
                }
                if let tried = failure.tried, trace.detection.attempts.isEmpty {
                    append("Tried", tried.map(\.description).joined(separator: ", "))
                }
            }
        }

        private func unsupported(_ version: DocumentVersion, _ trace: MigrationTrace) -> String {
            let newest = trace.versions.last?.version
            if case .number(let found) = version, case .number(let known)? = newest, found > known {
                return "version \(found) is newer than this chain knows: its newest is \(known)"
            }
            return "version \(version) is none of this chain's \(trace.versions.count)"
        }

        mutating func appendParts(_ parts: [MigrationTrace]) {
            guard !parts.isEmpty else { return }
            let first = rows.count
            for (index, part) in parts.enumerated() {
                let result = CheckResult(part)
                let label = part.path?.components.last.map { component -> StepRow.Label in
                    switch component {
                    case .key(let name): .key(name)
                    case .index(let position): .index(position)
                    case .everyElement: .word("*")
                    }
                }
                rows.append(
                    StepRow(
                        sign: StepRow.Sign(part.outcome), label: label ?? .word(part.source),
                        body: .part(index, VersionSummary.runs(result, repertoire: repertoire))))
            }
            rows.alignLabels(in: first..<rows.count, depth: 0)
            rows.insert(heading("Parts that migrate on their own"), at: first)
            rows.insert(StepRow(body: .text([])), at: first)
        }

        private func heading(_ text: String) -> StepRow {
            StepRow(body: .text([StyledText(text, .label)]))
        }

        mutating func appendDropped(_ dropped: [DocumentPath]) {
            for (position, path) in dropped.enumerated() {
                append(
                    position == 0 ? "Dropped" : "", position == 0 ? "\(path) is read by nobody" : "\(path)",
                    sign: .warning, style: .warning)
            }
        }

        mutating func appendWarnings(_ warnings: [String]) {
            for (position, warning) in warnings.enumerated() {
                append(position == 0 ? "Warning" : "", warning, sign: .warning, style: .warning)
            }
        }
    }
}

extension StepRow {
    /// The columns before a row's label: the sign, and room around it.
    static let gutter = 5
}

extension StepRow.Sign {
    init(_ outcome: MigrationOutcome) {
        switch outcome {
        case .current, .migrated: self = .succeeded
        case .failed: self = .failed
        case .unrecognized: self = .unrecognized
        case .unreadable: self = .unreadable
        }
    }
}
