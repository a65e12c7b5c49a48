import DocumentModel
import Foundation

/// The search for what the values that a step made depend on, and for the values that it lost or narrowed.
///
/// The search changes the document before the step, many values at once, and compares what the step makes of it. A group
/// of changes with which the result stays the same answers for all of its values; a group that the step refuses, or
/// with which the result differs, is halved. So the number of runs grows with what is found, not with the document.
///
/// 1. The unchanged document runs twice. What differs from run to run takes no part.
/// 2. Values that the result has at the same place, or elsewhere, are presumed to be carried on: all of them are changed
///    at once, and each has to arrive.
/// 3. All others are changed, at once, to one value after the other. Those with which the result never differs are lost.
/// 4. Of those with which it does, simpler values are tried. Where the result stays the same, it holds less of the value.
/// 5. For origins, groups are halved down to single fields. Then the values of half the records are changed, by the bits
///    of their numbers, so that each value of the result shows which one it depends on.
///
/// A value that the step did not accept any other in place of, or that there were no runs left for, is in
/// ``StepFinding/left``: nothing is known of it.
///
/// Groups: Dorfman, "The detection of defective members of large populations" (1943). Halves: Zeller and Hildebrandt,
/// "Simplifying and isolating failure-inducing input" (2002).
package struct StepSearch {
    /// What came of a run of the step.
    package enum Outcome: Sendable {
        /// It made this document.
        case made(Document)
        /// It made none.
        case refused(StepFinding.Left.Reason)
    }

    /// Runs the step with another document before it.
    private let run: (Document) throws -> Outcome
    let before: Document
    let after: Document
    let difference: DocumentDifference
    /// The values that have no counterpart in the result, as the difference pairs them, with how long their paths are: the
    /// outermost, in order.
    private(set) var removed: [(nodes: DocumentNode.Nodes, depth: Int)] = []
    let leaves: DocumentLeaves
    let versions: [DocumentPath]
    /// What nothing reads of the document before, folded.
    let dropped: [DocumentPath]
    private let findsOrigins: Bool
    var budget: ExperimentBudget
    /// How many runs there were.
    package private(set) var runs = 0
    /// What differs from run to run.
    var differing = ResultChanges()
    /// What is known of each leaf.
    var states: [State]
    /// For each value of the result that another document changes, the leaves that it depends on.
    var origins: [DocumentNode.ID: Set<Int>] = [:]
    var narrowed: [(leaf: Int, how: Narrowing.How)] = []
    /// Of each field that was asked for: whether an element is skipped where a value of it does not decode.
    private var skips: [Int: Bool] = [:]

    /// What experiments have shown of a value.
    struct State {
        /// Where the result has the value too, if it does.
        var partner: DocumentNode?
        /// Whether the value arrives at its partner, whatever it is.
        var isCarried = false
        /// Whether the result differs with another value.
        var matters = false
        /// Whether another value brings back the element that it is in, and changes nothing else.
        var bringsBack = false
        /// How many other values were accepted without a difference in the result.
        var accepted = 0
        /// Why another value was not accepted.
        var refusal: StepFinding.Left.Reason?
    }

    /// A search in a step; nil where there is nothing to find out.
    ///
    /// - Parameters:
    ///   - versions: Where the documents before and after have their version, which is no value to look at.
    ///   - dropped: What nothing reads of the document before, folded.
    ///   - lenders: Other documents of the version before, which lend their values.
    ///   - outline: What is known of the fields of that version.
    ///   - findsOrigins: Whether it is asked where the values that the step made come from.
    ///   - run: Runs the step with a changed document.
    package init?(
        before: Document?, after: Document?, versions: [DocumentPath], dropped: [DocumentPath] = [],
        lenders: [Document] = [], outline: VersionOutline? = nil, findsOrigins: Bool = true,
        budget: ExperimentBudget = ExperimentBudget(),
        run: @escaping (Document) throws -> Outcome
    ) {
        guard let before, let after, budget.allows(before) else { return nil }
        (self.before, self.after, self.run, self.versions, self.dropped) = (before, after, run, versions, dropped)
        (self.findsOrigins, self.budget) = (findsOrigins, budget)
        leaves = DocumentLeaves(
            of: before, except: Set(versions + dropped), lenders: lenders, outline: outline)
        difference = DocumentDifference(old: before.root, new: after.root)
        states = leaves.all.map { _ in State() }
        removed = removedValues
        notePartners()
    }

    /// Makes the experiments.
    ///
    /// - Returns: What they show; nil where the step does not do the same each time, or differs as a whole.
    /// - Throws: What `run` throws.
    package mutating func finding() throws -> StepFinding? {
        for _ in 0..<2 {
            guard case .made(let document) = try outcome(of: before) else { return nil }
            if document.root.isEqual(to: after.root) { continue }
            differing.formUnion(ResultChanges(after, document))
            if differing.areOther { return nil }
        }
        try presume(leaves.all.indices.filter { states[$0].partner != nil })
        try presumeElsewhere(leaves.all.indices.filter { !states[$0].isCarried && states[$0].partner == nil })
        try sortOut()
        try findMerged()
        try simplify()
        isSpentOnLosses = budget.isSpent
        if findsOrigins {
            let known = leaves.all.indices.map { states[$0].matters }
            try findOrigins()
            for leaf in origins.values.joined() where !states[leaf].isCarried { states[leaf].matters = true }
            try simplify { !known[$0] }
        }
        return StepFinding(
            origins: findsOrigins ? toldOrigins : [], lost: toldLosses, narrowed: toldNarrowings, left: left,
            differing: differing.places(in: after), notMoved: notMoved, runs: runs)
    }

    // MARK: - Runs

    private enum Result {
        case same
        /// The result is this one; ``changes(in:)`` says where it differs, which takes much longer than to see that it does.
        case changed(Document)
        case refused(StepFinding.Left.Reason)
    }

    private mutating func outcome(of document: Document) throws -> Outcome {
        runs += 1
        let outcome = try run(document)
        budget.spend(document.byteCount, on: outcome)
        return outcome
    }

    /// Runs the step with values changed; nil removes one.
    private mutating func result(of changes: [(leaf: Int, value: Document?)]) throws -> Result {
        if budget.isSpent { return .refused(.budget) }
        let replaced = Dictionary(uniqueKeysWithValues: changes.map { (leaves.all[$0.leaf].node.id, $0.value) })
        switch try outcome(of: before.replacing(replaced)) {
        case .refused(let reason): return .refused(reason)
        case .made(let document): return isSame(document, as: after) ? .same : .changed(document)
        }
    }

    /// Whether two results are equal, apart from what differs from run to run.
    private func isSame(_ result: Document, as other: Document) -> Bool {
        result.root.isEqual(to: other.root)
            || !differing.isEmpty && ResultChanges(other, result, except: differing).isEmpty
    }

    private func changes(in result: Document) -> ResultChanges { ResultChanges(after, result, except: differing) }

    /// Changes the leaves of a group together, and halves the group for as long as it is refused.
    ///
    /// Groups are sorted by field, so halves are whole fields first: what is refused is as a rule refused for all values
    /// of a field.
    ///
    /// - Parameters:
    ///   - isOfOneValue: Whether all leaves of a field are changed to the same value, or to one of the same form.
    ///   - value: What to put in place of a leaf; nil where there is nothing to try.
    ///   - note: Given a group that was accepted, with the result if it is another. It returns whether the group has to be
    ///     halved.
    ///   - refuse: Given leaves whose values were not accepted.
    private mutating func sift(
        _ group: ArraySlice<Int>, isOfOneValue: Bool = true, _ value: (Int) -> Document??,
        note: (inout StepSearch, ArraySlice<Int>, Document?) throws -> Bool,
        refuse: (inout StepSearch, ArraySlice<Int>, StepFinding.Left.Reason) -> Void
    ) throws {
        let changes = group.compactMap { leaf in value(leaf).map { (leaf: leaf, value: $0) } }
        if changes.isEmpty { return }
        let group = changes.map(\.leaf)[...]
        switch try result(of: changes) {
        case .same: _ = try note(&self, group, nil)
        case .changed(let result):
            guard try note(&self, group, result), group.count > 1 else { return }
            for half in halves(of: group) {
                try sift(half, isOfOneValue: isOfOneValue, value, note: note, refuse: refuse)
            }
        case .refused(let reason):
            guard group.count > 1, reason != .budget else { return refuse(&self, group, reason) }
            if isOfOneValue, isOfOneField(group), case .refused(let reason) = try result(of: [changes[0]]) {
                // What one record of the field is refused is hardly ever accepted for all others, and each would take a run.
                return refuse(&self, group, reason)
            }
            for half in halves(of: group) {
                try sift(half, isOfOneValue: isOfOneValue, value, note: note, refuse: refuse)
            }
        }
    }

    private func isOfOneField(_ group: ArraySlice<Int>) -> Bool {
        leaves.all[group[group.startIndex]].field == leaves.all[group[group.endIndex - 1]].field
    }

    /// Two halves of a group, divided between two fields where it has several.
    private func halves(of group: ArraySlice<Int>) -> [ArraySlice<Int>] {
        var middle = group.startIndex + group.count / 2
        if !isOfOneField(group) {
            let borders = group.indices.dropFirst().filter {
                leaves.all[group[$0]].field != leaves.all[group[$0 - 1]].field
            }
            middle = borders.min { abs($0 - middle) < abs($1 - middle) } ?? middle
        }
        return [group[..<middle], group[middle...]]
    }

    // MARK: - What is carried on

    /// Notes where the result has the values of the document before.
    private mutating func notePartners() {
        var partners = NodeValues(of: before)
        difference.forEachPair { old, new in
            if !old.kind.isContainer, old.isEqual(to: new) { partners[old] = new }
        }
        for index in leaves.all.indices { states[index].partner = partners[leaves.all[index].node] }
    }

    /// Changes values that the result has too, all at once, and looks whether each arrives.
    private mutating func presume(_ group: [Int]) throws {
        let (few, others) = (group.filter(leaves.hasFewValues), group.filter { !leaves.hasFewValues($0) })
        for round in 0..<3 {
            let rest = others.filter { !states[$0].isCarried && (round == 0 || states[$0].refusal != nil) }
            try sift(
                rest[...], { [leaves] in leaves.values(of: $0)[round].map { .some($0) } },
                note: { search, group, result in
                    search.compare(group, with: result) { leaves, values in
                        for leaf in leaves {
                            guard let new = search.states[leaf].partner.flatMap({ values[$0] }) else { continue }
                            let isThere = search.leaves.values(of: leaf)[round]?.root.isEqual(to: new) == true
                            if isThere { search.states[leaf].isCarried = true }
                        }
                        return leaves.filter { !search.states[$0].isCarried }
                    }
                    return false
                },
                refuse: { search, group, reason in for leaf in group { search.states[leaf].refusal = reason } })
        }
        try presume(few) { [leaves] in leaves.values(of: $0)[0] }
        // Where only values are accepted that the document has elsewhere, these are.
        var borrowing: [Int] = []
        let borrowed = { [leaves] (leaf: Int) in
            leaves.relatives[leaves.all[leaf].field].first { !$0.isEqual(to: leaves.all[leaf].node) }
                .map(Document.init(copying:))
        }
        let refused = others.filter { !states[$0].isCarried && states[$0].refusal != nil }
        try sift(
            refused[...], { borrowed($0).map { .some($0) } },
            note: { _, group, _ in
                borrowing += group
                return false
            }, refuse: { _, _, _ in })
        try presume(borrowing, borrowed)
    }

    /// Changes values that the result has nowhere that a comparison pairs with them, and looks where else they arrive. A
    /// value that was changed as no equal one is known again; with one of another form it has to arrive at the same place.
    private mutating func presumeElsewhere(_ group: [Int]) throws {
        let group = group.filter { !leaves.hasFewValues($0) }
        var places: [Int: DocumentNode.ID] = [:]
        try sift(
            group[...], { [leaves] in leaves.values(of: $0)[0].map { .some($0) } },
            note: { search, group, result in
                search.compare(group, with: result) { leaves, values in
                    var known: [[ScalarKey]: DocumentNode.ID] = [:]
                    for old in search.after.root.nodes {
                        guard let new = values[old] else { continue }
                        let key = [ScalarKey(old), ScalarKey(new)]
                        known[key] = known[key] ?? old.id
                    }
                    for leaf in leaves {
                        guard let value = search.leaves.values(of: leaf)[0] else { continue }
                        places[leaf] = known[[ScalarKey(search.leaves.all[leaf].node), ScalarKey(value.root)]]
                    }
                    return leaves.filter { places[$0] == nil }
                }
                return false
            }, refuse: { _, _, _ in })
        // Values of two fields take other forms, so that one that follows another field is not taken for this one.
        let another = { [leaves] (leaf: Int) -> Document? in
            let values = leaves.values(of: leaf)
            return values[1 + leaves.all[leaf].field % max(1, values.most - 1)] ?? values[1]
        }
        try sift(
            places.keys.sorted()[...], { another($0).map { .some($0) } },
            note: { search, group, result in
                search.compare(group, with: result) { leaves, values in
                    for leaf in leaves {
                        guard let place = places[leaf].map({ search.after.root.nodes[$0] }), let new = values[place]
                        else { continue }
                        guard another(leaf)?.root.isEqual(to: new) == true else { continue }
                        search.states[leaf].partner = place
                        search.states[leaf].isCarried = true
                    }
                    return leaves.filter { !search.states[$0].isCarried }
                }
                return false
            }, refuse: { _, _, _ in })
    }

    /// Looks for values in a result that have arrived: at the same places first; then as the two results are aligned,
    /// which takes longer, and pairs other elements where all have changed.
    ///
    /// - Parameter look: Given leaves, and the values of the result that are others. It returns the leaves that it missed.
    private func compare(
        _ group: ArraySlice<Int>, with result: Document?, _ look: ([Int], NodeValues) -> [Int]
    ) {
        guard let result else { return }
        let missed = valuesAtPlaces(in: result).map { look(Array(group), $0) } ?? Array(group)
        if !missed.isEmpty { _ = look(missed, alignedValues(in: result)) }
    }

    private func alignedValues(in result: Document) -> NodeValues {
        var values = NodeValues(of: after)
        for (id, new) in changes(in: result).values { values[after.root.nodes[id]] = new }
        return values
    }

    /// The scalar values of the result that are others in the second one, where both have the same members and elements;
    /// nil where they have not.
    private func valuesAtPlaces(in result: Document) -> NodeValues? {
        let (old, new) = (after.root.nodes, result.root.nodes)
        guard old.count == new.count else { return nil }
        var values = NodeValues(of: after)
        for (left, right) in zip(old, new) {
            guard left.kind == right.kind, left.count == right.count else { return nil }
            if left.kind.isContainer || left.isEqual(to: right) { continue }
            if left.kind == .key { return nil }
            if differing.values[left.id] == nil { values[left] = right }
        }
        return values
    }

    /// Changes values that have few others, so that another one may arrive from elsewhere, by the bits of their numbers, and
    /// looks whether each arrives.
    private mutating func presume(_ group: [Int], _ value: (Int) -> Document?) throws {
        let bitCount = Int.bitWidth - (group.count + 1).leadingZeroBitCount
        guard !group.isEmpty else { return }
        var patterns = [Int](repeating: 0, count: group.count)
        var isKnown = [Bool](repeating: true, count: group.count)
        for bit in 0..<bitCount {
            let flipped = group.indices.filter { ($0 + 1) >> bit & 1 == 1 }
            if flipped.isEmpty { continue }
            let result = try result(of: flipped.map { (group[$0], value(group[$0])) })
            guard case .changed(let document) = result else {
                if case .refused = result { for index in flipped { isKnown[index] = false } }
                continue
            }
            let values = valuesAtPlaces(in: document) ?? alignedValues(in: document)
            for index in group.indices where states[group[index]].partner.flatMap({ values[$0] }) != nil {
                patterns[index] |= 1 << bit
            }
        }
        for index in group.indices where isKnown[index] && patterns[index] == index + 1 {
            states[group[index]].isCarried = true
        }
    }

    // MARK: - What is lost

    /// The values that may be lost: all of which it is not shown that they arrive.
    private var candidates: [Int] {
        // A value with a partner of which no other value is accepted is a constant: it is not gone.
        leaves.all.indices.filter {
            !states[$0].isCarried && !states[$0].matters && (states[$0].partner == nil || states[$0].refusal == nil)
        }
    }

    /// Changes the candidates to one value after the other, until four of each were accepted. The values that are left then
    /// are tried in one record each, and in the other records of its field where one makes a difference.
    private mutating func sortOut() throws {
        let first = candidates
        var rounds = [Int](repeating: 0, count: leaves.all.count)
        for round in 0..<mostValues(of: first) {
            let group = first.filter { !states[$0].matters && states[$0].accepted < TrialValues.enough }
            for leaf in group { rounds[leaf] += 1 }
            try change(group, round: round)
        }
        var left: [[Int: Int]] = []
        for (_, group) in Dictionary(grouping: first.filter { !states[$0].matters }, by: { leaves.all[$0].field }) {
            let start = group.map { rounds[$0] }.min() ?? 0
            for (number, round) in (start..<max(start, mostValues(of: group))).enumerated() {
                let (turn, place) = number.quotientAndRemainder(dividingBy: group.count)
                if left.count == turn { left.append([:]) }
                left[turn][group[place]] = round
            }
        }
        for rounds in left {
            for (field, round) in try fields(changing: rounds) {
                try change(first.filter { leaves.all[$0].field == field && !states[$0].matters }, round: round)
            }
        }
        let members = first.filter {
            isLost($0) && leaves.all[$0].isMember && !isOfSkippingField($0)
        }
        try sift(members, isRemoval: true) { _ in .some(nil) }
    }

    /// Changes leaves to a value each, and finds the fields with a leaf that makes a difference.
    ///
    /// - Parameter rounds: The number of the value for each leaf.
    private mutating func fields(changing rounds: [Int: Int]) throws -> [(field: Int, round: Int)] {
        let group = rounds.keys.filter { !states[$0].matters && mayChange($0, round: rounds[$0] ?? 0) }.sorted()
        var found: [(field: Int, round: Int)] = []
        try sift(
            group[...], isOfOneValue: false,
            { [leaves] leaf in rounds[leaf].flatMap { leaves.value(of: leaf, round: $0) }.map { .some($0) } },
            note: { search, group, result in
                if result == nil {
                    for leaf in group { search.states[leaf].accepted += 1 }
                } else if group.count == 1, let round = rounds[group[group.startIndex]] {
                    found.append((search.leaves.all[group[group.startIndex]].field, round))
                }
                return true
            }, refuse: { _, _, _ in })
        return found
    }

    private mutating func change(_ group: [Int], round: Int) throws {
        try sift(group.filter { mayChange($0, round: round) }) { [leaves] in
            leaves.value(of: $0, round: round).map { .some($0) }
        }
    }

    /// Whether the value that a leaf is changed to in a round can show something.
    private func mayChange(_ leaf: Int, round: Int) -> Bool {
        !isOfSkippingField(leaf) || leaves.hasForm(leaf, leaves.value(of: leaf, round: round))
    }

    private func isOfSkippingField(_ leaf: Int) -> Bool { skips[leaves.all[leaf].field] == true }

    /// Whether a result comes of elements that are skipped where a value in them does not decode, or were skipped before.
    /// Then a value of another form was refused there, which says nothing of the value.
    ///
    /// Skipped, the step makes the same as with a value of another kind, which no code takes for a text, a number or a
    /// Boolean, and the same as without the elements.
    private mutating func areSkipped(_ group: ArraySlice<Int>, _ result: Document) throws -> Bool {
        let field = leaves.all[group[group.startIndex]].field
        if skips[field] == true { return true }
        let around = group.map { elements(around: leaves.all[$0].path) }
        let depths = around.map(\.count).min() ?? 0
        guard depths > 0 else { return false }
        let skipped: Document
        switch try self.result(of: group.map { ($0, Document(object: [])) }) {
        case .changed(let made) where skips[field] == nil && isSame(made, as: result): skipped = result
        case .same: skipped = after
        case .changed: return false
        case .refused:
            skips[field] = false
            return false
        }
        for depth in 0..<depths {
            let ids = Set(around.compactMap { before.root.descendant(at: $0[depth])?.id })
            let fewer = before.replacing(Dictionary(uniqueKeysWithValues: ids.map { ($0, nil) }))
            guard !budget.isSpent, case .made(let made) = try outcome(of: fewer), isSame(made, as: skipped) else {
                continue
            }
            skips[field] = true
            return true
        }
        return false
    }

    /// Looks whether elements that other values bring back were merged with equal ones: then one of them stays in the result
    /// until all of them are others.
    private mutating func findMerged() throws {
        let fields = Dictionary(grouping: leaves.all.indices, by: { leaves.all[$0].field })
        for (_, field) in fields.sorted(by: { $0.key < $1.key }) where field.contains(where: { states[$0].bringsBack })
        {
            for (_, equals) in Dictionary(grouping: field, by: { leaves.all[$0].node.mergingText }) {
                let back = equals.filter { states[$0].bringsBack }
                if back.isEmpty || equals.count == 1 { continue }
                let isMerged = try takesAway(equals)
                if isMerged == false { continue }
                for leaf in back {
                    states[leaf].bringsBack = false
                    states[leaf].matters = isMerged == true
                    (states[leaf].accepted, states[leaf].refusal) = (0, .refused)
                }
            }
        }
    }

    /// Whether the result has something no more when leaves are changed together; nil where no change was accepted.
    private mutating func takesAway(_ group: [Int]) throws -> Bool? {
        for round in 0..<TrialValues.enough {
            switch try result(of: group.map { ($0, leaves.values(of: $0)[round]) }) {
            case .changed(let document): return !changes(in: document).onlyAddsElements
            case .same, .refused: continue
            }
        }
        return nil
    }

    private func mostValues(of group: [Int]) -> Int { group.map { leaves.values(of: $0).most }.max() ?? 0 }

    /// Changes leaves to values, and notes with which of them the result is the same.
    private mutating func sift(_ group: [Int], isRemoval: Bool = false, _ value: (Int) -> Document??) throws {
        try sift(
            group[...], value,
            note: { search, group, result in
                guard let result else {
                    if !isRemoval { for leaf in group { search.states[leaf].accepted += 1 } }
                    return false
                }
                let isOfForm = !isRemoval && group.allSatisfy { search.leaves.hasForm($0, value($0) ?? nil) }
                if !isOfForm, search.isOfOneField(group), try search.areSkipped(group, result) { return false }
                if group.count == 1 {
                    let leaf = group[group.startIndex]
                    let isInElement = !search.elements(around: search.leaves.all[leaf].path).isEmpty
                    if !isInElement, !search.findsOrigins {
                        search.states[leaf].matters = true
                        return false
                    }
                    let changes = search.changes(in: result)
                    if changes.onlyAddsElements, !search.removedElements(around: leaf).isEmpty {
                        search.states[leaf].bringsBack = true
                        search.states[leaf].accepted += 1
                    } else {
                        search.states[leaf].matters = true
                        search.noteOrigins(of: [leaf], in: changes)
                    }
                    return false
                }
                guard search.isOfOneField(group) else { return true }
                let found = Set(try search.attribute(group, search.changes(in: result)) { value($0) ?? nil }.values)
                if found.isEmpty { return true }
                try search.sift(group.filter { !found.contains($0) }, isRemoval: isRemoval, value)
                return false
            },
            refuse: { search, group, reason in
                guard !isRemoval else { return }
                for leaf in group { search.states[leaf].refusal = reason }
            })
    }

    /// Finds out which leaves of one field the values of the result depend on that changed with all of them: half of the
    /// leaves change at a time, by the bits of their numbers, and then the other half.
    ///
    /// - Returns: The leaves that values of the result, and elements, depend on.
    private mutating func attribute(
        _ group: ArraySlice<Int>, _ changes: ResultChanges, _ value: (Int) -> Document?
    ) throws -> [DocumentNode.ID: Int] {
        let leaves = Array(group)
        let affected = Set(changes.values.keys).union(changes.removed)
        guard !affected.isEmpty else { return [:] }
        var changesLists = changes.changesLists
        // The numbers that are possible: those with these bits set or not.
        var numbers = [DocumentNode.ID: Int](uniqueKeysWithValues: affected.map { ($0, 0) })
        for bit in 0..<(Int.bitWidth - (leaves.count - 1).leadingZeroBitCount) {
            var answers: [Set<DocumentNode.ID>] = []
            for side in [0, 1] {
                let half = leaves.indices.filter { $0 >> bit & 1 == side }
                switch try result(of: half.map { (leaves[$0], value(leaves[$0])) }) {
                case .same: answers.append([])
                case .changed(let result):
                    let changes = self.changes(in: result)
                    changesLists = changesLists || changes.changesLists
                    answers.append(Set(changes.values.keys).union(changes.removed))
                case .refused: return [:]
                }
            }
            // What changes with both halves, or with none, depends on several.
            numbers = numbers.filter { answers[0].contains($0.key) != answers[1].contains($0.key) }
            for (id, number) in numbers where answers[1].contains(id) { numbers[id] = number | 1 << bit }
        }
        let found = numbers.filter { $0.value < leaves.count }.mapValues { leaves[$0] }
        for leaf in found.values { states[leaf].matters = true }
        if changes.changesLists { return found }
        for (leaf, places) in Dictionary(grouping: found.keys, by: { found[$0] ?? 0 }).sorted(by: { $0.key < $1.key }) {
            var places = places.filter { changes.values[$0] != nil }
            let hasForm = self.leaves.hasForm(leaf, value(leaf))
            // Of leaves that decide which elements there are, one may bring an element where another took one away.
            if changesLists || !hasForm, !places.isEmpty {
                guard case .changed(let result) = try result(of: [(leaf, value(leaf))]) else { continue }
                if !hasForm, try areSkipped([leaf], result) { continue }
                let own = self.changes(in: result)
                places = own.changesLists ? [] : places.filter { own.values[$0] != nil }
            }
            for place in places { origins[place, default: []].insert(leaf) }
        }
        return found
    }

    private mutating func noteOrigins(of group: [Int], in changes: ResultChanges) {
        // Which elements a list has, and in which order, changes what depends on it, and carries no value there.
        if changes.changesLists { return }
        for id in changes.values.keys { origins[id, default: []].formUnion(group) }
    }

    /// Whether nothing depends on a leaf: four other values were accepted, or all that there are.
    func isLost(_ leaf: Int) -> Bool {
        let state = states[leaf]
        guard !state.isCarried, !state.matters, !state.bringsBack, state.accepted > 0 else { return false }
        return leaves.values(of: leaf).isEnough(state.accepted)
    }

    // MARK: - What is narrowed

    /// Leaves of which it was not found out whether they are narrowed, for there were no runs left.
    var unsimplified: Set<Int> = []
    /// Whether there were no runs left before origins were looked for.
    private(set) var isSpentOnLosses = false

    private mutating func simplify(_ isWanted: (Int) -> Bool = { _ in true }) throws {
        let group = leaves.all.indices.filter { states[$0].matters && !states[$0].isCarried && isWanted($0) }
        var forms: [Int: [(how: Narrowing.How, value: Document)]] = [:]
        for leaf in group { forms[leaf] = Narrowing.simplerForms(of: leaves.all[leaf].node) }
        let places = ownPlaces
        var narrow: [Int: Narrowing.How] = [:]
        for round in 0..<(forms.values.map(\.count).max() ?? 0) {
            let rest = group.filter { narrow[$0] == nil && round < (forms[$0]?.count ?? 0) }
            let same = try unchanged(rest[...], places) { forms[$0]?[round].value }
            for leaf in same {
                guard let form = forms[leaf]?[round] else { continue }
                // Of numbers of one sum, some grow and some shrink.
                if places[leaf] == nil, same.count > 1, case .changed = try result(of: [(leaf, form.value)]) {
                    continue
                }
                if form.how != .case || isSpelled(places[leaf], as: form.value, not: leaf) { narrow[leaf] = form.how }
            }
        }
        let found = narrow.keys.sorted()
        let carrying = try carryingSize(found, places)
        for leaf in found where carrying.contains(leaf) {
            if let how = narrow[leaf] { narrowed.append((leaf, how)) }
        }
        if budget.isSpent { unsimplified.formUnion(Set(group).subtracting(carrying)) }
    }

    /// Whether the result has a text in the letters of a form of it, upper or lower case, and not in its own.
    private func isSpelled(_ place: DocumentNode.ID?, as form: Document, not leaf: Int) -> Bool {
        guard let result = place.flatMap({ after.root.nodes[$0].string }), let form = form.root.string,
            let own = leaves.all[leaf].node.string
        else { return false }
        if result.contains(own) { return false }
        return result.contains(form) || result.commonPrefix(with: form).count > result.commonPrefix(with: own).count
    }

    /// The places of the result that depend on one leaf alone.
    private var ownPlaces: [Int: DocumentNode.ID] {
        var places: [Int: DocumentNode.ID] = [:]
        for (id, from) in origins where from.count == 1 {
            for leaf in from { places[leaf] = min(id, places[leaf] ?? id) }
        }
        return places
    }

    /// The leaves of a group with whose values the result is the same. Those whose own place differs are taken out, and
    /// the others are changed again without them.
    private mutating func unchanged(
        _ group: ArraySlice<Int>, _ places: [Int: DocumentNode.ID], _ value: (Int) -> Document?
    ) throws -> [Int] {
        var same: [Int] = []
        try sift(
            group, { leaf in value(leaf).map { .some($0) } },
            note: { search, group, result in
                guard let result else {
                    same += group
                    return false
                }
                if group.count == 1 { return false }
                let changes = search.changes(in: result)
                let rest = group.filter { places[$0].map { changes.values[$0] == nil } ?? true }
                if rest.count == group.count { return true }
                same += try search.unchanged(rest[...], places, value)
                return false
            }, refuse: { _, _, _ in })
        return same
    }

    /// The leaves of which four accepted values give four different results: a threshold or a lookup does not carry a
    /// value. Those of one field that have places of their own are changed together.
    private mutating func carryingSize(_ group: [Int], _ places: [Int: DocumentNode.ID]) throws -> Set<Int> {
        var results: [Int: [DocumentNode]] = [:]
        for (_, placed) in Dictionary(grouping: group, by: { leaves.all[$0].field }).sorted(by: { $0.key < $1.key }) {
            for round in 0..<mostValues(of: placed) {
                let rest = placed.filter { places[$0] != nil && results[$0, default: []].count < 4 }
                try sift(
                    rest[...], { [leaves] in leaves.values(of: $0)[round].map { .some($0) } },
                    note: { search, group, result in
                        guard let changes = result.map(search.changes) else { return false }
                        for leaf in group {
                            guard let new = places[leaf].flatMap({ changes.values[$0] ?? nil }) else { continue }
                            let known = results[leaf, default: []]
                            if !known.contains(where: { $0.isEqual(to: new) }) { results[leaf] = known + [new] }
                        }
                        return false
                    }, refuse: { _, _, _ in })
            }
        }
        var carrying = Set(results.filter { $0.value.count >= 4 }.keys)
        for leaf in group where places[leaf] == nil { if try carriesSize(of: leaf) { carrying.insert(leaf) } }
        return carrying
    }

    private mutating func carriesSize(of leaf: Int) throws -> Bool {
        var results: [Document] = []
        for number in 0..<leaves.values(of: leaf).most {
            guard results.count < 4, let value = leaves.values(of: leaf)[number] else { break }
            let changed = before.replacing([leaves.all[leaf].node.id: value])
            guard !budget.isSpent, case .made(let document) = try outcome(of: changed) else { continue }
            // What brings an element back decides whether it is kept.
            guard ([after] + results).allSatisfy({ !isSame(document, as: $0) }), !changes(in: document).changesLists
            else { continue }
            results.append(document)
        }
        return results.count >= 4
    }

    // MARK: - Origins

    /// The values of the result that change with something, though it is not known with which leaf.
    var unexplained: Set<DocumentNode.ID> = []
    /// Whether some change of the lists of the document was refused.
    var isListUnknown = false
    /// Whether nothing was accepted somewhere in place of null or of an empty container.
    var isEmptyUnknown = false

    /// Changes all values, and halves them as long as new values change with them; then the lengths of lists.
    private mutating func findOrigins() throws {
        for leaf in leaves.all.indices where states[leaf].isCarried {
            if let partner = states[leaf].partner { origins[partner.id, default: []].insert(leaf) }
        }
        let targets = targets
        if targets.isEmpty { return }
        for round in 0..<4 {
            let value = { [leaves] (leaf: Int) in leaves.values(of: leaf)[round] }
            try sift(
                Array(leaves.all.indices)[...], { value($0).map { .some($0) } },
                note: { search, group, result in
                    guard let changes = result.map(search.changes) else { return false }
                    let affected = targets.intersection(changes.values.keys)
                    search.unexplained.formUnion(affected)
                    if affected.isEmpty { return false }
                    if let result, search.isOfOneField(group),
                        !group.allSatisfy({ search.leaves.hasForm($0, value($0)) }),
                        try search.areSkipped(group, result)
                    {
                        return false
                    }
                    if group.count == 1 {
                        search.noteOrigins(of: Array(group), in: changes)
                        return false
                    }
                    guard search.isOfOneField(group) else { return true }
                    let found = try search.attribute(group, changes, value)
                    // A value that depends on several shows each of them only with a change that is large enough.
                    return affected.contains {
                        found[$0] == nil && search.origins[$0]?.isSuperset(of: group) != true
                    }
                }, refuse: { _, _, _ in })
        }
        try findMore(of: targets)
        try changeLengths()
        if targets.contains(where: { origins[$0] == nil && !unexplained.contains($0) }) { try fillEmpty() }
    }

    /// Puts values where null and empty containers stand, to see what changes with that.
    private mutating func fillEmpty() throws {
        for (nodes, values) in leaves.empty {
            var accepted = 0
            for value in values where accepted < 4 && !budget.isSpent {
                let filled = Dictionary(uniqueKeysWithValues: nodes.map { ($0.id, Document?.some(value)) })
                guard case .made(let document) = try outcome(of: before.replacing(filled)) else { continue }
                accepted += 1
                unexplained.formUnion(changes(in: document).values.keys)
            }
            if accepted == 0 { isEmptyUnknown = true }
        }
    }

    /// Makes lists shorter and longer by an element, all those of one place at once, to see what changes with that. A value
    /// that only the last element has may come of the next one, if there is one.
    private mutating func changeLengths() throws {
        let lists = before.root.nodes.filter { $0.kind == .array && !$0.isEmpty }.map { ($0, $0.path) }
        let groups = Dictionary(grouping: lists) { $0.1.foldingIndices }
        for (_, group) in groups.sorted(by: { "\($0.key)" < "\($1.key)" }) {
            let lasts = group.compactMap { list, path in
                Array(list.elements).last.map { (list, path.appending(index: list.count - 1), $0) }
            }
            let shorter = before.replacing(Dictionary(uniqueKeysWithValues: lasts.map { ($0.2.id, nil) }))
            guard !budget.isSpent, case .made(let document) = try outcome(of: shorter) else {
                isListUnknown = true
                continue
            }
            unexplained.formUnion(changes(in: document).values.keys)
            let changed = before.replacing(othersInside(Set(lasts.map(\.1))))
            let longer = lasts.map { list, place, last in
                let more = changed.root.descendant(at: place) ?? last
                return (list.id, Document?.some(Document(array: Array(list.elements) + [more])))
            }
            guard !budget.isSpent,
                case .made(let document) = try outcome(of: before.replacing(Dictionary(uniqueKeysWithValues: longer)))
            else { continue }
            unexplained.formUnion(changes(in: document).values.keys)
        }
    }

    /// Other values for all leaves inside those at the places.
    private func othersInside(_ places: Set<DocumentPath>) -> [DocumentNode.ID: Document?] {
        var others: [DocumentNode.ID: Document?] = [:]
        for leaf in leaves.all.indices where elements(around: leaves.all[leaf].path).contains(where: places.contains) {
            others[leaves.all[leaf].node.id] = leaves.values(of: leaf)[0]
        }
        return others
    }

    /// Changes all values at once, to all others that there are, to see which targets change with anything at all.
    private mutating func findMore(of targets: Set<DocumentNode.ID>) throws {
        guard targets.contains(where: { origins[$0] == nil && !unexplained.contains($0) }) else { return }
        for round in 4..<max(4, mostValues(of: Array(leaves.all.indices))) {
            try sift(
                Array(leaves.all.indices)[...], { [leaves] in leaves.values(of: $0)[round].map { .some($0) } },
                note: { search, group, result in
                    if let changes = result.map(search.changes) {
                        search.unexplained.formUnion(targets.intersection(changes.values.keys))
                    }
                    return false
                }, refuse: { _, _, _ in })
        }
    }

    /// The scalar values of the result that the step made new or changed.
    private var targets: Set<DocumentNode.ID> {
        var found: Set<DocumentNode.ID> = []
        for change in difference.changes where change.kind != .removed {
            guard let new = change.new, !versions.contains(change.path) else { continue }
            found.formUnion(new.nodes.lazy.filter { !$0.kind.isContainer && $0.kind != .key }.map(\.id))
        }
        return found
    }
}

extension DocumentNode {
    /// What elements have in common that may be merged: the text, upper or lower case, or what stands there.
    fileprivate var mergingText: String {
        string?.trimmingCharacters(in: .whitespacesAndNewlines).lowercased()
            ?? JSONWriter(layout: .compact).string(self)
    }
}

/// Values of another document for values of a document.
private struct NodeValues {
    private let start: DocumentNode.ID
    private var values: [DocumentNode?]

    init(of document: Document) {
        start = document.root.id
        values = Array(repeating: nil, count: document.root.nodes.count)
    }

    subscript(node: DocumentNode) -> DocumentNode? {
        get { values[start.distance(to: node.id)] }
        set { values[start.distance(to: node.id)] = newValue }
    }
}
