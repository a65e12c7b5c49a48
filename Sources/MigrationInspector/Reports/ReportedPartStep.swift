import DocumentModel
import MigrationCore

/// A step of a document's parts, as it's shown in texts. More than ten parts whose paths differ only in positions are
/// shown as one, with the values of the first.
struct ReportedPartStep {
    private let step: MigrationStep
    /// The path of the part; folded if this stands for several parts.
    private let place: DocumentPath
    /// The number of parts that took the step.
    private let count: Int
    /// The changes, with their paths in the whole document, and the origins of their values; nil if the result of the
    /// step isn't known.
    private(set) var changes: [(reported: ReportedChange, origin: String?)]?

    /// Returns the steps of a document's parts at any depth, in the order of the parts. It's empty for preferences,
    /// because the steps of their parts are those of the document.
    static func all(in trace: MigrationTrace) -> [ReportedPartStep] {
        if trace.migratesByParts { return [] }
        let taken = steps(of: trace, at: .root)
        /// The properties that steps shown together have in common.
        struct Kind: Hashable {
            let place: DocumentPath
            let chain: String?
            let from: DocumentVersion
            let to: DocumentVersion
            let isKnown: Bool
        }
        var kinds: [Kind] = []
        var members: [Kind: [(place: DocumentPath, step: MigrationStep)]] = [:]
        for (place, chain, step) in taken {
            let kind = Kind(
                place: place.foldingIndices, chain: chain, from: step.from, to: step.to, isKnown: step.difference != nil
            )
            if members[kind] == nil { kinds.append(kind) }
            members[kind, default: []].append((place, step))
        }
        return kinds.flatMap { kind -> [ReportedPartStep] in
            let alike = members[kind] ?? []
            if alike.count > PathFolds.mostSingle { return [ReportedPartStep(alike, at: kind.place)] }
            return alike.map { ReportedPartStep([$0], at: $0.place) }
        }
    }

    private static func steps(
        of trace: MigrationTrace, at base: DocumentPath
    ) -> [(place: DocumentPath, chain: String?, step: MigrationStep)] {
        trace.parts.flatMap { part in
            let place = base.appending(part.base)
            return part.steps.map { (place, part.chain, $0) } + steps(of: part, at: place)
        }
    }

    /// Combines steps between the same versions of one chain.
    private init(_ alike: [(place: DocumentPath, step: MigrationStep)], at place: DocumentPath) {
        (step, self.place, count) = (alike[0].step, place, alike.count)
        if step.difference == nil { return }
        /// The properties that changes on one line have in common.
        struct Kind: Hashable {
            let kind: DocumentChange.Kind
            let path: DocumentPath
            let from: DocumentPath?
        }
        var kinds: [Kind] = []
        var found: [Kind: (reported: ReportedChange, origin: String?, count: Int)] = [:]
        for (_, step) in alike {
            let origins = step.finding.map(OriginWords.init)
            for reported in step.difference.map(ReportedChange.all) ?? [] {
                let kind = Kind(kind: reported.change.kind, path: reported.path, from: reported.from)
                if found[kind] == nil {
                    kinds.append(kind)
                    let isNew = reported.change.kind == .added || reported.change.kind == .changed
                    found[kind] = (reported, isNew && !reported.isFolded ? origins?.of(reported.path) : nil, 0)
                }
                found[kind]?.count += 1
            }
        }
        changes = kinds.compactMap { kind in
            guard let (reported, origin, count) = found[kind] else { return nil }
            return (reported.inside(place, count: count, of: alike.count), origin)
        }
    }

    /// The heading above the changes.
    var heading: String {
        let sign = step.failure != nil ? "✗" : "→"
        let parts = count > 1 ? "\(place) (\(count) parts)" : "\(place)"
        return "step \(step.from) \(sign) \(step.to) of \(parts)  (\(step.fromType) to \(step.toType))"
    }

    /// Whether the step failed.
    var isFailed: Bool { step.failure != nil }

    /// The author's note on the step.
    var note: String? { step.note }
}
