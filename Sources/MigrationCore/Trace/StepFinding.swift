import DocumentModel

/// The conclusions from experiments with a step: where its values come from, what it lost, and what remains unknown.
///
/// An experiment that was not run, or was refused, proves nothing. A value about which nothing is known is listed in
/// ``left``, never left out.
public struct StepFinding: Sendable, Equatable {
    /// The values that the step created or changed, each with the values that it depends on.
    public var origins: [ValueOrigin]
    /// The values of the document before the step that were read, but never affect the result. Elements of arrays are
    /// folded to `[*]` if this is true of all of them.
    public var lost: [DocumentPath]
    /// The values of which the result keeps less than the document had.
    public var narrowed: [Narrowing]
    /// The lost and narrowed values that the chain's author intends to lose.
    public var intended: [DocumentPath]
    /// The values that are missing from the result and about which nothing is known.
    public var left: [Left]
    /// The paths in the document after the step whose values differ in every run, so that nothing can be said about
    /// them.
    public var differing: [DocumentPath]
    /// Values that equal a removed value but did not come from it: they stay the same when the removed value changes.
    public var notMoved: [ValueMove]
    /// The number of runs.
    public var runs: Int
    /// The meaning of the folded paths, in a finding in the form that reports use.
    public var folds = PathFolds()

    /// Creates a finding from its parts.
    public init(
        origins: [ValueOrigin], lost: [DocumentPath], narrowed: [Narrowing] = [], intended: [DocumentPath] = [],
        left: [Left] = [], differing: [DocumentPath] = [], notMoved: [ValueMove] = [], runs: Int = 0
    ) {
        self.origins = origins
        self.lost = lost
        self.narrowed = narrowed
        self.intended = intended
        self.left = left
        self.differing = differing
        self.notMoved = notMoved
        self.runs = runs
    }

    /// Values about which nothing is known.
    public struct Left: Sendable, Hashable, Codable {
        /// The reason why nothing is known about a value.
        public enum Reason: String, Sendable, Codable, CaseIterable {
            /// The step refused every replacement value.
            case refused
            /// The budget was used up.
            case budget
            /// Everything that the value could affect differs in every run.
            case differs
            /// The chain must not be run repeatedly.
            case notRepeatable
            /// The result of the step could not be encoded.
            case notEncodable
            /// Every replacement value crashed the app's code.
            case crashed
            /// Every replacement value took too long.
            case timedOut
            /// Experiments are turned off.
            case off
        }

        /// The path of the values, with elements of arrays folded.
        public var path: DocumentPath
        /// The number of values.
        public var count: Int
        /// The reason why nothing is known about them.
        public var because: Reason

        /// Creates an entry from its parts.
        public init(path: DocumentPath, count: Int, because: Reason) {
            (self.path, self.count, self.because) = (path, count, because)
        }
    }

    /// Returns the finding with the intended losses separated from the others. Unknowns about intended losses are
    /// removed.
    package func intending(_ losses: [DocumentPath]) -> StepFinding {
        func isIntended(_ path: DocumentPath) -> Bool {
            losses.contains { path.foldingIndices.hasPrefix($0.foldingIndices) }
        }
        var finding = self
        finding.intended = (lost + narrowed.map(\.path)).filter(isIntended)
        finding.lost.removeAll(where: isIntended)
        finding.narrowed.removeAll { isIntended($0.path) }
        finding.left.removeAll { isIntended($0.path) }
        return finding
    }
}

/// A value of which the result keeps less than the document had: a simpler value gives the same result.
public struct Narrowing: Sendable, Hashable, Codable {
    /// The part of a value that is lost.
    public enum How: String, Sendable, Codable, CaseIterable {
        /// Digits of a number.
        case digits
        /// The minus sign of a zero.
        case sign
        /// The end of a string.
        case cut
        /// The fraction of a second.
        case fraction
        /// The time of day.
        case time
        /// The day of a date, or its day and month.
        case day
        /// The offset from UTC.
        case zone
        /// Uppercase and lowercase, which is only spelling.
        case `case`
        /// Whitespace at the ends, which is only spelling.
        case space

        /// Whether only the spelling changes, which is never a problem.
        public var isSpelling: Bool { self == .case || self == .space }
    }

    /// The path of the value in the document before the step. Elements of arrays are folded to `[*]` if this is true of
    /// all of them.
    public var path: DocumentPath
    /// The part of the value that is lost.
    public var how: How

    /// Creates a narrowing from its parts.
    public init(path: DocumentPath, how: How) { (self.path, self.how) = (path, how) }
}

/// The origin of a value that a step made. Elements of arrays are folded to `[*]`.
public struct ValueOrigin: Sendable, Hashable, Codable {
    /// The path of the value in the document after the step.
    public var path: DocumentPath
    /// The values of the document before the step that the value depends on. Empty if the step created it from nothing.
    public var from: [DocumentPath]

    /// Creates an origin from its parts.
    public init(path: DocumentPath, from: [DocumentPath]) {
        self.path = path
        self.from = from
    }
}

/// The point in a migration at which a value was lost.
public enum LossTime: String, Sendable, Hashable, Codable {
    /// In a step, including the decoding before it.
    case step
    /// When the app saves the document the next time.
    case writing

    fileprivate init(_ step: MigrationFailure.Step?) { self = step == nil ? .writing : .step }
}

/// A value that was read but not carried over, as shown by experiments.
public struct ValueLoss: Sendable, Hashable, Codable {
    /// The path of the value in the document before the step or the save. Elements of arrays are folded to `[*]`.
    public var path: DocumentPath
    /// When the value was lost.
    public var when: LossTime
    /// The step, or nil if the value was not lost in a step.
    public var step: MigrationFailure.Step?
    /// The part of the document that took the step separately, or nil if the whole document took it.
    public var part: DocumentPath?

    private enum CodingKeys: String, NullableCodingKey { case path, when, step, part }

    /// Creates a loss in a step, or, if `step` is nil, a loss when the app saves the document.
    public init(path: DocumentPath, step: MigrationFailure.Step?, part: DocumentPath? = nil) {
        (self.path, self.when, self.step, self.part) = (path, LossTime(step), step, part)
    }

    /// Reads a loss. The time of the loss follows from the step, because reports of earlier versions do not contain it.
    ///
    /// - Throws: `DecodingError`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            path: try container.decode(DocumentPath.self, forKey: .path),
            step: try container.decodeIfPresent(MigrationFailure.Step.self, forKey: .step),
            part: try container.decodeIfPresent(DocumentPath.self, forKey: .part))
    }
}

/// How far experiments examined a document or a step.
public struct Examination: Sendable, Hashable, Codable {
    /// Whether everything missing from the result was examined.
    public var isWhole: Bool { left.isEmpty }
    /// The number of runs.
    public var runs: Int
    /// The values about which nothing is known.
    public var left: [StepFinding.Left]

    /// Creates an examination from its parts.
    public init(runs: Int, left: [StepFinding.Left]) { (self.runs, self.left) = (runs, left) }

    /// Creates an examination in which nothing was examined.
    package init(notExamined because: StepFinding.Left.Reason) {
        self.init(runs: 0, left: [StepFinding.Left(path: .root, count: 1, because: because)])
    }

    private enum CodingKeys: String, CodingKey { case whole, runs, left }

    /// Reads an examination.
    ///
    /// - Throws: `DecodingError`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        runs = try container.decode(Int.self, forKey: .runs)
        left = try container.decode([StepFinding.Left].self, forKey: .left)
    }

    /// Writes the examination, and whether it is complete.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(isWhole, forKey: .whole)
        try container.encode(runs, forKey: .runs)
        try container.encode(left, forKey: .left)
    }
}

extension StepFinding {
    /// How far the step was examined.
    public var examination: Examination { Examination(runs: runs, left: left) }
}

extension MigrationStep {
    /// How far the step was examined, or nil if it was not.
    package var examination: Examination? {
        finding?.examination ?? notExamined.map(Examination.init(notExamined:))
    }
}

/// A value that was carried over only partly, as shown by experiments.
public struct ValueNarrowing: Sendable, Hashable, Codable {
    /// The path of the value in the document before the step or the save.
    public var path: DocumentPath
    /// The part of the value that is lost.
    public var how: Narrowing.How
    /// When it was lost.
    public var when: LossTime
    /// The step, or nil if it was not lost in a step.
    public var step: MigrationFailure.Step?
    /// The part of the document that took the step separately, or nil if the whole document took it.
    public var part: DocumentPath?

    private enum CodingKeys: String, NullableCodingKey { case path, how, when, step, part }

    /// Creates a narrowing in a step, or, if `step` is nil, a narrowing when the app saves the document.
    public init(path: DocumentPath, how: Narrowing.How, step: MigrationFailure.Step?, part: DocumentPath? = nil) {
        (self.path, self.how, self.when, self.step, self.part) = (path, how, LossTime(step), step, part)
    }

    /// Reads a narrowing. The time of the loss follows from the step, because reports of earlier versions do not
    /// contain it.
    ///
    /// - Throws: `DecodingError`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            path: try container.decode(DocumentPath.self, forKey: .path),
            how: try container.decode(Narrowing.How.self, forKey: .how),
            step: try container.decodeIfPresent(MigrationFailure.Step.self, forKey: .step),
            part: try container.decodeIfPresent(DocumentPath.self, forKey: .part))
    }
}

extension MigrationTrace {
    /// How far experiments examined the document, including the steps of its parts. Nil if none were run.
    public var examined: Examination? {
        let ofParts = partSteps(inside: .root)
        let ofDocument = steps.compactMap(\.examination) + [writing?.examination].compactMap(\.self)
        let all = ofDocument + ofParts.compactMap(\.step.examination)
        guard !all.isEmpty else { return nil }
        let inParts = ofParts.flatMap { place, step in
            (step.examination?.left ?? []).map { (key: $0, place: place, path: $0.path) }
        }
        let left = folded(inParts.map { ([$0.key.because.rawValue], $0.place, $0.path) }).enumerated().map {
            number, value in
            let group = inParts[value.members[0]].key
            let count = value.members.reduce(0) { $0 + inParts[$1].key.count }
            return StepFinding.Left(path: value.path, count: count, because: group.because)
        }
        let own = ofDocument.flatMap(\.left).filter { own in
            !left.contains { $0.path == own.path && $0.because == own.because }
        }
        return Examination(runs: all.reduce(0) { $0 + $1.runs }, left: own + left)
    }

    /// The values that steps narrowed without the author's intent, or nil if that was not examined.
    public var narrowings: [ValueNarrowing]? {
        values(\.narrowed, of: \.path) { ValueNarrowing(path: $0, how: $1.how, step: $2, part: $3) }
    }

    /// The values that steps lost without the author's intent, or nil if that was not examined.
    public var losses: [ValueLoss]? {
        values(\.lost, of: \.self) { path, _, step, part in ValueLoss(path: path, step: step, part: part) }
    }

    /// Collects values from the findings of all steps. A value in a step of a part is not repeated for a step around
    /// the part.
    private func values<Value: Hashable, Told>(
        _ values: (StepFinding) -> [Value], of path: (Value) -> DocumentPath,
        _ reported: (DocumentPath, Value, MigrationFailure.Step?, DocumentPath?) -> Told
    ) -> [Told]? {
        let ofParts = partSteps(inside: .root)
        let isFound = writing?.finding != nil || (steps + ofParts.map(\.step)).contains { $0.finding != nil }
        guard isFound else { return nil }
        let inParts = ofParts.flatMap { place, step in
            (step.finding.map(values) ?? []).map { (place: place, value: $0, step: step.ends) }
        }
        let folded = folded(
            inParts.map { ([AnyHashable($0.step), AnyHashable($0.value)], $0.place, path($0.value)) })
        let known = Set(folded.map(\.path) + inParts.map { $0.place.appending(path($0.value)) })
        let findings = steps.map { (ends: $0.ends as MigrationFailure.Step?, finding: $0.finding) }
        let own = (findings + [(nil, writing?.finding)]).flatMap { ends, finding in
            (finding.map(values) ?? []).filter { !known.contains(path($0)) }.map { reported(path($0), $0, ends, nil) }
        }
        return own
            + folded.map { value in
                let first = inParts[value.members[0]]
                return reported(value.path, first.value, first.step, value.part)
            }
    }

    /// Returns the steps of the parts, with the path of each part in the document.
    private func partSteps(inside base: DocumentPath) -> [(place: DocumentPath, step: MigrationStep)] {
        parts.flatMap { part in
            let place = base.appending(part.base)
            return part.steps.map { (place, $0) } + part.partSteps(inside: place)
        }
    }

    /// Returns the values of parts with their paths in the document. Values that all elements share become one with a
    /// folded path.
    private func folded(
        _ values: [(key: [AnyHashable], place: DocumentPath, path: DocumentPath)]
    ) -> [(path: DocumentPath, part: DocumentPath, members: [Int])] {
        var groups: [[AnyHashable]: [Int]] = [:]
        var keys: [[AnyHashable]] = []
        for (number, value) in values.enumerated() {
            let key = value.key + [AnyHashable(value.place.foldingIndices), AnyHashable(value.path)]
            if groups[key] == nil { keys.append(key) }
            groups[key, default: []].append(number)
        }
        return keys.flatMap { key -> [(path: DocumentPath, part: DocumentPath, members: [Int])] in
            let members = groups[key] ?? []
            let place = values[members[0]].place.foldingIndices
            if members.count > 1, document?.root.count(along: place.components[...]) == members.count {
                return [(place.appending(values[members[0]].path), place, members)]
            }
            return members.map { (values[$0].place.appending(values[$0].path), values[$0].place, [$0]) }
        }
    }
}

extension MigrationStep {
    var ends: MigrationFailure.Step { .init(from: from, to: to) }
}

extension DocumentNode {
    /// Returns the number of values along the path, over all elements of arrays that it leads through. An element that
    /// lacks the rest of the path counts too.
    fileprivate func count(along components: ArraySlice<DocumentPath.Component>) -> Int {
        guard let first = components.first else { return 1 }
        guard case .everyElement = first else {
            return descendant(at: DocumentPath([first]))?.count(along: components.dropFirst()) ?? 1
        }
        return elements.reduce(0) { $0 + $1.count(along: components.dropFirst()) }
    }
}
