import DocumentModel

/// The values that are carried over.
extension StepSearch {
    /// Records where the result has the values of the document before the step.
    mutating func notePartners() {
        var partners = NodeValues(of: before)
        difference.forEachPair { old, new in
            if !old.kind.isContainer, old.isEqual(to: new) { partners[old] = new }
        }
        for index in leaves.all.indices { states[index].partner = partners[leaves.all[index].node] }
    }

    /// Changes values that the result has too, all at once, and checks whether each new value arrives.
    mutating func presume(_ group: [Int]) throws {
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
        // If the step accepts only values that occur elsewhere in the document, try those.
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

    /// Changes values without a counterpart in the difference, and checks whether they arrive somewhere else. A value
    /// is identified by a change that no equal value has; with another form, it must arrive at the same path.
    mutating func presumeElsewhere(_ group: [Int]) throws {
        let group = group.filter { !leaves.hasFewValues($0) }
        var places: [Int: DocumentNode.ID] = [:]
        try sift(
            group[...], { [leaves] in leaves.values(of: $0)[0].map { .some($0) } },
            note: { search, group, result in
                search.compare(group, with: result) { leaves, values in
                    var known: [ScalarKey: [ScalarKey: DocumentNode]] = [:]
                    for old in search.after.root.nodes {
                        guard let new = values[old] else { continue }
                        let key = ScalarKey(new)
                        known[ScalarKey(old), default: [:]][key] = known[ScalarKey(old)]?[key] ?? old
                    }
                    // Elements with equal values may have swapped places.
                    let isAlone = known.mapValues { places in
                        places.count == 1 || Set(places.values.map(\.path.foldingIndices)).count == places.count
                    }
                    for leaf in leaves {
                        let old = ScalarKey(search.leaves.all[leaf].node)
                        guard let value = search.leaves.values(of: leaf)[0], isAlone[old] == true else { continue }
                        places[leaf] = known[old]?[ScalarKey(value.root)]?.id
                    }
                    return leaves.filter { places[$0] == nil }
                }
                return false
            }, refuse: { _, _, _ in })
        // Give the values of different fields different forms, so that a value that follows another field is not
        // mistaken for this one.
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

    /// Checks whether values have arrived in a result: first at the same paths, and then with the two results aligned.
    /// That takes longer, and pairs other elements if all of them have changed.
    ///
    /// - Parameter look: A function that takes leaves and the different values of the result, and returns the leaves
    ///   that it missed.
    func compare(
        _ group: ArraySlice<Int>, with result: Document?, _ look: ([Int], NodeValues) -> [Int]
    ) {
        guard let result else { return }
        let missed = valuesAtPlaces(in: result).map { look(Array(group), $0) } ?? Array(group)
        if !missed.isEmpty { _ = look(missed, alignedValues(in: result)) }
    }

    func alignedValues(in result: Document) -> NodeValues {
        var values = NodeValues(of: after)
        for (id, new) in changes(in: result).values { values[after.root.nodes[id]] = new }
        return values
    }

    /// Returns the scalar values of the result that are different in another one, if both have the same members and
    /// elements. Returns nil if they do not.
    func valuesAtPlaces(in result: Document) -> NodeValues? {
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

    /// Changes values with few alternatives, where an equal value may arrive from elsewhere, by the bits of their
    /// indices, and checks whether each arrives.
    mutating func presume(_ group: [Int], _ value: (Int) -> Document?) throws {
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
}

/// A map from values of one document to values of another.
struct NodeValues {
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
