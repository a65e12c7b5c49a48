/// The program's claims about a document: its trace, by the keys of reports. A missing key claims nothing.
struct Story {
    struct Step {
        /// The version before, or `nil` for writing back.
        var from: Int?
        var after: Value?
        var lost: [Folded]?
        var narrowed: [(path: Folded, how: String)]?
        var origins: [(path: Path, from: [Path])]?
        /// The paths in the document after that were moved as a whole from other paths.
        var moves: [(path: Path, from: Path)] = []
    }

    /// A path, and the number of matching values it is about, or `nil` for all.
    struct Folded {
        var path: Path
        var count: Int?
    }

    struct Failure {
        var message: String
        var culprit: Path?
        var isCertain = false
        var others: [Path] = []
        var proof: Value?
    }

    var outcome: String
    var dropped: [Folded]
    var leftOver: [Folded]?
    var steps: [Step]
    var writing: Step?
    /// Whether everything was examined, or `nil` if nothing is claimed about that.
    var isWhole: Bool?
    var left: [Path]
    var failure: Failure?
    var furtherFailures: [Failure]
    var reopens: Value?
    var result: Value?

    init(_ trace: Value) {
        let folds = trace["folded"]
        func fold(_ value: Value, _ own: Value?) -> Folded? {
            guard let text = value.text ?? value["path"]?.text, let path = Path(text) else { return nil }
            let entry = own?[text] ?? folds?[text]
            return Folded(path: path, count: entry?["count"]?.number.map { Int($0) })
        }
        func list(_ value: Value?, _ own: Value? = nil) -> [Folded]? {
            guard case .list(let elements, _)? = value else { return nil }
            return elements.compactMap { fold($0, own) }
        }
        func step(_ value: Value) -> Step {
            let folded = value["folded"]
            var step = Step(lost: list(value["lost"], folded))
            step.from = value["from"]?.number.map { Int($0) }
            step.after = value["after"]
            if case .list(let elements, _)? = value["narrowed"] {
                step.narrowed = elements.compactMap { element in
                    fold(element, folded).map { ($0, element["how"]?.text ?? "") }
                }
            }
            if case .list(let elements, _)? = value["origins"] {
                step.origins = elements.compactMap { element in
                    (element["path"]?.text).flatMap(Path.init).map { path in
                        (path, element["from"]?.elements.compactMap { $0.text.flatMap(Path.init) } ?? [])
                    }
                }
            }
            step.moves =
                value["changes"]?.elements.compactMap { change in
                    let path = change["path"]?.text.flatMap(Path.init)
                    let from = change["from"]?.text.flatMap(Path.init)
                    return path.flatMap { path in from.map { (path, $0) } }
                } ?? []
            return step
        }
        func failure(_ value: Value?) -> Failure? {
            guard let value, value.isContainer else { return nil }
            var failure = Failure(message: value["message"]?.text ?? "")
            guard let culprit = value["culprit"], culprit.isContainer else { return failure }
            failure.culprit = culprit["path"]?.text.flatMap(Path.init)
            failure.isCertain = culprit["certain"]?.isTrue ?? false
            failure.others = culprit["others"]?.elements.compactMap { $0.text.flatMap(Path.init) } ?? []
            failure.proof = culprit["proof"].flatMap { $0.isContainer ? $0 : nil }
            return failure
        }
        outcome = trace["outcome"]?.text ?? ""
        dropped = list(trace["dropped"]) ?? []
        leftOver = list(trace["leftOver"])
        steps = trace["steps"]?.elements.map(step) ?? []
        writing = trace["writing"].flatMap { $0.isContainer ? step($0) : nil }
        // A loss in the first decoding is a loss of the same document as one in the first step.
        for loss in trace["lost"]?.elements ?? [] {
            guard let path = fold(loss, nil), let when = loss["when"]?.text else { continue }
            let from = loss["step"]?["from"]?.number.map { Int($0) }
            if let index = when == "decoding" ? 0 : steps.firstIndex(where: { $0.from == from }), index < steps.count {
                steps[index].lost = (steps[index].lost ?? []) + [path]
            } else {
                var last = writing ?? Step()
                last.lost = (last.lost ?? []) + [path]
                writing = last
            }
        }
        let examined = trace["examined"]
        isWhole = examined?["whole"]?.isTrue
        left = examined?["left"]?.elements.compactMap { $0["path"]?.text.flatMap(Path.init) } ?? []
        self.failure = failure(trace["failure"])
        furtherFailures = trace["furtherFailures"]?.elements.compactMap(failure) ?? []
        reopens = trace["reopens"].flatMap { $0.scalar == .null ? nil : $0 }
        result = trace["result"].flatMap { $0.scalar == .null ? nil : $0 }
    }

    /// Returns whether the program says that it doesn't know about a path.
    func isLeft(_ path: Path) -> Bool {
        guard let isWhole else { return false }
        return !isWhole && (left.isEmpty || left.contains { path.folded.isOnWay(of: $0.folded) })
    }
}
