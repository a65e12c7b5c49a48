import DocumentModel

/// What the experiments with a step show: where its values come from, what it lost, and what was not found out.
///
/// An experiment that was not made, or was refused, is no evidence: what nothing is known of is in ``left``, never missing.
public struct StepFinding: Sendable, Equatable {
    /// For each value that the step made new or changed, the values that it depends on.
    public var origins: [ValueOrigin]
    /// The values of the document before that were read, and with others of which the result never differs; elements of
    /// arrays folded to `[*]` where it is so of all.
    public var lost: [DocumentPath]
    /// The values of which the result holds less than the document did.
    public var narrowed: [Narrowing]
    /// The lost and narrowed values that the author of the chain means to lose.
    public var intended: [DocumentPath]
    /// The values that are gone from the result and of which nothing is known.
    public var left: [Left]
    /// The places of the document after that differ in every run, of which nothing can be said.
    public var differing: [DocumentPath]
    /// Values that are equal to one that is gone and did not come from there: they stay when that is another.
    public var notMoved: [ValueMove]
    /// How many runs there were.
    public var runs: Int
    /// What folded paths stand for, in a finding as reports tell it.
    public var folds = PathFolds()

    /// Makes a finding from its parts.
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

    /// Values of which nothing is known.
    public struct Left: Sendable, Hashable, Codable {
        /// Why nothing is known of a value.
        public enum Reason: String, Sendable, Codable, CaseIterable {
            /// Every other value was refused.
            case refused
            /// The budget was spent.
            case budget
            /// Everything that the value could reach differs in every run.
            case differs
            /// The chain may not run again and again.
            case notRepeatable
            /// What the step made does not encode.
            case notEncodable
            /// Every other value crashed the app's code.
            case crashed
            /// Every other value took too long.
            case timedOut
            /// Experiments are turned off.
            case off
        }

        /// Where the values are, elements of arrays folded.
        public var path: DocumentPath
        /// How many there are.
        public var count: Int
        /// Why nothing is known of them.
        public var because: Reason

        /// Makes an entry from its parts.
        public init(path: DocumentPath, count: Int, because: Reason) {
            (self.path, self.count, self.because) = (path, count, because)
        }
    }

    /// The finding with those losses told apart that are intended; what is not known of them is of no interest either.
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

/// A value of which the result holds less than the document did: a simpler one gives the same result.
public struct Narrowing: Sendable, Hashable, Codable {
    /// What of a value is gone.
    public enum How: String, Sendable, Codable, CaseIterable {
        /// Digits of a number.
        case digits
        /// The end of a text.
        case cut
        /// The fraction of a second.
        case fraction
        /// The time of day.
        case time
        /// The distance from UTC.
        case zone
        /// Upper and lower case, which is spelling.
        case `case`
        /// White space at the ends, which is spelling.
        case space

        /// Whether only the spelling changes, which is never a problem.
        public var isSpelling: Bool { self == .case || self == .space }
    }

    /// Where the value is in the document before; elements of arrays folded to `[*]` where it is so of all.
    public var path: DocumentPath
    /// What is gone.
    public var how: How

    /// Makes a narrowing from its parts.
    public init(path: DocumentPath, how: How) { (self.path, self.how) = (path, how) }
}

/// Where a value that a step made comes from; elements of arrays are folded to `[*]`.
public struct ValueOrigin: Sendable, Hashable, Codable {
    /// Where the value is in the document after the step.
    public var path: DocumentPath
    /// The values of the document before it that it depends on; none where the step made it by itself.
    public var from: [DocumentPath]

    /// Makes an origin from its parts.
    public init(path: DocumentPath, from: [DocumentPath]) {
        self.path = path
        self.from = from
    }
}

/// When on its way a value was lost.
public enum LossTime: String, Sendable, Hashable, Codable {
    /// In a step, the decoding before it included.
    case step
    /// When the app saves the document the next time.
    case writing

    fileprivate init(_ step: MigrationFailure.Step?) { self = step == nil ? .writing : .step }
}

/// A value that was read and not carried on, as far as experiments show.
public struct ValueLoss: Sendable, Hashable, Codable {
    /// Where the value is in the document before the step, or before it is saved; elements of arrays are folded to `[*]`.
    public var path: DocumentPath
    /// When it was lost.
    public var when: LossTime
    /// The step; nil where it was none.
    public var step: MigrationFailure.Step?
    /// The part of the document that took the step by itself; nil where it is the document's.
    public var part: DocumentPath?

    private enum CodingKeys: String, NullableCodingKey { case path, when, step, part }

    /// A loss in a step; in none when the app saves the document.
    public init(path: DocumentPath, step: MigrationFailure.Step?, part: DocumentPath? = nil) {
        (self.path, self.when, self.step, self.part) = (path, LossTime(step), step, part)
    }

    /// Reads a loss; reports of earlier versions do not say when it was.
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

/// How far experiments looked at a document, or at a step.
public struct Examination: Sendable, Hashable, Codable {
    /// Whether everything that is gone from the result was looked at.
    public var isWhole: Bool { left.isEmpty }
    /// How many runs there were.
    public var runs: Int
    /// The values of which nothing is known.
    public var left: [StepFinding.Left]

    /// Makes an examination from its parts.
    public init(runs: Int, left: [StepFinding.Left]) { (self.runs, self.left) = (runs, left) }

    /// Nothing was looked at.
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

    /// Writes the examination, and whether it is whole.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(isWhole, forKey: .whole)
        try container.encode(runs, forKey: .runs)
        try container.encode(left, forKey: .left)
    }
}

extension StepFinding {
    /// How far the step was looked at.
    public var examination: Examination { Examination(runs: runs, left: left) }
}

extension MigrationStep {
    /// How far the step was looked at; nil where it was not.
    package var examination: Examination? {
        finding?.examination ?? notExamined.map(Examination.init(notExamined:))
    }
}

/// A value of which less was carried on than there was, as experiments show.
public struct ValueNarrowing: Sendable, Hashable, Codable {
    /// Where the value is in the document before the step, or before it is saved.
    public var path: DocumentPath
    /// What is gone.
    public var how: Narrowing.How
    /// When it was lost.
    public var when: LossTime
    /// The step; nil where it was none.
    public var step: MigrationFailure.Step?
    /// The part of the document that took the step by itself; nil where it is the document's.
    public var part: DocumentPath?

    private enum CodingKeys: String, NullableCodingKey { case path, how, when, step, part }

    /// A narrowing in a step; in none when the app saves the document.
    public init(path: DocumentPath, how: Narrowing.How, step: MigrationFailure.Step?, part: DocumentPath? = nil) {
        (self.path, self.how, self.when, self.step, self.part) = (path, how, LossTime(step), step, part)
    }

    /// Reads a narrowing; reports of earlier versions do not say when it was.
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
    /// How far experiments looked at the document, the steps of parts included; nil where none was made.
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

    /// The values that steps narrowed and no author means to narrow; nil where that was not looked for.
    public var narrowings: [ValueNarrowing]? {
        values(\.narrowed, of: \.path) { ValueNarrowing(path: $0, how: $1.how, step: $2, part: $3) }
    }

    /// The values that steps lost and no author means to lose; nil where that was not looked for.
    public var losses: [ValueLoss]? {
        values(\.lost, of: \.self) { path, _, step, part in ValueLoss(path: path, step: step, part: part) }
    }

    /// What was found out of the steps. What a step of a part shows is not told of a step around it again.
    private func values<Value: Hashable, Told>(
        _ values: (StepFinding) -> [Value], of path: (Value) -> DocumentPath,
        _ told: (DocumentPath, Value, MigrationFailure.Step?, DocumentPath?) -> Told
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
            (finding.map(values) ?? []).filter { !known.contains(path($0)) }.map { told(path($0), $0, ends, nil) }
        }
        return own
            + folded.map { value in
                let first = inParts[value.members[0]]
                return told(value.path, first.value, first.step, value.part)
            }
    }

    /// The steps of the parts, with the place of each part in the document.
    private func partSteps(inside base: DocumentPath) -> [(place: DocumentPath, step: MigrationStep)] {
        parts.flatMap { part in
            let place = base.appending(part.path ?? .root)
            return part.steps.map { (place, $0) } + part.partSteps(inside: place)
        }
    }

    /// Values of parts with their places in the document; as one with folded positions where all elements have it.
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
    /// How many values there are along the way, whichever of an array's elements it leads through; an element that lacks
    /// what follows counts too.
    fileprivate func count(along components: ArraySlice<DocumentPath.Component>) -> Int {
        guard let first = components.first else { return 1 }
        guard case .everyElement = first else {
            return descendant(at: DocumentPath([first]))?.count(along: components.dropFirst()) ?? 1
        }
        return elements.reduce(0) { $0 + $1.count(along: components.dropFirst()) }
    }
}
