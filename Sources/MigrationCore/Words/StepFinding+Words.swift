import DocumentModel

// All sentences about what experiments show of a step.

extension Sequence<ValueLoss> {
    /// The values that steps lose, a sentence for each step and the grounds on which they are called so.
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
    /// The values that steps narrow, a sentence for each step and each way.
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
    /// When it was, in words; nil is the next time that the app saves the document.
    fileprivate var occasion: String { map { "in step \($0.from) → \($0.to)" } ?? "at the next save" }
}

extension MigrationTrace {
    /// What the app loses and narrows when it saves the document the next time, and what of it was not looked at.
    package var writingSentences: [String] {
        let told = CheckResult(self)
        return (told.lost ?? []).filter { $0.when == .writing }.sentences(told.folds)
            + (told.narrowed ?? []).filter { $0.when == .writing }.sentences(told.folds)
            + (writing?.examination?.sentences ?? [])
    }

    /// What the steps of parts lose and narrow, and what of them was not looked at.
    package var partSentences: [String] {
        // Of preferences the step of the document tells it.
        if migratesByParts, steps.first?.finding != nil { return [] }
        let ofDocument = steps.compactMap(\.examination) + [writing?.examination].compactMap(\.self)
        let left = (examined?.left ?? []).filter { left in !ofDocument.contains { $0.left.contains(left) } }
        let told = CheckResult(self)
        return (told.lost ?? []).filter { $0.part != nil }.sentences(told.folds)
            + (told.narrowed ?? []).filter { $0.part != nil }.sentences(told.folds)
            + Examination(runs: 0, left: left).sentences
    }
}

extension Narrowing.How {
    /// What of a value is gone, and on what grounds.
    package var sentence: String {
        switch self {
        case .digits: "the same result comes of a rounded number"
        case .cut: "the same result comes of a shorter text"
        case .fraction: "the same result comes without the fraction of a second"
        case .time: "the same result comes without the time of day"
        case .zone: "the same result comes without the distance from UTC"
        case .case: "the same result comes in other letters, upper or lower case"
        case .space: "the same result comes without the space at the ends"
        }
    }
}

extension Examination {
    /// What was not looked at, a sentence for each reason.
    package var sentences: [String] {
        StepFinding.Left.Reason.allCases.compactMap { reason in
            let paths = left.filter { $0.because == reason }.map(\.path)
            if paths.isEmpty { return nil }
            let places = paths.allSatisfy(\.isRoot) ? "" : ": \(paths.filter { !$0.isRoot }.briefly())"
            return "not known whether it is lost\(places): \(reason.sentence)"
        }
    }
}

extension StepFinding.Left.Reason {
    /// Why nothing is known of a value.
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
    /// On what grounds a value is called lost.
    ///
    /// - Parameter path: Where it is: with other values in it, an element may come back.
    package static func grounds(of path: DocumentPath, isWriting: Bool = false) -> String {
        let result = isWriting ? "what is written" : "the result"
        return switch path.components.last {
        case .index?, .everyElement?: "no change that was tried in it changes what else is in \(result)"
        default: "nothing that was tried changes \(result)"
        }
    }

    /// What is said of a value that the step lost, in a row of its own.
    package static func lossWords(_ lost: String = "lost", of path: DocumentPath, isIntended: Bool) -> String {
        isIntended ? "\(lost), as intended" : "\(lost): \(grounds(of: path))"
    }

    /// The values that the step lost, in a few words; nil where there is none.
    package var lossesSentence: String? { lost.isEmpty ? nil : "lost: \(lost.briefly(folds))" }

    /// The values that the step narrowed, a sentence for each way.
    package var narrowingSentences: [String] {
        Narrowing.How.allCases.compactMap { how in
            let paths = narrowed.filter { $0.how == how }.map(\.path)
            return paths.isEmpty ? nil : "narrowed: \(paths.briefly(folds)): \(how.sentence)"
        }
    }
}

/// Where values come from, in words, for many values of a step.
package struct OriginWords: Sendable {
    /// What experiments show of the step.
    package let finding: StepFinding
    private let origins: [DocumentPath: ValueOrigin]
    /// The names of the fields that are lost.
    private let lostNames: Set<ExactText>

    /// The words of a finding.
    package init(_ finding: StepFinding) {
        self.finding = finding
        lostNames = Set((finding.lost + finding.intended).compactMap { $0.lastKey.map { ExactText($0) } })
        origins = Dictionary(finding.origins.map { ($0.path, $0) }) { first, _ in first }
    }

    /// Whether some field of that name is lost.
    package func mayLose(_ name: String) -> Bool { !lostNames.isEmpty && lostNames.contains(ExactText(name)) }

    /// Where a value comes from that the step made, in a few words; nil where nothing is known of it.
    ///
    /// - Parameter path: Where the value is.
    package func of(_ path: DocumentPath) -> String? {
        let folded = path.foldingIndices
        guard let origin = origins[path] ?? origins[folded] else {
            return finding.differing.contains { folded.hasPrefix($0) } ? "differs in every run" : nil
        }
        if origin.from.isEmpty { return "made by the step" }
        // Of many that each depend on what is at their own position, this one is told.
        let from = origins[path] == nil ? origin.from.map { $0.positioned(like: path) } : origin.from
        // What moved says that itself.
        return "← " + from.map { $0.briefly(besides: path) }.joined(separator: ", ")
    }
}

extension OriginWords {
    /// Where the values inside one come from that the step made.
    package func inside(_ path: DocumentPath) -> [(path: DocumentPath, words: String)] {
        finding.origins.compactMap { origin in
            guard origin.path != path, origin.path.hasPrefix(path) || origin.path.hasPrefix(path.foldingIndices),
                origin.path != path.foldingIndices
            else { return nil }
            return of(origin.path).map { (origin.path, $0) }
        }
    }
}

extension DocumentPath {
    /// The path with the positions of another in place of those that it leaves open, as long as it leads the same way.
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

    /// The path without what it has in common with another: `pounds` beside `$.sets[*].kilograms`.
    fileprivate func briefly(besides other: DocumentPath) -> String {
        var shared = min(zip(components, other.components).prefix { $0 == $1 }.count, components.count - 1)
        while shared > 0, case .everyElement = components[shared] { shared -= 1 }
        guard shared >= 0 else { return "\(self)" }
        return DocumentPath(Array(components[shared...])).brief
    }
}
