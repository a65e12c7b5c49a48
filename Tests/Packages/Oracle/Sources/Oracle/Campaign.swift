import DocumentModel
import Foundation

/// Asks the program about many documents, and says how much of what it claims is true.
struct Campaign: Sendable {
    private let arguments: Arguments
    private let schemes = Registry.schemes

    init(_ arguments: Arguments) { self.arguments = arguments }

    /// A document of the run.
    private struct Case: Sendable {
        let scheme: Int
        let document: Int
    }

    private struct Outcome: Sendable {
        var tally: Tally?
        var leaves: Int
    }

    /// What is known so far.
    private struct Results: Sendable {
        var next = 0
        var claims = 0
        var outcomes: [Int: Outcome] = [:]
        var error: String?
    }

    /// - Returns: Whether all is well.
    func run() throws -> Bool {
        if arguments.verifiesTruth { return BruteForce(schemes: schemes, seed: arguments.seed).run() }
        let interrogation = try Interrogation()
        defer { interrogation.end() }
        if let document = arguments.document { return try show(document, interrogation) }
        let start = Date()
        // Each round takes a document of every chain, so that few claims are of many chains.
        let cases = (0..<Arguments.documentsPerChain).flatMap { document in
            schemes.indices.map { Case(scheme: $0, document: document) }
        }
        let results = Shared(Results())
        let threads = ProcessInfo.processInfo.activeProcessorCount + 1
        DispatchQueue.concurrentPerform(iterations: threads) { _ in
            while let index = next(cases, results) {
                let outcome = Result { try judge(cases[index], interrogation) }
                results.with { results in
                    switch outcome {
                    case .success(let outcome):
                        results.outcomes[index] = outcome
                        results.claims += outcome.tally?.claims ?? 0
                    case .failure(let error): results.error = "\(error), at chain \(cases[index].scheme)"
                    }
                }
            }
        }
        let all = results.with { $0 }
        if let error = all.error {
            print("the program does not answer: \(error)")
            return false
        }
        return report(cases, all, seconds: Date().timeIntervalSince(start))
    }

    private func next(_ cases: [Case], _ results: Shared<Results>) -> Int? {
        results.with { results in
            guard results.error == nil, results.claims < arguments.claims, results.next < cases.count else {
                return nil
            }
            results.next += 1
            return results.next - 1
        }
    }

    private func judge(_ item: Case, _ interrogation: Interrogation) throws -> Outcome {
        let scheme = schemes[item.scheme]
        let specimen = Specimen(of: scheme, number: item.document, seed: arguments.seed)
        let document = specimen.document
        let story = try interrogation.ask(scheme, document)
        let judge = Judge(scheme, specimen, story)
        return Outcome(tally: judge.judge(), leaves: document.leaves.count)
    }

    // MARK: - Reporting

    private func report(_ cases: [Case], _ results: Results, seconds: Double) -> Bool {
        var (all, bySystem) = (Tally(), [System: Tally]())
        var disagreeing: [Case] = []
        var wrong: [Topic: [(Case, FalseClaim)]] = [:]
        var silent: [Topic: [(Case, FalseClaim)]] = [:]
        for (index, outcome) in results.outcomes.sorted(by: { $0.key < $1.key }) {
            let item = cases[index]
            guard let tally = outcome.tally else {
                disagreeing.append(item)
                continue
            }
            all.add(tally)
            bySystem[schemes[item.scheme].system, default: Tally()].add(tally)
            for claim in tally.wrong { wrong[claim.topic, default: []].append((item, claim)) }
            for claim in tally.silent { silent[claim.topic, default: []].append((item, claim)) }
        }
        for topic in Topic.allCases {
            let examples = (wrong[topic] ?? []).prefix(arguments.examples)
            for (item, claim) in examples { print("\nfalse: \(claim.text)\n\(place(item))") }
            if let item = examples.first?.0, arguments.examples < 20 { shrink(item, topic) }
            guard arguments.showsSilent else { continue }
            for (item, claim) in (silent[topic] ?? []).prefix(arguments.examples) {
                print("\nnot said: \(claim.text)\n\(place(item))")
            }
        }
        for (system, tally) in bySystem.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            print("\n\(system)\n\(tally.table)")
        }
        let leaves = results.outcomes.values.map(\.leaves).sorted()
        print(
            "\nall, seed \(arguments.seed), \(results.outcomes.count) documents, \(schemes.count) chains\n\(all.table)")
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
        "--seed \(arguments.seed) --chain \(schemes[item.scheme].number) --document \(item.document)"
    }

    /// Prints the smallest chain and document of which such a claim is false.
    private func shrink(_ item: Case, _ topic: Topic) {
        let scheme = schemes[item.scheme]
        let specimen = Specimen(of: scheme, number: item.document, seed: arguments.seed)
        guard let (small, document, claim) = try? Shrinking(seed: arguments.seed, topic: topic).shrink(scheme, specimen)
        else { return }
        print("shrunk: \(claim.text)\n\(small.description)\ndocument: \(document.document.json)")
    }

    /// Tries one document and says all of it.
    private func show(_ number: Int, _ interrogation: Interrogation) throws -> Bool {
        let scheme = schemes[0]
        let specimen = Specimen(of: scheme, number: number, seed: arguments.seed)
        print("\(scheme.description)\ndocument: \(specimen.document.json)")
        for spoiling in specimen.spoilings { print("spoiled: \(spoiling)") }
        let story = try interrogation.ask(scheme, specimen.document)
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
        print(tally.table)
        return tally.falseClaims == 0
    }
}

/// A value that threads share.
///
/// ## Invariant
/// The value is only touched while the lock is held.
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
