import Foundation

/// A chain, or the rest of it while a false claim is shrunk, in the form that workers receive.
struct Reduction: Sendable {
    var chain: Int
    /// The number of oldest versions to remove.
    var versions = 0
    /// The operations to remove, counted from 0 through all steps.
    var operations: Set<Int> = []
    /// The fields to remove from the oldest remaining version, as the names on the way to them.
    var fields: Set<String> = []

    init(chain: Int) { self.chain = chain }

    private static let variable = "ORACLE_REDUCTIONS"

    /// The chains that this worker's parent is about to try.
    static var ofWorker: [Reduction] {
        ProcessInfo.processInfo.environment[variable]?.split(separator: "|").map(Reduction.init) ?? []
    }

    /// Sets the chains for workers that are started from now on.
    static func hand(over reductions: [Reduction]) {
        setenv(variable, reductions.map(\.text).joined(separator: "|"), 1)
    }

    private var text: String {
        "\(chain)/\(versions)/\(operations.map(String.init).joined(separator: ","))/\(fields.joined(separator: ","))"
    }

    private init(_ text: Substring) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        (chain, versions) = (Int(parts[0]) ?? 0, Int(parts[1]) ?? 0)
        operations = Set(parts[2].split(separator: ",").compactMap { Int($0) })
        fields = Set(parts[3].split(separator: ",").map(String.init))
    }
}

extension Scheme {
    /// Creates the rest of a chain.
    ///
    /// - Parameter slot: Its index among the chains that are tried.
    init(_ reduction: Reduction, slot: Int = 0, seed: UInt64) {
        self.init(reduction.chain, seed: seed)
        self.slot = slot
        let unwritten = Set(newest.fields.filter(\.isUnwritten).map(\.name))
        var count = 0
        for index in steps.indices {
            steps[index] = steps[index].filter { _ in
                defer { count += 1 }
                return !reduction.operations.contains(count)
            }
        }
        versions.removeFirst(reduction.versions)
        steps.removeFirst(reduction.versions)
        for field in reduction.fields {
            let names = field.split(separator: ".").map(String.init)
            versions[0].change(names.dropLast()) { $0[names.last ?? ""] = nil }
        }
        derive(unwritten)
    }

    /// A description of the fields that each operation refers to.
    fileprivate var surroundings: [String] {
        var found: [String] = []
        for (index, step) in steps.enumerated() {
            var schema = versions[index]
            for operation in step {
                let text = "\(operation.scope)\(operation.verb)"
                found.append(
                    "\(operation): "
                        + schema.places.filter { place in text.contains("\"\(place.names[place.names.count - 1])\"") }
                        .map { place in
                            let kind = place.field.shape.kind.map { "\($0)" } ?? "container"
                            return "\(place.names) \(kind) \(place.field.isOptional)"
                        }.sorted().joined(separator: " "))
                operation.reshape(&schema)
            }
        }
        return found
    }

    /// Returns whether all remaining operations find the same fields as in the whole chain.
    fileprivate func isSound(in whole: Scheme) -> Bool { Set(surroundings).isSubset(of: whole.surroundings) }
}

/// Shrinks the chain and the document of a false claim, as long as a claim of the same kind is false.
struct Shrinking: Sendable {
    let seed: UInt64
    let topic: Topic

    fileprivate struct State: Sendable {
        var reduction: Reduction
        var specimen: Specimen
    }

    /// Returns the smallest chain and document with their false claim, or `nil` if the claim isn't false again.
    func shrink(_ scheme: Scheme, _ specimen: Specimen) throws -> (Scheme, Specimen, FalseClaim)? {
        var state = State(reduction: Reduction(chain: scheme.number), specimen: specimen)
        let version = scheme.version(of: specimen.document) ?? 0
        let kinds = specimen.spoilings.map(\.kind)
        if version > 0, !kinds.contains(.version) {
            var trimmed = state
            trimmed.reduction.versions = min(version, scheme.versions.count - 2)
            trimmed.specimen.good.setVersion(version - trimmed.reduction.versions + 1, ifPresent: scheme.hasVersionKey)
            if try claims([trimmed])[0] != nil { state = trimmed }
        }
        guard var claim = try claims([state])[0] else { return nil }
        for _ in 0..<12 {
            let candidates = smaller(state, whole: scheme)
            guard !candidates.isEmpty else { break }
            let found = try claims(candidates)
            let good = candidates.indices.filter { found[$0] != nil }
            guard let first = good.first else { break }
            // Parts that can be removed one by one may be removable together.
            let together = good.dropFirst().reduce(candidates[first]) { $0.joined(with: candidates[$1], from: state) }
            if good.count > 1, sound(together, in: scheme), let joint = try claims([together])[0] {
                (state, claim) = (together, joint)
            } else {
                let best = good[good.count / 2]
                (state, claim) = (candidates[best], found[best] ?? claim)
            }
        }
        return (Scheme(state.reduction, seed: seed), state.specimen, claim)
    }

    private func sound(_ state: State, in whole: Scheme) -> Bool {
        Scheme(state.reduction, seed: seed).isSound(in: whole)
    }

    /// Returns the states with one part less.
    private func smaller(_ state: State, whole: Scheme) -> [State] {
        var states: [State] = []
        let scheme = Scheme(state.reduction, seed: seed)
        let skipped = whole.steps.prefix(state.reduction.versions).joined().count
        let all = whole.steps.joined().count
        // The operations that lead to the document's version determine its shape.
        let version = scheme.version(of: state.specimen.good) ?? 0
        let before = whole.steps.prefix(state.reduction.versions + version).joined().count
        for index in max(skipped, before)..<all where !state.reduction.operations.contains(index) {
            var next = state
            next.reduction.operations.insert(index)
            if sound(next, in: whole) { states.append(next) }
        }
        for place in scheme.versions[0].places {
            var next = state
            next.reduction.fields.insert(place.names.joined(separator: "."))
            guard sound(next, in: whole) else { continue }
            next.specimen.remove(place.names)
            states.append(next)
        }
        state.specimen.good.visit { path, value in
            for index in value.elements.indices {
                var next = state
                guard let smaller = state.specimen.good.replacing(path.index(index), by: nil) else { continue }
                // The paths of spoiled values must stay the same.
                guard state.specimen.spoilings.allSatisfy({ !$0.path.isInside(path) }) else { continue }
                next.specimen.good = smaller
                states.append(next)
            }
        }
        return states
    }

    /// Returns a false claim of this kind for each state, or `nil` if there is none.
    private func claims(_ states: [State]) throws -> [FalseClaim?] {
        let interrogation = try Interrogation(states.map(\.reduction), seed: seed)
        defer { interrogation.end() }
        let found = Shared([FalseClaim?](repeating: nil, count: states.count))
        DispatchQueue.concurrentPerform(iterations: states.count) { index in
            let scheme = interrogation.schemes[index]
            guard let story = try? interrogation.ask(scheme, states[index].specimen.document) else { return }
            let claim = Judge(scheme, states[index].specimen, story).judge()?.wrong.first { $0.topic == topic }
            found.with { $0[index] = claim }
        }
        return found.with { $0 }
    }
}

extension Shrinking.State {
    /// Returns this state without the parts that another state lacks compared to their common origin.
    fileprivate func joined(with other: Self, from common: Self) -> Self {
        var joined = self
        joined.reduction.operations.formUnion(other.reduction.operations)
        for field in other.reduction.fields.subtracting(joined.reduction.fields) {
            joined.reduction.fields.insert(field)
            joined.specimen.remove(field.split(separator: ".").map(String.init))
        }
        return joined
    }
}

extension Specimen {
    /// Removes a field of the oldest version from the whole document.
    fileprivate mutating func remove(_ names: [String]) {
        good.remove(names[...])
        spoilings.removeAll { spoiling in
            let keys = spoiling.path.parts.compactMap { if case .key(let name) = $0 { name } else { nil } }
            return keys.starts(with: names)
        }
    }
}

extension Value {
    fileprivate mutating func remove(_ names: ArraySlice<String>) {
        guard let name = names.first else { return }
        switch self {
        case .object(var members):
            if names.count == 1 {
                members[name] = nil
            } else if var child = members[name] {
                child.remove(names.dropFirst())
                members[name] = child
            }
            self = .object(members)
        case .list(var elements, let flows):
            for index in elements.indices { elements[index].remove(names) }
            self = .list(elements, flows)
        case .leaf: break
        }
    }

    fileprivate mutating func setVersion(_ version: Int, ifPresent isPresent: Bool) {
        if isPresent { _ = replace([.key("version")], by: .number(Double(version))) }
    }
}
