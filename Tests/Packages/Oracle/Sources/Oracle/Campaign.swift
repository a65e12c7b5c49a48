import DocumentModel
import Foundation

/// Asks the program about many documents, and reports how many of its claims are true.
struct Campaign: Sendable {
    let arguments: Arguments

    /// A round has the same number of chains of each system. Workers with few chains start fast.
    private static let chainsPerRound = 8 * System.allCases.count
    private static let documentsPerChain = 12

    /// A document of the run.
    private struct Case: Sendable {
        let chain: Int
        let document: Int
    }

    private struct Outcome: Sendable {
        let item: Case
        let system: System
        /// The tally, or `nil` if the program and the oracle disagree on whether the document opens.
        let tally: Tally?
        let leaves: Int
    }

    /// - Returns: Whether the campaign passed.
    func run() throws -> Bool {
        if arguments.verifiesTruth { return BruteForce(seed: arguments.seed, values: arguments.claims).run() }
        if let chain = arguments.chain { return try show(chain, arguments.document ?? 0) }
        let start = Date()
        var (outcomes, claims, chain) = ([Outcome](), 0, 0)
        // Only whole rounds are run, so that the figures are the same each time.
        while claims < arguments.claims {
            let round = try ask(about: chain..<(chain + Self.chainsPerRound))
            outcomes += round
            claims += round.reduce(0) { $0 + ($1.tally?.claims ?? 0) }
            chain += Self.chainsPerRound
        }
        return report(outcomes, chains: chain, seconds: Date().timeIntervalSince(start))
    }

    private func ask(about chains: Range<Int>) throws -> [Outcome] {
        let interrogation = try Interrogation(chains.map { Reduction(chain: $0) }, seed: arguments.seed)
        defer { interrogation.end() }
        let count = Self.documentsPerChain
        let results = Shared([Result<Outcome, any Error>?](repeating: nil, count: chains.count * count))
        DispatchQueue.concurrentPerform(iterations: chains.count * count) { index in
            let outcome = Result {
                try judge(interrogation.schemes[index / count], index % count, interrogation)
            }
            results.with { $0[index] = outcome }
        }
        return try results.with { $0 }.compactMap { try $0?.get() }
    }

    private func judge(_ scheme: Scheme, _ number: Int, _ interrogation: Interrogation) throws -> Outcome {
        let specimen = Specimen(of: scheme, number: number, seed: arguments.seed)
        let story = try interrogation.ask(scheme, specimen.document)
        return Outcome(
            item: Case(chain: scheme.number, document: number), system: scheme.system,
            tally: Judge(scheme, specimen, story).judge(), leaves: specimen.document.leaves.count)
    }

    // MARK: - Reporting

    private func report(_ outcomes: [Outcome], chains: Int, seconds: Double) -> Bool {
        var (all, bySystem) = (Tally(), [System: Tally]())
        var disagreeing: [Case] = []
        var wrong: [Topic: [(Case, FalseClaim)]] = [:]
        var silent: [Topic: [(Case, FalseClaim)]] = [:]
        var unknown: [Topic: [(Case, FalseClaim)]] = [:]
        for outcome in outcomes {
            guard let tally = outcome.tally else {
                disagreeing.append(outcome.item)
                continue
            }
            all.add(tally)
            bySystem[outcome.system, default: Tally()].add(tally)
            for claim in tally.wrong { wrong[claim.topic, default: []].append((outcome.item, claim)) }
            for claim in tally.silent { silent[claim.topic, default: []].append((outcome.item, claim)) }
            for claim in tally.unknown { unknown[claim.topic, default: []].append((outcome.item, claim)) }
        }
        for topic in Topic.allCases {
            let examples = (wrong[topic] ?? []).prefix(arguments.examples)
            for (item, claim) in examples { print("\nfalse: \(claim.text)\n\(place(item))") }
            if let item = examples.first?.0, arguments.examples < 20 { shrink(item, topic) }
            guard arguments.showsSilent else { continue }
            for (words, claims) in [("not said", silent), ("not known", unknown)] {
                for (item, claim) in (claims[topic] ?? []).prefix(arguments.examples) {
                    print("\n\(words): \(claim.text)\n\(place(item))")
                }
            }
        }
        for (system, tally) in bySystem.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            print("\n\(system)\n\(tally.table)")
        }
        let leaves = outcomes.map(\.leaves).sorted()
        print(
            "\nall, seed \(arguments.seed), \(outcomes.count) documents, \(chains) chains\n\(all.table)")
        print(
            String(
                format: "%.1f%% of the true things are said; %d false; %.0f seconds; %d leaves in a middling document",
                all.said, all.falseClaims, seconds, leaves.isEmpty ? 0 : leaves[leaves.count / 2]))
        if !disagreeing.isEmpty {
            print(
                "of \(disagreeing.count) documents the program and the oracle do not agree whether they open: "
                    + disagreeing.prefix(5).map(place).joined(separator: "; "))
        }
        if all.strangeSteps > 0 { print("\(all.strangeSteps) steps make something else here") }
        let isTrue = all.falseClaims <= arguments.atMostFalse ?? 0 && disagreeing.isEmpty && all.strangeSteps == 0
        return isTrue && all.said >= arguments.atLeastSaid ?? 0
    }

    private func place(_ item: Case) -> String {
        "--seed \(arguments.seed) --chain \(item.chain) --document \(item.document)"
    }

    /// Prints the smallest chain and document with a false claim of the same kind.
    private func shrink(_ item: Case, _ topic: Topic) {
        let scheme = Scheme(item.chain, seed: arguments.seed)
        let specimen = Specimen(of: scheme, number: item.document, seed: arguments.seed)
        guard let (small, document, claim) = try? Shrinking(seed: arguments.seed, topic: topic).shrink(scheme, specimen)
        else { return }
        print("shrunk: \(claim.text)\n\(small.description)\ndocument: \(document.document.json)")
    }

    /// Tries one document, and prints everything about it.
    private func show(_ chain: Int, _ number: Int) throws -> Bool {
        let interrogation = try Interrogation([Reduction(chain: chain)], seed: arguments.seed)
        defer { interrogation.end() }
        let scheme = interrogation.schemes[0]
        let specimen = Specimen(of: scheme, number: number, seed: arguments.seed)
        print("\(scheme.description)\ndocument: \(specimen.document.json)")
        for spoiling in specimen.spoilings { print("spoiled: \(spoiling)") }
        let trace = try interrogation.trace(scheme, specimen.document)
        if arguments.showsTrace { print(JSONWriter().string(trace.root)) }
        let story = Story(Value(trace.root))
        let judge = Judge(scheme, specimen, story)
        let tally = judge.judge()
        for step in story.steps { print("after: \(step.after?.json ?? "nothing")") }
        if let failure = story.failure { print("failure: \(failure.message)") }
        guard let tally else {
            print("the program says \(story.outcome); here: \(scheme.run(specimen.document).end)")
            return false
        }
        for claim in tally.wrong { print("false: \(claim.text)") }
        for claim in tally.silent { print("not said: \(claim.text)") }
        for claim in tally.unknown { print("not known: \(claim.text)") }
        print(tally.table)
        return tally.falseClaims == 0
    }
}

/// A value that threads share.
///
/// ## Invariant
/// The value is only accessed while the lock is held.
final class Shared<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    init(_ value: Value) { self.value = value }

    func with<Result>(_ body: (inout Value) -> Result) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return body(&value)
    }
}
