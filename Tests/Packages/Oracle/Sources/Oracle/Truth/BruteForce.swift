/// Compares the truth with the results of brute force: each value of small documents is changed to many others, one by
/// one, each step is run on the changed document, and the results are compared.
struct BruteForce {
    let seed: UInt64
    /// The number of values to compare.
    let values: Int

    /// - Returns: Whether they agree.
    func run() -> Bool {
        var (compared, wrong, chain) = (0, 0, 0)
        var reported = Tally()
        while compared < values {
            let scheme = Scheme(chain, seed: seed)
            chain += 1
            for number in 0..<3 {
                let specimen = Specimen(of: scheme, number: number, seed: seed)
                let tally = Judge(scheme, specimen, Story(perfect: scheme, specimen)).judge()
                if let tally { reported.add(tally) }
                let problems = tally.map { $0.wrong + $0.silent } ?? []
                if tally == nil || tally?.strangeSteps != 0 || !problems.isEmpty {
                    wrong += 1
                    print("--seed \(seed) --chain \(chain - 1) --document \(number), told the truth:")
                    for problem in problems { print("  \(problem.text)") }
                }
                let document = specimen.document
                let run = scheme.run(document)
                guard let first = run.first, document.leaves.count <= 80 else { continue }
                for index in run.states.indices {
                    let isLast = index + 1 == run.states.count
                    if isLast, !run.opens { continue }
                    let (from, before) = (first + index, run.states[index])
                    let newest = scheme.versions.count - 1
                    let to = isLast ? from : scheme.system == .fallback ? newest : from + 1
                    if isLast, scheme.system == .fallback { continue }
                    guard let truth = StepTruth(scheme, from: from, to: to, before: before)
                    else { continue }
                    for leaf in truth.before.leaves {
                        compared += 1
                        guard let problem = problem(truth, leaf.path, leaf.scalar) else { continue }
                        wrong += 1
                        guard wrong <= 10 else { continue }
                        print("--seed \(seed) --chain \(scheme.number) --document \(number)")
                        print("step \(truth.from + 1) → \(truth.to + 1): \(leaf.path): \(problem)")
                        print("\(scheme.description)\n\(truth.before.json)\n\(truth.after.json)\n")
                    }
                }
            }
        }
        print("a program that knows the truth would say:\n\(reported.table)")
        print("\(compared) values of \(chain) chains compared with brute force: \(wrong) differ")
        return wrong == 0
    }

    /// Returns how brute force contradicts the truth about a value, or `nil` if it agrees.
    private func problem(_ truth: StepTruth, _ path: Path, _ scalar: Scalar) -> String? {
        let status = truth.status(of: path, scalar)
        var (accepted, results, changed) = (0, [Value](), Set<Path>())
        // Paths can't be compared if elements are added, removed or moved.
        var bringsBack = truth.decides(path)
        truth.changes(of: path) { after, kept in
            accepted += 1
            if !results.contains(kept) { results.append(kept) }
            if kept != truth.kept, !truth.kept.hasShape(of: kept) { bringsBack = true }
            // Only results with the same elements are compared path by path.
            if truth.after.hasShape(of: after) {
                for leaf in truth.after.leaves where after[leaf.path]?.scalar != leaf.scalar {
                    changed.insert(leaf.path)
                }
            }
            return false
        }
        for simpler in scalar.simpler {
            guard let changed = truth.before.replacing(path, by: .leaf(simpler.scalar, [:])),
                let made = try? StepTruth.make(truth.scheme, truth.from, truth.to, changed)
            else { continue }
            let isSame = made.kept == truth.kept
            if status == .carried, isSame, !truth.isKeptWhole(path), path != Path.root.key("version") {
                return "carried, but \(simpler.scalar) gives the same result"
            }
            if case .narrowed(let ways) = status, ways == [simpler.narrowing], !isSame {
                return "narrowed, but \(simpler.scalar) gives another result"
            }
        }
        guard accepted > 0 else { return nil }
        let matters = results.contains { $0 != truth.kept }
        switch status {
        case .lost, .gone, .unread:
            if matters, !bringsBack { return "\(status), but it changes the result" }
        case .carried:
            // The effect of a value can't be seen if it is read and put back, or if its only alternative is refused.
            if !matters, scalar != .null, path != Path.root.key("version"), !truth.isKeptWhole(path) {
                return "carried, but nothing changes the result"
            }
        case .narrowed:
            if !matters { return "narrowed, but nothing changes the result" }
        case .tested, .open, .leftOver: break
        }
        for place in changed where truth.depends(place, on: path) == false && !bringsBack {
            return "changes \(place), which does not depend on it"
        }
        for leaf in truth.after.leaves {
            guard let effects = leaf.flows[path], effects == [.carries], !bringsBack, results.count > 3,
                !changed.contains(leaf.path)
            else { continue }
            return "does not change \(leaf.path), which depends on it"
        }
        return nil
    }
}

extension Scalar {
    /// Other values with less information, and what they lack.
    fileprivate var simpler: [(scalar: Scalar, narrowing: Narrowing)] {
        let forms: [(Scalar, Narrowing)] =
            switch self {
            case .number(let number): [(.number(number.rounded()), .digits)]
            case .text(let text):
                [
                    (.text(String(text.dropLast())), .cut), (.text(text.lowercased()), .lower),
                    (.text(text.trimmingSpaces), .space),
                ]
            case .bool, .null: []
            }
        return forms.filter { $0.0 != self }
    }
}

extension StepTruth {
    /// Returns whether the payload keeps a value that no type reads.
    fileprivate func isKeptWhole(_ path: Path) -> Bool { kept[path] == nil && after[path] != nil }
}

extension Value {
    /// Returns whether both values have the same members and elements.
    fileprivate func hasShape(of other: Value) -> Bool {
        switch (self, other) {
        case (.leaf, .leaf): true
        case (.list(let one, _), .list(let two, _)):
            one.count == two.count && zip(one, two).allSatisfy { $0.hasShape(of: $1) }
        case (.object(let one), .object(let two)):
            one.names.count == two.names.count
                && one.names.allSatisfy { name in
                    two[name].map { one[name]?.hasShape(of: $0) ?? false } ?? false
                }
        default: false
        }
    }
}
