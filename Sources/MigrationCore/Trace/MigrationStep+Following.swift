import DocumentModel

extension MigrationTrace {
    /// The path of a value on the other side of steps, and what that rests on.
    typealias Way = (path: DocumentPath, grounds: [ValueGround])

    /// Returns the value of the document as it was read that a value of the result comes from.
    func source(of path: DocumentPath) -> Result<Way, Unfollowed> {
        way(from: path, through: steps.reversed()) { $0.source(of: $1) }
    }

    /// Returns the value of the result that comes from a value of the document as it was read.
    func product(of path: DocumentPath) -> Result<Way, Unfollowed> {
        way(from: path, through: steps) { $0.product(of: $1) }
    }

    private func way(
        from path: DocumentPath, through steps: [MigrationStep],
        _ other: (MigrationStep, DocumentPath) -> Result<(DocumentPath, isProved: Bool), Unfollowed>
    ) -> Result<Way, Unfollowed> {
        var way = (path: path, grounds: [ValueGround]())
        for step in steps {
            switch other(step, way.path) {
            case .success(let (path, isProved)):
                way.path = path
                way.grounds.append(.step(step.ends, isProved: isProved))
            case .failure(let reason): return .failure(reason)
            }
        }
        return .success(way)
    }
}

extension Unfollowed: Error {}

extension MigrationStep {
    /// Returns the value before the step that one after it comes from, and whether experiments prove it. It is likely
    /// if the two are equal and compared with each other.
    fileprivate func source(of path: DocumentPath) -> Result<(DocumentPath, isProved: Bool), Unfollowed> {
        if let origin = finding?.origin(of: path) {
            switch origin.from.count {
            case 0: return .failure(.made(ends))
            case 1 where !origin.from[0].hasPatterns: return .success((origin.from[0], true))
            default: return .failure(.several(ends, origin.from))
            }
        }
        guard let difference, let node = after?.root.descendant(at: path) else { return .failure(unknown(path)) }
        guard let found = difference.counterpart(ofNew: node),
            before?.root.descendant(at: found.path)?.isEqual(to: node) == true
        else { return .failure(unknown(path)) }
        return .success((found.path, false))
    }

    /// Returns the value after the step that one before it becomes; see ``source(of:)``.
    fileprivate func product(of path: DocumentPath) -> Result<(DocumentPath, isProved: Bool), Unfollowed> {
        let products = finding?.products(of: path) ?? []
        if products.count == 1 { return .success((products[0], true)) }
        guard products.isEmpty, let difference, let node = before?.root.descendant(at: path),
            let found = difference.counterpart(ofOld: node),
            after?.root.descendant(at: found.path)?.isEqual(to: node) == true
        else { return .failure(products.isEmpty ? unknown(path) : .several(ends, products)) }
        return .success((found.path, false))
    }

    private func unknown(_ path: DocumentPath) -> Unfollowed {
        let left = finding?.left.first { path.hasPrefix($0.path) || path.foldingIndices.hasPrefix($0.path) }
        return .unknown(ends, finding == nil ? notExamined ?? .off : left?.because)
    }
}

extension StepFinding {
    /// Returns the origin of a value that the step made, at its own positions; nil if nothing is known about it.
    package func origin(of path: DocumentPath) -> ValueOrigin? {
        if let own = origins.first(where: { $0.path == path }) { return own }
        let folded = path.foldingIndices
        return origins.first { $0.path == folded }.map { origin in
            ValueOrigin(path: path, from: origin.from.map { $0.taking(positionsOf: path) })
        }
    }

    /// Returns the values that the step made of one value and of nothing else.
    fileprivate func products(of path: DocumentPath) -> [DocumentPath] {
        let folded = path.foldingIndices
        return origins.compactMap { origin in
            if origin.from == [path] { return origin.path }
            guard origin.from == [folded] else { return nil }
            let made = origin.path.taking(positionsOf: path)
            return made.hasPatterns ? nil : made
        }
    }
}

extension DocumentPath {
    /// Returns the path with its `[*]` replaced by the indices of another path, one after the other.
    package func taking(positionsOf other: DocumentPath) -> DocumentPath {
        var positions = other.components.filter { if case .index = $0 { true } else { false } }[...]
        return DocumentPath(components.map { $0 == .everyElement ? positions.popFirst() ?? $0 : $0 })
    }
}
