import DocumentModel

/// The values that are narrowed.
extension StepSearch {
    mutating func simplify(_ isWanted: (Int) -> Bool = { _ in true }) throws {
        let group = leaves.all.indices.filter { states[$0].matters && !states[$0].isCarried && isWanted($0) }
        var forms: [Int: [(how: Narrowing.How, value: Document)]] = [:]
        for leaf in group { forms[leaf] = Narrowing.simplerForms(of: leaves.all[leaf].node) }
        let places = ownPlaces
        var narrow: [Int: Narrowing.How] = [:]
        for round in 0..<(forms.values.map(\.count).max() ?? 0) {
            let rest = group.filter { narrow[$0] == nil && round < (forms[$0]?.count ?? 0) }
            let same = try unchanged(rest, places) { forms[$0]?[round].value }
            for leaf in same {
                guard let form = forms[leaf]?[round] else { continue }
                // Numbers that are added up may grow and shrink by equal amounts.
                if places[leaf] == nil, same.count > 1, case .changed = try result(of: [leaf], { _ in form.value }) {
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

    /// Records zeros that lose their minus sign. They are equal to the zeros in the result, as all spellings of a number
    /// are.
    mutating func noteSigns() {
        for leaf in leaves.all.indices where states[leaf].isCarried && leaves.all[leaf].node.isNegativeZero {
            if let partner = states[leaf].partner, partner.kind == .number, !partner.isNegativeZero {
                narrowed.append((leaf, .sign))
            }
        }
    }

    /// Returns whether the result has a string in the uppercase or lowercase form, and not in its original form.
    func isSpelled(_ place: DocumentNode.ID?, as form: Document, not leaf: Int) -> Bool {
        guard let result = place.flatMap({ after.root.nodes[$0].string }), let form = form.root.string,
            let own = leaves.all[leaf].node.string
        else { return false }
        if result.contains(own) { return false }
        return result.contains(form) || result.commonPrefix(with: form).count > result.commonPrefix(with: own).count
    }

    /// The values of the result that depend on a single leaf.
    var ownPlaces: [Int: DocumentNode.ID] {
        var places: [Int: DocumentNode.ID] = [:]
        for (id, from) in origins where from.count == 1 {
            for leaf in from { places[leaf] = min(id, places[leaf] ?? id) }
        }
        return places
    }

    /// Returns the leaves of a group for whose values the result stays the same. Leaves whose own value in the result
    /// differs are removed, and the others are changed again without them.
    private mutating func unchanged(
        _ group: [Int], _ places: [Int: DocumentNode.ID], _ value: (Int) -> Document?
    ) throws -> [Int] {
        var same: [Int] = []
        try sift(group, value) { search, group, result in
            guard let result else {
                same += group
                return false
            }
            if group.count == 1 { return false }
            let changes = search.changes(in: result)
            let rest = group.filter { places[$0].map { changes.values[$0] == nil } ?? true }
            if rest.count == group.count { return true }
            same += try search.unchanged(rest, places, value)
            return false
        }
        return same
    }

    /// Returns the leaves for which four accepted values give four different results. A threshold or a lookup table
    /// doesn't carry a value over. Leaves of one field that have their own values in the result are changed together.
    private mutating func carryingSize(_ group: [Int], _ places: [Int: DocumentNode.ID]) throws -> Set<Int> {
        var results: [Int: [DocumentNode]] = [:]
        for field in fields(of: group.filter { places[$0] != nil }) {
            for round in 0..<mostValues(of: field) {
                let rest = field.filter { results[$0, default: []].count < 4 }
                for (group, result) in try accepted(rest, { [leaves] in leaves[$0, round] }) {
                    guard let changes = result.map(changes) else { continue }
                    for leaf in group {
                        guard let new = places[leaf].flatMap({ changes.values[$0] ?? nil }) else { continue }
                        let known = results[leaf, default: []]
                        if !known.contains(where: { $0.isEqual(to: new) }) { results[leaf] = known + [new] }
                    }
                }
            }
        }
        var carrying = Set(results.filter { $0.value.count >= 4 }.keys)
        for leaf in group where places[leaf] == nil { if try carriesSize(of: leaf) { carrying.insert(leaf) } }
        return carrying
    }

    private mutating func carriesSize(of leaf: Int) throws -> Bool {
        var results: [Document] = []
        for number in 0..<leaves.values(of: leaf).most {
            guard results.count < 4, let value = leaves[leaf, number] else { break }
            // A value that brings back an element decides whether the element is kept.
            guard case .changed(let document) = try result(of: [leaf], { _ in value }),
                results.allSatisfy({ !isSame(document, as: $0) }), !changes(in: document).changesLists
            else { continue }
            results.append(document)
        }
        return results.count >= 4
    }
}
