import DocumentModel

// The sentences about conclusions from experiments with a step.

extension Sequence<ValueLoss> {
    /// Returns a sentence about lost values for each step and each kind of evidence.
    package func sentences(_ folds: PathFolds) -> [String] {
        var groups: [(step: MigrationFailure.Step?, grounds: String, paths: [DocumentPath])] = []
        for loss in self {
            let grounds = StepFinding.grounds(of: loss.path, isWriting: loss.step == nil)
            if let index = groups.firstIndex(where: { $0.step == loss.step && $0.grounds == grounds }) {
                groups[index].paths.append(loss.path)
            } else {
                groups.append((loss.step, grounds, [loss.path]))
            }
        }
        return groups.map { step, grounds, paths in "lost \(step.occasion): \(paths.briefly(folds)): \(grounds)" }
    }
}

extension Sequence<ValueNarrowing> {
    /// Returns a sentence about narrowed values for each step and each way of narrowing.
    package func sentences(_ folds: PathFolds) -> [String] {
        var groups: [(step: MigrationFailure.Step?, how: Narrowing.How, paths: [DocumentPath])] = []
        for value in self {
            if let index = groups.firstIndex(where: { $0.step == value.step && $0.how == value.how }) {
                groups[index].paths.append(value.path)
            } else {
                groups.append((value.step, value.how, [value.path]))
            }
        }
        return groups.map { step, how, paths in
            "narrowed \(step.occasion): \(paths.briefly(folds)): \(how.sentence)"
        }
    }
}

extension MigrationFailure.Step? {
    /// The time of the loss. Nil stands for the next time the app saves the document.
    fileprivate var occasion: String { map { "in step \($0.from) → \($0.to)" } ?? "at the next save" }
}

extension MigrationTrace {
    /// The sentences about values that the next save loses or narrows, and about those that were not examined.
    package var writingSentences: [String] {
        let reported = CheckResult(self)
        return (reported.lost ?? []).filter { $0.when == .writing }.sentences(reported.folds)
            + (reported.narrowed ?? []).filter { $0.when == .writing }.sentences(reported.folds)
            + (writing?.examination?.sentences ?? [])
    }

    /// The sentences about values that the steps of parts lose or narrow, and about those that were not examined.
    package var partSentences: [String] {
        // For preferences, the step of the document reports this.
        if migratesByParts, steps.first?.finding != nil { return [] }
        let ofDocument = steps.compactMap(\.examination) + [writing?.examination].compactMap(\.self)
        let left = (examined?.left ?? []).filter { left in !ofDocument.contains { $0.left.contains(left) } }
        let reported = CheckResult(self)
        return (reported.lost ?? []).filter { $0.part != nil }.sentences(reported.folds)
            + (reported.narrowed ?? []).filter { $0.part != nil }.sentences(reported.folds)
            + Examination(runs: 0, left: left).sentences
    }
}

extension Narrowing.How {
    /// A sentence about the lost part of a value, with the evidence.
    package var sentence: String {
        switch self {
        case .digits: "the same result comes of a rounded number"
        case .sign: "the result has a zero without the minus sign"
        case .cut: "the same result comes of a shorter text"
        case .fraction: "the same result comes without the fraction of a second"
        case .time: "the same result comes without the time of day"
        case .day: "the same result comes of the first day of the month or year"
        case .zone: "the same result comes without the distance from UTC"
        case .case: "the same result comes in other letters, upper or lower case"
        case .space: "the same result comes without the space at the ends"
        }
    }
}

extension Examination {
    /// The sentences about values that were not examined, one for each reason. A path that stands for several values has
    /// their number.
    package var sentences: [String] {
        StepFinding.Left.Reason.allCases.compactMap { reason in
            let group = left.filter { $0.because == reason }
            if group.isEmpty { return nil }
            let counts = Dictionary(group.map { ($0.path, $0.count) }, uniquingKeysWith: +)
            let folds = PathFolds(
                counts.filter { $0.key.components.contains(where: \.isPattern) }
                    .mapValues { PathFold(count: $0, of: $0, paths: []) })
            var paths: [DocumentPath] = []
            for entry in group where !entry.path.isRoot && !paths.contains(entry.path) { paths.append(entry.path) }
            let places = paths.isEmpty ? "" : ": \(paths.briefly(folds))"
            return "not known whether it is lost\(places): \(reason.sentence)"
        }
    }
}

extension StepFinding.Left.Reason {
    /// Why nothing is known about a value.
    package var sentence: String {
        switch self {
        case .refused: "the app accepts too few other values here"
        case .budget: "the budget for experiments was spent"
        case .differs: "the result differs in every run"
        case .notRepeatable: "the chain says that it is not repeatable"
        case .notEncodable: "what the step made does not encode"
        case .crashed: "other values crashed the app's code"
        case .timedOut: "other values took too long"
        case .off: "no experiments were made"
        }
    }
}

extension StepFinding {
    /// Returns the evidence for a lost value.
    ///
    /// - Parameter path: The path of the value. With other values in it, an element may come back.
    package static func grounds(of path: DocumentPath, isWriting: Bool = false) -> String {
        let result = isWriting ? "what is written" : "the result"
        return switch path.components.last {
        case .index?, .everyElement?: "no change that was tried in it changes the rest of \(result)"
        default: "nothing that was tried changes \(result)"
        }
    }

    /// Returns the text for a lost value in its own row.
    package static func lossWords(_ lost: String = "lost", of path: DocumentPath, isIntended: Bool) -> String {
        isIntended ? "\(lost), as intended" : "\(lost): \(grounds(of: path))"
    }

    /// The text for a dropped value in its own row.
    package static var droppedWords: String { "dropped: the app does not read it" }

    /// A short sentence about the values that the step lost, or nil if there are none.
    package var lossesSentence: String? { lost.isEmpty ? nil : "lost: \(lost.briefly(folds))" }

    /// The sentences about values that the step narrowed, one for each way of narrowing.
    package var narrowingSentences: [String] {
        Narrowing.How.allCases.compactMap { how in
            let paths = narrowed.filter { $0.how == how }.map(\.path)
            return paths.isEmpty ? nil : "narrowed: \(paths.briefly(folds)): \(how.sentence)"
        }
    }
}

/// Descriptions of the origins of a step's values, for looking up many values.
package struct OriginWords: Sendable {
    /// The conclusions from experiments with the step.
    package let finding: StepFinding
    private let dropped: Set<DocumentPath>
    private let origins: [DocumentPath: ValueOrigin]
    /// The names of the fields that are lost.
    private let lostNames: Set<ExactText>

    /// Creates the descriptions for a finding.
    package init(_ finding: StepFinding) {
        self.init(finding: finding, dropped: [])
    }

    /// Creates the descriptions for a finding and fields that the app does not read; nil if there are neither.
    package init?(_ finding: StepFinding?, dropped: [DocumentPath]) {
        guard finding != nil || !dropped.isEmpty else { return nil }
        self.init(finding: finding ?? StepFinding(origins: [], lost: []), dropped: Set(dropped))
    }

    private init(finding: StepFinding, dropped: Set<DocumentPath>) {
        self.finding = finding
        self.dropped = dropped
        lostNames = Set((finding.lost + finding.intended).compactMap { $0.lastKey.map { ExactText($0) } })
        origins = Dictionary(finding.origins.map { ($0.path, $0) }) { first, _ in first }
    }

    /// Returns whether the app does not read the field.
    package func isDropped(_ path: DocumentPath) -> Bool { !dropped.isEmpty && dropped.contains(path) }

    /// Returns whether any field with that name is lost.
    package func mayLose(_ name: String) -> Bool { !lostNames.isEmpty && lostNames.contains(ExactText(name)) }

    /// Returns a short description of the origin of a value that the step made, or nil if nothing is known about it.
    ///
    /// - Parameter path: The path of the value.
    package func of(_ path: DocumentPath) -> String? {
        let folded = path.foldingIndices
        guard let origin = origins[path] ?? origins[folded] else {
            return finding.differing.contains { folded.hasPrefix($0) } ? "differs in every run" : nil
        }
        if origin.from.isEmpty { return "made by the step" }
        // If each of many values depends on values at its own index, describe this one.
        let from = origins[path] == nil ? origin.from.map { $0.positioned(like: path) } : origin.from
        // A moved value is described elsewhere.
        return "← " + from.map { $0.briefly(besides: path) }.joined(separator: ", ")
    }
}

extension OriginWords {
    /// Returns the paths of the values with a known origin inside a value that the step made.
    package func paths(inside path: DocumentPath) -> [DocumentPath] {
        let folded = path.foldingIndices
        return finding.origins.map(\.path).filter {
            $0 != path && $0 != folded && ($0.hasPrefix(path) || $0.hasPrefix(folded))
        }
    }

    /// Returns a description like ``of(_:)`` that is the same for all values that a folded path stands for, if each has
    /// its origins at its own position.
    ///
    /// - Parameter pattern: The path with `*` in place of positions and keys.
    package func of(_ path: DocumentPath, shownAs pattern: DocumentPath) -> String? {
        guard let origin = origins[path], !origin.from.isEmpty else { return of(path) }
        return "← "
            + origin.from.map { $0.starred(where: path, isShownAs: pattern).briefly(besides: pattern) }
            .joined(separator: ", ")
    }
}

extension DocumentPath {
    /// Returns the path with its `[*]` replaced by the indices of another path, as long as both lead the same way.
    fileprivate func positioned(like other: DocumentPath) -> DocumentPath {
        var isSameWay = true
        return DocumentPath(
            components.enumerated().map { index, component in
                guard isSameWay, index < other.components.count else { return component }
                let own = other.components[index]
                if case (.everyElement, .index) = (component, own) { return own }
                isSameWay = component == own
                return component
            })
    }

    /// Returns the path with `*` in place of every position, and of the key that a pattern has in place of a key of
    /// `other`.
    fileprivate func starred(where other: DocumentPath, isShownAs pattern: DocumentPath) -> DocumentPath {
        let keys = zip(other.components, pattern.components).filter { $1 == .everyMember }.map(\.0)
        return DocumentPath(foldingIndices.components.map { keys.contains($0) ? .everyMember : $0 })
    }

    /// Returns the path without the part that it shares with another: `pounds` next to `$.sets[*].kilograms`.
    fileprivate func briefly(besides other: DocumentPath) -> String {
        var shared = min(zip(components, other.components).prefix { $0 == $1 }.count, components.count - 1)
        while shared > 0, case .everyElement = components[shared] { shared -= 1 }
        guard shared >= 0 else { return "\(self)" }
        return DocumentPath(Array(components[shared...])).brief
    }
}
