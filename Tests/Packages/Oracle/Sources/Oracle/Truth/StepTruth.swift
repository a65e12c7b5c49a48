/// The truth about one step of a document, about several steps, or about writing it back.
struct StepTruth {
    let scheme: Scheme
    /// The index of the version before, which equals the one after for writing back.
    let from: Int
    let to: Int
    /// The document before.
    let before: Value
    /// The document after, in which each value knows its origins.
    let after: Value
    /// The rest of that document after the newest type has read and written it. For types, it is the same.
    let kept: Value
    /// The paths in the document before that a type or a closure read.
    private(set) var read: Set<Path> = []
    let progress = Progress()
    private var effects: [Path: Set<Effect>] = [:]
    private var deciding: Set<Path> = []
    private var places: Set<Path> = []
    /// The values that the step turns into ones with less information.
    private(set) var narrowed: Set<Path> = []
    /// The values that are in the same field after the steps, even if the element has moved.
    private var stay: Set<Path> = []
    /// Those of them that are kept.
    private var stayKept: Set<Path> = []
    /// Those of them that the newest type reads at the end.
    private var stayDecoded: Set<Path> = []

    /// Whether the payload is decoded at the end of this step.
    var isFinish: Bool { scheme.system == .closures && to == scheme.versions.count - 1 }

    /// Returns `nil` if the step refuses the document.
    init?(_ scheme: Scheme, from: Int, to: Int, before: Value) {
        (self.scheme, self.from, self.to, self.before) = (scheme, from, to, before)
        guard let made = try? Self.make(scheme, from, to, before.tagged(), progress) else { return nil }
        (after, kept) = (made.after, made.kept)
        read = made.read ?? progress.touched
        after.visit { path, value in
            guard case .leaf(_, let flows) = value else { return }
            places.formUnion(flows.keys)
            narrowed.formUnion(
                flows.filter { $0.value.contains { if case .narrows = $0 { true } else { false } } }.keys)
            stay.formUnion(flows.keys.filter { $0.folded == path.folded })
        }
        made.decoded?.visit { path, value in
            guard case .leaf(_, let flows) = value else { return }
            stayDecoded.formUnion(flows.keys.filter { $0.folded == path.folded })
        }
        kept.visit { path, value in
            switch value {
            case .leaf(_, let flows):
                for (source, found) in flows { effects[source, default: []].formUnion(found) }
                stayKept.formUnion(flows.keys.filter { $0.folded == path.folded })
            case .list(_, let flows): deciding.formUnion(flows.filter { $0.value != [.open] }.keys)
            case .object: break
            }
        }
    }

    /// Returns the result of the step for a document.
    static func make(
        _ scheme: Scheme, _ from: Int, _ to: Int, _ before: Value, _ progress: Progress = Progress()
    ) throws(Refusal) -> (after: Value, kept: Value, decoded: Value?, read: Set<Path>?) {
        let isLoose = scheme.system == .closures
        var value = before
        var read: Set<Path>?
        if !isLoose {
            value = try scheme.versions[from].decode(value, .root, progress)
            read = Set(value.leaves.flatMap { $0.flows.keys })
        }
        for index in from..<to { try scheme.take(index, &value, progress) }
        guard isLoose else {
            let written = scheme.versions[to].written(value)
            return (written, written, nil, read)
        }
        guard to == scheme.versions.count - 1 else { return (value, value, nil, nil) }
        let decoded = try scheme.newest.decode(value, .root, progress)
        progress.touched.formUnion(decoded.leaves.flatMap { $0.flows.keys })
        return (value, scheme.newest.written(value), decoded, nil)
    }

    /// The fate of a value of the document before.
    enum Status: Equatable {
        case carried
        case narrowed(Set<Narrowing>)
        /// The value was compared. Whether that is visible depends on which other values are accepted.
        case tested
        case lost
        /// The value was removed without being read. A report may call it lost or dropped.
        case gone
        /// Nothing read the value.
        case unread
        /// The value was read and carried over, and stays at its old path too.
        case leftOver
        /// The specification leaves it open.
        case open
    }

    func status(of path: Path, _ scalar: Scalar) -> Status {
        // The version and null can't be lost.
        if scalar == .null || scheme.hasVersionKey && path == Path.root.key("version") { return .carried }
        let effects = effects[path] ?? []
        let wasTaken = progress.removed.contains { path.isInside($0) }
        if effects.isEmpty {
            if progress.skipped.contains(where: { path.isInside($0) }) { return .lost }
            guard scheme.system == .closures else {
                if !read.contains(path) { return .unread }
                return wasTaken || !deciding.contains(path) ? .lost : .tested
            }
            if wasTaken { return read.contains(path) ? .lost : .gone }
            if deciding.contains(path) { return .tested }
            // Values that the newest type doesn't read stay in the payload.
            let isThere = places.contains(path)
            if read.contains(path) {
                if isThere, !isFinish { return .carried }
                return from < to && stay.contains(path) && !stayDecoded.contains(path) ? .leftOver : .lost
            }
            return isThere ? .unread : .gone
        }
        if effects.contains(.carries) {
            let isLeft = isFinish && stay.contains(path) && !stayKept.contains(path)
            return isLeft ? .leftOver : .carried
        }
        if effects.contains(.open) || effects.contains(.portion) { return .open }
        let narrowings = Set(effects.compactMap { if case .narrows(let how) = $0 { how } else { nil } })
        if narrowings.isEmpty { return .tested }
        let isNumber = scalar.number != nil
        return narrowings.contains { ($0 == .digits) != isNumber } ? .open : .narrowed(narrowings)
    }

    /// Returns whether a value decides which elements there are or in which order.
    func decides(_ path: Path) -> Bool { deciding.contains(path) }

    // MARK: - Other values

    /// The leaves of the document before with their status.
    var statuses: [(path: Path, status: Status)] { before.leaves.map { ($0.path, status(of: $0.path, $0.scalar)) } }

    /// Runs the step with other values in place of one, until `body` returns true.
    ///
    /// - Returns: Whether it did.
    @discardableResult
    func changes(of path: Path, _ body: (_ after: Value, _ kept: Value) -> Bool) -> Bool {
        guard let old = before[path]?.scalar else { return false }
        for scalar in scheme.values where scalar != old {
            guard scalar.isOfKind(of: old), let changed = before.replacing(path, by: .leaf(scalar, [:])),
                let made = try? Self.make(scheme, from, to, changed)
            else { continue }
            if body(made.after, made.kept) { return true }
        }
        return false
    }

    /// Returns whether another accepted value gives another result.
    func matters(_ path: Path) -> Bool { changes(of: path) { $1 != kept } }

    /// Returns whether enough other values are accepted to show a loss.
    func isShowable(_ path: Path) -> Bool {
        var count = 0
        let enough = before[path]?.scalar.map { if case .bool = $0 { 1 } else { 4 } } ?? 4
        return changes(of: path) { _, _ in
            count += 1
            return count >= enough
        }
    }

    /// Returns whether a value of the document after depends on one of the document before, or `nil` if that is
    /// undetermined.
    func depends(_ path: Path, on source: Path) -> Bool? {
        guard let value = after[path] else { return false }
        var (isOpen, depends) = (false, false)
        value.visit(path) { place, part in
            let flows = if case .list(_, let flows) = part { flows } else { part.flows }
            for (found, effects) in flows where found.isInside(source) && !depends {
                if effects.contains(.open) || before[found]?.scalar == nil {
                    isOpen = true
                } else if effects == [.tests] {
                    // Whether the change is visible depends on which values are accepted.
                    depends = changes(of: found) { after, _ in after[path] != value }
                    isOpen = isOpen || !depends
                } else {
                    depends = true
                }
            }
        }
        return depends ? true : isOpen ? nil : false
    }
}

extension Scalar {
    /// Returns whether both values are of the same kind.
    func isOfKind(of other: Scalar) -> Bool {
        switch (self, other) {
        case (.text, .text), (.number, .number), (.bool, .bool): true
        default: false
        }
    }
}
