extension Story {
    /// Creates the claims of a program that knows the truth. None of them may be judged false, and no truth may be
    /// missing.
    init(perfect scheme: Scheme, _ specimen: Specimen) {
        let document = specimen.document
        let run = scheme.run(document)
        let newest = scheme.versions.count - 1
        var trace: [String: Value] = ["outcome": .text("failed")]
        trace["examined"] = .object(["whole": .leaf(.bool(true), [:])])
        if let first = run.first {
            var from = first
            var steps: [Value] = []
            for (before, after) in zip(run.states, run.states.dropFirst()) {
                let to = scheme.system == .fallback ? newest : from + 1
                var step = StepTruth(scheme, from: from, to: to, before: before)?.words ?? [:]
                step["from"] = .number(Double(from + 1))
                step["after"] = after
                steps.append(Value(step))
                from = to
            }
            trace["steps"] = .list(steps, [:])
            if run.opens, let whole = StepTruth(scheme, from: first, to: newest, before: document) {
                trace["outcome"] = .text(first == newest ? "current" : "migrated")
                trace["dropped"] = whole.paths { $0 == .unread }
                trace["leftOver"] = whole.paths { $0 == .leftOver }
                trace["writing"] = StepTruth(scheme, from: newest, to: newest, before: run.states.last ?? document)
                    .map { Value($0.words) }
                trace["result"] = run.states.last
                trace["reopens"] = .leaf(.bool(scheme.run(run.states.last ?? document).opens), [:])
            }
        }
        if !run.opens {
            var failures: [Value] = []
            var blame: Blame? = Blame(scheme, specimen, document)
            while let last = blame, !last.run.opens, failures.count < 20 {
                failures.append(last.words)
                blame = last.afterMending
            }
            trace["failure"] = failures.first
            trace["furtherFailures"] = .list(Array(failures.dropFirst()), [:])
        }
        self.init(Value(trace))
    }
}

extension Value {
    fileprivate init(_ members: [String: Value]) {
        var object = Members()
        for (name, value) in members { object[name] = value }
        self = .object(object)
    }
}

extension StepTruth {
    fileprivate func paths(_ isMeant: (Status) -> Bool) -> Value {
        .list(statuses.filter { isMeant($0.status) }.map { .text($0.path.description) }, [:])
    }

    fileprivate var words: [String: Value] {
        let narrowed = statuses.compactMap { path, status -> Value? in
            guard case .narrowed(let ways) = status, let how = ways.first?.names.first else { return nil }
            return .object(["path": .text(path.description), "how": .text(how)])
        }
        let origins = after.leaves.compactMap { path, _, flows -> Value? in
            let from = flows.keys.filter { depends(path, on: $0) == true }.map { Value.text($0.description) }
            guard !from.isEmpty || flows.isEmpty else { return nil }
            return .object(["path": .text(path.description), "from": .list(from, [:])])
        }
        return ["lost": paths { $0 == .lost }, "narrowed": .list(narrowed, [:]), "origins": .list(origins, [:])]
    }
}

extension Blame {
    fileprivate var words: Value {
        guard let passing, let path = paths.first else { return .object(["message": .text("no")]) }
        let others = paths.subtracting([path])
        var proof: [String: Value] = [
            "kind": .text("passes"), "operation": .text("set"), "path": .text("\(path)"), "value": passing,
        ]
        if repair != nil, let spoiling = spoiling?.element {
            proof["kind"] = .text("repair")
            proof["value"] = specimen.good[spoiling.path]
            if let newPath = spoiling.newPath {
                proof["operation"] = .text("rename")
                proof["path"] = .text("\(newPath)")
                proof["value"] = .text(spoiling.path.lastKey ?? "")
            }
        }
        if let changed = document.changed(proof["operation"]?.text ?? "", path, proof["value"]), repair == nil {
            proof["opens"] = .leaf(.bool(scheme.run(changed).opens), [:])
        }
        return .object([
            "message": .text("no"),
            "culprit": .object([
                "path": .text("\(path)"), "certain": .leaf(.bool(others.isEmpty), [:]),
                "others": .list(others.map { .text("\($0)") }, [:]), "proof": Value(proof),
            ]),
        ])
    }
}
