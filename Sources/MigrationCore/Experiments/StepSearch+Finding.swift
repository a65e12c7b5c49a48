import DocumentModel

/// The findings of a search, converted to paths.
extension StepSearch {
    /// The origins of new and changed values, and of the containers around them.
    var reportedOrigins: [ValueOrigin] {
        let isAllKnown =
            !isListUnknown && !isEmptyUnknown && !areNamesUnknown && !leaves.hasDuplicates
            && leaves.all.indices.allSatisfy { states[$0].isCarried || states[$0].matters || isLost($0) }
        // An unread value may have been moved, and a value that selects elements may appear in them. The version is not
        // changed, and the type may read it.
        let directed = Set(origins.values.joined())
        let deciding = leaves.all.indices.filter {
            (states[$0].matters || states[$0].bringsBack) && !states[$0].isCarried && !directed.contains($0)
        }
        let stated = readVersions.compactMap { before.root.descendant(at: $0) }
        let possible = Set((unread + deciding.map { leaves.all[$0].node } + stated).map(ScalarKey.init))
        let loses = leaves.all.indices.contains { isLost($0) }
        var texts = TextParts(
            of: leaves.all.indices.lazy.filter { states[$0].matters && !states[$0].isCarried }
                .compactMap { leaves.all[$0].node.string })
        /// Returns whether the value may depend on another one, although no change of that one showed it. A part of a
        /// text may stay as it is while other parts change, few other values change a Boolean, and a document may be
        /// written into a text.
        func mayDepend(_ node: DocumentNode) -> Bool {
            possible.contains(ScalarKey(node)) || loses && node.kind == .boolean || texts.contain(node)
                || node.seemsToHoldDocument
        }
        var folded: [(path: DocumentPath, origins: [(path: DocumentPath, from: Set<Int>)])] = []
        var numbers: [DocumentPath: Int] = [:]
        // A value that moved into a new container is part of two changes.
        var visited: Set<DocumentNode.ID> = []
        func add(_ path: DocumentPath, _ from: Set<Int>) {
            let fold = path.foldingIndices
            let number = numbers[fold] ?? folded.count
            if number == folded.count { folded.append((fold, [])) }
            numbers[fold] = number
            folded[number].origins.append((path, from))
        }
        for change in difference.changes where change.kind != .removed {
            guard let new = change.new, !versions.contains(change.path) else { continue }
            var all: Set<Int>? = []
            var isAnyValue = false
            func visit(_ node: DocumentNode, _ path: DocumentPath) {
                if versions.contains(path) { return }
                guard node.kind.isContainer else {
                    isAnyValue = true
                    let from = origins[node.id] ?? []
                    let isKnown =
                        !from.isEmpty
                        || isAllKnown && !unexplained.contains(node.id) && !mayDepend(node)
                    if isKnown, differing.values[node.id] == nil {
                        all?.formUnion(from)
                        if visited.insert(node.id).inserted { add(path, from) }
                    } else {
                        all = nil
                    }
                    return
                }
                for child in node.children { visit(child.value, path.appending(child.component)) }
            }
            visit(new, change.path)
            if new.kind.isContainer, let all, isAnyValue { add(change.path, all) }
        }
        return folded.flatMap { path, origins in reported(path, origins) }
    }

    /// Returns the origins of values that differ only in their indices. They become one if each depends on values at
    /// its own index.
    private func reported(_ folded: DocumentPath, _ all: [(path: DocumentPath, from: Set<Int>)]) -> [ValueOrigin] {
        let isAligned = all.allSatisfy { path, from in
            from.allSatisfy { leaves.all[$0].path.hasPositions(like: path) }
        }
        let fields = all.map { Set($0.from.map { leaves.all[$0].path.foldingIndices }) }
        let isWhole = after.root.folding(all.map(\.path)) == [folded]
        if isWhole, isAligned, fields.allSatisfy({ $0 == fields[0] }) {
            let from = all.reduce(into: Set()) { $0.formUnion($1.from) }
            let paths = from.map { leaves.all[$0].path }
            // Nor is `[*]` said of elements on which no value depends.
            if fields[0].allSatisfy({ before.root.areAll(paths, along: $0) }) {
                return [ValueOrigin(path: folded, from: reported(from, folds: true))]
            }
        }
        return all.map { ValueOrigin(path: $0.path, from: reported($0.from, folds: false)) }
    }

    /// Returns the paths of leaves in document order. They are folded if each belongs to a value at its own index, or
    /// if all elements are meant.
    private func reported(_ group: Set<Int>, folds: Bool) -> [DocumentPath] {
        let paths = group.sorted { leaves.all[$0].node.id < leaves.all[$1].node.id }.map { leaves.all[$0].path }
        guard folds else {
            // Don't include a sibling that currently has no such value.
            let folded = before.root.folding(paths)
            return folded.allSatisfy { before.root.areAll(paths, along: $0) } ? folded : paths
        }
        var known: Set<DocumentPath> = []
        return paths.map(\.foldingIndices).filter { known.insert($0).inserted }
    }

    /// The paths of lost values. An element that is entirely lost is listed as a whole.
    var reportedLosses: [DocumentPath] {
        let elements = goneElements
        // A value that brings its element back is lost with it, if nothing else in the element is carried over.
        let lost = leaves.all.indices.filter {
            isLost($0) || states[$0].bringsBack && outermost(of: elements, around: leaves.all[$0].path) != nil
        }
        let inOrder = lost.sorted { leaves.all[$0].node.id < leaves.all[$1].node.id }
        let whole = before.root.folding(inOrder.map { leaves.all[$0].path })
        // A field that is also lost in elements that remain is reported as a field.
        let kept = inOrder.map { leaves.all[$0].path }.filter { outermost(of: elements, around: $0) == nil }
        let folded = Set(whole.filter { $0.components.contains(.everyElement) })
            .intersection(kept.map(\.foldingIndices))
        var known: Set<DocumentPath> = []
        let reported = inOrder.compactMap { leaf in
            let path = leaves.all[leaf].path
            let reported =
                folded.contains(path.foldingIndices)
                ? path.foldingIndices : outermost(of: elements, around: path) ?? path
            return known.insert(reported).inserted ? reported : nil
        }
        return before.root.folding(reported)
    }

    /// The elements missing from the result whose values are all lost, or would bring the element back.
    var goneElements: Set<DocumentPath> {
        let isGone = leaves.all.indices.map { isLost($0) || states[$0].bringsBack }
        if removed.isEmpty || !isGone.contains(true) { return [] }
        var gone: Set<DocumentPath> = []
        for leaf in leaves.all.indices where isGone[leaf] { gone.formUnion(removedElements(around: leaf)) }
        for leaf in leaves.all.indices where !isGone[leaf] && !gone.isEmpty {
            gone.subtract(removedElements(around: leaf))
        }
        return gone.subtracting(counted)
    }

    /// Returns the elements around a leaf that are missing from the result, outermost first.
    func removedElements(around leaf: Int) -> [DocumentPath] {
        let path = leaves.all[leaf].path
        let depth = path.components.indices.first { removed.contains(DocumentPath(Array(path.components[...$0]))) }
        return depth.map { depth in elements(around: path).filter { $0.components.count > depth } } ?? []
    }

    /// Returns the elements of arrays that a path leads through, outermost first.
    func elements(around path: DocumentPath) -> [DocumentPath] {
        path.components.indices.compactMap { last in
            guard case .index = path.components[last] else { return nil }
            return DocumentPath(Array(path.components[...last]))
        }
    }

    private func outermost(of gone: Set<DocumentPath>, around path: DocumentPath) -> DocumentPath? {
        gone.isEmpty ? nil : elements(around: path).first(where: gone.contains)
    }

    var reportedNarrowings: [Narrowing] {
        Narrowing.How.allCases.flatMap { how in
            let paths = narrowed.filter { $0.how == how }.map { leaves.all[$0.leaf].path }
            return before.root.folding(paths).map { Narrowing(path: $0, how: how) }
        }
    }

    /// The values that are missing from the result and about which nothing is known, or for which it is not known
    /// whether the result keeps less of them.
    var left: [StepFinding.Left] {
        var left: [StepFinding.Left] = []
        var numbers: [StepFinding.Left: Int] = [:]
        for leaf in leaves.all.indices {
            let state = states[leaf]
            if state.isCarried || state.matters && !unsimplified.contains(leaf) || isLost(leaf)
                || state.partner != nil && state.refusal != nil
            {
                continue
            }
            // A value that decides whether an element is kept is, in that way, part of the result.
            if state.bringsBack { continue }
            let path = leaves.all[leaf].path
            let entry = StepFinding.Left(
                path: path.foldingIndices, count: 1, because: isSpentOnLosses ? .budget : state.refusal ?? .refused)
            if let number = numbers[entry] {
                left[number].count += 1
            } else {
                numbers[entry] = left.count
                left.append(entry)
            }
        }
        return left
    }

    /// The values in the document before the step that nothing reads.
    private var unread: [DocumentNode] { dropped.flatMap { before.root.values(along: $0) }.flatMap(\.nodes) }

    /// Moves that did not happen: another value was accepted, but did not arrive.
    var notMoved: [ValueMove] {
        let refuted = Set(
            leaves.all.indices.filter {
                !states[$0].isCarried && (states[$0].accepted > 0 || states[$0].matters)
            }.map { leaves.all[$0].node.id })
        if dropped.isEmpty, refuted.isEmpty { return [] }
        let (unread, all) = (Set(unread.map(\.id)), Set(leaves.all.map(\.node.id)))
        return difference.changes.filter { $0.kind == .moved }.compactMap { move in
            guard let old = move.old, let from = move.from else { return nil }
            let own = old.nodes.map(\.id).filter(all.contains)
            let isRefuted = !own.isEmpty && own.allSatisfy(refuted.contains) || unread.contains(old.id)
            return isRefuted ? ValueMove(from: from, path: move.path) : nil
        }
    }
}

extension DocumentPath {
    /// Returns whether the indices on this path equal those of the other path, as far as this one has any.
    fileprivate func hasPositions(like other: DocumentPath) -> Bool {
        func positions(_ path: DocumentPath) -> [Int] {
            path.components.compactMap { if case .index(let position) = $0 { position } else { nil } }
        }
        return zip(positions(self), positions(other)).allSatisfy { $0 == $1 }
            && positions(self).count <= positions(other).count
    }
}
