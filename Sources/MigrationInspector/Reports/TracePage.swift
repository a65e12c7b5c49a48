import DocumentModel
import DocumentSources
import MigrationCore

/// The story of a migration as an HTML page, to hand on and to print. It's one file, without scripts and links, and
/// nothing in it is loaded from elsewhere.
enum TracePage {
    /// The largest number of steps that are all open at first. Of more, only those that failed are.
    private static let mostOpen = 6

    /// Returns the page, which says the same as ``TraceStory``.
    ///
    /// - Parameters:
    ///   - document: The document that the page is about.
    ///   - source: The bytes that locations refer to, if the trace doesn't contain them.
    ///   - edits: The edits that were made in the document before it migrated.
    static func text(
        of trace: MigrationTrace, _ document: DocumentReference, source: SourceBytes? = nil, edits: [DocumentEdit] = []
    ) -> String {
        let source = trace.document?.source ?? source
        let partSteps = ReportedPartStep.all(in: trace)
        let areAllOpen = trace.steps.count + partSteps.count <= mostOpen
        var blocks = header(trace)
        if !edits.isEmpty {
            blocks += [.element("p", .text("What if, changed in memory:")), WebPage.list(edits.map(\.words))]
                .compactMap(\.self)
        }
        blocks += detection(trace.detection)
        // The step that failed says why.
        let failing = trace.steps.firstIndex { $0.failure != nil }
        let failure = trace.failure.map { self.failure($0, in: trace, document, source: source) } ?? []
        blocks += trace.steps.enumerated().map { index, step in
            self.step(
                step, in: trace, failure: index == failing ? failure : [], isOpen: areAllOpen || step.failure != nil)
        }
        if failing == nil, !failure.isEmpty { blocks += [WebPage.heading("Failure")] + failure }
        if !trace.parts.isEmpty {
            blocks += [
                WebPage.heading("Parts"), WebPage.list(trace.parts.flatMap { TraceText.part($0, in: trace) }),
                remarks(trace.partSentences.map { ("!", $0) }),
            ].compactMap(\.self)
        }
        blocks += partSteps.map { step($0, isOpen: areAllOpen || $0.isFailed) }
        if let remarks = WebPage.list(TraceText.remarks(trace, document)) {
            blocks += [WebPage.heading("Remarks"), remarks]
        }
        blocks.append(legend)
        return WebPage.text(title: TraceText.header(trace), blocks)
    }

    // MARK: The top

    private static func header(_ trace: MigrationTrace) -> [PageMarkup] {
        var blocks: [PageMarkup] = [.element("h1", .text(TraceText.header(trace))), outcome(trace)]
        var versions = trace.versions.map { version($0, in: trace) }
        let isInChain = trace.versions.contains { $0.version == trace.detection.version }
        if let version = trace.detection.version, !versions.isEmpty, !isInChain, trace.outcome != .current {
            versions.append(.element("li", ["class": "bad"], .text("✗ \(version)")))
        }
        if !versions.isEmpty { blocks.append(.block("ol", attributes: ["class": "chain"], versions)) }
        return blocks
    }

    /// Returns a version of the chain with a sign, as on the screen: whether it's that of the document, and whether the
    /// whole document reached it. Parts that can't be read break a document at its own version.
    private static func version(_ version: ChainVersion, in trace: MigrationTrace) -> PageMarkup {
        func item(_ sign: String, _ kind: String) -> PageMarkup {
            .element("li", ["class": kind], .text("\(sign) \(version.version) \(version.type)"))
        }
        let isInParts = trace.isMigratedButForParts
        if version.version == trace.detection.version {
            let isBroken = trace.failure.map { $0.step == nil && (trace.steps.isEmpty || isInParts) } ?? false
            return isBroken ? item("✗", "bad") : item("●", "own")
        }
        guard let step = trace.steps.first(where: { $0.to == version.version }) else { return item("○", "quiet") }
        if step.failure != nil || trace.failure?.step == .init(from: step.from, to: step.to) { return item("✗", "bad") }
        return isInParts ? item("○", "quiet") : item("✓", "good")
    }

    private static func outcome(_ trace: MigrationTrace) -> PageMarkup {
        let kind =
            switch trace.outcome {
            case .current, .migrated: trace.reopens?.failure == nil ? "good" : "doubt"
            case .failed, .unreadable: "bad"
            case .unrecognized, .deleted: "doubt"
            }
        return .element("p", ["class": "outcome \(kind)"], .text(trace.outcomeWords))
    }

    private static func detection(_ detection: VersionDetection) -> [PageMarkup] {
        if detection.attempts.isEmpty { return [] }
        let attempts = detection.attempts.map { TraceText.attempt($0).trimmingPrefix("  ").description }
        return [WebPage.heading("Detection"), WebPage.list(attempts, kind: "plain")].compactMap(\.self)
    }

    // MARK: Steps

    private static func step(
        _ step: MigrationStep, in trace: MigrationTrace, failure: [PageMarkup], isOpen: Bool
    ) -> PageMarkup {
        var blocks: [PageMarkup] = []
        if let note = step.note { blocks.append(.element("blockquote", .text(note))) }
        if case .madeUnencodable(let reason) = step.ending {
            blocks.append(.element("p", ["class": "message bad"], .text(reason.unwrittenSentence)))
        }
        blocks += failure
        if let difference = step.difference {
            let origins = step.finding.map(OriginWords.init)
            blocks.append(
                changes(
                    ReportedChange.all(in: difference).map { reported in
                        let origins = origins.map { ReportedOrigins(reported, $0, in: step.after) }
                        let inside = (origins?.inside ?? []).map { "\($0.place): \($0.words)" }
                        return (reported, (origins?.own.map { [$0] } ?? []) + inside)
                    }))
        }
        let kept = TraceText.keptParts(by: step, in: trace).map { (sign: Optional("✗"), sentence: $0) }
        let all = (step.difference == nil ? [] : TraceText.remarks(on: step)) + kept
        blocks += [remarks(all)].compactMap(\.self)
        return WebPage.section(TraceStory.heading(step), isOpen: isOpen, blocks)
    }

    private static func step(_ step: ReportedPartStep, isOpen: Bool) -> PageMarkup {
        var blocks: [PageMarkup] = []
        if let note = step.note { blocks.append(.element("blockquote", .text(note))) }
        if let changes = step.changes {
            blocks.append(self.changes(changes.map { ($0.reported, $0.origin.map { [$0] } ?? []) }))
        }
        return WebPage.section(step.heading, isOpen: isOpen, blocks)
    }

    /// Returns the changes with the values before and after them side by side.
    private static func changes(_ changes: [(reported: ReportedChange, origins: [String])]) -> PageMarkup {
        if changes.isEmpty { return .element("p", .text("Nothing changed.")) }
        let head = PageMarkup.element(
            "thead",
            .element(
                "tr", .element("th", ["class": "sign", "scope": "col"]),
                .element("th", ["scope": "col"], .text("before")), .element("th", ["scope": "col"], .text("after"))))
        return .block("table", [head, .block("tbody", changes.map { row($0.reported, $0.origins) })])
    }

    private static func row(_ reported: ReportedChange, _ origins: [String]) -> PageMarkup {
        let kind = reported.change.kind
        let after = reported.after.map { after in
            let value =
                origins.isEmpty
                ? PageMarkup.text(after)
                : .element("span", ["title": origins.joined(separator: "; ")], .text(after))
            return [value] + origins.map { .element("span", ["class": "origin"], .text($0)) }
        }
        return .element(
            "tr", ["class": kind.rawValue],
            .element("td", ["class": "sign", "title": PageWords.name(kind)], .text(PageWords.sign(kind))),
            .element("td", ["class": "before"], .text(reported.before ?? "")),
            .element("td", ["class": "after"], .sequence(after ?? [])))
    }

    /// Returns what is lost or not known, with its signs; nil if that's nothing.
    private static func remarks(_ remarks: [(sign: String?, sentence: String)]) -> PageMarkup? {
        if remarks.isEmpty { return nil }
        return .block(
            "ul", attributes: ["class": "plain"],
            remarks.map { remark in
                let kind = remark.sign == nil ? "intended" : remark.sign == "✗" ? "bad" : "doubt"
                let sign = remark.sign.map { "\($0) " } ?? ""
                return .element("li", ["class": kind], .text(sign + remark.sentence))
            })
    }

    // MARK: The failure

    private static func failure(
        _ failure: MigrationFailure, in trace: MigrationTrace, _ document: DocumentReference, source: SourceBytes?
    ) -> [PageMarkup] {
        let place = TraceText.place(of: failure, in: trace, document, source: source)
        var blocks = [
            .element("p", ["class": "message bad"], .text("✗ \(document.relocated(failure).sentence)")),
            WebPage.list(failure.experimentSentences), place.isEmpty ? nil : .element("pre", .lines(place)),
        ]
        if let places = trace.placesSentence {
            blocks.append(.element("p", .text(places)))
            let further = trace.furtherFailures.flatMap {
                ["then \(document.relocated($0).sentence)"] + $0.experimentSentences
            }
            blocks.append(WebPage.list(further))
        }
        return blocks.compactMap(\.self)
    }

    // MARK: The bottom

    private static var legend: PageMarkup {
        .block(
            "footer",
            [
                WebPage.heading("Legend"),
                .block(
                    "dl", attributes: ["class": "legend"],
                    PageWords.legend.map { sign, meaning -> PageMarkup in
                        .sequence([.element("dt", .text(sign)), .element("dd", .text(meaning))])
                    }),
            ])
    }
}
