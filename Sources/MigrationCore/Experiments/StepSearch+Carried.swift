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
            let value = { [leaves] in leaves[$0, round] }
            let answers = try accepted(rest, value) { search, group, reason in
                for leaf in group { search.states[leaf].refusal = reason }
            }
            noteArrivals(answers, value) { [states] in states[$0].partner }
        }
        try presume(few) { [leaves] in leaves[$0, 0] }
        // If the step accepts only values that occur elsewhere in the document, try those.
        let borrowed = { [leaves] (leaf: Int) in
            leaves.relatives[leaves.all[leaf].field].first { !$0.isEqual(to: leaves.all[leaf].node) }
                .map(Document.init(copying:))
        }
        let refused = others.filter { !states[$0].isCarried && states[$0].refusal != nil }
        try presume(accepted(refused, borrowed).flatMap(\.group), borrowed)
    }

    /// Changes values without a counterpart in the difference, and checks whether they arrive somewhere else. A value
    /// is identified by a change that no equal value has; with another form, it must arrive at the same path.
    mutating func presumeElsewhere(_ group: [Int]) throws {
        var places: [Int: DocumentNode] = [:]
        for (group, result) in try accepted(group.filter { !leaves.hasFewValues($0) }, { [leaves] in leaves[$0, 0] }) {
            for values in views(of: result) {
                var known: [ScalarKey: [ScalarKey: DocumentNode]] = [:]
                for old in after.root.nodes {
                    guard let new = values[old] else { continue }
                    let key = ScalarKey(new)
                    known[ScalarKey(old), default: [:]][key] = known[ScalarKey(old)]?[key] ?? old
                }
                // Elements with equal values may have swapped places.
                let isAlone = known.mapValues { places in
                    places.count == 1 || Set(places.values.map(\.path.foldingIndices)).count == places.count
                }
                for leaf in group where places[leaf] == nil {
                    let old = ScalarKey(leaves.all[leaf].node)
                    guard let value = leaves[leaf, 0], isAlone[old] == true else { continue }
                    places[leaf] = known[old]?[ScalarKey(value.root)]
                }
                if group.allSatisfy({ places[$0] != nil }) { break }
            }
        }
        // Give the values of different fields different forms, so that a value that follows another field is not
        // mistaken for this one.
        let another = { [leaves] (leaf: Int) -> Document? in
            let values = leaves.values(of: leaf)
            return values[1 + leaves.all[leaf].field % max(1, values.most - 1)] ?? values[1]
        }
        noteArrivals(try accepted(places.keys.sorted(), another), another) { places[$0] }
    }

    /// Records which values have arrived at a value of the result.
    private mutating func noteArrivals(
        _ answers: [(group: [Int], result: Document?)], _ value: (Int) -> Document?,
        at place: (Int) -> DocumentNode?
    ) {
        for (group, result) in answers {
            for values in views(of: result) {
                for leaf in group where !states[leaf].isCarried {
                    guard let place = place(leaf), let new = values[place], value(leaf)?.root.isEqual(to: new) == true
                    else { continue }
                    (states[leaf].partner, states[leaf].isCarried) = (place, true)
                }
                if group.allSatisfy({ states[$0].isCarried }) { break }
            }
        }
    }

    /// Returns the values of the result that are different in another one, by the values that they replace: first those
    /// at the same paths, and then with the two results aligned, which takes longer, and pairs other elements if all of
    /// them have changed.
    private func views(of result: Document?) -> some Sequence<NodeValues> {
        let views: [(Document) -> NodeValues?] = [valuesAtPlaces, alignedValues]
        return views.lazy.compactMap { view in result.flatMap(view) }
    }

    private func alignedValues(in result: Document) -> NodeValues {
        var values = NodeValues(of: after)
        for (id, new) in changes(in: result).values { values[after.root.nodes[id]] = new }
        return values
    }

    /// Returns the scalar values of the result that are different in another one, if both have the same members and
    /// elements. Returns nil if they do not.
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

    /// Changes values with few alternatives, where an equal value may arrive from elsewhere, by the bits of their
    /// indices, and checks whether each arrives.
    private mutating func presume(_ group: [Int], _ value: (Int) -> Document?) throws {
        var patterns = [Int](repeating: 0, count: group.count)
        var isKnown = [Bool](repeating: true, count: group.count)
        for bit in 0..<(Int.bitWidth - group.count.leadingZeroBitCount) {
            let flipped = group.indices.filter { ($0 + 1) >> bit & 1 == 1 }
            switch try result(of: flipped.map { group[$0] }, value) {
            case .same: break
            case .refused: for index in flipped { isKnown[index] = false }
            case .changed(let document):
                guard let values = views(of: document).first(where: { _ in true }) else { break }
                for index in group.indices where states[group[index]].partner.flatMap({ values[$0] }) != nil {
                    patterns[index] |= 1 << bit
                }
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
