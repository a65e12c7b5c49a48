import DocumentModel

/// Follows a value from one state of a document to all others, from neighbor to neighbor.
struct ValueFollower {
    let states: [HistoryState]
    let read: (Int) -> Document?
    let migration: (Int, Int) -> MigrationTrace?
    private var spots: [Int: Spot] = [:]
    private var unread: Set<Int> = []
    /// The values of earlier states in the version of later ones.
    private var migrated: [Pair: Document] = [:]
    /// The documents that were read last.
    private var recent: [(state: Int, document: Document)] = []
    /// The number of documents kept, so that the sides of a merge need not be read again and again.
    private static let mostKept = 16

    /// The place of the value in a state.
    private enum Place {
        case present(DocumentPath, Document)
        /// The value isn't there, but an earlier or later state may have it again if it has a selector.
        case absent(DocumentSelector?)
        /// It isn't known which value it is; the reason is with the first such state.
        case unfollowed(Unfollowed?)
    }

    private struct Spot {
        let place: Place
        /// The neighbor from which the value was followed here, towards the state in which it was asked for.
        var toward: Int?
        var grounds: [ValueGround] = []
    }

    private struct Pair: Hashable {
        let earlier: Int
        let later: Int
    }

    struct Found {
        let changes: [ValueHistory.Change]
        let paths: [Int: DocumentPath]
        let numbers: [Int: Double]
        let unread: Set<Int>
    }

    init(
        states: [HistoryState], read: @escaping (Int) -> Document?,
        migration: @escaping (Int, Int) -> MigrationTrace?
    ) {
        (self.states, self.read, self.migration) = (states, read, migration)
    }

    /// Returns whether there is a value to begin with.
    mutating func begin(at anchor: Int, _ path: DocumentPath) -> Bool {
        guard let node = document(anchor)?.root.descendant(at: path) else { return false }
        spots[anchor] = Spot(place: .present(path, Document(copying: node)))
        return true
    }

    /// Follows the value to earlier states, then to later ones, then to the earlier ones on the other sides of merges,
    /// until no state is left that can be reached.
    mutating func follow(_ checkpoint: () throws -> Void) rethrows {
        var count = 0
        while spots.count > count {
            count = spots.count
            try followBack(checkpoint)
            try followOn(checkpoint)
        }
    }

    private mutating func followBack(_ checkpoint: () throws -> Void) rethrows {
        var after: [Int: [Int]] = [:]
        for state in states.indices.reversed() {
            let later = after.removeValue(forKey: state) ?? []
            if spots[state] == nil, !isGone(state) {
                try checkpoint()
                let reached = later.filter { spots[$0] != nil }
                if let next = reached.first(where: { before($0).first == state }) ?? reached.first {
                    spots[state] = spot(of: state, from: next)
                }
            }
            // A state without the document, or that could not be read, stands aside for the one before it.
            if isGone(state) {
                if let earlier = states[state].before.first { after[earlier, default: []] += later }
            } else {
                for earlier in states[state].before { after[earlier, default: []].append(state) }
            }
        }
    }

    private mutating func followOn(_ checkpoint: () throws -> Void) rethrows {
        for state in states.indices where spots[state] == nil && !isGone(state) {
            try checkpoint()
            guard let earlier = before(state).first(where: { spots[$0] != nil }) else { continue }
            spots[state] = spot(of: state, from: earlier)
        }
    }

    private func isGone(_ state: Int) -> Bool { states[state].isDeleted || unread.contains(state) }

    /// Returns the states that one was made from, with those before in place of states without a document.
    private func before(_ state: Int) -> [Int] {
        states[state].before.compactMap { earlier in
            sequence(first: earlier) { isGone($0) ? states[$0].before.first : nil }.first { !isGone($0) }
        }
    }

    private mutating func document(_ state: Int) -> Document? {
        if let known = recent.last(where: { $0.state == state }) { return known.document }
        guard !isGone(state) else { return nil }
        guard let document = read(state) else {
            unread.insert(state)
            return nil
        }
        recent = recent.suffix(Self.mostKept - 1) + [(state, document)]
        return document
    }

    // MARK: - Neighbors

    /// Returns the place of the value in a state, given that in a neighbor; nil if the state cannot be read.
    private mutating func spot(of state: Int, from neighbor: Int) -> Spot? {
        guard let known = spots[neighbor]?.place else { return nil }
        let found: (place: Place, grounds: [ValueGround])
        switch known {
        case .unfollowed: found = (.unfollowed(nil), [])
        case .absent(let selector):
            guard let selector, !selector.hasPositions else {
                found = (.absent(nil), [])
                break
            }
            guard let document = document(state) else { return nil }
            if case .found(let node) = selector.match(in: document.root) {
                found = (.present(node.path, Document(copying: node)), [.again(selector)])
            } else {
                found = (known, [])
            }
        case .present(let path, let value):
            guard let document = document(state), let other = self.document(neighbor),
                let node = other.root.descendant(at: path)
            else { return nil }
            found = counterpart(of: node, path, value, in: document, of: state, neighbor)
        }
        return Spot(place: found.place, toward: neighbor, grounds: found.grounds)
    }

    private mutating func counterpart(
        of node: DocumentNode, _ path: DocumentPath, _ value: Document, in document: Document, of state: Int,
        _ neighbor: Int
    ) -> (Place, [ValueGround]) {
        let isBack = state < neighbor
        let pair = Pair(earlier: min(state, neighbor), later: max(state, neighbor))
        func present(_ path: DocumentPath, _ grounds: [ValueGround]) -> (Place, [ValueGround]) {
            guard let found = document.root.descendant(at: path) else { return (.absent(nil), []) }
            // Equal values need not be kept twice.
            return (.present(path, found.isEqual(to: value.root) ? value : Document(copying: found)), grounds)
        }
        func compared(_ old: Document, _ new: Document) -> ValueCounterpart? {
            if path.hasOnlyNames(in: old.root), path.hasOnlyNames(in: new.root) {
                return ValueCounterpart(path: path, grounds: [])
            }
            let difference = DocumentDifference(old: old.root, new: new.root)
            return isBack ? difference.counterpart(ofNew: node) : difference.counterpart(ofOld: node)
        }
        guard let trace = migration(pair.earlier, pair.later), let result = trace.result else {
            let found = isBack ? compared(document, node.document) : compared(node.document, document)
            guard let found else { return (.absent(DocumentSelector(of: node)), []) }
            return present(found.path, found.grounds.map(ValueGround.pairing))
        }
        if isBack {
            guard let last = compared(result, node.document) else { return (.absent(DocumentSelector(of: node)), []) }
            if let node = result.root.descendant(at: last.path) { migrated[pair] = Document(copying: node) }
            switch trace.source(of: last.path) {
            case .success(let (path, grounds)):
                return present(path, last.grounds.map(ValueGround.pairing) + grounds)
            case .failure(let reason): return (.unfollowed(reason), [])
            }
        }
        switch trace.product(of: path) {
        case .failure(let reason): return (.unfollowed(reason), [])
        case .success(let (path, grounds)):
            guard let made = result.root.descendant(at: path) else { return (.absent(nil), []) }
            migrated[pair] = Document(copying: made)
            guard let last = DocumentDifference(old: result.root, new: document.root).counterpart(ofOld: made) else {
                return (.absent(DocumentSelector(of: made)), [])
            }
            return present(last.path, grounds + last.grounds.map(ValueGround.pairing))
        }
    }

    // MARK: - Changes

    var found: Found {
        let events = states.indices.compactMap { state in event(in: state).map { (state, $0) } }
        let eventful = Set(events.map(\.0))
        let changes = events.map { state, event in
            ValueHistory.Change(
                state: state, event: event.event, path: event.path, grounds: grounds(of: state, besides: eventful),
                isAfterUnread: states[state].before.contains {
                    sequence(first: $0) { isGone($0) ? states[$0].before.first : nil }.contains(where: unread.contains)
                })
        }
        let paths = spots.compactMapValues { if case .present(let path, _) = $0.place { path } else { nil } }
        let numbers = spots.compactMapValues { spot in
            if case .present(_, let value) = spot.place { value.root.numberText.flatMap { Double($0) } } else { nil }
        }
        return Found(changes: changes, paths: paths, numbers: numbers.filter { $1.isFinite }, unread: unread)
    }

    private func event(in state: Int) -> (event: ValueHistory.Event, path: DocumentPath)? {
        guard !isGone(state), let spot = spots[state] else { return nil }
        let earlier = before(state).filter { spots[$0] != nil }
        let first = earlier.first.flatMap { spots[$0]?.place }
        switch spot.place {
        case .unfollowed(let reason):
            guard let reason, spot.toward.map({ $0 < state }) == true, case .present(let path, _)? = first else {
                return nil
            }
            return (.unfollowed(reason, nil), path)
        case .absent:
            let places = earlier.compactMap { spots[$0]?.place }
            guard places.allSatisfy({ if case .present = $0 { true } else { false } }),
                case .present(let path, let old)? = first
            else { return nil }
            return (.removed(old), path)
        case .present(let path, let new):
            let same = earlier.first {
                if case .present(_, let old)? = spots[$0]?.place { old.root.isEqual(to: new.root) } else { false }
            }
            switch first {
            case nil: return (.first(new), path)
            case .present(let oldPath, let old)?:
                if let same {
                    let isMoved = same == earlier.first && oldPath.foldingIndices != path.foldingIndices
                    return isMoved ? (.moved(new, from: oldPath), path) : nil
                }
                let later = Pair(earlier: earlier[0], later: state)
                let isMigrated = migrated[later]?.root.isEqual(to: new.root) == true
                return (isMigrated ? .migrated(from: old, to: new) : .changed(from: old, to: new), path)
            case .absent? where same == nil: return (.added(new), path)
            case .unfollowed(let reason?)? where same == nil: return (.unfollowed(reason, new), path)
            case .absent?, .unfollowed?: return nil
            }
        }
    }

    /// Returns what connects the value before a state with that in the next eventful state towards the beginning.
    private func grounds(of state: Int, besides eventful: Set<Int>) -> [ValueGround] {
        var grounds: [ValueGround] = []
        func add(_ state: Int) {
            for ground in spots[state]?.grounds ?? [] where !grounds.contains(ground) { grounds.append(ground) }
        }
        if let earlier = before(state).first, spots[earlier]?.toward == state { add(earlier) }
        var here = state
        while let next = spots[here]?.toward {
            // The way from an earlier state to an eventful one belongs to that event.
            if here < next, eventful.contains(next) { break }
            add(here)
            if here > next, eventful.contains(next) { break }
            here = next
        }
        return grounds
    }
}

extension DocumentPath {
    /// Returns whether the path leads to a value through objects only, in which each name occurs once.
    fileprivate func hasOnlyNames(in root: DocumentNode) -> Bool {
        var node = root
        for component in components {
            guard case .key(let name) = component, node.kind == .object, node.hasDistinctPlainNames,
                let child = node[name]
            else { return false }
            node = child
        }
        return true
    }
}
