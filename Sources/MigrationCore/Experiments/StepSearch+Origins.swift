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
        let all = Array(leaves.all.indices)
        for round in 0..<4 {
            let value = { [leaves] (leaf: Int) in leaves[leaf, round] }
            try sift(all, value) { search, group, result in
                guard let result else { return false }
                let changes = search.changes(in: result)
                search.noteUnexplained(changes)
                let affected = targets.intersection(changes.values.keys)
                if affected.isEmpty { return false }
                guard search.isOfOneField(group) else { return true }
                if !group.allSatisfy({ search.leaves.hasForm($0, value($0)) }), try search.areSkipped(group, result) {
                    return false
                }
                if group.count == 1 {
                    search.noteOrigins(of: group, in: changes)
                    return false
                }
                let found = try search.attribute(group, changes, value)
                // If a value depends on several leaves, each of them shows only with a large enough change.
                return affected.contains {
                    found[$0] == nil && search.origins[$0]?.isSuperset(of: group) != true
                }
            }
        }
        // Other values show which targets change with anything at all.
        func isOpen(_ target: DocumentNode.ID) -> Bool { origins[target] == nil && !unexplained.contains(target) }
        if targets.contains(where: isOpen) {
            for round in 4..<max(4, mostValues(of: all)) {
                for (_, result) in try accepted(all, { [leaves] in leaves[$0, round] }) {
                    if let changes = result.map(changes) { noteUnexplained(changes) }
                }
            }
        }
        try changeLengths()
        if targets.contains(where: isOpen) { try fillEmpty() }
        if targets.contains(where: isOpen) { try changeNames() }
        if targets.contains(where: isOpen) { try changeKinds() }
    }

    /// Changes values to other kinds to see what changes: a closure that reads a number as a string makes the same of
    /// every number. A type that refuses one other kind is asked about no more.
    private mutating func changeKinds() throws {
        var rest = Array(leaves.all.indices)
        for kinds in TrialValues.ofOtherKinds {
            let value = { [leaves] (leaf: Int) in kinds.first { $0.root.kind != leaves.all[leaf].node.kind } }
            let answers = try accepted(rest, value)
            for case let result? in answers.map(\.result) { unexplained.formUnion(changes(in: result).values.keys) }
            rest = answers.flatMap(\.group).sorted()
        }
    }

    /// Replaces nulls and empty containers by values to see what changes. Values of every kind show something only if
    /// some are refused, because a closure may ignore values of another kind, and a type may ignore an unknown name.
    private mutating func fillEmpty() throws {
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
            if try change(nodes.map { ($0, value) }) { tried.accepted += 1 } else { tried.refused += 1 }
        }
        return tried
    }

    /// Replaces nodes to see what changes, or removes them if the replacement is nil.
    ///
    /// - Parameter notesRemoved: Whether the values of elements that are gone count as changed.
    /// - Returns: Whether the step accepted the changes.
    @discardableResult
    mutating func change(
        _ changes: [(node: DocumentNode, value: Document?)], notesRemoved: Bool = false
    ) throws -> Bool {
        let replaced = Dictionary(uniqueKeysWithValues: changes.map { ($0.node.id, $0.value) })
        guard let made = try made(of: before.replacing(replaced)) else { return false }
        let found = self.changes(in: made)
        if notesRemoved { noteUnexplained(found) } else { unexplained.formUnion(found.values.keys) }
        return true
    }

    /// Makes arrays shorter and longer, all those at the same path at once, to see what changes: a step may check whether
    /// there are many elements, or any. A value that only the last element has may come from a following element, if
    /// there is one.
    private mutating func changeLengths() throws {
        let lists = before.root.nodes.filter { $0.kind == .array && !$0.isEmpty }
        let groups = Dictionary(grouping: lists) { $0.path.foldingIndices }
        for (_, lists) in groups.sorted(by: { "\($0.key)" < "\($1.key)" }) {
            func arrays(_ elements: ([DocumentNode]) -> [DocumentNode]) -> [(DocumentNode, Document?)] {
                lists.map { ($0, Document(array: elements(Array($0.elements)))) }
            }
            guard try change(arrays { $0.dropLast() }) else {
                isListUnknown = true
                continue
            }
            let longest = lists.map(\.count).max() ?? 0
            for length in Set([0, 1, longest / 2, longest * 2]).sorted() where length != longest {
                let isAccepted = try change(arrays { length > longest ? $0 + $0 : Array($0.prefix(length)) })
                // The smallest accepted length is not searched for. If one element is refused, it is not known whether
                // that was too few. A run that was not made because the budget was used up is no evidence.
                if !isAccepted, length == 1 || budget.isSpent { isListUnknown = true }
            }
            let lasts = Set(lists.map { $0.path.appending(index: $0.count - 1) })
            let others = leaves.all.indices.filter {
                elements(around: leaves.all[$0].path).contains(where: lasts.contains)
            }
            let changed = before.replacing(
                Dictionary(uniqueKeysWithValues: others.map { (leaves.all[$0].node.id, leaves[$0, 0]) }))
            _ = try change(
                lists.map { list in
                    let path = list.path
                    let more = changed.root.descendant(at: path.appending(index: list.count - 1))
                    return (list, Document(array: Array(list.elements) + [more].compactMap(\.self)))
                })
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
        _ group: [Int], _ changes: ResultChanges, _ value: (Int) -> Document?
    ) throws -> [DocumentNode.ID: Int] {
        let affected = changes.affected
        guard !affected.isEmpty else { return [:] }
        var changesLists = changes.changesLists
        // The indices found so far, built up bit by bit.
        var numbers = [DocumentNode.ID: Int](uniqueKeysWithValues: affected.map { ($0, 0) })
        for bit in 0..<(Int.bitWidth - (group.count - 1).leadingZeroBitCount) {
            var answers: [Set<DocumentNode.ID>] = []
            for side in [0, 1] {
                let half = group.indices.filter { $0 >> bit & 1 == side }.map { group[$0] }
                guard let answer = try answer(to: half, value) else { return [:] }
                changesLists = changesLists || answer.changesLists
                answers.append(answer.affected)
            }
            // A value that changes with both halves, or with neither, depends on several leaves.
            numbers = numbers.filter { answers[0].contains($0.key) != answers[1].contains($0.key) }
            for (id, number) in numbers where answers[1].contains(id) { numbers[id] = number | 1 << bit }
        }
        var found = numbers.filter { $0.value < group.count }.mapValues { group[$0] }
        // If changes of several leaves cancel out in one half, the wrong leaf may be found.
        let one = Set(found.values)
        let others = group.filter { !one.contains($0) }
        if !one.isEmpty, !others.isEmpty {
            guard let answer = try answer(to: others, value) else { return [:] }
            found = found.filter { !answer.affected.contains($0.key) }
        }
        for leaf in found.values { states[leaf].matters = true }
        if changes.changesLists { return found }
        for (leaf, places) in Dictionary(grouping: found.keys, by: { found[$0] ?? 0 }).sorted(by: { $0.key < $1.key }) {
            var places = places.filter { changes.values[$0] != nil }
            let hasForm = leaves.hasForm(leaf, value(leaf))
            // Among leaves that select elements, one may add an element where another removed one.
            if changesLists || !hasForm, !places.isEmpty {
                guard case .changed(let result) = try result(of: [leaf], value) else { continue }
                if !hasForm, try areSkipped([leaf], result) { continue }
                let own = self.changes(in: result)
                places = own.changesLists ? [] : places.filter { own.values[$0] != nil }
            }
            for place in places { origins[place, default: []].insert(leaf) }
        }
        return found
    }

    /// Returns the differences in the result when leaves are changed, or nil if the change is refused.
    private mutating func answer(to group: [Int], _ value: (Int) -> Document?) throws -> ResultChanges? {
        switch try result(of: group, value) {
        case .same: ResultChanges()
        case .changed(let result): changes(in: result)
        case .refused: nil
        }
    }

    mutating func noteOrigins(of group: [Int], in changes: ResultChanges) {
        // The selection and the order of elements affect the values that depend on an array, but carry no value over.
        if changes.changesLists { return }
        for id in changes.values.keys { origins[id, default: []].formUnion(group) }
    }
}
