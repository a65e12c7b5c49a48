import DocumentModel

/// The values that are lost.
extension StepSearch {
    /// The values that may be lost: all those that were not shown to arrive.
    var candidates: [Int] {
        // A value with a counterpart for which no other value is accepted is a constant. It isn't missing.
        leaves.all.indices.filter {
            !states[$0].isCarried && !states[$0].matters && (states[$0].partner == nil || states[$0].refusal == nil)
        }
    }

    /// Changes the candidates to one value after another, until four values of each were accepted and those of its
    /// siblings were tried. Any further values are tried in one record each, and then in the other records of the field
    /// if one makes a difference.
    mutating func sortOut() throws {
        let first = candidates
        var rounds = [Int](repeating: 0, count: leaves.all.count)
        for round in 0..<mostValues(of: first) {
            let group = first.filter {
                !states[$0].matters
                    && (states[$0].accepted < TrialValues.enough || isOneSided($0)
                        || round < leaves.values(of: $0).preferredCount)
            }
            for leaf in group { rounds[leaf] += 1 }
            try change(group, round: round)
        }
        var turns: [[Int: Int]] = []
        for group in fields(of: first.filter { !states[$0].matters }) {
            let start = group.map { rounds[$0] }.min() ?? 0
            for (number, round) in (start..<max(start, mostValues(of: group))).enumerated() {
                let (turn, place) = number.quotientAndRemainder(dividingBy: group.count)
                if turns.count == turn { turns.append([:]) }
                turns[turn][group[place]] = round
            }
        }
        for rounds in turns { try change(one: rounds, of: first) }
        // Changes of values with few alternatives may cancel out if one removes an element and another adds one.
        let few = first.filter { isLost($0) && leaves.hasFewValues($0) }
        for bit in 0..<(Int.bitWidth - few.count.leadingZeroBitCount) where few.count > 1 {
            try change(few.indices.filter { ($0 + 1) >> bit & 1 == 1 && isLost(few[$0]) }.map { few[$0] }, round: 0)
        }
        try findLimits(first)
        try changeKinds(of: first)
        let members = first.filter { isLost($0) && leaves.all[$0].isMember && !isOfSkippingField($0) }
        try sift(members, removes: true) { _ in nil }
        try emptyGone()
    }

    /// Empties the lists in the elements that the result lacks and whose values are all lost: if that makes a difference,
    /// the step counts what is in them, and the elements are not lost, only their values. All lists of one field are
    /// emptied at once, and halved if that makes a difference.
    private mutating func emptyGone() throws {
        let lists = goneElements.flatMap { element in
            before.root.values(along: element).flatMap(\.nodes).filter { $0.kind == .array && !$0.isEmpty }
                .map { (element: element, list: $0) }
        }
        let inOrder = lists.sorted {
            ($0.list.id, $0.element.components.count) < ($1.list.id, $1.element.components.count)
        }
        let fields = Dictionary(grouping: inOrder) { $0.list.path.foldingIndices }
        for (_, group) in fields.sorted(by: { "\($0.key)" < "\($1.key)" }) { try empty(group[...]) }
    }

    private mutating func empty(_ lists: ArraySlice<(element: DocumentPath, list: DocumentNode)>) throws {
        guard !lists.isEmpty else { return }
        if budget.isSpent {
            // Without a run, it is not known that the step doesn't count what is in them.
            counted.formUnion(lists.map(\.element))
            return
        }
        let changes = Dictionary(lists.map { ($0.list.id, Document?.some(Document(array: []))) }) { first, _ in first }
        guard let made = try made(of: before.replacing(changes)), !isSame(made, as: after),
            !self.changes(in: made).onlyAddsElements
        else { return }
        if changes.count == 1 {
            counted.formUnion(lists.map(\.element))
        } else {
            let middle = lists.startIndex + lists.count / 2
            try empty(lists[..<middle])
            try empty(lists[middle...])
        }
    }

    /// Changes lost values to values of another kind that occur elsewhere in the field. A step may check only for
    /// those.
    private mutating func changeKinds(of group: [Int]) throws {
        for members in fields(of: group.filter { isLost($0) && !isOfSkippingField($0) }) {
            for relative in leaves.relatives[leaves.all[members[0]].field] {
                let value = Document(copying: relative)
                try sift(members.filter { isLost($0) && leaves.all[$0].node.kind != relative.kind }) { _ in value }
            }
        }
    }

    /// Changes each leaf to one value, and then all leaves of the fields that have a leaf that makes a difference.
    ///
    /// - Parameter rounds: The index of the value for each leaf.
    private mutating func change(one rounds: [Int: Int], of all: [Int]) throws {
        let group = rounds.keys.filter { !states[$0].matters && mayChange($0, round: rounds[$0] ?? 0) }.sorted()
        let value = { [leaves] (leaf: Int) in rounds[leaf].flatMap { leaves.value(of: leaf, round: $0) } }
        var found: [Int] = []
        try sift(group, value, isOfOneValue: false) { search, group, result in
            if result == nil {
                for leaf in group { search.noteAccepted(leaf, value(leaf)) }
            } else if group.count == 1 {
                found += group
            }
            return true
        }
        for leaf in found {
            let field = all.filter { leaves.all[$0].field == leaves.all[leaf].field && !states[$0].matters }
            try change(field, round: rounds[leaf] ?? 0)
        }
    }

    private mutating func change(_ group: [Int], round: Int) throws {
        try sift(group.filter { mayChange($0, round: round) }) { [leaves] in leaves.value(of: $0, round: round) }
    }

    /// Returns whether the replacement of a leaf in a round can show something.
    private func mayChange(_ leaf: Int, round: Int) -> Bool {
        !isOfSkippingField(leaf) || leaves.hasForm(leaf, leaves.value(of: leaf, round: round))
    }

    private func isOfSkippingField(_ leaf: Int) -> Bool { skips[leaves.all[leaf].field] == true }

    /// Returns whether a result is due to elements that are skipped if a value in them fails to decode, or that were
    /// skipped before. In that case, a value of another form was refused, which shows nothing about the original value.
    ///
    /// If elements are skipped, the result is the same as with a value of another kind, which no code mistakes for a
    /// string, a number, or a Boolean, and the same as without the elements.
    mutating func areSkipped(_ group: [Int], _ result: Document) throws -> Bool {
        let field = leaves.all[group[0]].field
        if skips[field] == true { return true }
        let around = group.map { elements(around: leaves.all[$0].path) }
        let depths = around.map(\.count).min() ?? 0
        guard depths > 0 else { return false }
        let skipped: Document
        switch try self.result(of: group, { _ in Document(object: []) }) {
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
            guard let made = try made(of: fewer), isSame(made, as: skipped) else { continue }
            skips[field] = true
            return true
        }
        return false
    }

    /// Resets leaves that seemed to matter when they were changed along with others to values of another form. Some of
    /// those values may decode and others not, so that the elements around them are skipped.
    private mutating func takeBackSkipped(_ leaves: Set<Int>, _ value: (Int) -> Document?) throws {
        for leaf in leaves.sorted() {
            guard case .changed(let result) = try result(of: [leaf], value) else { continue }
            if try areSkipped([leaf], result) { states[leaf].matters = false }
        }
    }

    /// Checks whether elements that other values bring back were merged with equal ones. If so, one of them stays in
    /// the result until all of them are changed.
    mutating func findMerged() throws {
        for field in fields(of: Array(leaves.all.indices)) where field.contains(where: { states[$0].bringsBack }) {
            let groups = Dictionary(grouping: field, by: { leaves.all[$0].node.mergingText }).values
            for equals in groups.sorted(by: { $0[0] < $1[0] }) {
                let back = equals.filter { states[$0].bringsBack }
                if back.isEmpty || equals.count == 1 { continue }
                let isMerged = try takesAway(equals)
                if isMerged == false { continue }
                for leaf in back { states[leaf].matters = isMerged == true }
                forget(back)
            }
            try findMerged(among: field.filter { states[$0].bringsBack })
        }
    }

    /// Checks whether elements that other values bring back were merged with each other because the step makes the same
    /// of different values. Which of them were is not known.
    private mutating func findMerged(among group: [Int]) throws {
        guard group.count > 1, !budget.isSpent, try takesAway(group) == true else { return }
        let middle = group.count / 2
        let halves = [Array(group[..<middle]), Array(group[middle...])]
        for half in halves { try findMerged(among: half) }
        if group.allSatisfy({ states[$0].bringsBack }) { forget(group) }
    }

    /// Takes back that other values of leaves bring back the elements around them, and what was accepted in their place.
    private mutating func forget(_ group: [Int]) {
        for leaf in group {
            states[leaf].bringsBack = false
            (states[leaf].accepted, states[leaf].refusal) = (0, .refused)
        }
    }

    /// Returns whether the result loses something when leaves are changed together, or nil if no change was accepted.
    private mutating func takesAway(_ group: [Int]) throws -> Bool? {
        for round in 0..<TrialValues.enough {
            if case .changed(let document) = try result(of: group, { [leaves] in leaves[$0, round] }) {
                return !changes(in: document).onlyAddsElements
            }
        }
        return nil
    }

    func mostValues(of group: [Int]) -> Int { group.map { leaves.values(of: $0).most }.max() ?? 0 }

    /// Changes leaves to values, and records the values for which the result stays the same.
    private mutating func sift(_ group: [Int], removes: Bool = false, _ value: (Int) -> Document?) throws {
        try sift(group, value, removes: removes) { search, group, reason in
            if removes { return }
            for leaf in group { search.noteRefused(leaf, value(leaf), reason) }
        } divides: { search, group, result in
            guard let result else {
                if !removes { for leaf in group { search.noteAccepted(leaf, value(leaf)) } }
                return false
            }
            let formed = group.filter { search.leaves.hasForm($0, value($0)) }
            if !formed.isEmpty, formed.count < group.count {
                // Values of another form may remove elements, while the others don't.
                try search.sift(formed, value)
                try search.sift(group.filter { !formed.contains($0) }, value)
                return false
            }
            if formed.isEmpty, search.isOfOneField(group), try search.areSkipped(group, result) { return false }
            if group.count == 1 {
                search.noteDifference(group[0], result, value(group[0]))
                return false
            }
            guard search.isOfOneField(group) else { return true }
            let changes = search.changes(in: result)
            let found = Set(try search.attribute(group, changes, value).values)
            if found.isEmpty { return true }
            if formed.isEmpty, changes.changesLists { try search.takeBackSkipped(found, value) }
            try search.sift(group.filter { !found.contains($0) }, removes: removes, value)
            return false
        }
    }

    /// Records that the result differs with another value of a leaf.
    private mutating func noteDifference(_ leaf: Int, _ result: Document, _ value: Document?) {
        let node = leaves.all[leaf].node
        // Where a string arrives shows whether it is kept in other letters.
        if !findsOrigins, elements(around: leaves.all[leaf].path).isEmpty, !node.hasLetterCase {
            states[leaf].matters = true
            return
        }
        let changes = changes(in: result)
        if changes.onlyAddsElements, !removedElements(around: leaf).isEmpty {
            states[leaf].bringsBack = true
            noteAccepted(leaf, value)
        } else {
            states[leaf].matters = true
            noteOrigins(of: [leaf], in: changes)
        }
    }

    /// Searches between the accepted replacements of a lost number and the nearest refused one for a difference,
    /// because there may be a limit that none of the listed values crosses. A few leaves represent each field.
    private mutating func findLimits(_ group: [Int]) throws {
        func isLimited(_ leaf: Int) -> Bool {
            isLost(leaf) && (states[leaf].smaller.refused != nil || states[leaf].larger.refused != nil)
        }
        for field in fields(of: group.filter(isLimited)) {
            for leaf in field.prefix(TrialValues.enough) {
                try findLimit(of: leaf, states[leaf].smaller.refused)
                try findLimit(of: leaf, states[leaf].larger.refused)
            }
            if field.allSatisfy(isLost) { continue }
            for leaf in field where isLost(leaf) { (states[leaf].accepted, states[leaf].refusal) = (0, .refused) }
        }
    }

    private mutating func findLimit(of leaf: Int, _ refused: Double?) throws {
        guard let own = leaves.all[leaf].node.numberText.flatMap(Double.init), var outside = refused else { return }
        var inside = own
        let isWhole = own == own.rounded() && outside == outside.rounded()
        for _ in 0..<Self.mostHalvings where isLost(leaf) && (!isWhole || abs(outside - inside) > 1) {
            let middle = isWhole ? ((inside + outside) / 2).rounded(.towardZero) : (inside + outside) / 2
            let text = Int(exactly: middle).map { "\($0)" } ?? "\(middle)"
            guard let value = TrialValues.document(text) else { return }
            let accepted = states[leaf].accepted
            try sift([leaf]) { _ in value }
            if states[leaf].accepted > accepted { inside = middle } else { outside = middle }
        }
    }

    /// Enough to find the limit of a number with five digits.
    private static let mostHalvings = 16

    /// Records that another value was accepted in place of a leaf without changing the result.
    private mutating func noteAccepted(_ leaf: Int, _ value: Document?) {
        states[leaf].accepted += 1
        noteNumber(leaf, value) { side, own, other in
            side.isAccepted = true
            let far = other < own ? abs(own) / 2 : max(abs(own), 500)
            // The sign alone may matter.
            let isPastZero = own == 0 || (other < own) == (own < 0) || (other < 0) != (own < 0) && other != 0
            if abs(other - own) >= far, isPastZero { side.isFarAccepted = true }
        }
    }

    /// Records that another value was not accepted in place of a leaf.
    private mutating func noteRefused(_ leaf: Int, _ value: Document?, _ reason: StepFinding.Left.Reason) {
        states[leaf].refusal = reason
        // A run that was not made because the budget was used up refuses nothing.
        guard reason != .budget else { return }
        noteNumber(leaf, value) { side, own, other in
            side.refused = side.refused.map { abs($0 - own) < abs(other - own) ? $0 : other } ?? other
        }
    }

    private mutating func noteNumber(
        _ leaf: Int, _ value: Document?, _ note: (inout Side, _ own: Double, _ other: Double) -> Void
    ) {
        guard let own = leaves.all[leaf].node.numberText.flatMap(Double.init),
            let other = value?.root.numberText.flatMap(Double.init), other.isFinite
        else { return }
        if other < own { note(&states[leaf].smaller, own, other) }
        if other > own { note(&states[leaf].larger, own, other) }
    }

    /// Returns whether too little is known about numbers that are smaller or larger than a leaf. There may be a limit
    /// on that side.
    private func isOneSided(_ leaf: Int) -> Bool {
        leaves.all[leaf].node.kind == .number && !(states[leaf].smaller.isKnown && states[leaf].larger.isKnown)
    }

    /// Returns whether nothing depends on a leaf: four other values were accepted, for a number both smaller and larger
    /// ones, or all alternatives that exist.
    func isLost(_ leaf: Int) -> Bool {
        let state = states[leaf]
        guard !state.isCarried, !state.matters, !state.bringsBack, state.accepted > 0 else { return false }
        if state.accepted >= TrialValues.enough, !isOneSided(leaf) { return true }
        return leaves.values(of: leaf).areAll(state.accepted)
    }
}

extension DocumentNode {
    /// Whether the value is a string that differs in uppercase or lowercase.
    fileprivate var hasLetterCase: Bool {
        string.map { $0.lowercased() != $0 || $0.uppercased() != $0 } ?? false
    }

    /// A key that is the same for elements that may be merged: the text, regardless of case, or the JSON.
    fileprivate var mergingText: String {
        string?.trimmingCharacters(in: .whitespacesAndNewlines).lowercased()
            ?? JSONWriter(layout: .compact).string(self)
    }
}
