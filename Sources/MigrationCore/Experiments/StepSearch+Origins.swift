import DocumentModel

/// The values that new and changed values depend on.
extension StepSearch {
    /// Changes all values, and halves the groups as long as new values change with them. Then changes the lengths of
    /// arrays.
    mutating func findOrigins() throws {
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
                    search.noteUnexplained(changes)
                    let affected = targets.intersection(changes.values.keys)
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
                    // If a value depends on several leaves, each of them shows only with a large enough change.
                    return affected.contains {
                        found[$0] == nil && search.origins[$0]?.isSuperset(of: group) != true
                    }
                }, refuse: { _, _, _ in })
        }
        try findMore(of: targets)
        try changeLengths()
        if targets.contains(where: { origins[$0] == nil && !unexplained.contains($0) }) { try fillEmpty() }
    }

    /// Replaces nulls and empty containers by values to see what changes. Values of every kind show something only if
    /// some are refused, because a closure may ignore values of another kind, and a type may ignore an unknown name.
    mutating func fillEmpty() throws {
        for (nodes, known, others) in leaves.empty {
            if try fill(nodes, known).accepted > 0 { continue }
            let tried = try fill(nodes, others)
            if tried.accepted == 0 || tried.refused == 0 { isEmptyUnknown = true }
        }
    }

    /// Replaces nodes by one value after another, until four were accepted and one was refused.
    private mutating func fill(
        _ nodes: [DocumentNode], _ values: [Document]
    ) throws -> (accepted: Int, refused: Int) {
        var tried = (accepted: 0, refused: 0)
        for value in values where (tried.accepted < TrialValues.enough || tried.refused == 0) && !budget.isSpent {
            let filled = Dictionary(uniqueKeysWithValues: nodes.map { ($0.id, Document?.some(value)) })
            guard case .made(let document) = try outcome(of: before.replacing(filled)) else {
                tried.refused += 1
                continue
            }
            tried.accepted += 1
            unexplained.formUnion(changes(in: document).values.keys)
        }
        return tried
    }

    /// Makes arrays shorter and longer by one element, all those at the same path at once, to see what changes. A value
    /// that only the last element has may come from a following element, if there is one.
    mutating func changeLengths() throws {
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
            try changeLengths(of: lasts.map(\.0))
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

    /// Makes arrays much shorter and twice as long, because a step may check whether there are many elements, or any.
    private mutating func changeLengths(of lists: [DocumentNode]) throws {
        let longest = lists.map(\.count).max() ?? 0
        for length in Set([0, 1, longest / 2, longest * 2]).sorted() where length != longest {
            let others = lists.map { list in
                let elements = Array(list.elements)
                let isTwice = length > longest
                return (
                    list.id,
                    Document?.some(Document(array: isTwice ? elements + elements : Array(elements.prefix(length))))
                )
            }
            let changed = before.replacing(Dictionary(uniqueKeysWithValues: others))
            // A run that was not made because the budget was used up is no evidence.
            if budget.isSpent { isListUnknown = true }
            guard case .made(let document) = try outcome(of: changed) else {
                // The smallest accepted length is not searched for. If one element is refused, it is not known whether
                // that was too few.
                if length == 1 { isListUnknown = true }
                continue
            }
            unexplained.formUnion(changes(in: document).values.keys)
        }
    }

    /// Returns other values for all leaves inside the values at the given paths.
    func othersInside(_ places: Set<DocumentPath>) -> [DocumentNode.ID: Document?] {
        var others: [DocumentNode.ID: Document?] = [:]
        for leaf in leaves.all.indices where elements(around: leaves.all[leaf].path).contains(where: places.contains) {
            others[leaves.all[leaf].node.id] = leaves.values(of: leaf)[0]
        }
        return others
    }

    /// Changes all values at once, to all their alternatives, to see which targets change with anything at all.
    mutating func findMore(of targets: Set<DocumentNode.ID>) throws {
        guard targets.contains(where: { origins[$0] == nil && !unexplained.contains($0) }) else { return }
        for round in 4..<max(4, mostValues(of: Array(leaves.all.indices))) {
            try sift(
                Array(leaves.all.indices)[...], { [leaves] in leaves.values(of: $0)[round].map { .some($0) } },
                note: { search, group, result in
                    if let changes = result.map(search.changes) { search.noteUnexplained(changes) }
                    return false
                }, refuse: { _, _, _ in })
        }
    }

    /// Records the values of the result that are different or missing when the document is changed. If the element
    /// around a value is gone, nothing shows what the value would be if the element stayed.
    private mutating func noteUnexplained(_ changes: ResultChanges) {
        unexplained.formUnion(changes.values.keys)
        for element in changes.removed { unexplained.formUnion(after.root.nodes[element].nodes.map(\.id)) }
    }

    /// The scalar values that the step created or changed in the result.
    var targets: Set<DocumentNode.ID> {
        var found: Set<DocumentNode.ID> = []
        for change in difference.changes where change.kind != .removed {
            guard let new = change.new, !versions.contains(change.path) else { continue }
            found.formUnion(new.nodes.lazy.filter { !$0.kind.isContainer && $0.kind != .key }.map(\.id))
        }
        return found
    }

    /// Determines which leaves of one field the changed values of the result depend on. Half of the leaves change at a
    /// time, selected by the bits of their indices, and then the other half.
    ///
    /// - Returns: The leaf that each value or element of the result depends on.
    mutating func attribute(
        _ group: ArraySlice<Int>, _ changes: ResultChanges, _ value: (Int) -> Document?
    ) throws -> [DocumentNode.ID: Int] {
        let leaves = Array(group)
        let affected = Set(changes.values.keys).union(changes.removed)
        guard !affected.isEmpty else { return [:] }
        var changesLists = changes.changesLists
        // The indices found so far, built up bit by bit.
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
            // A value that changes with both halves, or with neither, depends on several leaves.
            numbers = numbers.filter { answers[0].contains($0.key) != answers[1].contains($0.key) }
            for (id, number) in numbers where answers[1].contains(id) { numbers[id] = number | 1 << bit }
        }
        var found = numbers.filter { $0.value < leaves.count }.mapValues { leaves[$0] }
        // If changes of several leaves cancel out in one half, the wrong leaf may be found.
        let one = Set(found.values)
        let others = leaves.filter { !one.contains($0) }
        if !one.isEmpty, !others.isEmpty {
            switch try result(of: others.map { ($0, value($0)) }) {
            case .same: break
            case .changed(let result):
                let changes = self.changes(in: result)
                found = found.filter { changes.values[$0.key] == nil && !changes.removed.contains($0.key) }
            case .refused: return [:]
            }
        }
        for leaf in found.values { states[leaf].matters = true }
        if changes.changesLists { return found }
        for (leaf, places) in Dictionary(grouping: found.keys, by: { found[$0] ?? 0 }).sorted(by: { $0.key < $1.key }) {
            var places = places.filter { changes.values[$0] != nil }
            let hasForm = self.leaves.hasForm(leaf, value(leaf))
            // Among leaves that select elements, one may add an element where another removed one.
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

    mutating func noteOrigins(of group: [Int], in changes: ResultChanges) {
        // The selection and the order of elements affect the values that depend on an array, but carry no value over.
        if changes.changesLists { return }
        for id in changes.values.keys { origins[id, default: []].formUnion(group) }
    }
}
