extension Judge {
    /// Compares the claims about a failure with the values to blame.
    func judgeFailure() {
        guard let failure = story.failure else { return }
        let blame = Blame(scheme, specimen, document)
        judge(failure, blame, document)
        judgeFurther(blame)
    }

    private func judge(_ failure: Story.Failure, _ blame: Blame, _ document: Value) {
        // Without a proof, the culprit is only the value that the error names, and nothing else is claimed about it.
        let isProved = failure.isCertain && failure.proof != nil
        let isClaimed = failure.isCertain || failure.proof != nil
        var isRepaired = false
        if let culprit = failure.culprit {
            let proof = failure.proof
            let others = failure.others
            if let proof { isRepaired = judge(proof, blame) }
            if isProved, proof?["kind"]?.text != "follows" {
                tally.claim(.culprit, blame.isTheOne(culprit, isRepaired: isRepaired, proof), "proved: \(culprit)")
            } else if !others.isEmpty, isClaimed {
                let all = [culprit] + others
                let isTrue: Bool? =
                    blame.paths.isEmpty ? nil : all.allSatisfy { blame.isAbout($0) || blame.passes(at: $0) }
                tally.claim(.several, isTrue, "one of \(all.map(\.description).joined(separator: ", "))")
            }
            if proof?["kind"]?.text == "follows" {
                let isTrue: Bool? = blame.paths.isEmpty ? nil : blame.isAbout(culprit)
                tally.claim(.follows, isTrue, "the failure follows \(culprit): \(failure.message)")
            }
        }
        // A document that fits no shape may have one of several culprits, unless it has a repair.
        guard let passing = blame.passing, blame.run.first != nil || scheme.hasVersionKey || blame.repair != nil else {
            return
        }
        // A culprit without a proof is only likely, which means that it isn't known.
        let isNotKnown = !isProved && failure.culprit != nil
        if blame.paths.count > 1 {
            let reported = Set([failure.culprit].compactMap { $0 } + failure.others)
            tally.truth(
                .several, isSaid: isClaimed && blame.paths.isSubset(of: reported), isNotKnown: isNotKnown,
                "one of \(blame.paths.map(\.description).sorted().joined(separator: ", "))")
        } else {
            let isSaid = isProved && failure.culprit.map(blame.isAbout) ?? false
            tally.truth(
                .culprit, isSaid: isSaid, isNotKnown: isNotKnown, "\(blame) is to blame: \(passing.json) passes")
        }
        if let repair = blame.repair {
            tally.truth(.repair, isSaid: isRepaired, isNotKnown: isNotKnown, "repair: \(repair)")
        }
    }

    /// - Returns: Whether the change of the proof restores the original document.
    private func judge(_ proof: Value, _ blame: Blame) -> Bool {
        guard let operation = proof["operation"]?.text, let path = proof["path"]?.text.flatMap(Path.init),
            let changed = document.changed(operation, path, proof["value"])
        else { return false }
        let words = "\(operation) \(path) \(proof["value"]?.json ?? "")"
        let topic: Topic = proof["kind"]?.text == "repair" ? .repair : .passes
        let isRepair = blame.isRepair(changed, operation, path, proof["value"])
        if topic == .repair { tally.claim(.repair, isRepair, words) }
        tally.claim(.passes, blame.isPassed(by: changed), words)
        if let opens = proof["opens"], opens.isContainer == false, opens.scalar != .null {
            tally.claim(.opens, opens.isTrue == scheme.run(changed).opens, "\(words) opens: \(opens.json)")
        }
        for (topic, key) in [(Topic.passes, "passing"), (.fails, "failing")] {
            let values = proof[key]?.elements ?? []
            guard operation == "set" || operation == "add", !values.isEmpty else { continue }
            let answers = values.map { value in
                document.changed(operation, path, value).flatMap(blame.isPassed).map { $0 == (topic == .passes) }
            }
            let wrong = zip(values, answers).filter { $0.1 == false }.map(\.0.json)
            tally.claim(
                topic, all(answers), "\(path): \(wrong.joined(separator: ", ")) of those that are \"\(key)\"")
        }
        return isRepair ?? false
    }

    private func judgeFurther(_ first: Blame) {
        // The failures that appear when one mistake after another is fixed, or gets another value.
        var (expected, isEndKnown): ([Blame], Bool) = ([], false)
        var blame: Blame? = first
        while let last = blame, expected.count < 20 {
            let next = last.afterMending
            isEndKnown = next?.run.opens ?? false
            blame = isEndKnown ? nil : next
            if let blame { expected.append(blame) }
        }
        for failure in story.furtherFailures {
            guard let culprit = failure.culprit else { continue }
            let isOpen =
                !isEndKnown || first.paths.isEmpty || expected.contains { $0.paths.isEmpty } || first.isAbout(culprit)
            // A missing value may have another name by the time it is looked for.
            let isMissing = specimen.spoilings.contains { $0.kind == .missing && $0.path == culprit }
            let isTrue: Bool? =
                isMissing || expected.contains { $0.isAbout(culprit) } ? true : isOpen ? nil : false
            tally.claim(.further, isTrue, "further: \(culprit) \(failure.message)")
        }
        for blame in expected where blame.passing != nil && first.passing != nil {
            let isSaid = story.furtherFailures.contains { $0.culprit.map(blame.isAbout) ?? false }
            tally.truth(.further, isSaid: isSaid, isNotKnown: false, "\(blame) fails too")
        }
    }
}

/// The values to blame for a failure, and the changes that fix it.
struct Blame: CustomStringConvertible {
    let scheme: Scheme
    let specimen: Specimen
    let document: Value
    let run: Run
    /// The values with a change that lets the document pass, or an empty set if that is undetermined.
    let paths: Set<Path>

    init(_ scheme: Scheme, _ specimen: Specimen, _ document: Value) {
        (self.scheme, self.specimen, self.document) = (scheme, specimen, document)
        run = scheme.run(document)
        if run.first != nil, specimen.spoilings.contains(where: { $0.kind == .version }) {
            // A document read as another version may lack anything.
            paths = []
        } else if let refusal = run.refusal {
            paths = refusal.blamed
        } else if scheme.hasVersionKey {
            paths = [Path.root.key("version")]
        } else {
            // If a document fits no shape, its only mistake is to blame, unless the document fails without that mistake
            // too.
            let mistakes = specimen.spoilings.filter { $0.kind != .extra }
            paths = mistakes.count == 1 && scheme.run(specimen.good).opens ? Set(mistakes.map(\.path)) : []
        }
    }

    var description: String { paths.map(\.description).sorted().joined(separator: ", ") }

    /// Returns whether the changed document gets past the failure, or `nil` if that is undetermined.
    func isPassed(by changed: Value) -> Bool? {
        let other = scheme.run(changed)
        if other.opens { return true }
        guard let first = run.first else { return other.first != nil ? true : scheme.hasVersionKey ? false : nil }
        // A document read as another version doesn't reach the same point.
        guard other.first == first, let old = run.progress, let new = other.progress else { return nil }
        // Two checks may report the same value with the same message.
        if let refusal = run.refusal, let later = other.refusal, old != new, refusal.path == later.path,
            refusal.message == later.message
        {
            return nil
        }
        if old == new { return other.refusal?.path == run.refusal?.path ? false : nil }
        if old.lexicographicallyPrecedes(new) { return true }
        // If elements were removed, the same point is reached earlier.
        return other.refusal?.path == run.refusal?.path ? false : nil
    }

    /// A passing value for the blamed path, or `nil` if none is known.
    var passing: Value? {
        guard !paths.isEmpty else { return nil }
        for path in paths {
            guard passes(at: path) else { return nil }
        }
        return paths.first.flatMap(passingValue)
    }

    func passes(at path: Path) -> Bool { passingValue(path) != nil }

    private func passingValue(_ path: Path) -> Value? {
        let versions = path == Path.root.key("version") ? (1...4).map { Scalar.number(Double($0)) } : []
        let others = paths.compactMap { document[$0]?.scalar }
        for scalar in versions + scheme.values + others {
            let value = Value.leaf(scalar, [:])
            if let changed = document.replacing(path, by: value), isPassed(by: changed) == true { return value }
        }
        return nil
    }

    var spoiling: (offset: Int, element: Specimen.Spoiling)? {
        specimen.spoilings.enumerated().first { spoiling in paths.contains { spoiling.element.isAbout($0) } }
    }

    /// The values to blame after this mistake is fixed, or `nil` if it can't be fixed.
    var afterMending: Blame? {
        if let index = spoiling?.offset {
            var mended = specimen
            mended.spoilings.remove(at: index)
            return Blame(scheme, mended, mended.document)
        }
        let mends = paths.sorted { $0.description < $1.description }.lazy.compactMap { path in
            passingValue(path).map { (path: path, value: $0) }
        }
        guard let (path, value) = mends.first else { return nil }
        let changed = document.replacing(path, by: value)
        return changed.map { Blame(scheme, Specimen(good: $0), $0) }
    }

    /// Returns whether a path is one of those to blame: the value, its container, or the new name of a missing member.
    func isAbout(_ path: Path) -> Bool {
        paths.contains { $0 == path } || spoiling.map { $0.element.newPath == path || $0.element.path == path } ?? false
    }

    /// Returns whether a value is the only one to blame, or `nil` if that is undetermined.
    func isTheOne(_ path: Path, isRepaired: Bool, _ proof: Value?) -> Bool? {
        if paths.isEmpty { return nil }
        if isAbout(path) {
            // If two values must agree, neither is the only culprit, unless a repair is known.
            return paths.count == 1 || isRepaired ? true : paths.allSatisfy(passes) ? false : nil
        }
        // A container may be named instead of the value inside it.
        if paths.contains(where: { $0.isInside(path) }) { return nil }
        return passing == nil ? nil : false
    }

    /// Returns whether a change makes the document as it was meant to be, or `nil` if that is undetermined.
    func isRepair(_ changed: Value, _ operation: String, _ path: Path, _ value: Value?) -> Bool? {
        for index in specimen.spoilings.indices where changed == specimen.without(index) { return true }
        guard isPassed(by: changed) != false else { return false }
        // A missing member may have the value that all its siblings have.
        if operation == "add", path.folded != path {
            let siblings = document.expand(path.folded).compactMap { document[$0] }
            if let value, !siblings.isEmpty, siblings.allSatisfy({ $0 == value }) { return true }
        }
        return false
    }

    /// The repair of the mistake, or `nil` if there is none that keeps the document's meaning.
    var repair: String? {
        guard let (index, spoiling) = spoiling else { return nil }
        switch spoiling.kind {
        case .misspelt, .misspeltCase: break
        // A number in place of words doesn't show which words they were.
        case .otherKind where specimen.good[spoiling.path]?.text.map({ Double($0) != nil }) ?? true: break
        // A version that an earlier type reads too is another version.
        case .version where spoiling.value?.text != nil: break
        default: return nil
        }
        let mended = specimen.without(index)
        guard isPassed(by: mended) == true else { return nil }
        let was = specimen.good[spoiling.path]?.json ?? ""
        return "\(spoiling.kind) \(spoiling.newPath ?? spoiling.path), as it was: \(was)"
    }
}

extension Value {
    /// Returns the document with a change that a proof names, or `nil` if that isn't possible.
    func changed(_ operation: String, _ path: Path, _ value: Value?) -> Value? {
        var changed = self
        switch operation {
        case "rename":
            guard let name = value?.text, let old = self[path] else { return nil }
            guard changed.replace(path.parts[...], by: nil) else { return nil }
            return changed.replace(path.parent.key(name).parts[...], by: old) ? changed : nil
        case "remove": return changed.replace(path.parts[...], by: nil) ? changed : nil
        case "add": return changed.replace(path.parts[...], by: value, isInserted: true) ? changed : nil
        default:
            guard let value else { return nil }
            return changed.replace(path.parts[...], by: value) ? changed : nil
        }
    }
}
