/// Compares the program's claims about a document with the truth.
final class Judge {
    let scheme: Scheme
    let specimen: Specimen
    let document: Value
    let run: Run
    let story: Story
    var tally = Tally()

    init(_ scheme: Scheme, _ specimen: Specimen, _ story: Story) {
        (self.scheme, self.specimen, self.story) = (scheme, specimen, story)
        document = specimen.document
        run = scheme.run(document)
    }

    /// Returns the tally of all claims, or `nil` if the program and the oracle disagree on whether the document opens.
    /// Such a disagreement is a mistake of one of them, and not of any claim.
    func judge() -> Tally? {
        guard run.opens == ["migrated", "current"].contains(story.outcome) else { return nil }
        judgeSteps()
        if run.opens, let first = run.first { judgeWhole(first) }
        if !run.opens { judgeFailure() }
        return tally
    }

    // MARK: - Steps

    private func judgeSteps() {
        guard let first = run.first else { return }
        for (index, step) in story.steps.enumerated() where index + 1 < run.states.count {
            // Different documents can't be compared.
            let (from, newest) = (first + index, scheme.versions.count - 1)
            let to = scheme.system == .fallback ? newest : from + 1
            guard let truth = StepTruth(scheme, from: from, to: to, before: run.states[index]), let after = step.after
            else { continue }
            guard truth.after.without("version") == after.without("version") else {
                tally.strangeSteps += 1
                continue
            }
            judgeLosses(step, truth, isLast: index + 1 == story.steps.count)
            judgeOrigins(step, truth)
        }
        let newest = scheme.versions.count - 1
        guard run.opens, let last = story.steps.last?.after ?? (story.steps.isEmpty ? document : nil),
            let truth = StepTruth(scheme, from: newest, to: newest, before: last)
        else { return }
        // The losses of a payload's last step, which includes its final decoding, are counted with that step.
        let isCounted = story.steps.isEmpty
        judgeLosses(story.writing ?? Story.Step(), truth, isLast: false, isCounted: isCounted)
    }

    private func judgeLosses(
        _ step: Story.Step, _ truth: StepTruth, isLast: Bool, isCounted: Bool = true
    ) {
        let statuses = Dictionary(uniqueKeysWithValues: truth.statuses.map { ($0.path, $0.status) })
        for loss in step.lost ?? [] {
            claim(.lost, loss, in: truth.before, "\(name(truth)) lost") { place in
                isLost(place, truth, statuses)
            }
        }
        for (path, how) in step.narrowed ?? [] {
            claim(.narrowed, path, in: truth.before, "\(name(truth)) narrowed (\(how))") { place in
                switch statuses[place] {
                case .narrowed(let ways)?: how.isEmpty || ways.contains { $0.names.contains(how) }
                case .open?, nil: nil
                // The result of the step isn't written afterwards.
                case .lost?, .gone?: truth.narrowed.contains(place) ? nil : false
                default: false
                }
            }
        }
        guard isCounted else { return }
        let lost = (step.lost ?? []).flatMap { said($0, in: truth.before) }
        // Values that aren't written back may be reported for the document that the last step made.
        let unwritten = isLast ? (story.writing?.lost ?? []).map(\.path) : []
        let narrowed = (step.narrowed ?? []).flatMap { said($0.path, in: truth.before) }
        for (path, status) in truth.statuses {
            switch status {
            case .lost:
                // If an element was skipped, the values that its decoding didn't reach were never read.
                let isSkipped = truth.progress.skipped.contains(where: path.isInside)
                let isSaid =
                    covers(lost, path) || unwritten.contains { truth.depends($0, on: path) ?? false }
                    || isSkipped && truth.from == run.first
                        && covers(story.dropped.flatMap { said($0, in: document) }, path)
                guard isSaid || truth.isShowable(path) else { continue }
                tally.truth(
                    .lost, isSaid: isSaid, isNotKnown: step.lost == nil || story.isLeft(path),
                    "\(name(truth)) loses \(path)")
            case .narrowed(let ways):
                let isSaid = covers(narrowed, path)
                guard isSaid || truth.isShowable(path) else { continue }
                tally.truth(
                    .narrowed, isSaid: isSaid, isNotKnown: step.narrowed == nil || story.isLeft(path),
                    "\(name(truth)) narrows \(path) (\(ways.map(\.rawValue).joined(separator: ", ")))")
            default: break
            }
        }
    }

    /// Returns whether all values at a path are lost, or `nil` if that is undetermined.
    private func isLost(_ place: Path, _ truth: StepTruth, _ statuses: [Path: StepTruth.Status]) -> Bool? {
        guard let value = truth.before[place] else { return false }
        let leaves = value.leaves.filter { $0.scalar != .null || value.scalar != nil }
        // Nothing is claimed about the loss of containers without values, and of null in lost elements.
        if leaves.isEmpty || value.scalar == .null && truth.progress.removed.contains(where: place.isInside) {
            return nil
        }
        var isOpen = false
        for leaf in leaves {
            let path = Path(place.parts + leaf.path.parts)
            switch statuses[path] {
            case .lost?, .gone?: break
            case .tested? where !truth.matters(path): isOpen = true
            case .open?, .unread?: isOpen = true
            default: return false
            }
        }
        return isOpen ? nil : true
    }

    private func judgeOrigins(_ step: Story.Step, _ truth: StepTruth) {
        var reported: [(path: Path, from: Path)] = step.moves
        var made: [Path] = []
        for (path, sources) in step.origins ?? [] {
            let places = truth.after.expand(path).filter { truth.after[$0] != nil }
            if places.isEmpty { tally.claim(.origin, false, "\(name(truth)) \(path) is not there") }
            if sources.isEmpty {
                made += places
                tally.claim(.made, all(places.map { isMade($0, truth) }), "\(name(truth)) \(path) made by the step")
            }
            for source in sources {
                // An element's index may be the current one, or the one before other elements were removed.
                let readings = [{ $0 }, truth.after.aligned].map { aligned in
                    places.flatMap { place in
                        truth.before.expand(source.filled(along: path, aligned(place)))
                            .filter { truth.before[$0] != nil }.map { (path: place, from: $0) }
                    }
                }
                let answers = readings.map { pairs in
                    pairs.isEmpty ? false : all(pairs.map { truth.depends($0.path, on: $0.from) })
                }
                let isTrue = answers.contains(true) ? true : answers.contains(nil) ? nil : false
                reported += zip(readings, answers).filter { $0.1 != false }.flatMap(\.0)
                tally.claim(.origin, isTrue, "\(name(truth)) \(path) ← \(source)")
            }
        }
        for (path, scalar, flows) in truth.after.leaves where scalar != .null && path != Path.root.key("version") {
            if flows.isEmpty {
                let isNew = truth.before[path]?.scalar != scalar
                guard isNew else { continue }
                // If not every value has another accepted value, making no claim is right.
                tally.truth(
                    .made, isSaid: covers(made, path), isNotKnown: true, "\(name(truth)) \(path) is made by the step")
                continue
            }
            // A value unchanged in its own element needs no claim, even if the element moved.
            if flows.keys.contains(where: { $0.folded == path.folded && truth.before[$0]?.scalar == scalar }) {
                continue
            }
            for (source, effects) in flows where !effects.contains(.open) {
                let isSaid = reported.contains { path.isInside($0.path) && source.isInside($0.from) }
                guard isSaid || effects != [.tests] || truth.depends(path, on: source) == true else { continue }
                guard isSaid || truth.changes(of: source, { after, _ in after[path]?.scalar != scalar }) else {
                    continue
                }
                tally.truth(
                    .origin, isSaid: isSaid, isNotKnown: step.origins == nil || story.isLeft(source),
                    "\(name(truth)) \(path) ← \(source)")
            }
        }
    }

    /// Returns whether a value contains nothing of the document before, or `nil` if that is undetermined.
    private func isMade(_ place: Path, _ truth: StepTruth) -> Bool? {
        var (isOpen, isMade) = (false, true)
        truth.after[place]?.visit(place) { path, value in
            for (source, effects) in value.flows where value.scalar != nil {
                if effects.contains(.open) || effects == [.tests] && truth.depends(path, on: source) != true {
                    isOpen = true
                } else {
                    isMade = false
                }
            }
        }
        return isMade ? isOpen ? nil : true : false
    }

    // MARK: - The whole document

    private func judgeWhole(_ first: Int) {
        let newest = scheme.versions.count - 1
        if let truth = StepTruth(scheme, from: first, to: newest, before: document) {
            let statuses = Dictionary(uniqueKeysWithValues: truth.statuses.map { ($0.path, $0.status) })
            let skipped = truth.progress.skipped
            for path in story.dropped {
                claim(.dropped, path, in: document, "dropped") { place in
                    guard let value = truth.before[place] else { return false }
                    return all(
                        value.leaves.map { leaf in
                            let path = Path(place.parts + leaf.path.parts)
                            if leaf.scalar == .null, statuses[path] == .carried { return nil }
                            if skipped.contains(where: path.isInside) { return nil }
                            // A closure that takes a value and does nothing with it can't be distinguished from one
                            // that ignores the value.
                            return statuses[path] == .gone || statuses[path] == .open ? nil : statuses[path] == .unread
                        })
                }
            }
            for path in story.leftOver ?? [] {
                claim(.leftOver, path, in: document, "left over") { place in
                    guard let value = truth.before[place] else { return false }
                    return all(
                        value.leaves.map { leaf in
                            // An element that the newest type skips is left over as a whole.
                            if skipped.contains(where: Path(place.parts + leaf.path.parts).isInside) { return nil }
                            let status = statuses[Path(place.parts + leaf.path.parts)]
                            // A value that was only compared is neither lost nor carried over.
                            return status == .open || status == .tested ? nil : status == .leftOver
                        })
                }
            }
            let dropped = story.dropped.flatMap { said($0, in: document) }
            let leftOver = (story.leftOver ?? []).flatMap { said($0, in: document) }
            // The values that the decoding of a skipped element didn't reach are lost with the element.
            let lost = (story.writing?.lost ?? []).flatMap { said($0, in: document) }
            for (path, status) in truth.statuses {
                switch status {
                case .unread where !skipped.contains(where: path.isInside):
                    tally.truth(.dropped, isSaid: covers(dropped, path), isNotKnown: false, "nothing reads \(path)")
                case .leftOver:
                    tally.truth(
                        .leftOver, isSaid: covers(leftOver + lost, path), isNotKnown: story.leftOver == nil,
                        "\(path) is left over")
                default: break
                }
            }
        }
        guard let result = story.result ?? (story.steps.isEmpty ? document : nil) else { return }
        let opens = scheme.run(result).opens
        if let reopens = story.reopens {
            tally.claim(.reopens, reopens.isTrue == opens, "what is made opens again: \(reopens.json)")
        }
        // A current document has no result.
        guard story.reopens != nil || !story.steps.isEmpty else { return }
        tally.truth(.reopens, isSaid: story.reopens != nil, isNotKnown: true, "what is made opens again: \(opens)")
    }

    // MARK: - Words

    private func name(_ truth: StepTruth) -> String {
        truth.from == truth.to ? "writing" : "step \(truth.from + 1) → \(truth.to + 1)"
    }

    /// Returns the conjunction of answers: false if one is false, and otherwise `nil` if one is `nil`.
    func all(_ answers: [Bool?]) -> Bool? {
        answers.contains(false) ? false : answers.contains(nil) ? nil : true
    }

    /// Counts a claim about a path that may match many values, or some number of them.
    private func claim(
        _ topic: Topic, _ folded: Story.Folded, in document: Value, _ words: String, _ isTrue: (Path) -> Bool?
    ) {
        let places = document.expand(folded.path)
        let answers = places.map(isTrue)
        let right = answers.filter { $0 != false }.count
        let answer =
            if let count = folded.count { count <= right ? nil : false } else { places.isEmpty ? false : all(answers) }
        tally.claim(topic, answer, "\(words) \(folded.path)\(folded.count.map { " (\($0))" } ?? "")")
    }

    /// Returns the paths that a claim is about.
    private func said(_ folded: Story.Folded, in document: Value) -> [Path] { document.expand(folded.path) }

    private func covers(_ said: [Path], _ path: Path) -> Bool { said.contains(where: path.isInside) }
}

extension Path {
    /// Returns the path with each `*` replaced by the index from `place` where `pattern` has a `*`, from the front.
    func filled(along pattern: Path, _ place: Path) -> Path {
        var positions = zip(pattern.parts, place.parts).filter { $0.0 == .all }.map(\.1)[...]
        return Path(parts.map { $0 == .all ? positions.popFirst() ?? $0 : $0 })
    }
}

extension Value {
    /// Returns the path with the indices that its elements had before the step, as far as they are known.
    fileprivate func aligned(_ place: Path) -> Path {
        for length in (0...place.parts.count).reversed() {
            guard let origin = self[Path(Array(place.parts[..<length]))]?.members?.origin, origin != .root else {
                continue
            }
            var positions = origin.parts.filter { if case .index = $0 { true } else { false } }[...]
            return Path(
                place.parts.map { if case .index = $0 { positions.popFirst() ?? $0 } else { $0 } })
        }
        return place
    }

    func without(_ name: String) -> Value {
        guard case .object(var members) = self else { return self }
        members[name] = nil
        return .object(members)
    }
}
